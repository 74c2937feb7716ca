"""Every element type of normalisations, attention and sampling: onnx's evaluator calculates in float, values are rounded to the type."""

import numpy as np
from case import at_version, reference
from onnx import TensorProto
from typed import narrow, of, typed_cases


def numbers(*shape, scale=8, period=11, shift=5):
    """Small multiples of 1/scale, exact in every float type."""
    count = int(np.prod(shape))
    return ((np.arange(count) * 7 % period - shift) / scale).reshape(shape)


def through_float(op, plan, outputs=("T",), other=None, **attributes):
    """plan: (type variable, numbers) for each input, None for one left out; outputs: the variables of the outputs."""

    def recipe(kinds, version):
        given = attributes if other is None else {**attributes, **other(kinds)}
        floats = {variable: TensorProto.FLOAT for variable in {*outputs, *(entry[0] for entry in plan if entry)} if kinds.get(variable) not in (TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL)}

        def values(types):
            return [None if entry is None else of(types.get(entry[0], TensorProto.INT64), entry[1]) for entry in plan]

        model = at_version(op, version, values({**kinds, **floats}), [np.zeros(1, np.float32) for _ in outputs], **attributes)
        results = reference(model.model, model.inputs)
        return values(kinds), [narrow(result, kinds[variable]) for variable, result in zip(outputs, results, strict=False)], given

    return recipe


IMAGE = numbers(1, 2, 4, 4)


def max_unpool(kinds, version):
    at = np.array([[[[0, 3], [9, 15]]]])
    y = np.zeros(16)
    y[at.ravel()] = [1, 2, 3, 4]
    return [of(kinds["T1"], [[[[1, 2], [3, 4]]]]), at], [of(kinds["T1"], y.reshape(1, 1, 4, 4))], {"kernel_shape": [2, 2], "strides": [2, 2]}


def max_roi_pool(kinds, version):
    x = np.arange(16).reshape(1, 1, 4, 4)
    y = x.reshape(1, 1, 2, 2, 2, 2).max((3, 5))
    return [of(kinds["T"], x), of(kinds["T"], [[0, 0, 0, 3, 3]])], [of(kinds["T"], y)], {"pooled_shape": [2, 2]}


def layer_normalization(kinds, version):
    x, scale, bias = numbers(2, 4), np.array([1, 2, 0.5, -1]), np.array([0, 1, -1, 0.5])
    mean, deviation = x.mean(-1, keepdims=True), 1 / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    y = (x - mean) * deviation * scale + bias
    outputs = [narrow(y, kinds["T"]), narrow(mean, kinds["U"]), narrow(deviation, kinds["U"])]
    return [of(kinds["T"], values) for values in (x, scale, bias)], outputs, {"stash_type": kinds["U"]}


def group_normalization(kinds, version):
    x, scale, bias = numbers(2, 4, 3), np.array([1, 2, 0.5, -1]), np.array([0, 1, -1, 0.5])
    groups = x.reshape(2, 2, 6)
    y = ((groups - groups.mean(-1, keepdims=True)) / np.sqrt(groups.var(-1, keepdims=True) + 1e-5)).reshape(x.shape)
    return [of(kinds["T"], values) for values in (x, scale, bias)], [narrow(y * scale[:, None] + bias[:, None], kinds["T"])], {"num_groups": 2}


def rms_normalization(kinds, version):
    x, scale = numbers(2, 4), np.array([1, 2, 0.5, -1])
    y = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale
    kind = kinds["V"] if kinds["T"] == TensorProto.FLOAT else kinds["T"]  # both alike: the schema gives Y the scale's type, its inference the input's
    return [of(kind, x), of(kind, scale)], [narrow(y, kind)], {}


def attention(kinds, version):
    q, k, v = numbers(1, 2, 3, 4), numbers(1, 2, 5, 4, period=13, shift=6), numbers(1, 2, 5, 4, period=7, shift=3)
    boolean = kinds["U"] == TensorProto.BOOL
    mask = (np.arange(15).reshape(3, 5) % 4 != 1) if boolean else np.arange(15).reshape(3, 5) % 3
    scores = q @ k.swapaxes(-1, -2) / 2
    scores = np.where(mask, scores, -np.inf) if boolean else scores + mask
    e = np.exp(scores - scores.max(-1, keepdims=True))
    y = e / e.sum(-1, keepdims=True) @ v
    return [of(kinds["T1"], q), of(kinds["T1"], k), of(kinds["T2"], v), of(kinds["U"], mask)], [narrow(y, kinds["T1"])], {}


def rotary(kinds, version):
    x, angle = numbers(1, 2, 3, 4), numbers(3, 2)
    cos, sin = np.round(np.cos(angle) * 64) / 64, np.round(np.sin(angle) * 64) / 64
    first, second = x[..., :2], x[..., 2:]
    y = np.concatenate([first * cos - second * sin, first * sin + second * cos], -1)
    return [of(kinds["T"], x), of(kinds["T"], cos), of(kinds["T"], sin), np.array([[0, 1, 2]])], [narrow(y, kinds["T"])], {}


def affine_grid(kinds, version):
    theta = numbers(1, 2, 3)
    places = np.stack([*np.meshgrid([-2 / 3, 0, 2 / 3], [-0.5, 0.5]), np.ones((2, 3))], -1)  # x, y, 1 in the middle of each cell
    return [of(kinds["T1"], theta), np.array([1, 1, 2, 3])], [narrow((places @ theta[0].T)[None], kinds["T1"])], {}


def linear_attention(kinds, version):
    q, k, v = numbers(1, 3, 2), numbers(1, 3, 2, period=7, shift=3), numbers(1, 3, 2, period=13, shift=6)
    state, past, steps = np.zeros((2, 2)), numbers(1, 1, 2, 2), []
    state += past[0, 0]
    for t in range(3):
        state = state + np.outer(k[0, t], v[0, t])
        steps.append(q[0, t] @ state / 2)
    inputs = [of(kinds["T"], values) for values in (q, k, v)] + [of(kinds["S"], past)]
    given = {"q_num_heads": 1, "kv_num_heads": 1, "update_rule": "linear", "scale": 0.5}
    return inputs, [narrow(np.stack(steps)[None], kinds["T"]), narrow(state[None, None], kinds["S"])], given


def tf_idf(kinds, version):
    x = of(kinds["T"], [5, 7, 7, 9])
    pool = {"pool_strings": ["5", "7"]} if kinds["T"] == TensorProto.STRING else {"pool_int64s": [5, 7]}
    given = {"mode": "TF", "min_gram_length": 1, "max_gram_length": 1, "max_skip_count": 0, "ngram_counts": [0], "ngram_indexes": [0, 1]}
    return [x], [np.float32([1, 2])], {**given, **pool}


def quantize(kinds, version):
    scale, zero = of(kinds["T2" if "T2" in kinds else "T1"], 1 if kinds.get("T2") == TensorProto.FLOAT8E8M0 else 2), of(kinds["T3" if "T3" in kinds else "T2"], 0)
    if version < 19:
        scale, zero = np.float32(2), of(kinds["T2"], 0)
    elif version < 23:
        scale, zero = of(kinds["T1"], 2), of(kinds["T2"], 0)
    target = kinds["T3"] if version >= 23 else kinds["T2"]
    y = [0, 1, 1, 0]  # what even two signed bits hold
    return [of(kinds["T1"], [0, 2, 2, 0]), scale, zero], [of(target, y)], {}


def dequantize(kinds, version):
    if version < 19:
        return [of(kinds["T"], [0, 1, 1, 0]), np.float32(2), of(kinds["T"], 0)], [np.float32([0, 2, 2, 0])], {}
    scale = of(kinds["T2"], 1 if kinds["T2"] == TensorProto.FLOAT8E8M0 else 2)
    target = kinds.get("T3", kinds["T2"])
    return [of(kinds["T1"], [0, 1, 1, 0]), scale, of(kinds["T1"], 0)], [of(target, [0, 2, 2, 0])], {"output_dtype": target} if "T3" in kinds else {}


def quantized_product(kinds, version):
    if "TS" not in kinds:
        return None
    one = of(kinds["TS"], 1)
    a, b = of(kinds["T1"], [[1, 2]]), of(kinds["T2"], [[1], [1]])
    return [a, one, of(kinds["T1"], 0), b, one, of(kinds["T2"], 0), one, of(kinds["T3"], 0)], [of(kinds["T3"], [[3]])], {}


RECIPES = {
    "AffineGrid": affine_grid,
    "LinearAttention": linear_attention,
    "TfIdfVectorizer": tf_idf,
    "QuantizeLinear": quantize,
    "DequantizeLinear": dequantize,
    "QLinearMatMul": quantized_product,
    "DeformConv": through_float("DeformConv", [("T", IMAGE), ("T", numbers(1, 2, 2, 2)), ("T", numbers(1, 8, 3, 3))]),
    "GroupNormalization": group_normalization,
    "LayerNormalization": layer_normalization,
    "RMSNormalization": rms_normalization,
    "MaxRoiPool": max_roi_pool,
    "MaxUnpool": max_unpool,
    "Attention": attention,
    "RotaryEmbedding": rotary,
    "SwiGLU": through_float("SwiGLU", [("T", numbers(2, 4)), ("T", numbers(2, 4, period=7, shift=3))]),
    "CausalConvWithState": through_float("CausalConvWithState", [("T", numbers(1, 2, 5)), ("T", numbers(2, 1, 3))], ("T", "T")),
}


def cases():
    yield from typed_cases(RECIPES)
