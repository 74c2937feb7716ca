"""Ways to make one node more: pictures, boxes, spectra, windows and losses. Each takes a GraphMaker."""

import numpy
from onnx import TensorProto

from graph_maker import FLOATS

PICTURE = ("float32", "float32", "float64")


def picture(maker, kinds=PICTURE):
    return maker.pick(kinds, rank=4, fits=lambda value: value.array.size > 0)


def grid_sample(maker):
    one = picture(maker, ("float32",))
    if one is None:
        return None
    grid = maker.random.uniform(-1.3, 1.3, (one.shape[0], maker.size(), maker.size(), 2)).astype(one.kind)
    mode = maker.one_of(("linear", "nearest", "cubic") if maker.opset >= 20 else ("bilinear", "nearest", "bicubic"))
    # Not cubic with border: onnxruntime moves the point onto the border, the standard's code repeats pixels under the curve.
    beyond = maker.one_of(("zeros", "reflection") if mode.endswith("cubic") else ("zeros", "border", "reflection"))
    return maker.node("GridSample", [one, maker.add(grid)], exact=False, mode=mode, padding_mode=beyond, align_corners=int(maker.chance(0.5)))


def affine_grid(maker):
    batch, height, width = (int(maker.random.integers(1, 4)) for _ in range(3))
    theta = maker.fresh("float32", (batch, 2, 3))
    # A side of one pixel has no step from corner to corner (the standard divides by 0): the middle here, as in PyTorch, the last corner in onnxruntime.
    return maker.node("AffineGrid", [theta, maker.constant([batch, 1, height, width], "int64")], exact=False, align_corners=int(min(height, width) > 1 and maker.chance(0.6)))


def regions(maker):
    one = picture(maker, ("float32",))
    if one is None:
        return None
    count = int(maker.random.integers(1, 4))
    corners = numpy.sort(maker.random.uniform(0, 8, (count, 2, 2)), axis=1).reshape(count, 4).astype(numpy.float32)
    batches = maker.constant(maker.random.integers(0, one.shape[0], count), "int64")
    return maker.node("RoiAlign", [one, maker.add(corners), batches], exact=False, mode=maker.one_of(("avg", "max")), output_height=int(maker.random.integers(1, 4)), output_width=int(maker.random.integers(1, 4)),
                      sampling_ratio=int(maker.random.integers(0, 3)), spatial_scale=maker.one_of((1.0, 0.5)), coordinate_transformation_mode=maker.one_of(("half_pixel", "output_half_pixel")))


def suppressed(maker):
    batch, classes, count = (int(maker.random.integers(1, 4)) for _ in range(3))
    count *= 3
    boxes = numpy.concatenate([maker.random.uniform(0, 3, (batch, count, 2)), maker.random.uniform(3, 6, (batch, count, 2))], axis=-1).astype(numpy.float32)
    scores = maker.random.permutation(batch * classes * count).reshape(batch, classes, count).astype(numpy.float32) / 64
    most = maker.constant(maker.one_of((0, 1, 2, 9)), "int64") if maker.chance(0.8) else ""
    least = maker.constant(0.2, "float32") if maker.chance(0.4) else ""
    return maker.node("NonMaxSuppression", [maker.add(boxes), maker.add(scores), most, maker.constant(maker.one_of((0.1, 0.4, 0.8)), "float32"), least], center_point_box=int(maker.chance(0.3)))


def cropped(maker):
    one = maker.pick(("float32", "int64", "float64", "uint8"), rank=(1, 4))
    if one is None:
        return None
    axes = sorted(int(axis) for axis in maker.random.permutation(one.rank)[:int(maker.random.integers(1, one.rank + 1))])
    return maker.node("CenterCropPad", [one, maker.constant([maker.size() for _ in axes], "int64")], axes=axes)


def columns(maker):
    batch, channels = (int(maker.random.integers(1, 4)) for _ in range(2))
    block, dilation, stride, pad = ([int(maker.random.integers(least, 3)) for _ in range(2)] for least in (1, 1, 1, 0))
    size = [6, 7]
    places = numpy.prod([(whole + 2 * around - far * (wide - 1) - 1) // step + 1 for whole, around, far, wide, step in zip(size, pad, dilation, block, stride)])
    one = maker.fresh("float32", (batch, channels * block[0] * block[1], int(places)))
    return maker.node("Col2Im", [one, maker.constant(size, "int64"), maker.constant(block, "int64")], exact=False, dilations=dilation, strides=stride, pads=pad * 2)


def pooled_and_back(maker):
    one = maker.fresh("float32", (1, maker.size() or 1, 6, 8))
    made = maker.node("MaxPool", [one], outputs=2, kernel_shape=[2, 2], strides=[2, 2])
    return made and maker.node("MaxUnpool", made, kernel_shape=[2, 2], strides=[2, 2])


def pooled_over_all(maker):
    one = picture(maker, ("float32",))
    return one and maker.node("GlobalLpPool", [one], exact=False, p=maker.one_of((1, 2, 3)))


def spectrum(maker):
    one = maker.fresh("float32", (int(maker.random.integers(1, 3)), maker.one_of((4, 5, 8, 12)), maker.one_of((1, 2))))
    axis = {"axis": 1} if maker.opset < 20 else {}
    places = [one] if maker.opset < 20 else [one, "", maker.constant(1, "int64")]
    inverse = one.shape[-1] == 2 and maker.chance(0.4)
    return maker.node("DFT", places, exact=False, inverse=int(inverse), onesided=int(one.shape[-1] == 1 and maker.chance(0.5)), **axis)


def short_spectra(maker):
    one = maker.fresh("float32", (int(maker.random.integers(1, 3)), 32, 1))
    length = maker.one_of((4, 8, 16))
    window = maker.fresh("float32", (length,), True) if maker.chance(0.6) else ""
    onesided = {"onesided": int(maker.chance(0.5))} if maker.chance(0.7) else {}
    return maker.node("STFT", [one, maker.constant(maker.one_of((2, 3, 8)), "int64"), window, maker.constant(length, "int64")], exact=False, **onesided)


def windows(maker):
    operator = maker.one_of(("HannWindow", "HammingWindow", "BlackmanWindow"))
    return maker.node(operator, [maker.constant(int(maker.random.integers(1, 12)), maker.one_of(("int32", "int64")))], exact=False, periodic=int(maker.chance(0.5)), output_datatype=maker.one_of((TensorProto.FLOAT, TensorProto.DOUBLE)))


def losses(maker):
    batch, classes = int(maker.random.integers(1, 5)), int(maker.random.integers(2, 6))
    more = tuple(maker.dims(int(maker.random.integers(0, 3))))
    one = maker.fresh("float32", (batch, classes, *more))
    if not one.array.size:
        return None
    targets = maker.add(maker.random.integers(0, classes, (batch, *more)).astype(maker.one_of(("int64", "int32"))))
    weights = [maker.add(numpy.abs(maker.array("float32", (classes,))) + 0.1)] if maker.chance(0.5) else []
    operator = maker.one_of(("SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"))
    ignored = {"ignore_index": int(maker.random.integers(-1, classes))} if maker.chance(0.4) else {}
    return maker.node(operator, [one, targets, *weights], exact=False, reduction=maker.one_of(("mean", "sum", "none")), **ignored)


def determinant(maker):
    size = int(maker.random.integers(1, 5))
    return maker.node("Det", [maker.fresh(maker.one_of(("float32", "float64")), (*maker.dims(int(maker.random.integers(0, 2))), size, size))], exact=False)


def standardised(maker):
    one = picture(maker, ("float32",))
    return one and maker.node("MeanVarianceNormalization", [one], exact=False, axes=maker.one_of(([0, 2, 3], [2, 3], [1], None)))


def rounded_by_range(maker):
    # Not of nothing but zeros, for which the standard's formula gives a scale of 0, and onnxruntime says 1.
    one = maker.pick(("float32",), rank=(1, 3), exact=True, fits=lambda value: bool(value.array.any()))
    return one and maker.node("DynamicQuantizeLinear", [one], outputs=3, exact=False)


def like_another(maker):
    one, other = maker.pick((*FLOATS, "int64", "int32", "uint8", "bool"), exact=True), maker.pick(("float32", "float64", "int64", "int32", "float16"))
    return one and other and maker.node("CastLike", [one, other])


def left_out(maker):
    one = maker.pick(FLOATS)
    return one and maker.node("Dropout", [one, maker.constant(0.4, "float32") if maker.chance(0.5) else ""], outputs=maker.one_of((1, 2)))


def shrunk(maker):
    # In floats, in onnxruntime, which do not hold every integer above 2^24, and no double.
    one = maker.pick(("float32", "float64", "int32"), exact=True, fits=lambda value: value.kind != "int32" or numpy.abs(value.array).max(initial=0) < 1 << 24)
    return one and maker.node("Shrink", [one], exact=False if one.kind == "float64" else None, lambd=maker.one_of((0.5, 1.0)), bias=maker.one_of((0.0, 0.25)))


ROWS = (grid_sample, grid_sample, affine_grid, regions, suppressed, cropped, columns, pooled_and_back, pooled_over_all, spectrum, short_spectra, windows, losses, determinant, standardised, rounded_by_range, like_another,
        left_out, shrunk)
