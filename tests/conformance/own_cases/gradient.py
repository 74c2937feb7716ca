"""Gradient of ai.onnx.preview.training: every rule against central differences of onnx's reference evaluator in float64.

The differentiated graph is `y = operator(inputs)` followed by a weighted sum, so that every element of y has a weight of
its own; the weights are a constant. The differences step each element of each x by 1e-5.
"""

import math

import numpy as np
from case import Case, info_of
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

DOMAIN = "ai.onnx.preview.training"
STEP = 1e-5


class Erf(OpRun):
    """The evaluator's own is of float32 precision only."""

    def _run(self, x):
        return (np.vectorize(math.erf, otypes=[x.dtype])(x),)


class Gelu(OpRun):
    """The same."""

    def _run(self, x, approximate=None):
        if approximate == "tanh":
            return (0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),)
        return (0.5 * x * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x / math.sqrt(2))),)


def evaluator_of(model):
    return ReferenceEvaluator(model, new_ops=[Erf, Gelu])


def forward_graph(nodes, inputs, constants):
    """The inputs of a model as ValueInfos and its constants as initializers."""
    return [info_of(name, value) for name, value in inputs.items()], [numpy_helper.from_array(value, name) for name, value in constants.items()]


def model_of(nodes, inputs, outputs, constants, opset):
    infos, initializers = forward_graph(nodes, inputs, constants)
    graph = helper.make_graph(nodes, "gradient", infos, [info_of(name, value) for name, value in outputs.items()], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid(DOMAIN, 1)], ir_version=10)


def weighted(nodes, results, opset):
    """Nodes that sum all elements of the results, each with a weight of its own."""
    constants, parts, added = {}, [], list(nodes)
    for index, (name, value) in enumerate(results.items()):
        constants[f"w{index}"] = np.cos(np.arange(value.size, dtype=np.float64) + 0.3).reshape(value.shape)
        added.append(helper.make_node("Mul", [name, f"w{index}"], [f"m{index}"]))
        added.append(helper.make_node("ReduceSum", [f"m{index}"], [f"s{index}"], keepdims=0))
        parts.append(f"s{index}")
    added.append(helper.make_node("Sum", parts, ["loss"]))
    return added, constants


def differences(nodes, inputs, constants, xs, opset):
    loss_info = {"loss": np.float64(0)}
    evaluator = evaluator_of(model_of(nodes, inputs, loss_info, constants, opset))
    results = []
    for name in xs:
        gradient = np.zeros(inputs[name].shape)
        for place in np.ndindex(gradient.shape):
            values = []
            for sign in (1, -1):
                moved = {key: np.array(value) for key, value in inputs.items()}
                moved[name][place] += sign * STEP
                values.append(evaluator.run(None, moved)[0])
            gradient[place] = (values[0] - values[1]) / (2 * STEP)
        results.append(gradient)
    return results


def case_of(name, nodes, inputs, xs, results, opset=18, constants=None, symbolic=False):
    """results: the differentiated values of the graph, name -> shape example. xs: whose gradient is asked for."""
    constants = dict(constants or {})
    body, weights = weighted(nodes, results, opset)
    constants.update(weights)
    expected = differences(body, inputs, constants, xs, opset)
    zs = [key for key in inputs if key not in xs]
    gradient = helper.make_node("Gradient", xs + zs, [f"d_{x}" for x in xs], domain=DOMAIN, xs=xs, y="loss", **({"zs": zs} if zs else {}))
    outputs = {f"d_{x}": value for x, value in zip(xs, expected)}
    model = model_of(body + [gradient], inputs, outputs, constants, opset)
    if symbolic:  # sizes are known at run time only
        for index, info in enumerate([*model.graph.input, *model.graph.output]):
            for axis, dim in enumerate(info.type.tensor_type.shape.dim):
                dim.dim_param = f"n{index}_{axis}"
    return Case(name, model, inputs, outputs, rtol=1e-5, atol=1e-7)


def single(operator, *values, xs=1, opset=18, name=None, slots=None, outputs=1, constants=None, symbolic=False, **attributes):
    """One operator. values: its inputs (None: left out); the first `xs` are differentiated."""
    names = ["" if value is None else f"x{i}" for i, value in enumerate(values)]
    inputs = {key: value for key, value in zip(names, values) if value is not None and key not in (constants or ())}
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(operator, names, results, **attributes)
    held = {key: value for key, value in zip(names, values) if key in (constants or ())}
    infos, initializers = forward_graph([node], inputs, held)
    probe = helper.make_model(
        helper.make_graph([node], "probe", infos, [helper.make_tensor_value_info(r, TensorProto.DOUBLE, None) for r in results], initializers),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=10,
    )
    made = evaluator_of(probe).run(None, inputs)
    kept = {r: value for r, value in zip(results, made) if value.dtype == np.float64}
    wanted = [key for key in names if key][:xs] if isinstance(xs, int) else [names[i] for i in xs]
    return case_of(name or operator.lower(), [node], inputs, wanted, kept, opset, held, symbolic)


RNG = np.random.default_rng(11)


def normal(*shape):
    return RNG.standard_normal(shape)


def positive(*shape):
    return RNG.random(shape) + 0.5


def apart(*shape):
    """Distinct values, none near zero or near another."""
    count = int(np.prod(shape))
    return ((RNG.permutation(count) - count / 2 + 0.25) * 0.3).reshape(shape)


def integers(*values):
    return np.array(values, dtype=np.int64)


def celu_case():
    """Celu takes float only, too coarse for differences."""
    x = apart(5).astype(np.float32)
    nodes = [helper.make_node("Celu", ["x"], ["y"], alpha=0.5), helper.make_node("Gradient", ["x"], ["d"], domain=DOMAIN, xs=["x"], y="y")]
    outputs = {"d": np.where(x >= 0, np.float32(1), np.exp(x / np.float32(0.5)))}
    return Case("celu", model_of(nodes, {"x": x}, outputs, {}, 18), {"x": x}, outputs, rtol=1e-5)


def elementwise_cases():
    for operator in ("Abs", "Neg", "Identity", "Exp", "Sin", "Cos", "Tanh", "Sigmoid", "Relu", "Elu", "Selu", "Softplus", "Softsign", "Erf", "Atan", "Sinh", "Cosh", "Asinh", "LeakyRelu"):
        yield single(operator, apart(2, 3))
    for operator in ("Log", "Sqrt", "Reciprocal"):
        yield single(operator, positive(2, 3))
    for operator in ("Tan", "Asin", "Acos", "Atanh"):
        yield single(operator, RNG.random((2, 3)) * 0.8 - 0.4)
    yield single("Acosh", positive(2, 3) + 1)
    yield single("Elu", apart(2, 3), name="elu_alpha", alpha=0.5)
    yield celu_case()
    yield single("HardSigmoid", apart(2, 5), alpha=0.25, beta=0.4)
    yield single("HardSwish", apart(2, 3) * 0.9, name="hardswish_by_its_body")
    yield single("Mish", normal(2, 3), name="mish_by_its_body")
    yield single("ThresholdedRelu", apart(2, 3), alpha=0.5)
    yield single("PRelu", apart(2, 3), positive(3), xs=2)
    yield single("Gelu", normal(2, 3), opset=20)
    yield single("Gelu", normal(2, 3), opset=20, name="gelu_tanh", approximate="tanh")
    yield single("Mod", apart(6) * 3, np.full(6, 2.0), fmod=1)
    for operator in ("Add", "Sub", "Mul", "Div"):
        yield single(operator, normal(2, 3), positive(2, 3), xs=2)
        yield single(operator, normal(2, 1, 3), positive(4, 1), xs=2, name=f"{operator.lower()}_broadcast")
        yield single(operator, normal(2, 1, 3), positive(4, 1), xs=2, name=f"{operator.lower()}_broadcast_symbolic", symbolic=True)
    yield single("Pow", positive(2, 3), normal(3), xs=2)
    yield single("Pow", apart(4), integers(0, 1, 2, 3), name="pow_integer_exponent")
    yield single("Sum", normal(2, 3), normal(3), normal(2, 1), xs=3)
    yield single("Mean", normal(2, 3), normal(3), xs=2)
    yield single("Cast", normal(2, 3), to=TensorProto.DOUBLE, name="cast_same")


def selection_cases():
    values = apart(3, 4)
    yield single("Max", values, values[::-1].copy() + 0.1, xs=2)
    yield single("Min", values, np.float64(0.05), xs=2, name="min_broadcast")
    yield single("Max", values, name="max_one")
    condition = np.array([[True], [False], [True]])
    yield single("Where", condition, normal(3, 4), normal(4), xs=[1, 2])
    yield single("Clip", apart(3, 4), np.float64(-0.7), np.float64(0.8), xs=3)
    yield single("Clip", apart(3, 4), None, np.float64(0.8), xs=[0, 2], name="clip_upper")
    yield single("Clip", apart(3, 4), name="clip_none")
    yield single("Dropout", normal(2, 3), opset=13)
    yield single("TopK", apart(3, 5), integers(2), outputs=2, axis=1)


def movement_cases():
    yield single("Reshape", normal(2, 6), integers(3, -1))
    yield single("Reshape", normal(2, 6), integers(3, -1), name="reshape_symbolic", symbolic=True)
    yield single("Flatten", normal(2, 3, 2), axis=2)
    yield single("Squeeze", normal(2, 1, 3), integers(1))
    yield single("Unsqueeze", normal(2, 3), integers(0, 3))
    yield single("Transpose", normal(2, 3, 4), perm=[2, 0, 1])
    yield single("Transpose", normal(2, 3), name="transpose_reversed")
    yield single("Expand", normal(3, 1), integers(2, 3, 4))
    yield single("Expand", normal(3, 1), integers(2, 3, 4), name="expand_symbolic", symbolic=True)
    yield single("Tile", normal(2, 3), integers(2, 2))
    yield single("Concat", normal(2, 3), normal(2, 1), normal(2, 2), xs=3, axis=-1)
    yield single("Concat", normal(2, 3), normal(2, 1), xs=2, axis=1, name="concat_symbolic", symbolic=True)
    yield single("Split", normal(2, 5), integers(2, 3), outputs=2, axis=1)
    yield single("Slice", normal(4, 5), integers(1, 0), integers(-1, 3), integers(0, 1), constants=("x1", "x2", "x3"))
    yield single("Slice", normal(4, 5), integers(-1, 4), integers(-9, 0), integers(0, 1), integers(-2, -1), constants=("x1", "x2", "x3", "x4"), name="slice_backward_steps")
    yield single("Slice", normal(4, 5), integers(1), integers(3), integers(1), name="slice_run_time", symbolic=True)
    yield single("Gather", normal(4, 3), np.array([[0, 3], [3, -1]], dtype=np.int64), axis=0)
    yield single("Gather", normal(2, 4, 3), np.array([[1, 1]], dtype=np.int64), axis=1, name="gather_middle")
    yield single("Gather", normal(2, 4), np.int64(2), axis=-1, name="gather_scalar")
    yield single("GatherElements", normal(3, 3), np.array([[0, 2, 2], [1, 1, 0]], dtype=np.int64), axis=0)
    yield single("GatherND", normal(3, 4), np.array([[0, 1], [2, 3], [0, 1]], dtype=np.int64))
    yield single("ScatterElements", normal(3, 3), np.array([[0, 2, 1]], dtype=np.int64), normal(1, 3), xs=[0, 2], axis=0)
    yield single("ScatterND", normal(4, 2), np.array([[1], [3]], dtype=np.int64), normal(2, 2), xs=[0, 2])
    yield single("Pad", normal(2, 3), integers(1, 0, 0, 2), np.float64(0.7), xs=[0, 2])
    yield single("Pad", normal(4, 3), integers(2, 0, 1, 1), mode="reflect", name="pad_reflect")
    yield single("Pad", normal(4, 3), integers(2, 0, 1, 1), mode="edge", name="pad_edge")
    yield single("DepthToSpace", normal(1, 4, 2, 2), blocksize=2)
    yield single("Compress", normal(3, 2), np.array([True, False, True]), axis=0)
    yield single("Trilu", normal(3, 3), upper=0)


def reduction_cases():
    for operator in ("ReduceSum", "ReduceMean", "ReduceSumSquare", "ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceProd", "ReduceMax", "ReduceMin"):
        yield single(operator, apart(2, 3, 2), integers(1), keepdims=0, constants=("x1",))
        yield single(operator, apart(2, 3), name=f"{operator.lower()}_all", keepdims=0)
        yield single(operator, apart(2, 3, 2), integers(0, -1), name=f"{operator.lower()}_symbolic", symbolic=True)
    yield single("ReduceLogSum", positive(2, 3), integers(-1), keepdims=0, constants=("x1",))
    yield single("ReduceSum", normal(2, 3), name="reducesum_opset_11", opset=11, axes=[0], keepdims=0)
    yield single("Softmax", normal(2, 3))
    yield single("Softmax", normal(2, 3, 2), axis=1, name="softmax_axis")
    yield single("Softmax", normal(4), name="softmax_vector")
    yield single("LogSoftmax", normal(2, 3, 2), axis=1)
    yield single("CumSum", normal(2, 4), np.int64(1), exclusive=1)


def product_cases():
    yield single("MatMul", normal(2, 3), normal(3, 4), xs=2)
    yield single("MatMul", normal(2, 1, 2, 3), normal(4, 3, 2), xs=2, name="matmul_batches")
    yield single("MatMul", normal(3), normal(2, 3, 4), xs=2, name="matmul_vector_left")
    yield single("MatMul", normal(2, 3), normal(3), xs=2, name="matmul_vector_right")
    yield single("MatMul", normal(3), normal(3), xs=2, name="matmul_vectors")
    for turn_a in (0, 1):
        for turn_b in (0, 1):
            a, b = normal(*((3, 2) if turn_a else (2, 3))), normal(*((4, 3) if turn_b else (3, 4)))
            yield single("Gemm", a, b, normal(4), xs=3, name=f"gemm_{turn_a}{turn_b}", transA=turn_a, transB=turn_b, alpha=0.5, beta=1.5)
    yield single("Einsum", normal(2, 3), normal(3, 4), xs=2, equation="ij,jk->ik")


def convolution_cases():
    yield single("Conv", normal(2, 2, 5, 4), normal(3, 2, 3, 2), normal(3), xs=3)
    yield single("Conv", normal(1, 2, 6), normal(2, 2, 3), xs=2, name="conv_strides_pads", strides=[2], pads=[1, 2])
    yield single("Conv", normal(2, 4, 7, 6), normal(4, 2, 2, 2), xs=2, name="conv_groups_dilations", group=2, dilations=[2, 1], strides=[2, 3], pads=[1, 0, 0, 1])
    yield single("Conv", normal(2, 3, 5, 5), normal(3, 1, 3, 3), xs=2, name="conv_depthwise_same", group=3, auto_pad="SAME_UPPER", strides=[2, 2])
    yield single("Conv", normal(2, 4, 7, 6), normal(4, 2, 2, 2), xs=2, name="conv_symbolic", group=2, strides=[2, 3], pads=[1, 0, 0, 1], symbolic=True)
    yield single("ConvTranspose", normal(2, 2, 3, 3), normal(2, 3, 2, 2), normal(3), xs=3)
    yield single("ConvTranspose", normal(1, 2, 4), normal(2, 2, 3), xs=2, name="convtranspose_strides", strides=[2], pads=[1, 0], output_padding=[1])
    yield single("AveragePool", normal(2, 2, 4, 4), kernel_shape=[2, 2])
    yield single("AveragePool", normal(1, 2, 5, 4), kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1], name="averagepool_pads")
    yield single("AveragePool", normal(1, 2, 5, 4), kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1], count_include_pad=1, name="averagepool_count_pads")
    yield single("AveragePool", normal(1, 1, 6), kernel_shape=[3], strides=[2], ceil_mode=1, name="averagepool_ceil", opset=19)
    yield single("MaxPool", apart(2, 2, 4, 4), kernel_shape=[2, 2])
    yield single("MaxPool", apart(1, 2, 5, 5), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], name="maxpool_overlap")
    yield single("GlobalAveragePool", normal(2, 2, 3, 2))
    yield single("GlobalMaxPool", apart(2, 2, 3, 2))


def normalization_cases():
    yield single("BatchNormalization", normal(2, 3, 4), normal(3), normal(3), normal(3), positive(3), xs=5)
    yield single("LayerNormalization", normal(2, 3, 4), normal(4), normal(4), xs=3)
    yield single("LayerNormalization", normal(2, 3, 4), normal(3, 4), normal(4), xs=3, axis=1, name="layernormalization_two_axes")
    yield single("RMSNormalization", normal(2, 4), normal(4), xs=2, opset=23)
    yield single("InstanceNormalization", normal(2, 2, 3, 2), normal(2), normal(2), xs=3)


def graph_cases():
    """Whole graphs: a value used several times, a loss function by its body, intermediate and fed values, second derivatives."""
    node = helper.make_node
    x, w, c = normal(3, 4), normal(4, 5), normal(5)
    layers = [node("MatMul", ["x", "w"], ["h"]), node("Add", ["h", "c"], ["a"]), node("Tanh", ["a"], ["t"]), node("Mul", ["t", "a"], ["y"])]
    yield case_of("used_twice", layers, {"x": x, "w": w, "c": c}, ["w", "c"], {"y": np.zeros((3, 5))})
    yield case_of("not_used", [node("Exp", ["x"], ["y"])], {"x": x, "other": c}, ["x", "other"], {"y": x})
    labels = integers(1, 0, 3)
    loss = [node("MatMul", ["x", "w"], ["h"]), node("SoftmaxCrossEntropyLoss", ["h", "labels"], ["y"], reduction="mean")]
    yield case_of("cross_entropy_by_its_body", loss, {"x": x, "w": w, "labels": labels}, ["x", "w"], {"y": np.zeros(())}, opset=13)
    yield fed_case(x)
    yield second_derivative_case()


def fed_case(x):
    """The gradient of y = sum(x^3 + b x) at another x than the graph's."""
    other, b = normal(3, 4), normal(4)
    nodes = [
        helper.make_node("Mul", ["x", "x"], ["s"]),
        helper.make_node("Mul", ["s", "x"], ["q"]),
        helper.make_node("Mul", ["x", "b"], ["r"]),
        helper.make_node("Add", ["q", "r"], ["y"]),
        helper.make_node("Gradient", ["other", "b"], ["d"], domain=DOMAIN, xs=["x"], zs=["b"], y="y"),
    ]
    inputs = {"x": x, "other": other, "b": b}
    outputs = {"y": x**3 + x * b, "d": 3 * other**2 + b}
    return Case("other_values_fed", model_of(nodes, inputs, outputs, {}, 18), inputs, outputs, rtol=1e-6)


def second_derivative_case():
    """y = sin(x) x^2: first and second derivative."""
    x = normal(5)
    gradient = lambda of, made: helper.make_node("Gradient", ["x"], [made], domain=DOMAIN, xs=["x"], y=of)
    nodes = [helper.make_node("Mul", ["x", "x"], ["s"]), helper.make_node("Sin", ["x"], ["n"]), helper.make_node("Mul", ["s", "n"], ["y"]), gradient("d1", "d2"), gradient("y", "d1")]
    first = np.cos(x) * x**2 + 2 * x * np.sin(x)
    second = -np.sin(x) * x**2 + 4 * x * np.cos(x) + 2 * np.sin(x)
    outputs = {"d1": first, "d2": second}
    return Case("second_derivative", model_of(nodes, {"x": x}, outputs, {}, 18), {"x": x}, outputs, rtol=1e-6)


def cases():
    for family in (elementwise_cases, selection_cases, movement_cases, reduction_cases, product_cases, convolution_cases, normalization_cases, graph_cases):
        yield from family()
