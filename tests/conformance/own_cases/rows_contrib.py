"""What a kernel row declares and no other family runs: element types of com.microsoft's operators, and caches that inputs and outputs share.

A case of another family in float is told again in another element type: its inputs are rounded to the type, its expected
values stay those of the definition, and the tolerance is what rounding the inputs may move them by.
"""

import attention
import contrib_normalization
import contrib_transformer
import ml_dtypes
import numpy as np
import onnx
import training
import types_layers
import vision_contrib
import withdrawn
from case import Case, at_version
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
HALF, BRAIN, DOUBLE = np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16), np.dtype(np.float64)
TOLERANCE = {HALF: 1e-2, BRAIN: 5e-2, DOUBLE: 2e-5}


def retyped(case, kind):
    """The case with every float of its inputs, constants and outputs in another element type."""
    element = helper.np_dtype_to_tensor_dtype(kind)
    change = lambda value: value.astype(kind) if isinstance(value, np.ndarray) and value.dtype == np.float32 else value
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for info in (*model.graph.input, *model.graph.output):
        if info.type.tensor_type.elem_type == TensorProto.FLOAT:
            info.type.tensor_type.elem_type = element
    for held in model.graph.initializer:
        if held.data_type == TensorProto.FLOAT:
            held.CopyFrom(numpy_helper.from_array(change(numpy_helper.to_array(held)), held.name))
    inputs, outputs = ({name: change(value) for name, value in values.items()} for values in (case.inputs, case.outputs))
    return Case(f"{case.name.removesuffix('_float32').removesuffix('_float')}_{kind.name}", model, inputs, outputs, TOLERANCE[kind], TOLERANCE[kind])


# module -> case -> element types
RETYPED = {
    training: {
        "averagepoolgrad_exact": (DOUBLE, HALF),
        "batchnormalizationgrad_2_float32": (HALF,),
        "layernormalizationgrad_1_float32": (HALF,),
        "biasgelugrad_dx": (DOUBLE, HALF),
        "biasfastgelugrad_dx": (DOUBLE, HALF),
        "logsoftmaxgrad_12": (DOUBLE, HALF),
        "logsoftmaxgrad_13_0": (DOUBLE, HALF),
        "softmaxgrad_12": (DOUBLE, HALF),
        "softmaxgrad_13_2": (DOUBLE, HALF),
        "cross_entropy_grad_mean": (DOUBLE, HALF),
        "cross_entropy_internal_grad": (DOUBLE, HALF),
        "cross_entropy_mean_float32": (HALF,),
    },
    contrib_transformer: {
        "fused_conv_relu": (DOUBLE,),
        "fused_conv_relu_sum": (HALF,),
        "fused_gemm_relu": (DOUBLE,),
        "transpose_matmul": (DOUBLE, HALF),
    },
    vision_contrib: {
        "conv_transpose_dynamic_pads": (HALF,),
        "crop_and_resize_bilinear_4_5": (DOUBLE, HALF),
    },
    attention: {
        "rotary_streams_0": (HALF, BRAIN),
        "sparse_prompt": (HALF, BRAIN),
    },
    withdrawn: {"mean_variance": (DOUBLE, HALF)},
}


def retyped_cases():
    for module, wanted in RETYPED.items():
        left = dict(wanted)
        for case in module.cases():
            for kind in left.pop(case.name, ()):
                yield retyped(case, kind)
        if left:
            raise KeyError(f"{module.__name__} has no case {', '.join(left)}")


def causal_convolution(kind, domain):
    """Two channels, three taps, and the state of a run before: all numbers are exact in every float type."""
    x, w, bias, past = types_layers.numbers(1, 2, 5), types_layers.numbers(2, 1, 3, scale=4), np.array([0.5, -1]), types_layers.numbers(1, 2, 2, period=7, shift=3)
    line = np.concatenate([past, x], -1)
    y = sum(w[None, :, 0, tap, None] * line[..., tap : tap + 5] for tap in range(3)) + bias[None, :, None]
    inputs, outputs = ([value.astype(kind) for value in values] for values in ((x, w, bias, past), (y, line[..., 5:])))
    name = f"causal_conv_with_state_{'contrib' if domain else '27'}_{kind.name}"
    case = at_version("CausalConvWithState", 1 if domain else 27, inputs, outputs, name=name, domain=domain)
    case.rtol, case.atol = (1e-6, 1e-6) if kind == np.float32 else (TOLERANCE[kind], TOLERANCE[kind])
    return case


def sequence_cases():
    for kind in (np.dtype(np.float32), HALF, BRAIN):
        for domain in ("", MICROSOFT):
            yield causal_convolution(kind, domain)
    inputs, outputs, attributes = types_layers.linear_attention({"T": TensorProto.FLOAT, "S": TensorProto.FLOAT}, 27)
    yield at_version("LinearAttention", 1, inputs, outputs, name="linear_attention_contrib", domain=MICROSOFT, **attributes)


def with_room(cache, room):
    """[..., token, channel] with zeros behind its tokens."""
    return np.pad(cache, [(0, 0)] * (cache.ndim - 2) + [(0, room - cache.shape[-2]), (0, 0)])


def shared_cache(case, node_attributes, slots, room, length_slot):
    """The case with its past inside a buffer of `room` tokens that is the present's too. slots: input name -> output name."""
    op = case.model.graph.node[0]
    inputs, outputs = dict(case.inputs), dict(case.outputs)
    kept = next(inputs[name].shape[-2] for name in slots)
    for before, after in slots.items():
        inputs[before], outputs[after] = with_room(inputs[before], room), with_room(outputs[after], room)
    names = [*op.input, *[""] * (length_slot - len(op.input)), "past_length"]
    inputs["past_length"] = np.array(kept, np.int32) if op.op_type == "Attention" else np.array([kept], np.int32)
    node = helper.make_node(op.op_type, names, list(op.output), domain=MICROSOFT)
    node.attribute.extend([*op.attribute, *(helper.make_attribute(key, value) for key, value in node_attributes.items())])
    model = attention.one_node(node, inputs, outputs, 21, {MICROSOFT: 1})
    return Case(f"{case.name}_shared_cache", model, inputs, outputs, case.rtol, case.atol)


def cache_cases():
    multi = next(case for case in attention.multi_head_cases() if case.name == "mha_past")
    yield shared_cache(multi, {}, {"past_key": "pk", "past_value": "pv"}, 9, 8)
    projected = next(case for case in attention.projected_cases() if case.name == "attention_past")
    shared = shared_cache(projected, {"past_present_share_buffer": 1}, {"past": "present"}, 9, 6)
    yield shared
    yield retyped(shared, HALF)
    rng = np.random.default_rng(18)
    for kind in (HALF, BRAIN):
        given = attention.group_query(rng, past=9, total=4)
        near = {"rtol": TOLERANCE[kind], "atol": TOLERANCE[kind], "storage": kind}
        yield attention.ort_case(f"gqa_prompt_buffer_{kind.name}", "GroupQueryAttention", given, ["y", "present_key", "present_value"], num_heads=4, kv_num_heads=2, **near)


def elementwise_cases():
    """Operands of one shape, over which the result may be written."""
    a, b = np.array([[True, False], [False, True]]), np.array([[True, True], [False, False]])
    yield at_version("Equal", 1, [a, b], [a == b], name="equal_1_bool_same_shape")
    values, wide, softmax, gelu = (getattr(contrib_transformer, name) for name in ("values", "wide", "softmax", "gelu"))
    for kind in (np.float32, np.float64, np.float16):
        x, bias = values(1, (2, 3, 21), kind), values(2, (2, 3, 21), kind)
        name = f"bias_softmax_whole_{contrib_transformer.NAMES[kind]}"
        yield contrib_transformer.make(name, "BiasSoftmax", {"x": x, "bias": bias}, {"y": softmax(wide(x) + wide(bias), -1).astype(kind)}, {"axis": 2, "is_inner_broadcast": 1}, dtype=kind)
    x = values(3, (3, 19))
    yield contrib_transformer.make("gelu", "Gelu", {"x": x}, {"y": gelu(wide(x)).astype(np.float32)})
    yield contrib_normalization.group_norm_case("skip_group_norm_float16", np.float16, True, 1, "whole", True, True)


def cases():
    for family in (retyped_cases, sequence_cases, cache_cases, elementwise_cases):
        yield from family()
