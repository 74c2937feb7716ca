"""Every element type of the operators that calculate: values are computed in double and rounded to the type."""

import math

import numpy as np
from case import Case, at_version, reference
from onnx import TensorProto, helper
from typed import FLOATS, is_float, narrow, of, typed_cases, wide

NUMBERS = [[1, -2, 3], [0, 5, -1]]
OTHERS = [[2, 1, 3], [4, 2, 1]]
INSIDE = [[0.5, -0.25, 0.75], [0, 0.125, -0.5]]
ABOVE = [[1, 2, 3], [4, 5, 1.5]]

erf = np.vectorize(math.erf)


def ints(*values):
    return np.array(values, dtype=np.int64)


def variable_of(kinds):
    return next(name for name in ("T", "T1", "V") if name in kinds)


def pointwise(definition, numbers=NUMBERS, **attributes):
    def recipe(kinds, version):
        kind = kinds[variable_of(kinds)]
        x = of(kind, numbers)
        return [x], [narrow(definition(wide(x)), kind)], attributes

    return recipe


def pairwise(definition, left=ABOVE, right=OTHERS, boolean=False):
    def recipe(kinds, version):
        kind = kinds["T"]
        a, b = of(kind, np.trunc(left)), of(kind, right)
        if kind == TensorProto.STRING:
            return [a, b], [a == b], {}
        y = definition(wide(a), wide(b))
        if not boolean and not is_float(kind):
            y = np.trunc(y)
        return [a, b], [y if boolean else narrow(y, kind)], {}

    return recipe


def logical(definition):
    def recipe(kinds, version):
        a, b = of(TensorProto.BOOL, NUMBERS), of(TensorProto.BOOL, INSIDE)
        return [a, b], [definition(a, b)], {}

    return recipe


def bits(definition):
    def recipe(kinds, version):
        a, b = of(kinds["T"], [6, 3, 5]), of(kinds["T"], [3, 5, 1])
        return [a, b], [definition(a, b)], {}

    return recipe


def shift(kinds, version):
    a, b = of(kinds["T"], [6, 3, 64]), of(kinds["T"], [1, 2, 3])
    return [a, b], [a >> b], {"direction": "RIGHT"}


def variadic(definition):
    def recipe(kinds, version):
        values = [of(kinds["T"], numbers) for numbers in (NUMBERS, OTHERS, ABOVE)]
        y = definition([wide(value) for value in values])
        return values, [narrow(y, kinds["T"])], {}

    return recipe


def power(kinds, version):
    x, y = of(kinds["T"], [1, 2, 3]), of(kinds.get("T1", kinds["T"]), [2, 3, 1])
    return [x, y], [narrow(wide(x) ** wide(y), kinds["T"])], {}


def clip(kinds, version):
    x, low, high = of(kinds["T"], ABOVE), of(kinds["T"], 2), of(kinds["T"], 4)
    return [x, low, high], [narrow(np.clip(wide(x), 2, 4), kinds["T"])], {}


def modulo(kinds, version):
    a, b = of(kinds["T"], [7, 9, 5]), of(kinds["T"], [3, 4, 5])
    return [a, b], [narrow(np.fmod(wide(a), wide(b)), kinds["T"])], {"fmod": 1} if is_float(kinds["T"]) else {}


def prelu(kinds, version):
    x, slope = of(kinds["T"], NUMBERS), of(kinds["T"], 2)
    return [x, slope], [narrow(np.where(wide(x) < 0, 2 * wide(x), wide(x)), kinds["T"])], {}


def classes(test):
    def recipe(kinds, version):
        x = np.array([1, np.nan, np.inf, -np.inf, 0]).astype(helper.tensor_dtype_to_np_dtype(kinds["T1"]))
        return [x], [test(wide(x))], {}

    return recipe


def reduction(definition):
    def recipe(kinds, version):
        kind = kinds["T"]
        x = of(kind, ABOVE if kind != TensorProto.BOOL else NUMBERS)
        y = definition(wide(x))
        if not is_float(kind):
            y = np.trunc(y)
        return [x], [narrow(y, kind).reshape(1, 1)], {}

    return recipe


def extreme(definition):
    def recipe(kinds, version):
        x = of(kinds["T"], OTHERS)
        return [x], [definition(wide(x), axis=1)], {"axis": 1, "keepdims": 0}

    return recipe


def top(kinds, version):
    x = of(kinds["T"], [[1, 4, 2], [6, 3, 5]])
    at = np.array([[1, 2], [0, 2]])
    return [x, ints(2)], [np.take_along_axis(x, at, 1), at], {}


def running(definition):
    def recipe(kinds, version):
        x = of(kinds["T"], OTHERS)
        return [x, of(kinds["T2"], 1)], [narrow(definition(wide(x), axis=1), kinds["T"])], {}

    return recipe


def product(kinds, version):
    a, b = of(kinds["T"], ABOVE), of(kinds["T"], [[1, 2], [3, 0], [1, 1]])
    return [a, b], [narrow(wide(a) @ wide(b), kinds["T"])], {}


def gemm(kinds, version):
    a, b, c = of(kinds["T"], ABOVE), of(kinds["T"], [[1, 2], [3, 0], [1, 1]]), of(kinds["T"], [5, 6])
    return [a, b, c], [narrow(wide(a) @ wide(b) + wide(c), kinds["T"])], {}


def einsum(kinds, version):
    a, b = of(kinds["T"], ABOVE), of(kinds["T"], [[1, 2], [3, 0], [1, 1]])
    return [a, b], [narrow(wide(b).T @ wide(a).T, kinds["T"])], {"equation": "ij,jk->ki"}


def determinant(kinds, version):
    return [of(kinds["T"], [[1, 2], [3, 4]])], [of(kinds["T"], -2)], {}


def steps(kinds, version):
    kind = kinds["T"]
    return [of(kind, 1), of(kind, 8), of(kind, 3)], [of(kind, [1, 4, 7])], {}


IMAGE = (np.arange(18) % 7).reshape(1, 2, 3, 3)


def windows(x):
    return np.stack([x[:, :, i : i + 2, j : j + 2].reshape(1, 2, 4) for i in range(2) for j in range(2)], 2)


def pool(definition, **attributes):
    def recipe(kinds, version):
        x = of(kinds["T"], IMAGE)
        return [x], [narrow(definition(windows(wide(x))).reshape(1, 2, 2, 2), kinds["T"])], {"kernel_shape": [2, 2], **attributes}

    return recipe


def max_pool(kinds, version):
    x = of(kinds["T"], IMAGE)
    at = np.argmax(windows(wide(x)), -1)
    y = np.max(windows(wide(x)), -1)
    base = np.arange(18).reshape(1, 2, 3, 3)
    return [x], [narrow(y.reshape(1, 2, 2, 2), kinds["T"]), np.take_along_axis(windows(base), at[..., None], -1).reshape(1, 2, 2, 2)], {"kernel_shape": [2, 2]}


def whole_pool(definition):
    return lambda kinds, version: ([x := of(kinds["T"], IMAGE)], [narrow(definition(wide(x)), kinds["T"])], {})


def conv(kinds, version):
    x, w = of(kinds["T"], IMAGE), of(kinds["T"], np.ones((1, 2, 2, 2)))
    return [x, w], [narrow(windows(wide(x)).sum((1, 3)).reshape(1, 1, 2, 2), kinds["T"])], {}


def conv_transpose(kinds, version):
    x, w = of(kinds["T"], IMAGE), of(kinds["T"], np.ones((2, 1, 1, 2)))
    total = wide(x).sum(1, keepdims=True)
    y = np.zeros((1, 1, 3, 4))
    y[..., :3] += total
    y[..., 1:] += total
    return [x, w], [narrow(y, kinds["T"])], {}


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def batch_normalization(kinds, version):
    kind = kinds["T"]
    second = kinds.get("T1", kind)
    third = kinds.get("T2", kinds.get("U", kind))
    if version < 15:  # the older forms share types
        second = third = kind
    x, scale, bias, mean, variance = of(kind, IMAGE), of(second, [1, 2]), of(second, [3, 1]), of(third, [2, 1]), of(third, [4, 1])
    across = (1, 2, 1, 1)
    y = (wide(x) - wide(mean).reshape(across)) / np.sqrt(wide(variance).reshape(across) + 1e-5) * wide(scale).reshape(across) + wide(bias).reshape(across)
    return [x, scale, bias, mean, variance], [narrow(y, kind)], {}


def instance_normalization(kinds, version):
    x, scale, bias = of(kinds["T"], IMAGE), of(kinds["T"], [1, 2]), of(kinds["T"], [3, 1])
    v = wide(x)
    y = (v - v.mean((2, 3), keepdims=True)) / np.sqrt(v.var((2, 3), keepdims=True) + 1e-5) * np.float64([1, 2]).reshape(1, 2, 1, 1) + np.float64([3, 1]).reshape(1, 2, 1, 1)
    return [x, scale, bias], [narrow(y, kinds["T"])], {}


def lrn(kinds, version):
    x = of(kinds["T"], IMAGE)
    v = wide(x)
    return [x], [narrow(v / (1 + 0.5 * v * v) ** 0.75, kinds["T"])], {"size": 1, "alpha": 0.5}


def mean_variance(kinds, version):
    x = of(kinds["T"], IMAGE)
    v = wide(x)
    centred = v - v.mean((0, 2, 3), keepdims=True)
    return [x], [narrow(centred / (v.std((0, 2, 3), keepdims=True) + 1e-9), kinds["T"])], {}


def lp_normalization(kinds, version):
    x = of(kinds["T"], ABOVE)
    return [x], [narrow(wide(x) / np.sqrt((wide(x) ** 2).sum(1, keepdims=True)), kinds["T"])], {}


def losses(scored):
    def recipe(kinds, version):
        scores, labels = of(kinds["T"], [[1, 2, 3], [3, 0, 1]]), of(kinds["Tind"], [2, 0])
        log = np.log(softmax(wide(scores))) if scored else wide(scores)
        return [scores, labels], [narrow(-(log[0, 2] + log[1, 0]) / 2, kinds["T"])], {}

    return recipe


def dft(kinds, version):
    x = of(kinds["T1"], np.reshape([1, 2, 0, -1], (1, 4, 1)))
    spectrum = np.fft.fft(wide(x)[:, :, 0], axis=1)
    y = narrow(np.stack([spectrum.real, spectrum.imag], -1), kinds["T1"])
    return ([x, of(kinds["T2"], 4), ints(1).reshape(())] if version >= 20 else [x, of(kinds["T2"], 4)]), [y], {} if version >= 20 else {"axis": 1}


def stft(kinds, version):
    x = of(kinds["T1"], np.reshape([1, 2, 0, -1, 3, 1], (1, 6, 1)))
    frames = np.stack([wide(x)[0, at : at + 4, 0] for at in (0, 2)])
    spectrum = np.fft.rfft(frames, axis=1)
    y = narrow(np.stack([spectrum.real, spectrum.imag], -1)[None], kinds["T1"])
    return [x, of(kinds["T2"], 2), None, of(kinds["T2"], 4)], [y], {}


def window(a0, a1, a2):
    def recipe(kinds, version):
        n = np.arange(5)  # no value is a whole number, which rounding would decide
        y = a0 - a1 * np.cos(2 * np.pi * n / 5) + a2 * np.cos(4 * np.pi * n / 5)
        return [of(kinds["T1"], 5)], [narrow(np.trunc(np.round(y, 9)) if not is_float(kinds["T2"]) else y, kinds["T2"])], {"output_datatype": kinds["T2"]}

    return recipe


def mel(kinds, version):
    """The evaluator's float matrix, rounded to the type."""
    numbers = [4, 16, 8192]
    model = at_version("MelWeightMatrix", version, [*(np.int64(number) for number in numbers), np.float32(0), np.float32(4096)], [np.zeros((9, 4), np.float32)])
    y = reference(model.model, model.inputs)[0]
    return [*(of(kinds["T1"], number) for number in numbers), of(kinds["T2"], 0), of(kinds["T2"], 4096)], [narrow(y, kinds["T3"])], {"output_datatype": kinds["T3"]}


def resize_linear(kinds, version):
    kind = kinds["T1"]
    if kind in (TensorProto.STRING, TensorProto.BOOL):
        return None
    x = of(kind, [[[[1, 3, 5]]]])
    region = np.zeros(0, helper.tensor_dtype_to_np_dtype(kinds["T2"]))
    y = narrow(np.array([[[[1, 2, 3, 4, 5]]]]) * (1 + 0.5j if kind in (TensorProto.COMPLEX64, TensorProto.COMPLEX128) else 1), kind)
    return [x, region, None, ints(1, 1, 1, 5)], [y], {"mode": "linear", "coordinate_transformation_mode": "align_corners"}


def roi_align(kinds, version):
    x, rois = of(kinds["T1"], IMAGE), of(kinds["T1"], [[0, 0, 2, 2]])
    # version 10 samples between the cells
    y = wide(x)[:, :, :2, :2] if version >= 16 else windows(wide(x)).mean(-1).reshape(1, 2, 2, 2)
    return [x, rois, ints(0)], [narrow(y, kinds["T1"])], {"output_height": 2, "output_width": 2, "sampling_ratio": 1}


def bernoulli(kinds, version):
    x = of(kinds["T1"], [0, 1, 1])
    return [x], [of(kinds["T2"], [0, 1, 1])], {"dtype": kinds["T2"]}


def multinomial(kinds, version):
    return [of(kinds["T1"], [[-1000, 0, -1000]])], [of(kinds["T2"], [[1, 1]])], {"dtype": kinds["T2"], "sample_size": 2}



RECIPES = {
    "Abs": pointwise(np.abs),
    "Neg": pointwise(np.negative),
    "Sign": pointwise(np.sign),
    "Ceil": pointwise(np.ceil, INSIDE),
    "Floor": pointwise(np.floor, INSIDE),
    "Round": pointwise(np.rint, INSIDE),
    "Reciprocal": pointwise(np.reciprocal, ABOVE),
    "Sqrt": pointwise(np.sqrt, ABOVE),
    "Exp": pointwise(np.exp),
    "Log": pointwise(np.log, ABOVE),
    "Erf": pointwise(erf),
    "Sin": pointwise(np.sin),
    "Cos": pointwise(np.cos),
    "Tan": pointwise(np.tan, INSIDE),
    "Asin": pointwise(np.arcsin, INSIDE),
    "Acos": pointwise(np.arccos, INSIDE),
    "Atan": pointwise(np.arctan),
    "Sinh": pointwise(np.sinh),
    "Cosh": pointwise(np.cosh),
    "Tanh": pointwise(np.tanh),
    "Asinh": pointwise(np.arcsinh),
    "Acosh": pointwise(np.arccosh, ABOVE),
    "Atanh": pointwise(np.arctanh, INSIDE),
    "Relu": pointwise(lambda x: np.maximum(x, 0)),
    "Sigmoid": pointwise(lambda x: 1 / (1 + np.exp(-x))),
    "Softplus": pointwise(lambda x: np.log1p(np.exp(x))),
    "Softsign": pointwise(lambda x: x / (1 + np.abs(x))),
    "HardSwish": pointwise(lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "HardSigmoid": pointwise(lambda x: np.clip(x / 5 + 0.5, 0, 1)),
    "Mish": pointwise(lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "Swish": pointwise(lambda x: x / (1 + np.exp(-x))),
    "Gelu": pointwise(lambda x: 0.5 * x * (1 + erf(x / np.sqrt(2)))),
    "LeakyRelu": pointwise(lambda x: np.where(x < 0, 0.01 * x, x)),
    "Elu": pointwise(lambda x: np.where(x < 0, np.expm1(x), x)),
    "Celu": pointwise(lambda x: np.where(x < 0, np.expm1(x), x)),
    "Selu": pointwise(lambda x: 1.05070102 * np.where(x < 0, 1.67326319 * np.expm1(x), x)),
    "ThresholdedRelu": pointwise(lambda x: np.where(x > 1, x, 0)),
    "Shrink": pointwise(lambda x: np.where(x < -1, x + 1, np.where(x > 1, x - 1, 0)), lambd=1.0, bias=1.0),
    "BitwiseNot": lambda kinds, version: ([x := of(kinds["T"], [6, 0, 5])], [~x], {}),
    "Not": lambda kinds, version: ([x := of(kinds["T"], NUMBERS)], [~x], {}),
    "Add": pairwise(np.add),
    "Sub": pairwise(np.subtract, [[4, 2, 3], [4, 5, 1]]),
    "Mul": pairwise(np.multiply),
    "Div": pairwise(np.divide),
    "Equal": pairwise(np.equal, boolean=True),
    "Less": pairwise(np.less, boolean=True),
    "Greater": pairwise(np.greater, boolean=True),
    "LessOrEqual": pairwise(np.less_equal, boolean=True),
    "GreaterOrEqual": pairwise(np.greater_equal, boolean=True),
    "And": logical(np.logical_and),
    "Or": logical(np.logical_or),
    "Xor": logical(np.logical_xor),
    "BitwiseAnd": bits(np.bitwise_and),
    "BitwiseOr": bits(np.bitwise_or),
    "BitwiseXor": bits(np.bitwise_xor),
    "BitShift": shift,
    "Max": variadic(np.maximum.reduce),
    "Min": variadic(np.minimum.reduce),
    "Sum": variadic(sum),
    "Mean": variadic(lambda values: sum(values) / 3),
    "Pow": power,
    "Clip": clip,
    "Mod": modulo,
    "PRelu": prelu,
    "IsNaN": classes(np.isnan),
    "IsInf": classes(np.isinf),
    "ReduceL1": reduction(lambda x: np.abs(x).sum()),
    "ReduceL2": reduction(lambda x: np.sqrt((x * x).sum())),
    "ReduceLogSum": reduction(lambda x: np.log(x.sum())),
    "ReduceLogSumExp": reduction(lambda x: np.log(np.exp(x).sum())),
    "ReduceMax": reduction(np.max),
    "ReduceMin": reduction(np.min),
    "ReduceMean": reduction(np.mean),
    "ReduceProd": reduction(np.prod),
    "ReduceSum": reduction(np.sum),
    "ReduceSumSquare": reduction(lambda x: (x * x).sum()),
    "ArgMax": extreme(np.argmax),
    "ArgMin": extreme(np.argmin),
    "TopK": top,
    "CumSum": running(np.cumsum),
    "CumProd": running(np.cumprod),
    "MatMul": product,
    "Gemm": gemm,
    "Einsum": einsum,
    "Det": determinant,
    "Range": steps,
    "AveragePool": pool(lambda x: x.mean(-1)),
    "LpPool": pool(lambda x: np.sqrt((x * x).sum(-1))),
    "MaxPool": max_pool,
    "GlobalAveragePool": whole_pool(lambda x: x.mean((2, 3), keepdims=True)),
    "GlobalMaxPool": whole_pool(lambda x: x.max((2, 3), keepdims=True)),
    "GlobalLpPool": whole_pool(lambda x: np.sqrt((x * x).sum((2, 3), keepdims=True))),
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Softmax": pointwise(softmax),
    "LogSoftmax": pointwise(lambda x: np.log(softmax(x))),
    "Hardmax": pointwise(lambda x: np.eye(3)[x.argmax(-1)]),
    "BatchNormalization": batch_normalization,
    "InstanceNormalization": instance_normalization,
    "LRN": lrn,
    "MeanVarianceNormalization": mean_variance,
    "LpNormalization": lp_normalization,
    "NegativeLogLikelihoodLoss": losses(False),
    "SoftmaxCrossEntropyLoss": losses(True),
    "DFT": dft,
    "STFT": stft,
    "HannWindow": window(0.5, 0.5, 0),
    "HammingWindow": window(25 / 46, 21 / 46, 0),
    "BlackmanWindow": window(0.42, 0.5, 0.08),
    "MelWeightMatrix": mel,
    "RoiAlign": roi_align,
    "Bernoulli": bernoulli,
    "Multinomial": multinomial,
    "Resize": resize_linear,
}


def from_one_type(op, version, source, targets):
    """One model: a value of one type converted to every other."""
    holds_zero = source != TensorProto.FLOAT8E8M0
    inputs, nodes, outputs, likes = {}, [], {}, {}
    for target in targets:
        name = TensorProto.DataType.Name(target).lower()
        numbers = [0, 1, 1, 0, 1] if holds_zero and target != TensorProto.FLOAT8E8M0 else [1, 1, 1]
        feed = "zeros" if len(numbers) == 5 else "ones"
        # e8m0 holds powers of two: the number 0 of the recipe is its 1
        inputs[feed] = of(source, numbers) if holds_zero else of(source, [0, 0, 0])
        if op == "Cast":
            nodes.append(helper.make_node("Cast", [feed], [name], to=target))
        else:
            likes[f"like_{name}"] = of(target, [1])
            nodes.append(helper.make_node("CastLike", [feed, f"like_{name}"], [name]))
        outputs[name] = of(target, numbers) if target != TensorProto.FLOAT8E8M0 else of(target, [0, 0, 0])
    return nodes, {**inputs, **likes}, outputs


def casts():
    """Between all pairs of types, text excepted as a target: its form is not fixed."""
    from case import info_of
    from typed import element_types, schemas_of

    for op in ("Cast", "CastLike"):
        for schema in schemas_of(op):
            allowed = {constraint.type_param_str: element_types(constraint) for constraint in schema.type_constraints}
            for source in allowed["T1"]:
                targets = [kind for kind in allowed["T2"] if kind != TensorProto.STRING]
                if source == TensorProto.STRING:  # what text of narrow numbers looks like is not fixed either
                    targets = [kind for kind in targets if kind in (*FLOATS, TensorProto.INT32, TensorProto.INT64, TensorProto.INT8, TensorProto.UINT8, TensorProto.BOOL)]
                nodes, inputs, outputs = from_one_type(op, schema.since_version, source, targets)
                graph = helper.make_graph(nodes, op, [info_of(*item) for item in inputs.items()], [info_of(*item) for item in outputs.items()])
                model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", schema.since_version)], ir_version=10)
                yield Case(f"{op.lower()}_{schema.since_version}_from_{TensorProto.DataType.Name(source).lower()}", model, inputs, outputs)


def scatter_reductions():
    """ScatterElements and ScatterND with every reduction, in every type that has arithmetic."""
    from typed import element_types, schemas_of

    for op in ("ScatterElements", "ScatterND"):
        schema = schemas_of(op)[0]
        for kind in element_types(next(constraint for constraint in schema.type_constraints if constraint.type_param_str == "T")):
            if kind in (TensorProto.STRING, TensorProto.BOOL):
                continue
            for reduction, end in (("add", 9), ("mul", 24), ("max", 4), ("min", 2)):
                if kind in (TensorProto.COMPLEX64, TensorProto.COMPLEX128) and reduction in ("max", "min"):
                    continue
                x, updates, y = of(kind, [1, 3]), of(kind, [2, 4]), of(kind, [1, end])
                if kind in (TensorProto.COMPLEX64, TensorProto.COMPLEX128) and reduction == "mul":
                    y[1] = x[1] * updates[0] * updates[1]
                at = ints(1, 1) if op == "ScatterElements" else np.array([[1], [1]])
                yield at_version(op, schema.since_version, [x, at, updates], [y], name=f"{op.lower()}_{reduction}_{TensorProto.DataType.Name(kind).lower()}", reduction=reduction)


def cases():
    yield from typed_cases(RECIPES)
    yield from casts()
    yield from scatter_reductions()
