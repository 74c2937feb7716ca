"""Ways to make one node more: operators of onnxruntime's own domain. Each takes a GraphMaker."""

import numpy

from network_rows import scale_of, zero_of

HERE = {"domain": "com.microsoft"}


def activation(maker):
    operator = maker.one_of(("Gelu", "QuickGelu", "FastGelu", "BiasGelu"))
    one = maker.pick(("float32",), rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    bias = [maker.fresh("float32", (one.shape[-1],))] if operator == "BiasGelu" or operator == "FastGelu" and maker.chance(0.5) else []
    alpha = {"alpha": maker.one_of((1.0, 1.702))} if operator == "QuickGelu" and maker.chance(0.5) else {}
    return maker.node(operator, [one, *bias], exact=False, **HERE, **alpha)


def product(maker):
    rows, inner, columns = (int(maker.random.integers(1, 7)) for _ in range(3))
    batch = maker.dims(int(maker.random.integers(0, 3)))
    turned = [maker.chance(0.4) for _ in range(2)]
    one = maker.fresh("float32", (*batch, *((inner, rows) if turned[0] else (rows, inner))))
    other = maker.fresh("float32", (*(batch if maker.chance(0.5) else ()), *((columns, inner) if turned[1] else (inner, columns))))
    return maker.node("FusedMatMul", [one, other], exact=False, transA=int(turned[0]), transB=int(turned[1]), alpha=maker.one_of((1.0, 0.5)), **HERE)


def convolution(maker):
    one = maker.fresh("float32", (1, 4, 5, 6), False)
    weights = maker.fresh("float32", (4, 4, 3, 3), True)
    activation_name, params = maker.one_of((("Relu", None), ("Sigmoid", None), ("Tanh", None), ("LeakyRelu", [0.2]), ("Clip", [-0.5, 0.5]), ("HardSigmoid", [0.2, 0.5])))
    return maker.node("FusedConv", [one, weights, maker.fresh("float32", (4,), True) if maker.chance(0.6) else ""], exact=False, activation=activation_name, activation_params=params, pads=[1, 1, 1, 1], **HERE)


def normalised_sum(maker):
    one = maker.pick(("float32",), rank=3, fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    width = one.shape[-1]
    other, gamma = maker.fresh("float32", one.shape), maker.fresh("float32", (width,), True)
    more = [maker.fresh("float32", (width,), True) if maker.chance(0.6) else "" for _ in range(2)]
    if maker.chance(0.5):
        return maker.node("SkipSimplifiedLayerNormalization", [one, other, gamma, more[0]], exact=False, epsilon=1e-4, **HERE)
    return maker.node("SkipLayerNormalization", [one, other, gamma, *more], exact=False, epsilon=1e-4, **HERE)


def attention(maker):
    batch, steps, heads, size = (int(maker.random.integers(1, 4)) for _ in range(4))
    width = heads * size * 2
    if maker.chance(0.5):
        one = maker.fresh("float32", (batch, steps, width), False)
        mask = maker.constant(maker.random.integers(1, steps + 1, batch), "int32") if maker.chance(0.4) else ""
        return maker.node("Attention", [one, maker.fresh("float32", (width, 3 * width), True), maker.fresh("float32", (3 * width,), True), mask], exact=False, num_heads=heads, unidirectional=int(maker.chance(0.3)), **HERE)
    parts = [maker.fresh("float32", (batch, each, width), False) for each in (steps, steps + 1, steps + 1)]
    bias = maker.fresh("float32", (3 * width,), True) if maker.chance(0.5) else ""
    return maker.node("MultiHeadAttention", [*parts, bias], exact=False, num_heads=heads, **HERE)


def turned(maker):
    batch, steps, heads = (int(maker.random.integers(1, 4)) for _ in range(3))
    width = maker.one_of((4, 8))
    one = maker.fresh("float32", (batch, steps, heads * width) if maker.chance(0.5) else (batch, heads, steps, width), False)
    angles = maker.random.uniform(0, 3, (8, width // 2))
    places = maker.constant(numpy.arange(steps)[None].repeat(batch, 0), "int64")
    return maker.node("RotaryEmbedding", [one, places, maker.constant(numpy.cos(angles), "float32"), maker.constant(numpy.sin(angles), "float32")], exact=False, interleaved=int(maker.chance(0.5)), **HERE)


def narrow_product(maker):
    bits, block = maker.one_of((4, 4, 8, 2)), maker.one_of((16, 32))
    inner, columns = maker.one_of((16, 32, 48, 70)), int(maker.random.integers(1, 9))
    blocks = -(-inner // block)
    weights = maker.constant(maker.random.integers(0, 256, (columns, blocks, block * bits // 8)), "uint8")
    scales = maker.constant(maker.random.uniform(0.01, 0.1, (columns, blocks)), "float32")
    zeros = maker.constant(maker.random.integers(0, 256, (columns, -(-blocks * bits // 8))), "uint8") if maker.chance(0.5) else ""
    return maker.node("MatMulNBits", [maker.fresh("float32", (int(maker.random.integers(1, 6)), inner), False), weights, scales, zeros], exact=False, K=inner, N=columns, bits=bits, block_size=block, **HERE)


def quantised_sum(maker):
    kind = maker.one_of(("uint8", "int8"))
    one = maker.fresh(kind, maker.dims(int(maker.random.integers(1, 5))))
    other = maker.other(one)
    return maker.node(maker.one_of(("QLinearAdd", "QLinearMul")), [one, scale_of(maker), zero_of(maker, kind), other, scale_of(maker), zero_of(maker, kind), scale_of(maker), zero_of(maker, kind)], exact=False, **HERE)


def quantised_curve(maker):
    kind = maker.one_of(("uint8", "int8"))
    one = maker.pick((kind,), rank=(1, 4), exact=True)
    operator = maker.one_of(("QLinearLeakyRelu", "QLinearSigmoid"))
    alpha = {"alpha": 0.2} if operator == "QLinearLeakyRelu" else {}
    return one and maker.node(operator, [one, scale_of(maker), zero_of(maker, kind), scale_of(maker), zero_of(maker, kind)], exact=False, **HERE, **alpha)


def quantised_pooling(maker):
    kind = maker.one_of(("uint8", "int8"))
    one = maker.fresh(kind, (1, 3, 5, 6), False)
    around = [one, scale_of(maker), zero_of(maker, kind), scale_of(maker), zero_of(maker, kind)]
    if maker.chance(0.5):
        return maker.node("QLinearGlobalAveragePool", around, exact=False, channels_last=0, **HERE)
    return maker.node("QLinearAveragePool", around, exact=False, kernel_shape=[2, 2], strides=maker.one_of(([1, 1], [2, 2])), count_include_pad=int(maker.chance(0.5)), pads=maker.one_of(([0] * 4, [1, 0, 1, 0])), ceil_mode=int(maker.chance(0.3)), **HERE)


def float_from_integers(maker):
    rows, inner, columns = (int(maker.random.integers(1, 7)) for _ in range(3))
    kind, other_kind = maker.one_of((("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8")))
    other = maker.fresh(other_kind, (inner, columns), True)
    scale = scale_of(maker, (columns,) if maker.chance(0.3) else ())
    if maker.chance(0.5):
        zero = zero_of(maker, other_kind, scale.shape) if maker.chance(0.5) else ""
        return maker.node("DynamicQuantizeMatMul", [maker.fresh("float32", (rows, inner), False), other, scale, zero, maker.fresh("float32", (columns,), True) if maker.chance(0.5) else ""], exact=False, **HERE)
    zeros = [zero_of(maker, kind) if maker.chance(0.5) else "", ""]
    return maker.node("MatMulIntegerToFloat", [maker.fresh(kind, (rows, inner), False), other, scale_of(maker), scale, *zeros, maker.fresh("float32", (columns,), True) if maker.chance(0.5) else ""], exact=False, **HERE)


ROWS = (activation, product, convolution, normalised_sum, attention, attention, turned, narrow_product, narrow_product, quantised_sum, quantised_curve, quantised_pooling, float_from_integers)
