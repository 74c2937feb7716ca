"""Ways to make one node more: bytes, whole-number steps and weights of few bits, in onnxruntime's own domain and in newer forms of the
standard. Each takes a GraphMaker."""

import numpy

from network_rows import scale_of, zero_of

HERE = {"domain": "com.microsoft"}
BYTES = ("uint8", "int8")


def few(maker, most=4):
    return int(maker.random.integers(1, most))


def linear(maker, kind):
    """A scale and its zero point."""
    return scale_of(maker), zero_of(maker, kind)


def product(maker):
    kind, other_kind = maker.one_of((("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8")))
    rows, inner, columns = (few(maker, 9) for _ in range(3))
    turned, other_turned = maker.chance(0.3), maker.chance(0.3)
    one = maker.fresh(kind, (inner, rows) if turned else (rows, inner), False)
    other = maker.fresh(other_kind, (columns, inner) if other_turned else (inner, columns), maker.chance(0.8))
    wide = maker.chance(0.3) and other_kind == "int8"
    scales = [scale_of(maker), zero_of(maker, kind)], [scale_of(maker, (columns,) if wide else ()), zero_of(maker, other_kind, (columns,) if wide else ())]
    bias = maker.constant(maker.random.integers(-50, 50, maker.one_of(((columns,), (1, columns), (rows, columns)))), "int32") if maker.chance(0.5) else ""
    after = linear(maker, kind) if maker.chance(0.6) else ()
    return maker.node("QGemm", [one, *scales[0], other, *scales[1], bias, *after], exact=False, transA=int(turned), transB=int(other_turned), alpha=maker.one_of((1.0, 0.5)), **HERE)


def whole_product(maker):
    rows, inner, columns = (few(maker, 6) for _ in range(3))
    return maker.node("MatMulInteger16", [maker.fresh("int16", (rows, inner)), maker.fresh("int16", (inner, columns))], **HERE)


def chosen(maker):
    kind = maker.one_of(BYTES)
    one = maker.fresh(kind, maker.dims(few(maker)))
    way = maker.one_of(("QLinearWhere", "QLinearConcat", "QLinearSoftmax"))
    if way == "QLinearWhere":
        return maker.node(way, [maker.fresh("bool", one.shape), one, *linear(maker, kind), maker.other(one), *linear(maker, kind), *linear(maker, kind)], exact=False, **HERE)
    if way == "QLinearConcat":
        axis = int(maker.random.integers(0, one.rank))
        more = [maker.fresh(kind, tuple(maker.size() if place == axis else size for place, size in enumerate(one.shape))) for _ in range(few(maker))]
        parts = [part for each in (one, *more) for part in (each, *linear(maker, kind))]
        return maker.node(way, [*linear(maker, kind), *parts], exact=False, axis=axis - (one.rank if maker.chance(0.4) else 0), **HERE)
    if not one.array.size:
        return None
    axis = int(maker.random.integers(0, one.rank))
    return maker.node(way, [one, *linear(maker, kind), maker.constant(2.0 ** -7, "float32"), maker.constant(-128 if kind == "int8" else 0, kind)], exact=False, axis=axis, opset=maker.one_of((12, 13)), **HERE)


def last_channel_convolution(maker):
    kind, other_kind = maker.one_of((("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8")))
    channels, outputs = maker.one_of((1, 2, 4)), few(maker, 5)
    last = int(maker.chance(0.7))
    one = maker.fresh(kind, (few(maker, 3), 5, 6, channels) if last else (few(maker, 3), channels, 5, 6), False)
    weights = maker.fresh(other_kind, (outputs, channels, 2, 3), True)
    bias = maker.constant(maker.random.integers(-50, 50, outputs), "int32") if maker.chance(0.5) else ""
    zero = maker.constant(0 if other_kind == "int8" else 128, other_kind)
    return maker.node("QLinearConv", [one, *linear(maker, kind), weights, scale_of(maker, (outputs,) if maker.chance(0.4) and other_kind == "int8" else ()), zero, *linear(maker, kind), bias], exact=False, channels_last=last,
                      pads=maker.one_of(([0] * 4, [1, 1, 1, 0])), strides=maker.one_of(([1, 1], [2, 1])), **HERE)


def last_channel_pooling(maker):
    one = maker.fresh(maker.one_of(BYTES), (few(maker, 3), 5, 6, few(maker, 5)), False)
    if maker.chance(0.5):
        return maker.node("NhwcMaxPool", [one], kernel_shape=[2, 3], strides=maker.one_of(([1, 1], [2, 2])), pads=maker.one_of(([0] * 4, [1, 0, 0, 1])), **HERE)
    around = [one, *linear(maker, one.kind), *linear(maker, one.kind)]
    if maker.chance(0.5):
        return maker.node("QLinearGlobalAveragePool", around, exact=False, channels_last=1, **HERE)
    return maker.node("QLinearAveragePool", around, exact=False, kernel_shape=[2, 2], strides=maker.one_of(([1, 1], [2, 2])), count_include_pad=int(maker.chance(0.5)), channels_last=1, **HERE)


def attention(maker):
    batch, steps, heads, size, depth = few(maker, 3), few(maker, 5), few(maker), maker.one_of((2, 4)), few(maker, 9)
    width = heads * size
    kind = maker.one_of(BYTES)
    wide = maker.chance(0.4)
    weights, scale, zero = maker.fresh(kind, (depth, 3 * width), True), scale_of(maker, (3 * width,) if wide else ()), zero_of(maker, kind, (3 * width,) if wide else ())
    mask = maker.constant(maker.random.integers(1, steps + 1, batch), "int32") if maker.chance(0.4) else ""
    return maker.node("QAttention", [maker.fresh("uint8", (batch, steps, depth), False), weights, maker.fresh("float32", (3 * width,), True), scale_of(maker), scale, mask, zero_of(maker, "uint8"), zero], exact=False, num_heads=heads,
                      unidirectional=int(maker.chance(0.3)), **HERE)


def recurrent(maker):
    steps, batch, inputs, hidden = (few(maker, 5) for _ in range(4))
    way = maker.one_of(("forward", "reverse", "bidirectional"))
    ways = 2 if way == "bidirectional" else 1
    kind = maker.one_of(BYTES)
    # onnxruntime's sums of two products of bytes saturate on processors without VNNI where weights are beyond -64 and 63.
    given = [maker.constant(maker.random.integers(-64 if kind == "int8" else 0, 64, (ways, depth, 4 * hidden)), kind) for depth in (inputs, hidden)]
    bias = maker.fresh("float32", (ways, 8 * hidden), True) if maker.chance(0.6) else ""
    start = [maker.fresh("float32", (ways, batch, hidden), False) for _ in range(2)] if maker.chance(0.3) else ["", ""]
    scales = [part for _ in range(2) for part in (maker.constant(maker.random.uniform(0.002, 0.01, ways), "float32"), maker.constant([0 if kind == "int8" else 50] * ways, kind))]
    return maker.node("DynamicQuantizeLSTM", [maker.fresh("float32", (steps, batch, inputs), False), *given, bias, "", *start, "", *scales], outputs=3, exact=False, hidden_size=hidden, direction=way, **HERE)


def embedded(maker):
    batch, length, width = few(maker), few(maker, 6), maker.one_of((4, 6, 16))
    kind = maker.one_of(BYTES)
    ids, kinds = (maker.constant(maker.random.integers(0, most, (batch, length)), "int32") for most in (9, 2))
    tables = [maker.fresh(kind, shape, True) for shape in ((9, width), (8, width), (2, width), (width,), (width,))]
    mask = maker.constant((numpy.arange(length) < maker.random.integers(1, length + 1, (batch, 1))).astype(numpy.int32), "int32") if maker.chance(0.5) else ""
    return maker.node("QEmbedLayerNormalization", [ids, kinds, *tables, mask, *(scale_of(maker) for _ in tables), *(zero_of(maker, kind) for _ in tables)], outputs=2, exact=False, epsilon=1e-2, **HERE)


def narrow_rows(maker):
    """Rows out of a table of four or eight bits."""
    bits, block = maker.one_of((4, 8)), 16
    rows, width = few(maker, 9), maker.one_of((16, 32, 48))
    data = maker.constant(maker.random.integers(0, 256, (rows, width * bits // 8)), "uint8")
    scales = maker.constant(maker.random.uniform(0.01, 0.1, (rows, width // block)), "float32")
    zeros = maker.constant(maker.random.integers(0, 256, (rows, -(-(width // block) * bits // 8))), "uint8") if maker.chance(0.5) else ""
    places = maker.add(maker.random.integers(0, rows, maker.dims(few(maker, 3))).astype(maker.one_of(("int64", "int32"))))
    return maker.node("GatherBlockQuantized", [data, places, scales, zeros], exact=False, bits=bits, block_size=block, quantize_axis=1, gather_axis=0, **HERE)


def narrow_product(maker):
    block = maker.one_of((16, 32, 64))
    inner, columns = maker.one_of((16, 32, 40)), few(maker, 9)
    one = maker.fresh("float32", (few(maker, 6), inner), False)
    if maker.chance(0.5):
        weights = maker.constant(maker.random.integers(0, 256, -(-inner * columns // 2)), "uint8")
        return maker.node("MatMulBnb4", [one, weights, maker.constant(maker.random.uniform(0.1, 1.0, -(-inner * columns // block)), "float32")], exact=False, K=inner, N=columns, block_size=block, quant_type=maker.one_of((0, 1)), **HERE)
    blocks = -(-inner // block)
    bits = maker.one_of((4, 8))
    weights = maker.constant(maker.random.integers(0, 256, (columns, blocks, block * bits // 8)), "uint8")
    scales = maker.constant(maker.random.uniform(0.01, 0.1, (columns, blocks)), "float32")
    bias = maker.fresh("float32", (columns,), True) if maker.chance(0.6) else ""
    zeros = maker.constant(maker.random.uniform(0, 15, (columns, blocks)), "float32") if bits == 4 and maker.chance(0.3) else ""
    return maker.node("MatMulNBits", [one, weights, scales, zeros, "", bias], exact=False, K=inner, N=columns, bits=bits, block_size=block, **HERE)


def steps(maker):
    """Quantisation by block, by axis and in more kinds, of the standard and of onnxruntime's own domain."""
    here = HERE if maker.chance(0.4) else {}
    kind = maker.one_of(("int8", "uint8", "int16", "uint16") if here or maker.opset >= 21 else BYTES)
    rows, width = few(maker, 5), maker.one_of((4, 6, 8))
    zero = lambda shape: maker.constant(maker.random.integers(-3 if kind.startswith("int") else 100, 4 if kind.startswith("int") else 140, shape), kind)
    shape, attributes = maker.one_of((((), {}), ((rows,), {"axis": 0}), ((width,), {"axis": 1}), ((rows, width // 2), {"axis": 1, "block_size": 2})))
    if "block_size" in attributes and (here or maker.opset < 21):
        return None
    scale = scale_of(maker, shape)
    if maker.chance(0.5):
        return maker.node("DequantizeLinear", [maker.fresh(kind, (rows, width)), scale, zero(shape)], exact=None, **attributes, **here)
    return maker.node("QuantizeLinear", [maker.fresh("float32", (rows, width)), scale, zero(shape)], **attributes, **here)


def through_steps(maker):
    """An operator between DequantizeLinear and QuantizeLinear, as quantised models are written."""
    kind = maker.one_of(BYTES)
    one = maker.fresh(kind, (few(maker, 3), few(maker), 4, 5), False)
    given = maker.node("DequantizeLinear", [one, *linear(maker, kind)])
    operator = maker.one_of(("Conv", "MatMul", "Add", "Relu", "AveragePool", "MaxPool", "Reshape", "Transpose", "Sigmoid", "Mul"))
    if operator == "Conv":
        weights = maker.node("DequantizeLinear", [maker.fresh("int8", (few(maker, 5), one.shape[1], 2, 2), True), scale_of(maker), maker.constant(0, "int8")])
        made = given and weights and maker.node(operator, [given[0], weights[0]], exact=False)
    elif operator == "MatMul":
        weights = maker.node("DequantizeLinear", [maker.fresh("int8", (5, few(maker, 6)), True), scale_of(maker), maker.constant(0, "int8")])
        made = given and weights and maker.node(operator, [given[0], weights[0]])
    elif operator in ("Add", "Mul"):
        other = maker.node("DequantizeLinear", [maker.fresh(kind, one.shape, False), *linear(maker, kind)])
        made = given and other and maker.node(operator, [given[0], other[0]])
    elif operator.endswith("Pool"):
        made = given and maker.node(operator, [given[0]], kernel_shape=[2, 2])
    elif operator == "Reshape":
        made = given and maker.node(operator, [given[0], maker.constant([0, -1], "int64")])
    else:
        made = given and maker.node(operator, given, exact=None if operator in ("Relu", "Transpose") else False)
    # An even zero point: with an odd one exact halves go to the other neighbour where the three are one operator, here and in onnxruntime's own fusion.
    zero = maker.constant(2 * maker.random.integers(-2, 3) + (0 if kind == "int8" else 120), kind)
    return made and maker.node("QuantizeLinear", [made[0], scale_of(maker), zero], exact=False)




ROWS = (product, product, whole_product, chosen, chosen, chosen, last_channel_convolution, last_channel_pooling, attention, recurrent, embedded, narrow_rows, narrow_product, steps, steps, through_steps, through_steps)
