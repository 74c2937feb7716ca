"""Image, index and shape operators of com.microsoft against onnxruntime."""

import numpy as np
import onnxruntime
from case import Case, one_node
from onnx import helper

DOMAIN = "com.microsoft"


def by_onnxruntime(name, op_type, inputs, output_type=np.float32, **attributes):
    node = helper.make_node(op_type, list(inputs), ["Y"], domain=DOMAIN, **attributes)
    model = one_node(node, inputs, {"Y": np.zeros((1,), output_type)}, 17, {DOMAIN: 1})
    model.graph.output[0].type.tensor_type.ClearField("shape")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    y = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, inputs)[0]
    return Case(name, model, inputs, {"Y": y}, rtol=1e-4, atol=1e-5)


def unique_case():
    x = np.array([2.0, 1.0, 1.0, 3.0, 4.0, 3.0, -1.0], np.float32)
    outputs = {"y": np.array([2, 1, 3, 4, -1], np.float32), "idx": np.array([0, 1, 1, 2, 3, 2, 4], np.int64), "counts": np.array([1, 2, 2, 1, 1], np.int64)}
    node = helper.make_node("Unique", ["x"], list(outputs), domain=DOMAIN)
    return Case("unique", one_node(node, {"x": x}, outputs, 17, {DOMAIN: 1}), {"x": x}, outputs)


def by_definition(name, op_type, inputs, y, **attributes):
    """What onnxruntime has on other devices only, or in fewer types."""
    node = helper.make_node(op_type, list(inputs), ["Y"], domain=DOMAIN, **attributes)
    tolerance = {"rtol": 2e-3, "atol": 2e-3} if y.dtype == np.float16 else {"rtol": 1e-5, "atol": 1e-6}
    return Case(name, one_node(node, inputs, {"Y": y}, 17, {DOMAIN: 1}), inputs, {"Y": y}, **tolerance)


def nhwc_conv(rng, name, kind, shape, filters, kernel, bias=True, **attributes):
    """onnxruntime's Conv on the same images with the channels first."""
    groups = attributes.get("group", 1)
    inputs = {"X": rng.normal(size=shape).astype(kind), "W": rng.normal(size=(filters, *kernel, shape[-1] // groups)).astype(kind)}
    if bias:
        inputs["B"] = rng.normal(size=filters).astype(kind)
    first = {key: np.moveaxis(value, -1, 1).copy() if key != "B" else value for key, value in inputs.items()}
    first = {key: value.astype(np.float32) for key, value in first.items()}
    node = helper.make_node("Conv", list(first), ["Y"], kernel_shape=list(kernel), **attributes)
    model = one_node(node, first, {"Y": np.zeros(1, np.float32)}, 17)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    y = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, first)[0]
    case = by_definition(name, "NhwcConv", inputs, np.moveaxis(y, 1, -1).astype(kind), kernel_shape=list(kernel), **attributes)
    case.rtol, case.atol = (2e-3, 2e-2) if kind == np.float16 else (1e-4, 1e-4)
    return case


def nhwc_conv_cases(rng):
    yield nhwc_conv(rng, "nhwc_conv", np.float32, (2, 7, 6, 20), 9, (3, 3), pads=[1, 1, 1, 1])
    yield nhwc_conv(rng, "nhwc_conv_strides", np.float32, (1, 9, 8, 3), 5, (3, 2), bias=False, strides=[2, 1], dilations=[1, 2], pads=[0, 1, 2, 0])
    yield nhwc_conv(rng, "nhwc_conv_groups", np.float32, (2, 5, 5, 12), 6, (2, 2), group=3, auto_pad="SAME_UPPER")
    yield nhwc_conv(rng, "nhwc_conv_depthwise", np.float32, (1, 6, 6, 8), 16, (3, 3), group=8)
    yield nhwc_conv(rng, "nhwc_conv_line", np.float64, (2, 11, 4), 3, (4,), strides=[3])
    yield nhwc_conv(rng, "nhwc_conv_half", np.float16, (1, 4, 5, 9), 4, (2, 3), pads=[1, 0, 0, 1])


def cases():
    rng = np.random.default_rng(4)
    images = rng.normal(size=(2, 3, 6, 7)).astype(np.float32)
    rois = np.array([[0, 0, 1, 1], [0.2, 0.1, 0.7, 0.8], [-0.3, 0.5, 0.4, 1.4], [0.9, 0.8, 0.1, 0.2]], np.float32)
    batch = np.array([0, 1, 1, 0], np.int32)
    for mode in ("bilinear", "nearest"):
        for size in ((4, 5), (1, 3), (6, 7)):
            inputs = {"X": images, "rois": rois, "batch_indices": batch, "crop_size": np.array(size, np.int32)}
            yield by_onnxruntime(f"crop_and_resize_{mode}_{size[0]}_{size[1]}", "CropAndResize", inputs, mode=mode, extrapolation_value=-2.5)
    grid = rng.uniform(-1.3, 1.3, (2, 4, 5, 2)).astype(np.float32)
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            yield by_onnxruntime(f"grid_sample_{mode}_{padding}", "GridSample", {"X": images, "Grid": grid}, mode=mode, padding_mode=padding, align_corners=1)
    data = rng.normal(size=(3, 4, 5)).astype(np.float32)
    yield by_onnxruntime("gather_nd", "GatherND", {"data": data, "indices": np.array([[0, 1], [2, 3]], np.int64)})
    yield by_onnxruntime("gather_nd_int32", "GatherND", {"data": data, "indices": np.array([[0], [2]], np.int32)})
    for upper in (0, 1):
        for k in (-1, 0, 2):
            yield by_onnxruntime(f"trilu_{upper}_{k + 1}", "Trilu", {"X": data, "k": np.array(k, np.int64)}, upper=upper)
    yield by_onnxruntime("range", "Range", {"start": np.array(2, np.int32), "limit": np.array(11, np.int32), "delta": np.array(3, np.int32)}, np.int32)
    yield by_onnxruntime("range_by_one", "Range", {"start": np.array(2.5, np.float32), "limit": np.array(6, np.float32)})
    for mode in ("constant", "reflect", "edge"):
        inputs = {"data": data, "pads": np.array([0, 1, 2, 1, 0, 2], np.int64), "value": np.array([1.5], np.float32)}
        yield by_onnxruntime(f"pad_{mode}", "Pad", inputs, mode=mode)
    for axis in (0, 2, 3, -1, -2):
        yield by_onnxruntime(f"expand_dims_{axis + 2}", "ExpandDims", {"X": data, "axis": np.array(axis, np.int32)})
    for dim, size, step in ((-1, 2, 1), (1, 3, 2), (0, 3, 5), (2, 2, 2)):
        yield by_onnxruntime(f"unfold_{dim + 1}_{size}_{step}", "UnfoldTensor", {"input": data}, dim=dim, size=size, step=step)
    matrices = rng.normal(size=(2, 3, 4, 4)).astype(np.float32) + 3 * np.eye(4, dtype=np.float32)
    yield by_onnxruntime("inverse", "Inverse", {"X": matrices})
    yield by_definition("inverse_double", "Inverse", {"X": matrices.astype(np.float64)}, np.linalg.inv(matrices.astype(np.float64)))
    swapped = np.array([[0, 2, 0], [0, 0, 4], [1, 0, 0]], np.float16)
    yield by_definition("inverse_float16_pivots", "Inverse", {"X": swapped}, np.linalg.inv(swapped.astype(np.float64)).astype(np.float16))
    a, b = rng.normal(size=(5, 19)), rng.normal(size=(7, 19))
    for kind in (np.float32, np.float64):
        for metric in ("euclidean", "sqeuclidean"):
            yield by_onnxruntime(f"cdist_{metric}_{np.dtype(kind).name}", "CDist", {"A": a.astype(kind), "B": b.astype(kind)}, kind, metric=metric)
    yield unique_case()
    inputs = {"X": images, "W": rng.normal(size=(3, 2, 3, 3)).astype(np.float32), "Pads": np.array([1, 0, 0, 1], np.int64), "B": np.array([1, -1], np.float32)}
    yield by_onnxruntime("conv_transpose_dynamic_pads", "ConvTransposeWithDynamicPads", inputs, strides=[2, 2], output_padding=[1, 0])
    del inputs["B"]
    yield by_onnxruntime("conv_transpose_dynamic_pads_no_bias", "ConvTransposeWithDynamicPads", inputs, dilations=[1, 2])
    for kind in (np.uint8, np.int8):
        x = rng.integers(0 if kind == np.uint8 else -128, 120, (2, 7, 6, 5)).astype(kind)
        for strides, pads in (((1, 1), (0, 0, 0, 0)), ((2, 2), (1, 1, 1, 1))):
            name = f"nhwc_max_pool_{np.dtype(kind).name}_{strides[0]}"
            yield by_onnxruntime(name, "NhwcMaxPool", {"x": x}, kind, kernel_shape=[3, 2], strides=strides, pads=pads)
    yield from nhwc_conv_cases(np.random.default_rng(12))
