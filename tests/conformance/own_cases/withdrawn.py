"""Operators of early opsets that were withdrawn: onnxruntime still runs them at opset 7. GroupNormalization 18, which version 21 replaced."""

import numpy as np
import onnxruntime
from onnx import helper

from case import Case, one_node

SHAPE = (2, 3, 4, 5)


def by_onnxruntime(name, op_type, shape=SHAPE, **attributes):
    x = np.random.default_rng(len(name)).normal(size=shape).astype(np.float32)
    model = one_node(helper.make_node(op_type, ["x"], ["y"], **attributes), {"x": x}, {"y": x}, opset=7, ir_version=4)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    y = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
    return Case(name, model, {"x": x}, {"y": y}, rtol=1e-4, atol=1e-6)


def by_formula(name, op_type, kind, formula, **attributes):
    """The types onnxruntime lacks, from float64."""
    x = np.random.default_rng(3).normal(size=SHAPE).astype(kind)
    y = formula(x.astype(np.float64)).astype(kind)
    tolerance = {"rtol": 2e-3, "atol": 1e-3} if kind == np.float16 else {"rtol": 1e-6}
    return Case(name, one_node(helper.make_node(op_type, ["x"], ["y"], **attributes), {"x": x}, {"y": y}, opset=7, ir_version=4), {"x": x}, {"y": y}, **tolerance)


def dynamic_slice(name, starts, ends, axes, expected):
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    inputs = {"x": x, "starts": np.array(starts, np.int64), "ends": np.array(ends, np.int64)}
    if axes is not None:
        inputs["axes"] = np.array(axes, np.int64)
    y = expected(x)
    return Case(name, one_node(helper.make_node("DynamicSlice", list(inputs), ["y"]), inputs, {"y": y}, opset=7, ir_version=4), inputs, {"y": y})


def group_normalization_18(name, kind, scale):
    """One scale a group, as version 18 says, or one a channel, as files made after its correction have it."""
    x, scale = np.random.default_rng(5).normal(size=(2, 4, 3)), np.array(scale)
    bias = scale[::-1] - 0.5
    groups = x.astype(kind).astype(np.float64).reshape(2, 2, 6)
    normal = ((groups - groups.mean(-1, keepdims=True)) / np.sqrt(groups.var(-1, keepdims=True) + 1e-5)).reshape(2, 4, 3)
    factor, summand = (each.repeat(4 // len(scale))[:, None] for each in (scale, bias))
    inputs, outputs = {"x": x.astype(kind), "scale": scale.astype(kind), "bias": bias.astype(kind)}, {"y": (normal * factor + summand).astype(kind)}
    node = helper.make_node("GroupNormalization", list(inputs), ["y"], num_groups=2)
    return Case(name, one_node(node, inputs, outputs, opset=18), inputs, outputs, rtol=2e-3, atol=2e-3 if kind == np.float16 else 1e-6)


def cases():
    long = (1, 2, 37, 61)  # more than one run of a vector loop
    yield by_onnxruntime("affine", "Affine", alpha=2.0, beta=-0.5)
    yield by_onnxruntime("affine_long", "Affine", long, alpha=-1.5, beta=3.0)
    yield by_onnxruntime("scale", "Scale", scale=-3.0)
    yield by_onnxruntime("scaled_tanh", "ScaledTanh", alpha=1.5, beta=0.7)
    yield by_onnxruntime("scaled_tanh_long", "ScaledTanh", long, alpha=-1.5, beta=2.0)
    yield by_onnxruntime("parametric_softplus", "ParametricSoftplus", alpha=2.0, beta=0.5)
    yield by_onnxruntime("parametric_softplus_long", "ParametricSoftplus", long, alpha=1.0, beta=-2.0)
    yield by_onnxruntime("thresholded_relu", "ThresholdedRelu", alpha=0.5)
    yield by_onnxruntime("thresholded_relu_default", "ThresholdedRelu")
    yield by_onnxruntime("image_scaler", "ImageScaler", scale=2.0, bias=[1.0, -2.0, 3.0])
    yield by_onnxruntime("crop", "Crop", border=[1, 0, 2, 1])
    yield by_onnxruntime("crop_scale", "Crop", border=[1, 2, 0, 0], scale=[2, 3])
    yield by_onnxruntime("mean_variance", "MeanVarianceNormalization")
    yield by_onnxruntime("mean_variance_across", "MeanVarianceNormalization", across_channels=1)
    yield by_onnxruntime("mean_only", "MeanVarianceNormalization", normalize_variance=0)
    for kind in (np.float64, np.float16):
        name = np.dtype(kind).name
        yield by_formula("affine_" + name, "Affine", kind, lambda x: 2 * x - 0.5, alpha=2.0, beta=-0.5)
        yield by_formula("scaled_tanh_" + name, "ScaledTanh", kind, lambda x: 1.5 * np.tanh(0.5 * x), alpha=1.5, beta=0.5)
        yield by_formula("softplus_" + name, "ParametricSoftplus", kind, lambda x: 2 * np.log1p(np.exp(0.5 * x)), alpha=2.0, beta=0.5)
        yield by_formula("image_scaler_" + name, "ImageScaler", kind, lambda x: 2 * x + np.array([1, -2, 3.0]).reshape(1, 3, 1, 1), scale=2.0, bias=[1.0, -2.0, 3.0])
    yield dynamic_slice("dynamic_slice", [1, -4], [3, 1000], None, lambda x: x[1:3, -4:])
    yield dynamic_slice("dynamic_slice_axes", [2], [-1], [1], lambda x: x[:, 2:-1])
    for kind in (np.float32, np.float64, np.float16):
        name = "group_normalization_18_" + np.dtype(kind).name
        yield group_normalization_18(name, kind, [2.0, -0.5])
        yield group_normalization_18(name + "_by_channel", kind, [2.0, -0.5, 1.0, 3.0])
