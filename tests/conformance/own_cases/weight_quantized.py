"""Products and lookups over weights stored in few bits: MatMulNBits, MatMulBnb4, GatherBlockQuantized; expected values from float64 definitions."""

import ml_dtypes
import numpy as np
from case import Case, one_node
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = {"com.microsoft": 1}
TOLERANCE = {np.float32: (1e-4, 1e-4), np.float16: (1e-2, 1e-2), ml_dtypes.bfloat16: (4e-2, 4e-2)}
NAMES = {np.float32: "float", np.float16: "float16", ml_dtypes.bfloat16: "bfloat16"}


def packed(numbers, bits):
    """Low bits first along the last axis, padded to whole bytes."""
    per_byte = 8 // bits
    pad = -numbers.shape[-1] % per_byte
    numbers = np.pad(numbers, [(0, 0)] * (numbers.ndim - 1) + [(0, pad)]).astype(np.uint8)
    parts = numbers.reshape(*numbers.shape[:-1], -1, per_byte)
    return np.bitwise_or.reduce(parts << (np.arange(per_byte, dtype=np.uint8) * bits), axis=-1).astype(np.uint8)


def nbits_case(name, bits=4, block=32, k=96, n=10, a_shape=(3,), dtype=np.float32, zeros=None, flat=False, bias=False, groups=False, constant=True, level=0):
    random = np.random.default_rng(bits * 1000 + block + k + n)
    blocks = -(-k // block)
    numbers = random.integers(0, 1 << bits, (n, blocks, block))
    a = random.standard_normal((*a_shape, k)).astype(dtype)
    scales = (random.standard_normal((n, blocks)) * 0.1).astype(dtype)
    offset, zero_input = np.full((n, blocks), float(1 << (bits - 1))), None
    if zeros == "packed":
        offset = random.integers(0, 1 << bits, (n, blocks))
        zero_input = packed(offset, bits)
    elif zeros == "real":
        zero_input = (random.random((n, blocks)) * (1 << bits)).astype(dtype)
        offset = zero_input.astype(np.float64)
    where = np.arange(k) // block
    group_input = None
    if groups:
        group_input = random.integers(0, blocks, k).astype(np.int32)
        where = group_input
    weights = (numbers.reshape(n, -1)[:, :k] - offset[:, where]) * scales.astype(np.float64)[:, where]
    plus = random.standard_normal(n).astype(dtype) if bias else None
    y = (a.astype(np.float64) @ weights.T + (plus.astype(np.float64) if bias else 0)).astype(dtype)
    constants = {"b": packed(numbers, bits), "scales": scales.reshape(-1) if flat else scales}
    if zero_input is not None:
        constants["zeros"] = zero_input.reshape(-1) if flat else zero_input
    names = ["a", "b", "scales", "zeros" if zeros else "", "groups" if groups else "", "plus" if bias else ""]
    while not names[-1]:
        names.pop()
    inputs = {"a": a} | ({"groups": group_input} if groups else {}) | ({"plus": plus} if bias else {}) | ({} if constant else constants)
    node = helper.make_node("MatMulNBits", names, ["y"], domain="com.microsoft", K=k, N=n, bits=bits, block_size=block, accuracy_level=level)
    return Case(name, one_node(node, inputs, {"y": y}, 17, MICROSOFT, constants if constant else None), inputs, {"y": y}, *TOLERANCE[dtype])


def nbits_cases():
    for bits in (2, 4, 8):
        for block in (16, 32, 64, 128, 256):
            yield nbits_case(f"matmul_nbits_{bits}_block_{block}", bits, block, k=300, n=9)
        yield nbits_case(f"matmul_nbits_{bits}_packed_zeros", bits, 16, k=80, zeros="packed")
        yield nbits_case(f"matmul_nbits_{bits}_real_zeros", bits, 32, k=80, zeros="real", flat=True)
        yield nbits_case(f"matmul_nbits_{bits}_one_row", bits, 32, k=512, n=21, a_shape=(1, 1), zeros="packed")
        yield nbits_case(f"matmul_nbits_{bits}_many_rows", bits, 32, k=70, n=150, a_shape=(2, 20), zeros="packed", bias=True)
        yield nbits_case(f"matmul_nbits_{bits}_groups", bits, 16, k=64, groups=True)
    for dtype in (np.float16, ml_dtypes.bfloat16):
        yield nbits_case(f"matmul_nbits_{NAMES[dtype]}", k=128, dtype=dtype, zeros="real", bias=True)
        yield nbits_case(f"matmul_nbits_{NAMES[dtype]}_many_rows", k=128, dtype=dtype, a_shape=(30,), zeros="packed")
    yield nbits_case("matmul_nbits_vector", a_shape=())
    yield nbits_case("matmul_nbits_no_rows", a_shape=(0,))
    yield nbits_case("matmul_nbits_five_rows", a_shape=(5,), k=257, n=7, zeros="packed", flat=True)
    yield nbits_case("matmul_nbits_weights_fed", constant=False, zeros="packed", flat=True, a_shape=(2, 2))
    yield nbits_case("matmul_nbits_small_depth", k=5, block=16, n=3)


FP4 = np.array([0.0, 5.208333333e-03, 0.66666667, 1.0, 0.33333333, 0.5, 0.16666667, 0.25])
FP4 = np.concatenate([FP4, -FP4])
# The quantiles of the normal distribution that QLoRA gives.
NF4 = np.array([-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0])  # fmt: skip


def bnb4_case(name, kind, block=32, k=40, n=6, rows=(3,), dtype=np.float32, transposed=True):
    random = np.random.default_rng(kind * 100 + block + k)
    numbers = random.integers(0, 16, n * k)
    stored = np.pad(numbers, (0, n * k % 2)).reshape(-1, 2)
    b = (stored[:, 0] << 4 | stored[:, 1]).astype(np.uint8)
    largest = (random.random(-(-n * k // block)) + 0.1).astype(dtype)
    weights = ((NF4 if kind else FP4)[numbers] * largest.astype(np.float64)[np.arange(n * k) // block]).reshape(n, k)
    a = random.standard_normal((*rows, k if transposed else n)).astype(dtype)
    y = (a.astype(np.float64) @ (weights.T if transposed else weights)).astype(dtype)
    attributes = {} if transposed else {"transB": 0}
    node = helper.make_node("MatMulBnb4", ["a", "b", "largest"], ["y"], domain="com.microsoft", K=k, N=n, block_size=block, quant_type=kind, **attributes)
    constants = {"b": b, "largest": largest}
    return Case(name, one_node(node, {"a": a}, {"y": y}, 17, MICROSOFT, constants), {"a": a}, {"y": y}, *TOLERANCE[dtype])


def gather_case(name, data_type, shape, indices, quantize_axis, gather_axis=0, block=16, bits=4, zeros=True, dtype=np.float32, shared_scale=False):
    """shape: of the numbers, not of the bytes."""
    random = np.random.default_rng(len(name))
    signed, byte = data_type == TensorProto.INT4, data_type == TensorProto.UINT8
    low, high = (-8, 8) if signed else (0, 1 << bits)
    numbers = random.integers(low, high, shape)
    axis = quantize_axis % len(shape)
    scale_shape = [-(-dim // block) if i == axis else 1 if shared_scale else dim for i, dim in enumerate(shape)]
    scales = (random.random(scale_shape) + 0.1).astype(dtype)
    offsets = random.integers(low, high, scale_shape) if zeros else np.full(scale_shape, 1 << (bits - 1) if byte else 0)
    spread = lambda each: np.repeat(each, block, axis=axis).take(range(shape[axis]), axis=axis)
    narrow = {TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn, TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2, TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn}.get(data_type)
    if narrow:
        real = random.standard_normal(shape).astype(np.float32).astype(narrow)
        weights = real.astype(np.float64) * spread(scales.astype(np.float64))
        data = numpy_helper.from_array(real, "data")
    else:
        weights = (numbers - spread(offsets)) * spread(scales.astype(np.float64))
        data = numpy_helper.from_array(packed(numbers, bits), "data") if byte else helper.make_tensor("data", data_type, shape, numbers.flatten().tolist())
    size = shape[gather_axis]
    inside = (indices >= -size) & (indices < size)
    y = np.take(weights, np.where(inside, indices, 0), axis=gather_axis)
    mask = inside.reshape([1] * (gather_axis % len(shape)) + list(inside.shape) + [1] * (len(shape) - 1 - gather_axis % len(shape)))
    y = np.where(mask, y, 0).astype(dtype)
    names = ["data", "indices", "scales"]
    initializers = [data, numpy_helper.from_array(scales, "scales")]
    if zeros and not narrow:
        names.append("zeros")
        initializers.append(numpy_helper.from_array(packed(offsets, bits), "zeros") if byte else helper.make_tensor("zeros", data_type, scale_shape, offsets.flatten().tolist()))
    node = helper.make_node("GatherBlockQuantized", names, ["y"], domain="com.microsoft", bits=bits, block_size=block, quantize_axis=quantize_axis, gather_axis=gather_axis)
    model = one_node(node, {"indices": indices}, {"y": y}, 23, MICROSOFT)
    model.graph.initializer.extend(initializers)
    return Case(name, model, {"indices": indices}, {"y": y}, *TOLERANCE[dtype])


def gather_cases():
    few = np.array([[0, 5, -1], [2, 2, 1]], np.int64)
    for text, data_type in (("int4", TensorProto.INT4), ("uint4", TensorProto.UINT4)):
        yield gather_case(f"gather_block_{text}", data_type, (6, 40), few, 1)
        yield gather_case(f"gather_block_{text}_no_zeros_float16", data_type, (6, 40), few, 1, zeros=False, dtype=np.float16)
        yield gather_case(f"gather_block_{text}_first_axis_quantized", data_type, (40, 6), few.astype(np.int32), 0)
        yield gather_case(f"gather_block_{text}_gather_last", data_type, (3, 40, 6), few, 1, gather_axis=2)
        yield gather_case(f"gather_block_{text}_gather_middle", data_type, (3, 6, 20), np.array([5, -6], np.int64), -1, gather_axis=1)
    for bits in (2, 4, 8):
        yield gather_case(f"gather_block_bytes_{bits}", TensorProto.UINT8, (6, 48), few, 1, bits=bits)
        yield gather_case(f"gather_block_bytes_{bits}_no_zeros", TensorProto.UINT8, (6, 48), few, 1, bits=bits, zeros=False, dtype=np.float16)
        yield gather_case(f"gather_block_bytes_{bits}_rank_3", TensorProto.UINT8, (6, 32, 8), few, 1, bits=bits)
    yield gather_case("gather_block_index_outside", TensorProto.UINT8, (6, 32), np.array([7, -8, 1], np.int64), 1)
    yield gather_case("gather_block_no_indices", TensorProto.UINT4, (6, 32), np.zeros((0, 2), np.int64), 1)
    yield gather_case("gather_block_scalar_index_bfloat16", TensorProto.UINT4, (6, 32), np.array(3, np.int64), 1, dtype=ml_dtypes.bfloat16)
    for text, data_type in (("float8e4m3fn", TensorProto.FLOAT8E4M3FN), ("float8e5m2", TensorProto.FLOAT8E5M2), ("float4e2m1", TensorProto.FLOAT4E2M1)):
        yield gather_case(f"gather_block_{text}", data_type, (6, 32), few, 1, zeros=False)
        yield gather_case(f"gather_block_{text}_shared_scale", data_type, (6, 32), few, 1, zeros=False, shared_scale=True)


def fp_q4_case(name, kind, k, n, rows=(3,)):
    random = np.random.default_rng(k + n)
    blocks = -(-k // 32)
    numbers, scales = random.integers(0, 16, (n, blocks, 32)), (random.random((n, blocks)) * 0.1).astype(np.float32)
    zeros = random.integers(0, 16, (n, blocks)) if kind else np.full((n, blocks), 8)
    blob = b""
    for column, block in np.ndindex(n, blocks):
        halves = numbers[column, block].reshape(2, 16)
        blob += scales[column, block].tobytes() + (bytes([zeros[column, block]]) if kind else b"") + (halves[0] | halves[1] << 4).astype(np.uint8).tobytes()
    weights = ((numbers - zeros[..., None]) * scales.astype(np.float64)[..., None]).reshape(n, -1)[:, :k]
    a = random.standard_normal((*rows, k)).astype(np.float32)
    y = (a.astype(np.float64) @ weights.T).astype(np.float32)
    node = helper.make_node("MatMulFpQ4", ["a", "b", "shape"], ["y"], domain="com.microsoft", blk_quant_type=kind)
    constants = {"b": np.frombuffer(blob, np.uint8), "shape": np.array([k, n], np.int64)}
    return Case(name, one_node(node, {"a": a}, {"y": y}, 17, MICROSOFT, constants), {"a": a}, {"y": y}, *TOLERANCE[np.float32])


def cases():
    yield from nbits_cases()
    for kind in (0, 1):
        yield fp_q4_case(f"matmul_fp_q4_kind_{kind}", kind, 64, 9)
        yield fp_q4_case(f"matmul_fp_q4_kind_{kind}_rest_of_block", kind, 40, 130, rows=(2, 2))
    for kind, text in ((0, "fp4"), (1, "nf4")):
        yield bnb4_case(f"matmul_bnb4_{text}", kind)
        yield bnb4_case(f"matmul_bnb4_{text}_odd_rows", kind, block=64, k=37, n=5, rows=(2, 2))
        yield bnb4_case(f"matmul_bnb4_{text}_not_transposed", kind, transposed=False)
        yield bnb4_case(f"matmul_bnb4_{text}_float16", kind, block=16, k=128, n=140, rows=(1,), dtype=np.float16)
    yield bnb4_case("matmul_bnb4_nf4_bfloat16", 1, dtype=ml_dtypes.bfloat16)
    yield from gather_cases()
