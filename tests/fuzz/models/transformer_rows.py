"""Ways to make one node more: attention, rotations, mixtures and small steps of language models, of the standard and of onnxruntime's own
domain. Each takes a GraphMaker."""

import numpy

from graph_maker import FLOATS

HERE = {"domain": "com.microsoft"}


def few(maker, most=4):
    return int(maker.random.integers(1, most))


def standard_attention(maker):
    if maker.opset < 23:
        return None
    batch, groups, shared, steps, keys, size, value_size = (few(maker) for _ in range(7))
    heads = groups * shared
    kind = maker.one_of(("float32", "float32", "float16"))
    past = few(maker) if maker.chance(0.3) else 0
    flat = maker.chance(0.4)  # a single step is never causal: onnxruntime hides nothing from it, the standard what lies behind
    shape = lambda count, length, width: (batch, length, count * width) if flat else (batch, count, length, width)
    parts = [maker.fresh(kind, shape(count, length, width), False) for count, length, width in ((heads, steps, size), (groups, keys, size), (groups, keys, value_size))]
    total = past + keys
    mask = maker.one_of(("", "bool", "float", "wide"))
    if mask == "bool":
        given = maker.random.random((steps, total)) < 0.7
        given[:, 0] = True
        mask = maker.add(given)
    elif mask:
        mask = maker.fresh(kind, (steps, total) if mask == "float" else (batch, 1 if maker.chance(0.5) else heads, steps, total), False)
    caches = [maker.fresh(kind, (batch, groups, past, width), False) for width in (size, value_size)] if past else []
    attributes = {"q_num_heads": heads, "kv_num_heads": groups} if flat else {}
    return maker.node("Attention", [*parts, mask, *caches], outputs=3 if past else 1, exact=False, is_causal=int(steps > 1 and maker.chance(0.4)), scale=maker.one_of((None, None, 0.3)), softcap=maker.one_of((None, None, 1.5)), **attributes)


def standard_rotation(maker):
    if maker.opset < 23:
        return None
    batch, steps, heads, half = (few(maker) for _ in range(4))
    width = half * 2
    flat = maker.chance(0.5)
    part = maker.one_of((0, 0, 2)) if width > 2 else 0
    one = maker.fresh("float32", (batch, steps, heads * width) if flat else (batch, heads, steps, width), False)
    angles = maker.random.uniform(0, 3, (8, (part or width) // 2)) if maker.chance(0.6) else None
    given = angles is not None
    angles = angles if given else maker.random.uniform(0, 3, (batch, steps, (part or width) // 2))
    places = [maker.constant(maker.random.integers(0, 8, (batch, steps)), "int64")] if given else []
    return maker.node("RotaryEmbedding", [one, maker.constant(numpy.cos(angles), "float32"), maker.constant(numpy.sin(angles), "float32"), *places], exact=False, interleaved=int(maker.chance(0.5)), num_heads=heads if flat or part else None, rotary_embedding_dim=part or None)


def root_mean(maker):
    one = maker.pick(("float32", "float32", "float64", "float16"), rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    axis = int(maker.random.integers(0, one.rank))
    if maker.opset >= 23 and maker.chance(0.6):
        return maker.node("RMSNormalization", [one, maker.fresh(one.kind, one.shape[axis:], True)], exact=False, axis=axis - (one.rank if maker.chance(0.5) else 0), epsilon=1e-2)
    return maker.node("SimplifiedLayerNormalization", [one, maker.fresh(one.kind, one.shape[axis:], True)], exact=False, axis=axis, epsilon=1e-2)


def grouped_norm(maker):
    if maker.opset < 21:
        return None
    groups, per = few(maker), few(maker)
    one = maker.fresh(maker.one_of(("float32", "float16")), (few(maker), groups * per, *(maker.size() or 1 for _ in range(few(maker)))), False)
    return maker.node("GroupNormalization", [one, *(maker.fresh(one.kind, (groups * per,), True) for _ in range(2))], exact=False, num_groups=groups, epsilon=1e-2)


def gated(maker):
    if maker.opset < 24:
        return None
    one = maker.pick(FLOATS)
    return one and maker.node("Swish", [one], exact=False, alpha=maker.one_of((None, 0.7, 1.5)))


def put_into(maker):
    if maker.opset < 24:
        return None
    batch, room, width = few(maker), 6, few(maker)
    steps = few(maker)
    shape = lambda length: (batch, length, width) if flat else (batch, 2, length, width)
    flat = maker.chance(0.5)
    places = maker.constant(maker.random.integers(0, room - steps + 1, batch), "int64")
    return maker.node("TensorScatter", [maker.fresh("float32", shape(room), False), maker.fresh("float32", shape(steps), False), places], axis=-2, mode=maker.one_of(("linear", "circular")))


def multiplied_up(maker):
    if maker.opset < 26:
        return None
    one = maker.pick(("float32", "float64", "int32"), rank=(1, 4))
    return one and maker.node("CumProd", [one, maker.constant(int(maker.random.integers(-one.rank, one.rank)), "int64")], exact=False, exclusive=int(maker.chance(0.4)), reverse=int(maker.chance(0.4)))


def product_and_curve(maker):
    rows, inner, columns = (few(maker, 8) for _ in range(3))
    one, other = maker.fresh("float32", (rows, inner), False), maker.fresh("float32", (inner, columns))
    if maker.chance(0.3):
        return maker.node("TransposeMatMul", [one, other], exact=False, alpha=maker.one_of((1.0, 0.5)), **HERE)
    activation, numbers = maker.one_of((("Relu", {}), ("LeakyRelu", {"activation_alpha": 0.2}), ("Sigmoid", {}), ("Tanh", {}), ("Elu", {"activation_alpha": 0.5}), ("HardSigmoid", {"activation_alpha": 0.3, "activation_beta": 0.4}), ("Softsign", {})))
    return maker.node("FusedGemm", [one, other, maker.fresh("float32", (columns,), True) if maker.chance(0.6) else ""], exact=False, activation=activation, alpha=maker.one_of((1.0, 0.5)), **numbers, **HERE)


def grouped_queries(maker):
    batch, groups, shared, steps = few(maker), few(maker, 3), few(maker), few(maker, 6)
    heads, size = groups * shared, 16
    kind = maker.one_of(("float32", "float32", "float16"))
    past = maker.one_of((0, 0, 3, 5))
    steps = maker.one_of((1, steps)) if past and batch == 1 else 1 if past else steps
    total = past + steps
    packed = maker.chance(0.3)
    one = maker.fresh(kind, (batch, steps, (heads + (2 * groups if packed else 0)) * size), False)
    parts = ["", ""] if packed else [maker.fresh(kind, (batch, steps, groups * size), False) for _ in range(2)]
    caches = [maker.fresh(kind, (batch, groups, past, size), False) for _ in range(2)] if past else ["", ""]
    lengths = [total - 1] * batch if steps > 1 or maker.chance(0.5) else [int(each) for each in maker.random.integers(0, total, batch)]
    turns = maker.chance(0.4)
    angles = maker.random.uniform(0, 3, (12, size // 2))
    rotation = [maker.constant(numpy.cos(angles), kind), maker.constant(numpy.sin(angles), kind)] if turns else ["", ""]
    bias = maker.fresh(kind, (1, maker.one_of((1, heads)), steps, total), False) if maker.chance(0.2) else ""
    sink = maker.fresh(kind, (heads,), True) if maker.chance(0.2) else ""
    return maker.node("GroupQueryAttention", [one, *parts, *caches, maker.constant(lengths, "int32"), maker.constant([total], "int32"), *rotation, "", bias, sink], outputs=3, exact=False, num_heads=heads, kv_num_heads=groups, do_rotary=int(turns),
                      rotary_interleaved=int(turns and maker.chance(0.5)), softcap=maker.one_of((None, None, 1.5)), scale=maker.one_of((None, 0.4)), local_window_size=maker.one_of((None, None, 2, 3)), smooth_softmax=1 if maker.chance(0.15) and not sink else None, **HERE)


def heads_with_past(maker):
    batch, heads, size = few(maker), few(maker), maker.one_of((4, 8))
    past, steps, keys = maker.one_of((0, 2, 3)), few(maker), few(maker)
    keys = steps if past else keys
    wide = lambda length: maker.fresh("float32", (batch, length, heads * size), False)
    mask = maker.constant(maker.random.integers(1, keys + past + 1, batch), "int32") if maker.chance(0.3) else ""
    if maker.chance(0.3):
        given = (maker.random.random((batch, keys + past)) < 0.7).astype(numpy.int32)
        given[:, 0] = 1
        mask = maker.add(given, True)
    bias = maker.fresh("float32", (3 * heads * size,), True) if maker.chance(0.4) else ""
    scores = maker.fresh("float32", (1, maker.one_of((1, heads)), steps, keys + past), False) if maker.chance(0.3) else ""
    caches = [maker.fresh("float32", (batch, heads, past, size), False) for _ in range(2)] if past else []
    return maker.node("MultiHeadAttention", [wide(steps), wide(keys), wide(keys), bias, mask, scores, *caches], outputs=3 if past else 1, exact=False, num_heads=heads, unidirectional=int(steps == keys and maker.chance(0.4)), scale=maker.one_of((None, 0.3)), **HERE)


def embedded(maker):
    batch, length, width = few(maker), few(maker, 6), maker.one_of((4, 6, 16))
    ids, kinds = (maker.constant(maker.random.integers(0, most, (batch, length)), "int32") for most in (9, 2))
    segments = maker.chance(0.6)
    tables = [maker.fresh("float32", (rows, width), True) for rows in (9, 8, 2)]
    mask = maker.constant((numpy.arange(length) < maker.random.integers(1, length + 1, (batch, 1))).astype(numpy.int32), "int32") if maker.chance(0.5) else ""
    return maker.node("EmbedLayerNormalization", [ids, kinds if segments else "", tables[0], tables[1], tables[2] if segments else "", *(maker.fresh("float32", (width,), True) for _ in range(2)), mask], outputs=2, exact=False, epsilon=1e-4, **HERE)


def experts(maker):
    count, width, inner, tokens = maker.one_of((2, 4)), 8, 6, few(maker, 6)
    activation = maker.one_of(("relu", "gelu", "silu", "identity"))
    one, logits = maker.fresh("float32", (tokens, width), False), maker.fresh("float32", (tokens, count), False)
    biases = [maker.fresh("float32", (count, size), True) if maker.chance(0.6) else "" for size in (inner, width)]
    weights = [maker.fresh("float32", (count, *shape), True) for shape in ((inner, width), (width, inner))]
    return maker.node("MoE", [one, logits, weights[0], biases[0], weights[1], biases[1]], exact=False, k=maker.one_of((1, 2)), activation_type=activation, normalize_routing_weights=int(maker.chance(0.5)), **HERE)


def state_steps(maker):
    batch, channels, length, taps = few(maker), few(maker, 5), few(maker, 6), maker.one_of((2, 3, 4))
    one = maker.fresh("float32", (batch, channels, length), False)
    parts = [maker.fresh("float32", (channels, 1, taps), True), maker.fresh("float32", (channels,), True) if maker.chance(0.6) else "", maker.fresh("float32", (batch, channels, taps - 1), False) if maker.chance(0.5) else ""]
    return maker.node("CausalConvWithState", [one, *parts], outputs=2, exact=False, activation=maker.one_of(("none", "silu", "swish")), **HERE)


def distances(maker):
    inner = few(maker, 8)
    kind = maker.one_of(("float32", "float64"))
    return maker.node("CDist", [maker.fresh(kind, (few(maker, 6), inner)), maker.fresh(kind, (few(maker, 6), inner))], exact=False, metric=maker.one_of(("euclidean", "sqeuclidean")), **HERE)


def turned_round(maker):
    size = few(maker, 5)
    matrices = maker.random.standard_normal((*maker.dims(int(maker.random.integers(0, 2))), size, size)) + 3 * numpy.eye(size)
    return maker.node("Inverse", [maker.add(matrices.astype(maker.one_of(("float32", "float64"))))], exact=False, **HERE)


def own_movement(maker):
    """Operators that the standard has by now, in onnxruntime's own spelling."""
    one = maker.pick(("float32",), rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    way = maker.one_of(("Pad", "ExpandDims", "Trilu", "GatherND", "Range", "Unique", "UnfoldTensor"))
    if way == "Pad":
        return maker.node("Pad", [one, maker.constant([int(each) for each in maker.random.integers(0, 3, 2 * one.rank)], "int64"), maker.constant([1.5], "float32")], mode=maker.one_of(("constant", "edge")), **HERE)
    if way == "ExpandDims":
        return maker.node(way, [one, maker.constant(int(maker.random.integers(-one.rank - 1, one.rank + 1)), "int32")], **HERE)
    if way == "Trilu":
        return one.rank > 1 and maker.node(way, [one, maker.constant(int(maker.random.integers(-2, 3)), "int64")], upper=int(maker.chance(0.5)), **HERE) or None
    if way == "GatherND":
        return maker.node(way, [one, maker.constant(maker.random.integers(0, one.shape[0], (3, 1)), maker.one_of(("int64", "int32")))], **HERE)
    if way == "Range":
        return maker.node(way, [maker.constant(part, "float32") for part in ((2.5, 9) if maker.chance(0.5) else (2.5, 9, 1.5))], exact=False, **HERE)
    if way == "Unique":
        return maker.node(way, [maker.fresh("float32", (few(maker, 9),))], outputs=3, **HERE)
    return maker.node(way, [one], dim=-1, size=min(2, one.shape[-1]), step=1, **HERE)


def own_pictures(maker):
    one = maker.fresh("float32", (few(maker), few(maker), few(maker, 7), few(maker, 7)), False)
    way = maker.one_of(("CropAndResize", "ConvTransposeWithDynamicPads", "GridSample", "MaxRoiPool", "DeformConv"))
    count = few(maker)
    if way == "CropAndResize":
        boxes = maker.add(maker.random.uniform(-0.2, 1.2, (count, 4)).astype(numpy.float32))
        return maker.node(way, [one, boxes, maker.constant(maker.random.integers(0, one.shape[0], count), "int32"), maker.constant([few(maker, 5), few(maker, 5)], "int32")], exact=False, mode=maker.one_of(("bilinear", "nearest")), extrapolation_value=-2.5, **HERE)
    if way == "GridSample":
        grid = maker.random.uniform(-1.3, 1.3, (one.shape[0], few(maker), few(maker), 2)).astype(numpy.float32)
        return maker.node(way, [one, maker.add(grid)], exact=False, mode=maker.one_of(("bilinear", "nearest")), padding_mode=maker.one_of(("zeros", "border", "reflection")), align_corners=int(maker.chance(0.5)), **HERE)
    if way == "MaxRoiPool":
        corners = numpy.sort(maker.random.integers(0, 7, (count, 2, 2)), axis=1).reshape(count, 4)
        rois = numpy.concatenate([maker.random.integers(0, one.shape[0], (count, 1)), corners], axis=1).astype(numpy.float32)
        return maker.node(way, [one, maker.add(rois)], exact=False, pooled_shape=[few(maker), few(maker)], spatial_scale=maker.one_of((1.0, 0.5)))
    outputs = few(maker)
    if way == "DeformConv":
        high, wide = 5, 6
        groups = maker.one_of((1, 1, 2))
        one = maker.fresh("float32", (few(maker), 2 * few(maker), high, wide), False)
        offset = maker.add(maker.random.uniform(-1.4, 1.4, (one.shape[0], groups * 8, high - 1, wide - 1)).astype(numpy.float32))
        mask = maker.add(maker.random.random((one.shape[0], groups * 4, high - 1, wide - 1)).astype(numpy.float32)) if maker.chance(0.5) else ""
        return maker.node(way, [one, maker.fresh("float32", (outputs, one.shape[1], 2, 2), True), offset, maker.fresh("float32", (outputs,), True) if maker.chance(0.5) else "", mask], exact=False, kernel_shape=[2, 2], offset_group=groups)
    weights = maker.fresh("float32", (one.shape[1], outputs, 2, 3), True)
    return maker.node(way, [one, weights, maker.constant([0, 1, 1, 0], "int64"), maker.fresh("float32", (outputs,), True) if maker.chance(0.5) else ""], exact=False, strides=maker.one_of(([1, 1], [2, 2])), **HERE)


def mel_weights(maker):
    numbers = (few(maker, 8), maker.one_of((8, 16)), maker.one_of((8192, 16000)))
    return maker.node("MelWeightMatrix", [*(maker.constant(number, "int64") for number in numbers), maker.constant(0.0, "float32"), maker.constant(4096.0, "float32")], exact=False)


def paths_and_repeats(maker):
    if maker.chance(0.5):
        return maker.node("DynamicTimeWarping", [maker.fresh("float32", (few(maker, 6), few(maker, 6)), False)], **HERE)
    ids = maker.constant(maker.random.integers(0, 4, (few(maker), 5)), "int64")
    return maker.node("NGramRepeatBlock", [ids, maker.fresh("float32", (ids.shape[0], 5), False)], ngram_size=maker.one_of((4, 5)), **HERE)


def one_step(maker):
    """A token beside a cache with room, which goes on in place."""
    batch, heads, room, size = few(maker), few(maker), 8, maker.one_of((4, 8))
    kept = few(maker, 7)
    caches = []
    for _ in range(2):
        cache = maker.array("float32", (batch, heads, room, size))
        cache[:, :, kept:] = 0
        caches.append(maker.add(cache, False))
    parts = [maker.fresh("float32", (batch, 1, heads * size), False) for _ in range(3)]
    bias = maker.fresh("float32", (3 * heads * size,), True) if maker.chance(0.4) else ""
    return maker.node("DecoderMaskedMultiHeadAttention", [*parts, "", "", *caches, maker.constant([kept], "int32"), "", "", bias], outputs=3, exact=False, num_heads=heads, past_present_share_buffer=1, **HERE)


def state_of_keys(maker):
    batch, heads, steps, size = (few(maker) for _ in range(4))
    rule = maker.one_of(("linear", "gated", "delta", "gated_delta"))
    wide = lambda width: maker.fresh("float32", (batch, steps, heads * width), False)
    decay = maker.add(-numpy.abs(maker.array("float32", (batch, steps, heads))), False) if "gated" in rule else ""
    beta = maker.add(maker.random.uniform(0, 1, (batch, steps, heads)).astype(numpy.float32), False) if "delta" in rule else ""
    past = maker.fresh("float32", (batch, heads, size, size), False) if maker.chance(0.5) else ""
    return maker.node("LinearAttention", [wide(size), wide(size), wide(size), past, decay, beta], outputs=2, exact=False, q_num_heads=heads, kv_num_heads=heads, update_rule=rule, scale=0.5, **HERE)


def letters(maker):
    words = maker.constant(maker.random.integers(1, 6, (few(maker), 4)), "int32")
    count = few(maker, 5)
    filters, bias, alphabet = maker.fresh("float32", (count, 1, 2, 3), True), maker.fresh("float32", (count,), True), maker.fresh("float32", (6, 3), True)
    return maker.node("WordConvEmbedding", [words, filters, bias, alphabet], exact=False, **HERE)


def narrow_experts(maker):
    count, width, tokens, bits = maker.one_of((2, 3)), 32, few(maker, 5), maker.one_of((4, 8))
    one, logits = maker.fresh("float32", (tokens, width), False), maker.fresh("float32", (tokens, count), False)
    layers = []
    for _ in range(2):
        layers += [maker.constant(maker.random.integers(0, 256, (count, width, width * bits // 8)), "uint8"), maker.constant(maker.random.uniform(0.001, 0.02, (count, width)), "float32"), maker.fresh("float32", (count, width), True) if maker.chance(0.6) else ""]
    return maker.node("QMoE", [one, logits, *layers], exact=False, k=maker.one_of((1, 2)), activation_type=maker.one_of(("relu", "gelu", "silu", "identity")), expert_weight_bits=bits,
                      normalize_routing_weights=1, **HERE)  # with 0 onnxruntime's CPU kernel normalises all the same, unlike its MoE


def special(maker):
    """IsInf over what has infinities, and inverse curves where they are defined."""
    one = maker.pick(("float32", "float32", "float64"), exact=True)
    if one is None:
        return None
    if maker.chance(0.3):
        values = one.array.copy()
        values[maker.random.random(values.shape) < 0.3] = maker.one_of((numpy.inf, -numpy.inf, numpy.nan))
        return maker.node("IsInf", [maker.add(values)], detect_negative=int(maker.chance(0.7)), detect_positive=int(maker.chance(0.7)))
    bounded = maker.node("Tanh", [one], exact=False)
    if bounded and maker.chance(0.3):
        above = maker.node("Cosh", bounded, exact=False)
        return above and maker.node("Acosh", above, exact=False)
    if bounded is None or numpy.abs(bounded[0].array).max(initial=0) > 0.99:
        return bounded  # near the ends the curves are steep
    return maker.node(maker.one_of(("Acos", "Asin", "Atanh")), bounded, exact=False)


ROWS = (standard_attention, standard_attention, standard_rotation, root_mean, grouped_norm, gated, put_into, multiplied_up, product_and_curve, grouped_queries, grouped_queries, heads_with_past, embedded, experts, state_steps, distances, turned_round,
        own_movement, own_movement, own_pictures, own_pictures, mel_weights, paths_and_repeats, one_step, state_of_keys, letters, narrow_experts, special)
