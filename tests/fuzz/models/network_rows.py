"""Ways to make one node more: what networks are made of, also quantised. Each takes a GraphMaker."""

import fractions

import numpy

from graph_maker import FLOATS


def matmul(maker):
    one = maker.pick(FLOATS, rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    inner, rank = one.shape[-1], int(maker.random.integers(1, one.rank + 1))
    batch = tuple(1 if maker.chance(0.3) else size for size in one.shape[:-2])[-(rank - 2):] if rank > 2 else ()
    other = maker.fresh(one.kind, (inner,) if rank == 1 else (*batch, inner, maker.size()))
    return maker.node("MatMul", [one, other], exact=False)


def gemm(maker):
    one = maker.pick(("float32", "float64"), rank=2, fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    turned, other_turned = int(maker.chance(0.4)), int(maker.chance(0.4))
    rows, inner = one.shape[::-1] if turned else one.shape
    columns = max(1, maker.size())
    other = maker.fresh(one.kind, (columns, inner) if other_turned else (inner, columns))
    bias = maker.fresh(one.kind, maker.one_of(((), (1,), (columns,), (rows, 1), (1, columns), (rows, columns)))) if maker.chance(0.6) else ""
    return maker.node("Gemm", [one, other, bias], exact=False, alpha=maker.one_of((None, 0.5)), beta=maker.one_of((None, 2.0, 0.0)), transA=turned, transB=other_turned)


def einsum(maker):
    equation, *shapes = maker.one_of((("ij,jk->ik", (3, 4), (4, 2)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)), ("ii->i", (4, 4)), ("ij->ji", (2, 5)), ("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 2)), ("bhid,bhjd->bhij", (1, 2, 3, 4), (1, 2, 5, 4)), ("i,i->", (7,), (7,))))
    return maker.node("Einsum", [maker.fresh(maker.one_of(("float32", "float64")), shape) for shape in shapes], exact=False, equation=equation)


def image(maker, kinds=("float32", "float32", "float16"), spatial=None):
    found = maker.pick(kinds, rank=(3, 5), fits=lambda value: value.array.size > 0 and (spatial is None or value.rank == spatial + 2)) if maker.chance(0.6) else None
    if found is not None:
        return found
    count = spatial or maker.one_of((1, 2, 2, 2, 3))
    return maker.fresh(maker.one_of(kinds), (maker.one_of((1, 2)), maker.one_of((1, 2, 3, 4, 6)), *(int(maker.random.integers(4, 10)) for _ in range(count))))


def window(maker, one, least=1):
    """Kernel, strides, paddings and dilations that fit the image."""
    spatial = one.rank - 2
    kernel = [int(maker.random.integers(least, min(3, size) + 1)) if min(3, size) >= least else least for size in one.shape[2:]]
    attributes = {"kernel_shape": kernel, "strides": [maker.one_of((1, 1, 2, 3)) for _ in range(spatial)] if maker.chance(0.6) else None}
    if maker.chance(0.3):
        attributes["auto_pad"] = maker.one_of(("SAME_UPPER", "SAME_LOWER", "VALID"))
    else:
        attributes["pads"] = [int(maker.random.integers(0, kernel[axis % spatial])) for axis in range(2 * spatial)] if maker.chance(0.6) else None
        attributes["dilations"] = [maker.one_of((1, 1, 2)) for _ in range(spatial)] if maker.chance(0.4) else None
    return attributes


def shorten_steps(attributes):
    """Where a step is longer than the window, onnxruntime's SAME padding of pools turns negative, and of ConvTranspose is left out."""
    if attributes.get("auto_pad", "").startswith("SAME") and attributes["strides"]:
        attributes["strides"] = [min(step, wide) for step, wide in zip(attributes["strides"], attributes["kernel_shape"])]


def convolution(maker):
    one = image(maker)
    channels, attributes = one.shape[1], window(maker, one)
    groups = maker.one_of([each for each in (1, 1, 2, 3, channels) if channels % each == 0])
    outputs = groups * maker.one_of((1, 2, 3))
    weights = maker.fresh(one.kind, (outputs, channels // groups, *attributes["kernel_shape"]), maker.chance(0.9))
    bias = maker.fresh(one.kind, (outputs,), True) if maker.chance(0.5) else ""
    return maker.node("Conv", [one, weights, bias], exact=False, group=groups, **attributes)


def transposed_convolution(maker):
    one = image(maker, ("float32",))
    channels, attributes = one.shape[1], window(maker, one)
    groups = maker.one_of([each for each in (1, 1, 2, channels) if channels % each == 0])
    outputs = maker.one_of((1, 2, 3))
    shorten_steps(attributes)
    strides = attributes["strides"] or [1] * (one.rank - 2)
    extra = [int(maker.random.integers(0, stride)) for stride in strides] if maker.chance(0.4) else None
    weights = maker.fresh(one.kind, (channels, outputs, *attributes["kernel_shape"]), True)
    bias = maker.fresh(one.kind, (outputs * groups,), True) if maker.chance(0.5) else ""
    return maker.node("ConvTranspose", [one, weights, bias], exact=False, group=groups, output_padding=extra, **attributes)


def pooling(maker):
    operator = maker.one_of(("MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool"))
    one = image(maker, ("float32", "float32", "float64") if operator == "MaxPool" else ("float32",))
    if operator.startswith("Global"):
        return maker.node(operator, [one], exact=False)
    attributes = window(maker, one)
    shorten_steps(attributes)
    if operator != "AveragePool" or maker.opset < 19:
        attributes["dilations"] = attributes.get("dilations") if operator == "MaxPool" else None
    if maker.chance(0.4) and "auto_pad" not in attributes:
        attributes["ceil_mode"] = 1
    if operator == "AveragePool":
        attributes["count_include_pad"] = int(maker.chance(0.5))
    if operator == "LpPool":
        attributes["p"] = maker.one_of((1, 2, 3))
    return maker.node(operator, [one], exact=None if operator == "MaxPool" else False, **attributes)


def channel_norm(maker):
    one = image(maker, ("float32", "float32", "float64"))
    channels = one.shape[1]
    parts = [maker.add(maker.random.uniform(0.5, 1.5, channels).astype(one.kind), True) for _ in range(4)]
    if maker.chance(0.5):
        return maker.node("BatchNormalization", [one, *parts], exact=False, epsilon=maker.one_of((None, 1e-3)))
    if maker.chance(0.4):
        return maker.node("LRN", [one], exact=False, size=maker.one_of((1, 3, 5)), bias=maker.one_of((None, 2.0)))
    return maker.node("InstanceNormalization", [one, *parts[:2]], exact=False, epsilon=1e-2)


def row_norm(maker):
    one = maker.pick(("float32", "float32", "float64"), rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    axis = int(maker.random.integers(0, one.rank))
    if maker.chance(0.6):
        scale, bias = (maker.add(maker.random.uniform(0.5, 1.5, one.shape[axis:]).astype(one.kind), True) for _ in range(2))
        return maker.node("LayerNormalization", [one, scale, bias] if maker.chance(0.5) else [one, scale], exact=False, axis=axis - (one.rank if maker.chance(0.5) else 0), epsilon=1e-2)
    if numpy.abs(one.array).sum(axis=axis).min() < 0.1:
        return None  # what is next to nothing is rounding, and would be made as large as all else
    return maker.node("LpNormalization", [one], exact=False, axis=axis, p=maker.one_of((1, 2)))


def softmax(maker):
    one = maker.pick(FLOATS, rank=(1, 4))
    if one is None:
        return None
    axis = int(maker.random.integers(-one.rank, one.rank))
    if one.is_exact and maker.chance(0.2):
        return maker.node("Hardmax", [one], axis=axis)
    return maker.node(maker.one_of(("Softmax", "LogSoftmax")), [one], exact=False, axis=axis)


def misses_edge(size, target, way):
    """Whether a coordinate of the input is a whole or a half, where rounding decides, and is not in floats, in which onnxruntime computes."""
    scale, factor = numpy.float32(target) / numpy.float32(size), fractions.Fraction(size, target)
    for place in range(target) if way.endswith("half_pixel") and size else ():
        exact = (place + fractions.Fraction(1, 2)) * factor - fractions.Fraction(1, 2)
        computed = (numpy.float32(place) + numpy.float32(0.5)) / scale - numpy.float32(0.5)
        if exact.denominator <= 2 and fractions.Fraction(float(computed)) != exact:
            return True
    return False


def resized(maker):
    one = image(maker, ("float32",), spatial=maker.one_of((1, 2, 2)))
    mode = maker.one_of(("nearest", "linear", "linear", "cubic") if one.rank == 4 else ("nearest", "linear"))
    way = maker.one_of(("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"))
    nearest = maker.one_of(("round_prefer_floor", "floor", "ceil", "round_prefer_ceil")) if mode == "nearest" else None
    if maker.chance(0.5):
        factors = [1, 1, *(maker.one_of((0.5, 2.0, 1.0, 3.0)) for _ in range(one.rank - 2))]
        if way == "align_corners" and any(size * factor % 1 for size, factor in zip(one.shape, factors)):
            return None  # aligned to the scaled size, as in the standard's code; onnxruntime aligns to the rounded one
        scales = maker.constant(factors, "float32")
        return maker.node("Resize", [one, "", scales], exact=None if nearest else False, mode=mode, coordinate_transformation_mode=way, nearest_mode=nearest)
    targets = [maker.one_of((1, 2, 4, 8, size)) for size in one.shape[2:]]
    if nearest and any(misses_edge(size, target, way) for size, target in zip(one.shape[2:], targets)):
        return None
    sizes = maker.constant([*one.shape[:2], *targets], "int64")
    return maker.node("Resize", [one, "", "", sizes], exact=None if nearest else False, mode=mode, coordinate_transformation_mode=way, nearest_mode=nearest)


def recurrent(maker):
    operator, gates = maker.one_of((("LSTM", 4), ("GRU", 3), ("RNN", 1)))
    steps, batch, inputs, hidden = (int(maker.random.integers(1, 5)) for _ in range(4))
    way = maker.one_of(("forward", "reverse", "bidirectional"))
    ways = 2 if way == "bidirectional" else 1
    one = maker.fresh("float32", (steps, batch, inputs), False)
    parts = [maker.fresh("float32", shape, True) for shape in ((ways, gates * hidden, inputs), (ways, gates * hidden, hidden))]
    bias = maker.fresh("float32", (ways, 2 * gates * hidden), True) if maker.chance(0.6) else ""
    lengths = maker.add(maker.random.integers(1, steps + 1, batch).astype(numpy.int32)) if maker.chance(0.3) else ""
    start = maker.fresh("float32", (ways, batch, hidden), False) if maker.chance(0.4) else ""
    more = {"linear_before_reset": int(maker.chance(0.5))} if operator == "GRU" else {}
    return maker.node(operator, [one, *parts, bias, lengths, start], outputs=2, exact=False, hidden_size=hidden, direction=way, **more)


def scale_of(maker, shape=()):
    return maker.constant(2.0 ** maker.random.integers(-5, 0, shape), "float32")


def zero_of(maker, kind, shape=()):
    return maker.add(maker.random.integers(-3 if kind == "int8" else 100, 4 if kind == "int8" else 140, shape).astype(kind), True)


def quantised(maker):
    if maker.chance(0.5):
        one = maker.pick(("int8", "uint8"), rank=(1, 4))
        return one and maker.node("DequantizeLinear", [one, scale_of(maker), zero_of(maker, one.kind)], exact=None)
    one = maker.pick(("float32",), rank=(1, 4), exact=True)
    kind = maker.one_of(("int8", "uint8"))
    axis = 1 if one is not None and one.rank > 1 and maker.chance(0.4) else None
    shape = (one.shape[1],) if axis else ()
    return one and maker.node("QuantizeLinear", [one, scale_of(maker, shape), zero_of(maker, kind, shape)], axis=axis)


def quantised_product(maker):
    kind, other_kind = maker.one_of((("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8")))
    rows, inner, columns = (int(maker.random.integers(1, 9)) for _ in range(3))
    one, other = maker.fresh(kind, (rows, inner), False), maker.fresh(other_kind, (inner, columns), maker.chance(0.7))
    if maker.chance(0.5):
        return maker.node("MatMulInteger", [one, other, zero_of(maker, kind) if maker.chance(0.6) else "", zero_of(maker, other_kind) if maker.chance(0.6) else ""])
    return maker.node("QLinearMatMul", [one, scale_of(maker), zero_of(maker, kind), other, scale_of(maker), zero_of(maker, other_kind), scale_of(maker), zero_of(maker, kind)])


def quantised_convolution(maker):
    kind, other_kind = maker.one_of((("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8")))
    one = maker.fresh(kind, (1, maker.one_of((1, 2, 4)), 5, 6), False)
    attributes = window(maker, one)
    groups = maker.one_of((1, one.shape[1]))
    outputs = groups * maker.one_of((1, 2))
    weights = maker.fresh(other_kind, (outputs, one.shape[1] // groups, *attributes["kernel_shape"]), True)
    if maker.chance(0.4):
        return maker.node("ConvInteger", [one, weights, zero_of(maker, kind)], group=groups, **attributes)
    bias = maker.constant(maker.random.integers(-50, 50, outputs), "int32") if maker.chance(0.5) else ""
    zero = maker.constant(0 if other_kind == "int8" else 128, other_kind)
    return maker.node("QLinearConv", [one, scale_of(maker), zero_of(maker, kind), weights, scale_of(maker, (outputs,) if maker.chance(0.4) and other_kind == "int8" else ()), zero, scale_of(maker), zero_of(maker, kind), bias], group=groups, **attributes)


ROWS = (matmul, matmul, gemm, einsum, convolution, convolution, transposed_convolution, pooling, pooling, channel_norm, row_norm, softmax, resized, recurrent, quantised, quantised,
        quantised_product, quantised_convolution)
