"""What optimisers of transformer models write into com.microsoft: biases, gates, fused products, mixtures of experts, operators over tokens; expected values from float64 definitions."""

import math

import ml_dtypes
import numpy as np
from case import Case, one_node
from onnx import helper
from weight_quantized import packed

MICROSOFT = {"com.microsoft": 1}
TOLERANCE = {np.float32: (1e-4, 1e-5), np.float64: (1e-6, 1e-7), np.float16: (4e-3, 4e-3), ml_dtypes.bfloat16: (3e-2, 3e-2), np.int32: (0, 0)}
NAMES = {np.float32: "float", np.float64: "double", np.float16: "float16", ml_dtypes.bfloat16: "bfloat16"}


def values(seed, shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def wide(x):
    return x.astype(np.float64)


def make(name, op, inputs, outputs, attributes=None, domain="com.microsoft", opset=17, dtype=np.float32, rtol=None, atol=None, constants=()):
    """inputs and outputs: name -> array or None (absent); constants: names of the inputs that are initializers."""
    names = [key if value is not None else "" for key, value in inputs.items()]
    while not names[-1]:
        names.pop()
    node = helper.make_node(op, names, list(outputs), domain=domain, **(attributes or {}))
    given = {key: value for key, value in inputs.items() if value is not None and key not in constants}
    held = {key: inputs[key] for key in constants}
    usual = TOLERANCE[dtype]
    return Case(name, one_node(node, given, outputs, opset, MICROSOFT if domain else None, held), given, outputs, rtol or usual[0], atol or usual[1])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def tanh_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def bias_cases():
    for dtype in (np.float32, np.float16, np.float64, ml_dtypes.bfloat16):
        text = NAMES[dtype]
        x, skip, bias = values(1, (2, 3, 36), dtype), values(2, (2, 3, 36), dtype), values(3, 36, dtype)
        yield make(f"bias_add_{text}", "BiasAdd", {"x": x, "bias": bias, "skip": skip}, {"y": (wide(x) + wide(bias) + wide(skip)).astype(dtype)}, dtype=dtype)
        total = wide(x) + wide(bias)
        yield make(f"bias_split_gelu_{text}", "BiasSplitGelu", {"x": x, "bias": bias}, {"y": (total[..., :18] * gelu(total[..., 18:])).astype(dtype)}, dtype=dtype)
        yield make(f"bias_gelu_{text}", "BiasGelu", {"x": x, "bias": bias}, {"y": gelu(total).astype(dtype)}, dtype=dtype)
        yield make(f"fast_gelu_{text}", "FastGelu", {"x": x, "bias": bias}, {"y": tanh_gelu(total).astype(dtype)}, dtype=dtype)
        yield make(f"quick_gelu_{text}", "QuickGelu", {"x": x}, {"y": (wide(x) * sigmoid(1.5 * wide(x))).astype(dtype)}, {"alpha": 1.5}, dtype=dtype)
        gate = values(4, (2, 3, 1), dtype)
        yield make(f"gated_add_{text}", "GatedAdd", {"x": x, "y": skip, "gate": gate}, {"z": (wide(x) + wide((wide(skip) * wide(gate)).astype(dtype))).astype(dtype)}, dtype=dtype)
        yield make(f"swiglu_{text}", "SwiGLU", {"a": x, "b": skip}, {"y": (wide(x) * sigmoid(0.7 * wide(x)) * wide(skip)).astype(dtype)}, {"alpha": 0.7}, "", 28, dtype)
        mask = np.ones(x.shape, bool)
        yield make(f"bias_dropout_{text}", "BiasDropout", {"x": x, "bias": bias, "residual": skip}, {"y": (wide(x) + wide(bias) + wide(skip)).astype(dtype), "mask": mask}, dtype=dtype)
    x, w, bias = values(1, (2, 3, 20)), values(2, (20, 9)), values(3, 9)
    yield make("gemm_fast_gelu", "GemmFastGelu", {"x": x, "w": w, "bias": bias}, {"y": tanh_gelu(wide(x) @ wide(w) + wide(bias)).astype(np.float32)})
    yield make("gemm_fast_gelu_no_bias_float16", "GemmFastGelu", {"x": x.astype(np.float16), "w": w.astype(np.float16)}, {"y": tanh_gelu(wide(x.astype(np.float16)) @ wide(w.astype(np.float16))).astype(np.float16)}, dtype=np.float16, rtol=1e-2, atol=1e-2)
    x = values(1, (3, 300))
    yield make("bias_gelu_long_rows", "BiasGelu", {"x": x, "bias": x[0]}, {"y": gelu(wide(x) + wide(x[0])).astype(np.float32)})


def softmax(x, axes):
    e = np.exp(x - x.max(axis=axes, keepdims=True))
    return e / e.sum(axis=axes, keepdims=True)


def bias_softmax_cases():
    x = values(1, (2, 3, 4, 21))
    for dtype in (np.float32, np.float16, np.float64):
        inner, outer = values(2, (2, 1, 1, 21), dtype), values(3, (1, 1, 4, 21), dtype)
        data = x.astype(dtype)
        yield make(f"bias_softmax_inner_{NAMES[dtype]}", "BiasSoftmax", {"x": data, "bias": inner}, {"y": softmax(wide(data) + wide(inner), -1).astype(dtype)}, {"axis": 3, "is_inner_broadcast": 1}, dtype=dtype)
        yield make(f"bias_softmax_outer_{NAMES[dtype]}", "BiasSoftmax", {"x": data, "bias": outer}, {"y": softmax(wide(data) + wide(outer), -1).astype(dtype)}, {"axis": 3, "is_inner_broadcast": 0}, dtype=dtype)
    bias = values(4, (2, 1, 4, 21))
    yield make("bias_softmax_two_axes", "BiasSoftmax", {"x": x, "bias": bias}, {"y": softmax(wide(x) + wide(bias), (2, 3)).astype(np.float32)}, {"axis": 2, "is_inner_broadcast": 1})


def product_cases():
    def fused(name, a, b, attributes, dtype=np.float32):
        left, right = wide(a), wide(b)
        if attributes.get("transBatchA"):
            left = np.moveaxis(left, 0, -2)
        if attributes.get("transBatchB"):
            right = np.moveaxis(right, 0, -2)
        if attributes.get("transA") and left.ndim > 1:
            left = np.swapaxes(left, -1, -2)
        if attributes.get("transB") and right.ndim > 1:
            right = np.swapaxes(right, -1, -2)
        y = (np.matmul(left, right) * attributes.get("alpha", 1.0)).astype(dtype)
        return make(name, "FusedMatMul", {"a": a, "b": b}, {"y": y}, attributes, dtype=dtype, atol=None if dtype != np.float16 else 2e-2)

    for dtype in (np.float32, np.float64, np.float16, ml_dtypes.bfloat16):
        yield fused(f"fused_matmul_both_transposed_{NAMES[dtype]}", values(1, (2, 7, 5), dtype), values(2, (2, 3, 7), dtype), {"transA": 1, "transB": 1, "alpha": 0.5}, dtype)
    yield fused("fused_matmul_rank_4", values(1, (2, 3, 4, 7)), values(2, (2, 3, 6, 7)), {"transB": 1, "alpha": 0.125})
    yield fused("fused_matmul_broadcast", values(1, (2, 1, 7, 4)), values(2, (3, 7, 6)), {"transA": 1})
    yield fused("fused_matmul_batch_a", values(1, (4, 2, 3, 7)), values(2, (2, 3, 7, 5)), {"transBatchA": 1})
    yield fused("fused_matmul_batch_b", values(1, (2, 3, 4, 7)), values(2, (7, 2, 3, 5)), {"transBatchB": 1, "alpha": 2.0})
    yield fused("fused_matmul_batch_both_transposed", values(1, (7, 2, 4)), values(2, (5, 2, 7)), {"transBatchA": 1, "transBatchB": 1, "transA": 1, "transB": 1})
    yield fused("fused_matmul_vector", values(1, (7,)), values(2, (7, 5)), {"alpha": 3.0})
    yield fused("fused_matmul_vector_transposed", values(1, (7,)), values(2, (5, 7)), {"transA": 1, "transB": 1})
    yield fused("fused_matmul_by_vector", values(1, (3, 4, 7)), values(2, (7,)), {"transB": 1})
    yield fused("fused_matmul_no_depth", values(1, (3, 0)), values(2, (0, 4)), {"alpha": 2.0})
    a, b = values(1, (2, 7, 5)), values(2, (7, 3))
    yield make("transpose_matmul", "TransposeMatMul", {"a": a, "b": b}, {"y": (np.swapaxes(wide(a), 1, 2) @ wide(b) * 0.5).astype(np.float32)}, {"transA": 1, "alpha": 0.5})

    a, b, c = values(1, (4, 7)), values(2, (7, 5)), values(3, (5,))
    base = wide(a) @ wide(b) + wide(c)
    activations = {
        "Relu": ({}, lambda x: np.maximum(x, 0)),
        "LeakyRelu": ({"activation_alpha": 0.2}, lambda x: np.where(x < 0, 0.2 * x, x)),
        "Sigmoid": ({}, sigmoid),
        "Tanh": ({}, np.tanh),
        "Elu": ({"activation_alpha": 0.5}, lambda x: np.where(x < 0, 0.5 * np.expm1(x), x)),
        "HardSigmoid": ({"activation_alpha": 0.3, "activation_beta": 0.4}, lambda x: np.clip(0.3 * x + 0.4, 0, 1)),
        "Softplus": ({}, lambda x: np.log1p(np.exp(x))),
        "Softsign": ({}, lambda x: x / (1 + np.abs(x))),
        "Selu": ({"activation_alpha": 1.5, "activation_gamma": 1.1}, lambda x: 1.1 * np.where(x <= 0, 1.5 * np.expm1(x), x)),
        "Celu": ({"activation_alpha": 0.7}, lambda x: np.maximum(x, 0) + np.minimum(0, 0.7 * np.expm1(x / 0.7))),
        "ThresholdedRelu": ({"activation_alpha": 0.8}, lambda x: np.where(x > 0.8, x, 0)),
        "ParametricSoftplus": ({"activation_alpha": 0.6, "activation_beta": 1.2}, lambda x: 0.6 * np.log1p(np.exp(1.2 * x))),
        "ScaledTanh": ({"activation_alpha": 0.6, "activation_beta": 1.2}, lambda x: 0.6 * np.tanh(1.2 * x)),
    }
    for name, (attributes, function) in activations.items():
        yield make(f"fused_gemm_{name.lower()}", "FusedGemm", {"a": a, "b": b, "c": c}, {"y": function(base).astype(np.float32)}, {"activation": name, **attributes}, atol=1e-4)
    scaled = np.maximum(0.5 * wide(a) @ wide(b) + 2 * wide(c), 0)
    yield make("fused_gemm_scaled_constant", "FusedGemm", {"a": a, "b": np.ascontiguousarray(b.T), "c": c}, {"y": scaled.astype(np.float32)}, {"activation": "Relu", "alpha": 0.5, "beta": 2.0, "transB": 1}, constants=("b", "c"))
    half = np.maximum(wide(a.astype(np.float16)) @ wide(b.astype(np.float16)), 0)
    yield make("fused_gemm_float16", "FusedGemm", {"a": a.astype(np.float16), "b": b.astype(np.float16)}, {"y": half.astype(np.float16)}, {"activation": "Relu"}, dtype=np.float16, atol=2e-2)


def convolution(x, w):
    """3x3, one pixel of padding."""
    x = np.pad(wide(x), ((0, 0), (0, 0), (1, 1), (1, 1)))
    views = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", views, wide(w))


def fused_conv_cases():
    x, w, b, z = values(1, (1, 2, 5, 6)), values(2, (3, 2, 3, 3)), values(3, 3), values(4, (1, 3, 5, 6))
    base = convolution(x, w)
    channel = wide(b)[None, :, None, None]
    forms = {
        "relu": ({"activation": "Relu"}, lambda y: np.maximum(y, 0)),
        "leaky_relu": ({"activation": "LeakyRelu", "activation_params": [0.1]}, lambda y: np.where(y < 0, 0.1 * y, y)),
        "clip": ({"activation": "Clip", "activation_params": [-0.5, 1.5]}, lambda y: np.clip(y, -0.5, 1.5)),
        "sigmoid": ({"activation": "Sigmoid"}, sigmoid),
        "tanh": ({"activation": "Tanh"}, np.tanh),
        "hard_sigmoid": ({"activation": "HardSigmoid", "activation_params": [0.2, 0.5]}, lambda y: np.clip(0.2 * y + 0.5, 0, 1)),
        "none": ({}, lambda y: y),
    }
    for name, (attributes, function) in forms.items():
        attributes = {"pads": [1, 1, 1, 1], **attributes}
        yield make(f"fused_conv_{name}", "FusedConv", {"x": x, "w": w, "b": b}, {"y": function(base + channel).astype(np.float32)}, attributes, atol=1e-4, constants=("w", "b"))
        yield make(f"fused_conv_{name}_sum", "FusedConv", {"x": x, "w": w, "b": b, "z": z}, {"y": function(base + channel + wide(z)).astype(np.float32)}, attributes, atol=1e-4, constants=("w", "b"))
    yield make("fused_conv_sum_no_bias_fed_weights", "FusedConv", {"x": x, "w": w, "b": None, "z": z}, {"y": np.maximum(base + wide(z), 0).astype(np.float32)}, {"pads": [1, 1, 1, 1], "activation": "Relu"}, atol=1e-4)


def token_cases():
    x, counts = values(1, (3, 4, 5)), np.array([2, 0, 4], np.int32)
    kept = [(b, s) for b in range(3) for s in range(4) if s < counts[b]]
    rest = [(b, s) for b in range(3) for s in range(4) if s >= counts[b]]
    offsets = np.array([b * 4 + s for b, s in kept + rest], np.int32).reshape(3, 4)
    tokens = np.stack([x[b, s] for b, s in kept])
    yield make("remove_padding", "RemovePadding", {"x": x, "counts": counts}, {"y": tokens, "offsets": offsets, "ends": np.array([0, 2, 2, 6], np.int32), "most": np.array([4], np.int32)})
    yield make("remove_padding_float16", "RemovePadding", {"x": x.astype(np.float16), "counts": counts}, {"y": tokens.astype(np.float16), "offsets": offsets, "ends": np.array([0, 2, 2, 6], np.int32), "most": np.array([4], np.int32)})
    restored = np.where((np.arange(4) < counts[:, None])[..., None], x, 0).astype(np.float32)
    yield make("restore_padding", "RestorePadding", {"x": tokens, "offsets": offsets}, {"y": restored})

    ids = np.array([[1, 2, 3, 1, 2], [4, 4, 4, 4, 4], [5, 4, 3, 2, 1]], np.int64)
    scores = values(2, (3, 6))
    for size, banned in ((1, [(0, 1), (0, 2), (0, 3), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5)]), (2, [(0, 3), (1, 4)]), (3, [(0, 3), (1, 4)]), (6, [])):
        wanted = scores.copy()
        for place in banned:
            wanted[place] = -np.inf
        yield make(f"n_gram_repeat_block_{size}", "NGramRepeatBlock", {"ids": ids, "scores": scores}, {"y": wanted}, {"ngram_size": size})

    # Worked out by hand: the cheapest way from corner to corner.
    costs = np.array([[1, 9, 9, 9], [9, 1, 1, 9], [9, 9, 9, 1]], np.float32)
    yield make("dynamic_time_warping", "DynamicTimeWarping", {"x": costs}, {"y": np.array([[0, 1, 1, 2], [0, 1, 2, 3]], np.int32)})
    yield make("dynamic_time_warping_rank_3", "DynamicTimeWarping", {"x": costs.T[None].copy()}, {"y": np.array([[0, 1, 2, 3], [0, 1, 1, 2]], np.int32)})
    yield make("dynamic_time_warping_ties", "DynamicTimeWarping", {"x": np.ones((3, 4), np.float32)}, {"y": np.array([[0, 1, 2, 2], [0, 1, 2, 3]], np.int32)})
    yield make("dynamic_time_warping_one_row", "DynamicTimeWarping", {"x": np.ones((1, 3), np.float32)}, {"y": np.array([[0, 0, 0], [0, 1, 2]], np.int32)})

    words = np.array([[3, 4, 5, 0], [1, 2, 0, 0], [6, 0, 0, 0], [1, 2, 3, 4]], np.int32)
    letters, w, b = values(5, (8, 3)), values(6, (4, 1, 2, 3)), values(7, 4)
    y = []
    for word in words:
        places = max(int((word > 0).sum()) - 1, 1)
        y.append(np.max([np.tanh(np.einsum("fwc,wc->f", wide(w[:, 0]), wide(letters[word[i : i + 2]])) + wide(b)) for i in range(places)], axis=0))
    yield make("word_conv_embedding", "WordConvEmbedding", {"words": words, "w": w, "b": b, "letters": letters}, {"y": np.array(y, np.float32)})


def experts(x, logits, layers, k, activation, fusion=0, normalize=False, mixing=None, alpha=1.702, beta=1.0, limit=2.0):
    """layers: (weights, bias) of fc1, fc2 and perhaps fc3, in float64."""
    tokens = x.reshape(-1, x.shape[-1])
    y = np.zeros(tokens.shape)
    chances = softmax(logits, -1) if mixing is None else mixing
    for row, token in enumerate(tokens):
        top = np.argsort(-logits[row], kind="stable")[:k]
        shares = chances[row][top] / (chances[row][top].sum() if normalize else 1)
        for expert, share in zip(top, shares):
            first = layers[0][0][expert] @ token + layers[0][1][expert]
            if activation == "swiglu":
                half = len(first) // 2
                gate, linear = {0: (first, None), 1: (first[0::2], first[1::2]), 2: (first[:half], first[half:])}[fusion]
                if linear is None:
                    linear = layers[2][0][expert] @ token + layers[2][1][expert]
                gate, linear = np.minimum(gate, limit), np.clip(linear, -limit, limit)
                active = gate * sigmoid(alpha * gate) * (linear + beta)
            else:
                active = {"relu": lambda v: np.maximum(v, 0), "gelu": tanh_gelu, "silu": lambda v: v * sigmoid(v), "identity": lambda v: v}[activation](first)
            y[row] += share * (layers[1][0][expert] @ active + layers[1][1][expert])
    return y.reshape(x.shape)


def moe_case(name, activation, k, fusion=0, normalize=False, dtype=np.float32, shape=(5, 8), bias=True):
    count, width, inner = 4, 8, 6
    x, logits = values(1, shape, dtype), values(2, (int(np.prod(shape[:-1])), count), dtype)
    first = inner * (2 if fusion else 1)
    tensors = {"w1": values(3, (count, first, width), dtype), "b1": values(4, (count, first), dtype) if bias else None, "w2": values(5, (count, width, inner), dtype), "b2": values(6, (count, width), dtype) if bias else None}
    if activation == "swiglu" and not fusion:
        tensors |= {"w3": values(7, (count, inner, width), dtype), "b3": values(8, (count, inner), dtype)}
    real = lambda weights, plus: (wide(tensors[weights]), wide(tensors[plus]) if tensors[plus] is not None else np.zeros(tensors[weights].shape[:2]))
    layers = [real(f"w{i}", f"b{i}") for i in (1, 2, 3) if f"w{i}" in tensors]
    y = experts(wide(x), wide(logits), layers, k, activation, fusion, normalize).astype(dtype)
    attributes = {"k": k, "activation_type": activation, "normalize_routing_weights": int(normalize), "swiglu_fusion": fusion}
    if activation == "swiglu":
        attributes |= {"activation_alpha": 1.702, "activation_beta": 1.0, "swiglu_limit": 2.0}
    return make(name, "MoE", {"x": x, "logits": logits, **tensors}, {"y": y}, attributes, dtype=dtype, rtol=2e-3 if dtype == np.float32 else 2e-2, atol=2e-4 if dtype == np.float32 else 0.1)


def qmoe_case(name, bits, block=0, zeros=False, activation="swiglu", fusion=1, k=2, mixing=False, dtype=np.float32):
    count, width, inner, tokens = 3, 32, 32, 4
    random = np.random.default_rng(bits + block)
    x, logits = values(1, (tokens, width), dtype), values(2, (tokens, count), dtype)
    tensors, offsets, layers = {}, {}, []
    for layer, (rows, depth) in enumerate(((inner * (2 if fusion else 1), width), (width, inner)), 1):
        numbers = random.integers(0, 1 << bits, (count, rows, depth))
        blocks = depth // block if block else 1
        scales = (random.random((count, rows, blocks)) * 0.05).astype(dtype)
        zero = random.integers(0, 1 << bits, (count, rows, blocks)) if zeros else np.full((count, rows, blocks), 1 << (bits - 1))
        spread = lambda each: np.repeat(each, depth // blocks, axis=-1)
        weights, bias = (numbers - spread(zero)) * spread(wide(scales)), values(10 + layer, (count, rows), dtype)
        tensors |= {f"w{layer}": packed(numbers, bits), f"s{layer}": scales if block else scales[..., 0], f"b{layer}": bias}
        offsets[f"z{layer}"] = (packed(zero, bits) if block else packed(zero[..., 0], bits)) if zeros else None
        layers.append((weights, wide(bias)))
    router = np.abs(values(20, (tokens, count), dtype)) if mixing else None
    y = experts(wide(x), wide(logits), layers, k, activation, fusion, True, wide(router) if mixing else None).astype(dtype)
    attributes = {"k": k, "activation_type": activation, "normalize_routing_weights": 1, "swiglu_fusion": fusion, "expert_weight_bits": bits, "activation_alpha": 1.702, "activation_beta": 1.0, "swiglu_limit": 2.0}
    if block:
        attributes["block_size"] = block
    inputs = {"x": x, "logits": logits, **tensors, "w3": None, "s3": None, "b3": None, **offsets, "z3": None, "router": router}
    held = [key for key, value in inputs.items() if value is not None and key[0] in "wsbz"]
    return make(name, "QMoE", inputs, {"y": y}, attributes, dtype=dtype, rtol=2e-3 if dtype == np.float32 else 2e-2, atol=1e-3 if dtype == np.float32 else 0.1, constants=held)


def moe_cases():
    for activation in ("relu", "gelu", "silu", "identity"):
        yield moe_case(f"moe_{activation}", activation, 2)
    yield moe_case("moe_normalized_rank_3", "relu", 3, normalize=True, shape=(2, 3, 8))
    yield moe_case("moe_no_bias", "silu", 1, bias=False)
    for fusion in (0, 1, 2):
        yield moe_case(f"moe_swiglu_fusion_{fusion}", "swiglu", 2, fusion, normalize=True)
    yield moe_case("moe_float16", "swiglu", 2, 1, dtype=np.float16)
    yield moe_case("moe_bfloat16", "relu", 2, dtype=ml_dtypes.bfloat16)
    yield moe_case("moe_no_tokens", "relu", 2, shape=(0, 8))
    for bits in (2, 4, 8):
        yield qmoe_case(f"qmoe_{bits}_rows", bits)
        yield qmoe_case(f"qmoe_{bits}_rows_zeros", bits, zeros=True)
        yield qmoe_case(f"qmoe_{bits}_blocks", bits, 16)
        yield qmoe_case(f"qmoe_{bits}_blocks_zeros", bits, 16, zeros=True)
    yield qmoe_case("qmoe_4_relu_router_weights", 4, activation="relu", fusion=0, mixing=True)
    yield qmoe_case("qmoe_4_float16", 4, 32, dtype=np.float16)


def cases():
    yield from bias_cases()
    yield from bias_softmax_cases()
    yield from product_cases()
    yield from fused_conv_cases()
    yield from token_cases()
    yield from moe_cases()
