"""Normalisations of com.microsoft and the forms of ai.onnx ones that the package has no case for; expected values from float64 definitions."""

import ml_dtypes
import numpy as np
from case import Case, one_node
from onnx import helper

MICROSOFT = {"com.microsoft": 1}
TOLERANCE = {np.float32: (1e-4, 1e-5), np.float64: (1e-6, 1e-7), np.float16: (4e-3, 4e-3), ml_dtypes.bfloat16: (3e-2, 3e-2)}
NAMES = {np.float32: "float", np.float64: "double", np.float16: "float16", ml_dtypes.bfloat16: "bfloat16"}


def values(seed, shape, dtype=np.float32, spread=1.0, center=0.0):
    return (np.random.default_rng(seed).standard_normal(shape) * spread + center).astype(dtype)


def normalized(x, axes, epsilon, centered=True):
    """Value, mean, inverse standard deviation, in float64."""
    x = x.astype(np.float64)
    mean = x.mean(axis=axes, keepdims=True) if centered else np.zeros_like(x.mean(axis=axes, keepdims=True))
    inverse = 1 / np.sqrt(((x - mean) ** 2).mean(axis=axes, keepdims=True) + epsilon)
    return (x - mean) * inverse, mean, inverse


def make(name, op, inputs, outputs, attributes, domain="com.microsoft", opset=17, dtype=np.float32, rtol=None, atol=None):
    """inputs and outputs: name -> array or None (absent)."""
    node = helper.make_node(op, [key if value is not None else "" for key, value in inputs.items()], [key if value is not None else "" for key, value in outputs.items()], domain=domain, **attributes)
    given = {key: value for key, value in inputs.items() if value is not None}
    wanted = {key: value for key, value in outputs.items() if value is not None}
    usual = TOLERANCE[dtype]
    return Case(name, one_node(node, given, wanted, opset, MICROSOFT if domain else None), given, wanted, rtol or usual[0], atol or usual[1])


def skip_case(name, dtype, shape, skip_shape, centered=True, beta=True, bias=True, everything=True, epsilon=1e-5, center=0.0, atol=None):
    width = shape[-1]
    x, skip = values(1, shape, dtype, center=center), values(2, skip_shape, dtype)
    gamma = values(3, width, dtype)
    shift, plus = (values(4, width, dtype) if beta and centered else None), (values(5, width, dtype) if bias else None)
    total = x.astype(np.float64) + skip.astype(np.float64) + (plus.astype(np.float64) if bias else 0)
    y, mean, inverse = normalized(total, -1, epsilon, centered)
    y = y * gamma.astype(np.float64) + (shift.astype(np.float64) if shift is not None else 0)
    inputs = {"input": x, "skip": skip, "gamma": gamma, **({"beta": shift} if centered else {}), "bias": plus}
    outputs = {"output": y.astype(dtype)}
    if everything:
        outputs |= {"mean": mean.astype(np.float32), "inv_std_var": inverse.astype(np.float32), "sum": total.astype(dtype)}
    return make(name, "SkipLayerNormalization" if centered else "SkipSimplifiedLayerNormalization", inputs, outputs, {"epsilon": epsilon}, dtype=dtype, atol=atol)


def skip_cases():
    for dtype, text in NAMES.items():
        for centered in (True, False):
            kind = "skip_layer_norm" if centered else "skip_rms_norm"
            yield skip_case(f"{kind}_{text}", dtype, (2, 3, 37), (2, 3, 37), centered)
    yield skip_case("skip_layer_norm_skip_of_one_batch", np.float32, (2, 3, 16), (1, 3, 16))
    yield skip_case("skip_layer_norm_skip_without_batch", np.float32, (2, 3, 16), (3, 16))
    yield skip_case("skip_layer_norm_rank_2", np.float32, (5, 33), (5, 33), bias=False, everything=False)
    yield skip_case("skip_layer_norm_bare", np.float32, (1, 2, 8), (1, 2, 8), beta=False, bias=False, everything=False)
    yield skip_case("skip_layer_norm_default_epsilon", np.float32, (1, 2, 64), (1, 2, 64), epsilon=1e-12)
    # The sum is a float: at 300 its last place is 3e-5.
    yield skip_case("skip_layer_norm_far_from_zero", np.float32, (1, 2, 200), (1, 2, 200), everything=False, center=300.0, atol=5e-5)
    yield skip_case("skip_layer_norm_many_rows", np.float32, (4, 40, 130), (40, 130))
    yield skip_case("skip_layer_norm_no_rows", np.float32, (0, 3, 16), (3, 16))


def layer_norm_cases():
    for dtype, text in NAMES.items():
        x, scale, bias = values(1, (2, 3, 19), dtype), values(2, 19, dtype), values(3, 19, dtype)
        y, mean, inverse = normalized(x, -1, 1e-5)
        y = (y * scale.astype(np.float64) + bias.astype(np.float64)).astype(dtype)
        outputs = {"y": y, "mean": mean.astype(np.float32), "inv": inverse.astype(np.float32)}
        yield make(f"layer_norm_17_{text}_statistics", "LayerNormalization", {"x": x, "scale": scale, "b": bias}, outputs, {"axis": -1}, "", 17, dtype)
        if dtype != ml_dtypes.bfloat16:
            yield make(f"layer_norm_of_before_17_{text}", "LayerNormalization", {"x": x, "scale": scale, "b": bias}, outputs, {"axis": -1}, "", 13, dtype)
        rms, _, inverse = normalized(x, -1, 1e-5, centered=False)
        for domain, mark in (("", ""), ("com.microsoft", "_microsoft")):
            yield make(f"simplified_layer_norm_{text}{mark}", "SimplifiedLayerNormalization", {"x": x, "scale": scale}, {"y": (rms * scale.astype(np.float64)).astype(dtype), "inv": inverse.astype(np.float32)}, {"axis": -1}, domain, 13, dtype)
    x, scale = values(1, (2, 3, 19)), values(2, 19, np.float16)
    rms, _, _ = normalized(x, -1, 1e-5, centered=False)
    yield make("simplified_layer_norm_scale_of_other_type", "SimplifiedLayerNormalization", {"x": x, "scale": scale}, {"y": (rms * scale.astype(np.float64)).astype(np.float16)}, {"axis": -1}, "", 13, np.float16)
    x, scale = values(1, (2, 3, 4, 5)), values(2, (4, 5))
    y, mean, inverse = normalized(x, (2, 3), 1e-3)
    yield make("layer_norm_17_axis_2_no_bias", "LayerNormalization", {"x": x, "scale": scale}, {"y": (y * scale).astype(np.float32), "mean": mean.astype(np.float32), "inv": inverse.astype(np.float32)}, {"axis": 2, "epsilon": 1e-3}, "", 17)
    x, scale, bias = values(1, (2, 3, 70), center=1000.0), values(2, (3, 1)), values(3, (1, 1, 70))
    y, _, _ = normalized(x, -1, 1e-5)
    yield make("layer_norm_17_broadcast_scale_far_from_zero", "LayerNormalization", {"x": x, "scale": scale, "b": bias}, {"y": (y * scale + bias).astype(np.float32)}, {}, "", 17, rtol=1e-3, atol=1e-3)


def embed_case(name, dtype, segments=True, mask=True, positions=None, total=True, batch=2, length=5, width=24):
    random = np.random.default_rng(7)
    ids, kinds = random.integers(0, 11, (batch, length), np.int32), random.integers(0, 2, (batch, length), np.int32)
    words, places, parts = values(1, (11, width), dtype), values(2, (9, width), dtype), values(3, (2, width), dtype)
    gamma, beta = values(4, width, dtype), values(5, width, dtype)
    marks = (np.arange(length) < np.array([[3], [length]])[:batch]).astype(np.int32)
    where = {None: np.arange(length)[None], "shared": np.array([[4, 3, 8, 0, 1]])[:, :length], "own": random.integers(0, 9, (batch, length))}[positions].astype(np.int32)
    sums = words.astype(np.float64)[ids] + places.astype(np.float64)[np.broadcast_to(where, ids.shape)] + (parts.astype(np.float64)[kinds] if segments else 0)
    y = normalized(sums, -1, 1e-12)[0] * gamma.astype(np.float64) + beta.astype(np.float64)
    inputs = {"ids": ids, "segments": kinds if segments else None, "words": words, "places": places, "parts": parts if segments else None, "gamma": gamma, "beta": beta, "mask": marks if mask else None, "position_ids": where if positions else None}
    outputs = {"y": y.astype(dtype), "mask_index": marks.sum(axis=1, dtype=np.int32) if mask else np.zeros(batch, np.int32)}
    if total:
        outputs["sum"] = sums.astype(dtype)
    return make(name, "EmbedLayerNormalization", inputs, outputs, {}, dtype=dtype)


def quantized_embed_case(name, dtype, segments):
    random = np.random.default_rng(8)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    tables = {key: random.integers(low, high + 1, shape).astype(dtype) for key, shape in {"words": (11, 16), "places": (9, 16), "parts": (2, 16), "gamma": (16,), "beta": (16,)}.items()}
    scales = {key: np.array(0.01 * (i + 1), np.float32) for i, key in enumerate(tables)}
    zeros = {key: np.array((low + high) // 2 + i, dtype) for i, key in enumerate(tables)}
    real = {key: (table.astype(np.float64) - float(zeros[key])) * float(scales[key]) for key, table in tables.items()}
    ids, kinds = random.integers(0, 11, (2, 4), np.int32), random.integers(0, 2, (2, 4), np.int32)
    sums = real["words"][ids] + real["places"][:4] + (real["parts"][kinds] if segments else 0)
    y = normalized(sums, -1, 1e-12)[0] * real["gamma"] + real["beta"]
    if not segments:
        for group in (tables, scales, zeros):
            group["parts"] = None
    inputs = {"ids": ids, "segments": kinds if segments else None, **tables, "mask": np.ones((2, 4), np.int32)}
    inputs |= {f"{key}_scale": value for key, value in scales.items()} | {f"{key}_zero": value for key, value in zeros.items()}
    return make(name, "QEmbedLayerNormalization", inputs, {"y": y.astype(np.float32), "mask_index": np.full(2, 4, np.int32)}, {})


def silu(x):
    return x / (1 + np.exp(-x))


def group_norm_case(name, dtype, last, activation, skip=None, bias=False, total=False):
    shape, groups, channels = (2, 3, 4, 6), 2, 6
    x = values(1, shape, dtype)
    gamma, beta, plus = values(2, channels), values(3, channels), values(4, channels, dtype) if bias else None
    sums = x.astype(np.float64)
    other = None
    if skip is not None:
        other = values(5, {"whole": shape, "pooled": (2, 1, 1, 6), "matrix": (2, 6)}[skip], dtype)
        sums = sums + other.astype(np.float64).reshape(shape if skip == "whole" else (2, 1, 1, 6)) + (plus.astype(np.float64) if bias else 0)
    y = normalized(sums.reshape(2, 12, groups, 3), (1, 3), 1e-5)[0].reshape(shape) * gamma + beta
    y = silu(y) if activation else y
    first = lambda each: np.ascontiguousarray(each.transpose(0, 3, 1, 2)) if not last and each is not None and each.ndim == 4 else each
    inputs = {"x": first(x), "gamma": gamma, "beta": beta} | ({"skip": first(other), "bias": plus} if skip else {})
    outputs = {"y": first(y).astype(dtype)} | ({"s": first(sums).astype(dtype)} if total else {})
    return make(name, "SkipGroupNorm" if skip else "GroupNorm", inputs, outputs, {"groups": groups, "activation": activation, "channels_last": int(last)}, dtype=dtype)


def gated_case(name, dtype, activation):
    x, scale, gate = values(1, (2, 3, 20), dtype), values(2, 10, dtype), values(3, (2, 3, 20), dtype)
    y = normalized(x.reshape(2, 3, 2, 10), -1, 1e-5, centered=False)[0] * scale.astype(np.float64)
    z = gate.astype(np.float64)
    y = y.reshape(x.shape) * (1 / (1 + np.exp(-z)) if activation == "sigmoid" else silu(z))
    return make(name, "GatedRMSNorm", {"x": x, "scale": scale, "gate": gate}, {"y": y.astype(dtype)}, {"activation": activation}, dtype=dtype)


def cases():
    yield from skip_cases()
    yield from layer_norm_cases()
    for dtype in (np.float32, np.float16, np.float64):
        yield embed_case(f"embed_layer_norm_{NAMES[dtype]}", dtype)
    yield embed_case("embed_layer_norm_no_segments_no_mask", np.float32, segments=False, mask=False, total=False)
    yield embed_case("embed_layer_norm_shared_positions", np.float32, positions="shared")
    yield embed_case("embed_layer_norm_own_positions", np.float16, positions="own")
    yield quantized_embed_case("q_embed_layer_norm_uint8", np.uint8, True)
    yield quantized_embed_case("q_embed_layer_norm_int8_no_segments", np.int8, False)
    for last in (True, False):
        mark = "last" if last else "first"
        yield group_norm_case(f"group_norm_channels_{mark}", np.float32, last, 0)
        yield group_norm_case(f"group_norm_channels_{mark}_silu_float16", np.float16, last, 1)
        yield group_norm_case(f"skip_group_norm_channels_{mark}", np.float32, last, 1, "whole", True, True)
        yield group_norm_case(f"skip_group_norm_channels_{mark}_pooled", np.float32, last, 0, "pooled", False, True)
        yield group_norm_case(f"skip_group_norm_channels_{mark}_matrix", np.float32, last, 0, "matrix", True, False)
    for activation in ("silu", "swish", "sigmoid"):
        yield gated_case(f"gated_rms_norm_{activation}", np.float32, activation)
    yield gated_case("gated_rms_norm_float16", np.float16, "silu")
    yield gated_case("gated_rms_norm_bfloat16", ml_dtypes.bfloat16, "sigmoid")
