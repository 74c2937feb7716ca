"""Attention in the forms of com.microsoft, and rotary embeddings. Expected values are onnxruntime's on the CPU, or numpy's
where it does not serve a form."""

import ml_dtypes
import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from case import Case, one_node

DOMAIN = "com.microsoft"


def floats(rng, *shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def node_of(op, inputs, outputs, attributes):
    names = [name if value is not None else "" for name, value in inputs.items()]
    while names and not names[-1]:
        names.pop()
    return helper.make_node(op, names, outputs, domain=DOMAIN, **attributes)


def oracle(model, inputs):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def ort_case(name, op, inputs, outputs, rtol=1e-3, atol=2e-5, types=None, stand_in=None, storage=None, shown=None, initializers=(), **attributes):
    """inputs: name -> array or None (absent), in the operator's order; outputs: names, "" absent; types: element types of
    outputs that are not the first input's; stand_in: inputs that say for onnxruntime what leaving them out means;
    storage: the floats are rounded to this type first and the expected ones to it afterwards, onnxruntime runs in float;
    shown: the first outputs that are compared, where others hold anything."""
    if storage is not None:
        inputs = {key: value.astype(storage) if value is not None and value.dtype == np.float32 else value for key, value in inputs.items()}
    told = {**inputs, **(stand_in or {})}
    if storage is not None:
        told = {key: value.astype(np.float32) if value is not None and value.dtype == storage else value for key, value in told.items()}
    fed = {key: value for key, value in told.items() if value is not None}
    node = node_of(op, told, outputs, attributes)
    wanted = [each for each in outputs if each]
    first = helper.np_dtype_to_tensor_dtype(next(iter(fed.values())).dtype)
    infos = [helper.make_tensor_value_info(each, (types or {}).get(each, first), None) for each in wanted]
    graph = helper.make_graph(
        [node],
        op,
        [helper.make_tensor_value_info(key, helper.np_dtype_to_tensor_dtype(value.dtype), list(value.shape)) for key, value in fed.items()],
        infos,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(DOMAIN, 1)], ir_version=10)
    expected = dict(zip(wanted, oracle(model, fed)))
    if storage is not None:
        expected = {key: value.astype(storage) if value.dtype == np.float32 else value for key, value in expected.items()}
    if shown is not None:
        outputs = outputs[:shown]
        expected = {key: expected[key] for key in outputs}
    fed = {key: value for key, value in inputs.items() if value is not None}
    constants = {key: fed.pop(key) for key in initializers}
    model = one_node(node_of(op, inputs, outputs, attributes), fed, expected, 21, {DOMAIN: 1}, constants)
    return Case(name, model, fed, expected, rtol, atol)


def multi_head(rng, batch=2, queries=4, keys=6, heads=2, size=8, value_size=8, bias=False, mask=None, score_bias=None, past=None, dtype=np.float32):
    return {
        "query": floats(rng, batch, queries, heads * size, dtype=dtype),
        "key": floats(rng, batch, keys, heads * size, dtype=dtype),
        "value": floats(rng, batch, keys, heads * value_size, dtype=dtype),
        "bias": floats(rng, heads * (2 * size + value_size), dtype=dtype) if bias else None,
        "key_padding_mask": None if mask is None else np.asarray(mask, np.int32),
        "attention_bias": None if score_bias is None else floats(rng, *score_bias, dtype=dtype),
        "past_key": None if past is None else floats(rng, batch, heads, past, size, dtype=dtype),
        "past_value": None if past is None else floats(rng, batch, heads, past, value_size, dtype=dtype),
    }


def multi_head_cases():
    rng = np.random.default_rng(11)
    op = "MultiHeadAttention"
    yield ort_case("mha_cross", op, multi_head(rng), ["y"], num_heads=2)
    yield ort_case("mha_value_size", op, multi_head(rng, value_size=12), ["y"], num_heads=2)
    yield ort_case("mha_long", op, multi_head(rng, batch=1, queries=5, keys=300, heads=1, size=16, value_size=16), ["y"], num_heads=1)
    yield ort_case("mha_bias_scale", op, multi_head(rng, bias=True), ["y"], num_heads=2, scale=0.3)
    yield ort_case("mha_unidirectional", op, multi_head(rng, queries=6), ["y"], num_heads=2, unidirectional=1)
    yield ort_case("mha_mask_lengths", op, multi_head(rng, mask=[3, 6]), ["y"], num_heads=2)
    two = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 1, 0]])
    yield ort_case("mha_mask_keys", op, multi_head(rng, mask=two), ["y"], num_heads=2)
    yield ort_case("mha_mask_filter_value", op, multi_head(rng, mask=two), ["y"], num_heads=2, mask_filter_value=-1.5)
    three = rng.integers(0, 2, (2, 4, 6))
    yield ort_case("mha_mask_each_query", op, multi_head(rng, mask=three), ["y"], num_heads=2)
    yield ort_case("mha_score_bias", op, multi_head(rng, score_bias=(2, 2, 4, 6)), ["y"], num_heads=2)
    yield ort_case("mha_score_bias_broadcast", op, multi_head(rng, score_bias=(1, 2, 4, 6)), ["y"], num_heads=2)
    yield ort_case("mha_score_bias_broadcast_heads", op, multi_head(rng, score_bias=(1, 1, 4, 6), mask=two), ["y"], num_heads=2)
    yield ort_case("mha_present", op, multi_head(rng, keys=4, bias=True), ["y", "pk", "pv"], num_heads=2)
    yield ort_case("mha_past", op, multi_head(rng, keys=4, past=3), ["y", "pk", "pv"], num_heads=2)
    yield ort_case("mha_past_bias_mask", op, multi_head(rng, queries=1, keys=1, past=5, bias=True, mask=two), ["y", "pk", "pv"], num_heads=2)
    yield ort_case("mha_past_unidirectional", op, multi_head(rng, keys=4, past=3), ["y", "pk", "pv"], num_heads=2, unidirectional=1)
    yield ort_case("mha_scores", op, multi_head(rng, keys=4, past=3, mask=np.pad(two, ((0, 0), (0, 1)))), ["y", "pk", "pv", "qk"], num_heads=2)
    encoder = multi_head(rng)
    encoder["key"], encoder["value"] = floats(rng, 2, 2, 6, 8), floats(rng, 2, 2, 6, 8)
    yield ort_case("mha_encoder", op, encoder, ["y"], num_heads=2)
    encoder["bias"] = floats(rng, 48)
    yield ort_case("mha_encoder_bias", op, encoder, ["y"], num_heads=2)
    inputs = multi_head(rng)
    inputs.update(query=floats(rng, 2, 5, 2, 3, 8), key=None, value=None)
    yield numpy_multi_head("mha_packed", inputs)
    inputs = multi_head(rng)
    inputs.update(key=floats(rng, 2, 6, 2, 2, 8), value=None)
    yield numpy_multi_head("mha_packed_keys", inputs)
    for dtype, label, tolerance in ((np.float16, "float16", 4e-3),):
        yield numpy_multi_head("mha_" + label, multi_head(rng, dtype=dtype), tolerance)


def numpy_multi_head(name, inputs, tolerance=2e-5):
    """The definition in float64, for forms that the CPU kernel of onnxruntime lacks."""
    query, key, value = (None if inputs[each] is None else inputs[each].astype(np.float64) for each in ("query", "key", "value"))
    heads = 2
    if key is None:
        query, key, value = query[:, :, :, 0], query[:, :, :, 1], query[:, :, :, 2]
    else:
        query = query.reshape(*query.shape[:2], heads, -1)
        if value is None:
            key, value = key[:, :, :, 0], key[:, :, :, 1]
        else:
            key, value = key.reshape(*key.shape[:2], heads, -1), value.reshape(*value.shape[:2], heads, -1)
    scores = np.einsum("bqhd,bkhd->bhqk", query, key) / np.sqrt(query.shape[-1])
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    y = np.einsum("bhqk,bkhd->bqhd", shares, value).reshape(*query.shape[:2], -1).astype(inputs["query"].dtype)
    fed = {each: array for each, array in inputs.items() if array is not None}
    model = one_node(node_of("MultiHeadAttention", inputs, ["y"], {"num_heads": heads}), fed, {"y": y}, 21, {DOMAIN: 1})
    return Case(name, model, fed, {"y": y}, 1e-3, tolerance)


def decoder_masked_cases():
    rng = np.random.default_rng(12)
    op = "DecoderMaskedMultiHeadAttention"
    room, kept, heads, size = 8, 5, 2, 8

    def inputs(batch=2, bias=False, **more):
        base = {
            "query": floats(rng, batch, 1, heads * size),
            "key": floats(rng, batch, 1, heads * size),
            "value": floats(rng, batch, 1, heads * size),
            "mask_index": None,
            "attention_bias": None,
            "past_key": floats(rng, batch, heads, room, size),
            "past_value": floats(rng, batch, heads, room, size),
            "past_sequence_length": np.array([kept], np.int32),
            "beam_width": None,
            "cache_indirection": None,
            "bias": floats(rng, 3 * heads * size) if bias else None,
        }
        base["past_key"][:, :, kept:] = 0
        base["past_value"][:, :, kept:] = 0
        base.update(more)
        return base

    shared = {"num_heads": heads, "past_present_share_buffer": 1}
    yield ort_case("dmmha_self", op, inputs(), ["y", "present_key", "present_value"], **shared)
    dirty = inputs(past_key=floats(rng, 2, heads, room, size), past_value=floats(rng, 2, heads, room, size))
    yield ort_case("dmmha_self_dirty_room", op, dirty, ["y", "present_key", "present_value"], **shared)
    yield ort_case("dmmha_self_bias", op, inputs(bias=True), ["y", "present_key", "present_value"], **shared)
    yield ort_case("dmmha_mask", op, inputs(mask_index=np.array([[1, 1, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]], np.int32)), ["y", "present_key", "present_value"], **shared)
    yield ort_case("dmmha_score_bias", op, inputs(attention_bias=floats(rng, 1, heads, 1, kept + 1)), ["y", "present_key", "present_value"], **shared)
    beams = rng.integers(0, 2, (2, 2, room)).astype(np.int32)
    yield ort_case("dmmha_beams", op, inputs(batch=4, beam_width=np.array([2], np.int32), cache_indirection=beams), ["y", "present_key", "present_value"], **shared)
    cross = inputs(key=floats(rng, 2, heads, 7, size), value=floats(rng, 2, heads, 7, size), past_key=None, past_value=None, past_sequence_length=None)
    yield ort_case("dmmha_cross", op, cross, ["y"], num_heads=heads)


def group_query(rng, batch=1, sequence=4, heads=4, key_heads=2, size=16, past=None, packed=False, lengths=None, total=None, rotary=0, dtype=np.float32, **more):
    total = total if total is not None else (past or 0) + sequence
    hidden, key_hidden = heads * size, key_heads * size
    base = {
        "query": floats(rng, batch, sequence, hidden + (2 * key_hidden if packed else 0), dtype=dtype),
        "key": None if packed else floats(rng, batch, sequence, key_hidden, dtype=dtype),
        "value": None if packed else floats(rng, batch, sequence, key_hidden, dtype=dtype),
        "past_key": None if past is None else floats(rng, batch, key_heads, past, size, dtype=dtype),
        "past_value": None if past is None else floats(rng, batch, key_heads, past, size, dtype=dtype),
        "seqlens_k": np.asarray([total - 1] * batch if lengths is None else lengths, np.int32),
        "total_sequence_length": np.array([total], np.int32),
        "cos_cache": None,
        "sin_cache": None,
        "position_ids": None,
        "attention_bias": None,
        "head_sink": None,
        "k_scale": None,
        "v_scale": None,
        "q_norm_weight": None,
        "k_norm_weight": None,
    }
    if rotary:
        angles = rng.random((rotary, size // 2)) * 6
        base["cos_cache"], base["sin_cache"] = np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)
    base.update(more)
    return base


def rms(x, weight):
    heads = x.reshape(*x.shape[:2], -1, len(weight)).astype(np.float64)
    return (heads / np.sqrt((heads**2).mean(-1, keepdims=True) + 1e-6) * weight).astype(np.float32).reshape(x.shape)


def group_query_cases():
    rng = np.random.default_rng(13)
    op, outputs = "GroupQueryAttention", ["y", "present_key", "present_value"]
    heads = {"num_heads": 4, "kv_num_heads": 2}
    yield ort_case("gqa_prompt", op, group_query(rng), outputs, **heads)
    yield ort_case("gqa_prompt_packed", op, group_query(rng, packed=True), outputs, **heads)
    yield ort_case("gqa_prompt_batch", op, group_query(rng, batch=3), outputs, **heads)
    yield ort_case("gqa_prompt_buffer", op, group_query(rng, past=9, total=4), outputs, **heads)
    yield ort_case("gqa_decode", op, group_query(rng, sequence=1, past=6), outputs, **heads)
    yield ort_case("gqa_decode_long", op, group_query(rng, sequence=1, past=150, size=16), outputs, **heads)
    yield ort_case("gqa_decode_lengths", op, group_query(rng, batch=3, sequence=1, past=8, total=8, lengths=[7, 2, 5]), outputs, **heads)
    yield ort_case("gqa_decode_packed_rotary", op, group_query(rng, batch=2, sequence=1, past=8, total=7, lengths=[6, 3], packed=True, rotary=12), outputs, do_rotary=1, **heads)
    yield ort_case("gqa_prompt_rotary", op, group_query(rng, batch=2, rotary=12), outputs, do_rotary=1, **heads)
    yield ort_case("gqa_prompt_rotary_interleaved", op, group_query(rng, rotary=12), outputs, do_rotary=1, rotary_interleaved=1, **heads)
    positions = np.array([[3, 4, 5, 6]], np.int64)
    yield ort_case("gqa_rotary_positions", op, group_query(rng, past=3, rotary=12, position_ids=positions), outputs, do_rotary=1, **heads)
    yield ort_case("gqa_continued", op, group_query(rng, sequence=3, past=5, rotary=12), outputs, do_rotary=1, **heads)
    yield ort_case("gqa_softcap_scale", op, group_query(rng), outputs, softcap=1.5, scale=0.7, **heads)
    yield ort_case("gqa_window", op, group_query(rng, sequence=7), outputs, local_window_size=3, **heads)
    yield ort_case("gqa_window_decode", op, group_query(rng, sequence=1, past=9), outputs, local_window_size=4, **heads)
    yield ort_case("gqa_smooth", op, group_query(rng), outputs, smooth_softmax=1, **heads)
    yield ort_case("gqa_sink", op, group_query(rng, head_sink=floats(rng, 4)), outputs, **heads)
    yield ort_case("gqa_bias", op, group_query(rng, batch=2, attention_bias=floats(rng, 1, 4, 4, 4)), outputs, **heads)
    yield ort_case("gqa_bias_past", op, group_query(rng, sequence=1, past=5, attention_bias=floats(rng, 1, 1, 1, 6)), outputs, **heads)
    yield ort_case("gqa_bidirectional", op, group_query(rng), outputs, causal=0, **heads)
    yield ort_case("gqa_scores", op, group_query(rng), [*outputs, "qk"], qk_output=1, softcap=2.0, **heads)
    yield ort_case("gqa_probabilities", op, group_query(rng), [*outputs, "qk"], qk_output=2, **heads)
    yield ort_case("gqa_float16", op, group_query(rng, past=3, dtype=np.float16), outputs, rtol=4e-3, atol=4e-3, **heads)
    normed = group_query(rng, rotary=12)
    weights = {"q_norm_weight": floats(rng, 16), "k_norm_weight": floats(rng, 16)}
    stand_in = {"query": rms(normed["query"], weights["q_norm_weight"]), "key": rms(normed["key"], weights["k_norm_weight"]), "q_norm_weight": None, "k_norm_weight": None}
    yield ort_case("gqa_normalised", op, {**normed, **weights}, outputs, do_rotary=1, stand_in=stand_in, **heads)
    yield ort_case("gqa_bfloat16", op, group_query(rng, past=3, rotary=12, head_sink=floats(rng, 4)), outputs, rtol=2e-2, atol=3e-2, storage=ml_dtypes.bfloat16, do_rotary=1, **heads)
    sliding = {"local_window_size": 4, "sliding_window_cache": 1, "do_rotary": 1, **heads}
    for room, sequence, total in ((4, 1, 3), (4, 1, 9), (6, 1, 9), (6, 3, 10), (6, 9, 9), (6, 1, 6)):
        given = group_query(rng, sequence=sequence, past=room, total=total, rotary=12)
        full = total >= room and (total - room) % (room - 3) == 0  # else the last rows of the cache hold anything
        yield ort_case(f"gqa_sliding_{room}_{sequence}_{total}", op, given, outputs, shown=3 if full else 1, **sliding)
    given = group_query(rng, sequence=1, past=6, total=9, rotary=12, attention_bias=floats(rng, 1, 4, 1, 9))
    yield ort_case("gqa_sliding_bias", op, given, outputs, **sliding)
    yield from quantised_cases(rng, op, outputs, heads)


def quantised_cases(rng, op, outputs, heads):
    for bits, kind in ((8, "PER_TENSOR"), (8, "PER_CHANNEL"), (4, "PER_TENSOR"), (4, "PER_CHANNEL")):
        inputs = group_query(rng, sequence=1, past=6, total=7)
        stored = 16 if bits == 8 else 8
        dtype = np.int8 if bits == 8 else np.uint8
        for name in ("past_key", "past_value"):
            inputs[name] = rng.integers(-100, 100, (1, 2, 6, stored)).astype(dtype) if bits == 8 else rng.integers(0, 256, (1, 2, 6, stored)).astype(dtype)
        step = 0.02 if bits == 8 else 0.3
        scale = np.array([step], np.float32) if kind == "PER_TENSOR" else (step * (0.5 + rng.random((1, 2, 1, 16)))).astype(np.float32)
        inputs["k_scale"], inputs["v_scale"] = scale, (scale * 1.1).astype(np.float32)
        cache = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        yield ort_case(
            f"gqa_cache_{bits}_{kind.lower()}", op, inputs, outputs, types={"present_key": cache, "present_value": cache}, k_quant_type=kind, v_quant_type=kind, kv_cache_bit_width=bits, **heads
        )


def stored_cases():
    """Halves as storage: float arithmetic, one rounding at the end."""
    rng = np.random.default_rng(17)
    for storage, label, tolerance in ((np.dtype(np.float16), "float16", 4e-3), (np.dtype(ml_dtypes.bfloat16), "bfloat16", 3e-2)):
        near = {"rtol": tolerance, "atol": tolerance, "storage": storage}
        yield ort_case(f"mha_bias_past_{label}", "MultiHeadAttention", multi_head(rng, queries=2, keys=2, past=5, bias=True), ["y", "pk", "pv"], num_heads=2, **near)
        yield ort_case(f"attention_{label}", "Attention", projected(rng, past=3, mask=np.ones((2, 7))), ["y", "present"], num_heads=2, **near)
        angles = rng.random((9, 4)) * 6
        given = {"input": floats(rng, 2, 3, 16), "position_ids": rng.integers(0, 9, (2, 3)), "cos_cache": np.cos(angles).astype(np.float32), "sin_cache": np.sin(angles).astype(np.float32)}
        yield ort_case(f"rotary_{label}", "RotaryEmbedding", given, ["y"], **near)


def sparse_cases():
    """Blocks of 16 keys; one layout, then two that take turns over the heads."""
    rng = np.random.default_rng(16)
    op, outputs = "SparseAttention", ["y", "present_key", "present_value"]
    room, size = 64, 8
    two_rows = np.array([[0, 1, 3, 5, 8], [0, 1, 3, 6, 9]], np.int32)
    two_columns = np.array([[0, 0, 1, 1, 2, 1, 2, 3, -1], [0, 0, 1, 0, 1, 2, 0, 2, 3]], np.int32)

    def inputs(rows, columns, sequence, total, packed=False, rotary=False):
        hidden, key_hidden = 4 * size, 2 * size
        angles = rng.random((room, size // 2)) * 6
        return {
            "query": floats(rng, 1, sequence, hidden + (2 * key_hidden if packed else 0)),
            "key": None if packed else floats(rng, 1, sequence, key_hidden),
            "value": None if packed else floats(rng, 1, sequence, key_hidden),
            "past_key": floats(rng, 1, 2, room, size),
            "past_value": floats(rng, 1, 2, room, size),
            "block_row_indices": rows,
            "block_col_indices": columns,
            "total_sequence_length": np.array([total], np.int32),
            "key_total_sequence_lengths": np.array([total], np.int32),
            "cos_cache": np.cos(angles).astype(np.float32) if rotary else None,
            "sin_cache": np.sin(angles).astype(np.float32) if rotary else None,
        }

    attributes = {"num_heads": 4, "kv_num_heads": 2, "sparse_block_size": 16}
    for name, given, more in (
        ("sparse_prompt", inputs(two_rows[:1], two_columns[:1], 40, 40), {}),
        ("sparse_layouts", inputs(two_rows, two_columns, 64, 64), {}),
        ("sparse_decode", inputs(two_rows, two_columns, 1, 50, rotary=True), {"do_rotary": 1}),
        ("sparse_packed", inputs(two_rows, two_columns, 35, 35, packed=True), {"scale": 0.5}),
    ):
        yield numpy_sparse(name, given, {**attributes, **more})


def numpy_sparse(name, inputs, attributes):
    """The definition in float64: the cache grows in place, keys are seen when causal and in a block of the layout."""
    query = inputs["query"].astype(np.float64)
    sequence, total, size, heads, key_heads = query.shape[1], int(inputs["total_sequence_length"][0]), 8, 4, 2
    if inputs["key"] is None:
        query, key, value = np.split(query, [heads * size, (heads + key_heads) * size], axis=2)
    else:
        key, value = inputs["key"].astype(np.float64), inputs["value"].astype(np.float64)
    query, key, value = (each.reshape(sequence, -1, size).transpose(1, 0, 2) for each in (query, key, value))
    past = total - sequence
    if inputs["cos_cache"] is not None:
        cosine, sine = (inputs[each].astype(np.float64)[past:total] for each in ("cos_cache", "sin_cache"))
        query, key = (np.concatenate([x[..., :4] * cosine - x[..., 4:] * sine, x[..., :4] * sine + x[..., 4:] * cosine], -1) for x in (query, key))
    caches = []
    for cache, fresh in (("past_key", key), ("past_value", value)):
        grown = inputs[cache].astype(np.float64)
        grown[0, :, past:total] = fresh
        grown[0, :, total:] = 0
        caches.append(grown)
    rows, columns, block = inputs["block_row_indices"], inputs["block_col_indices"], attributes["sparse_block_size"]
    y = np.zeros((sequence, heads, size))
    for head in range(heads):
        layout = head % len(rows)
        for at in range(sequence):
            position = past + at
            blocks = columns[layout][rows[layout][position // block] : rows[layout][position // block + 1]]
            seen = [j for j in range(position + 1) if j // block in blocks]
            scores = caches[0][0, head // 2, seen] @ query[head, at] * attributes.get("scale", 1 / np.sqrt(size))
            shares = np.exp(scores - scores.max())
            y[at, head] = shares / shares.sum() @ caches[1][0, head // 2, seen]
    expected = {"y": y.reshape(1, sequence, -1).astype(np.float32), "present_key": caches[0].astype(np.float32), "present_value": caches[1].astype(np.float32)}
    fed = {each: array for each, array in inputs.items() if array is not None}
    model = one_node(node_of("SparseAttention", inputs, list(expected), attributes), fed, expected, 21, {DOMAIN: 1})
    return Case(name, model, fed, expected, 1e-3, 2e-5)


def projected(rng, batch=2, sequence=4, depth=12, heads=2, size=8, value_size=None, mask=None, past=None, score_bias=None, bias=True):
    columns = heads * (2 * size + (value_size or size))
    return {
        "input": floats(rng, batch, sequence, depth),
        "weights": floats(rng, depth, columns) * np.float32(0.5),
        "bias": floats(rng, columns) if bias else None,
        "mask_index": None if mask is None else np.asarray(mask, np.int32),
        "past": None if past is None else floats(rng, 2, batch, heads, past, size),
        "attention_bias": None if score_bias is None else floats(rng, *score_bias),
    }


def projected_cases():
    rng = np.random.default_rng(14)
    op = "Attention"
    yield ort_case("attention_plain", op, projected(rng), ["y"], num_heads=2)
    yield ort_case("attention_constant_weights", op, projected(rng), ["y"], num_heads=2, initializers=("weights", "bias"))
    yield ort_case("attention_no_bias", op, projected(rng, bias=False), ["y"], num_heads=2, scale=0.2, stand_in={"bias": np.zeros(48, np.float32)})
    yield ort_case("attention_unidirectional", op, projected(rng), ["y", "present"], num_heads=2, unidirectional=1)
    yield ort_case("attention_hidden_sizes", op, projected(rng, value_size=12), ["y"], num_heads=2, qkv_hidden_sizes=[16, 16, 24])
    yield ort_case("attention_mask_ends", op, projected(rng, mask=[2, 4]), ["y"], num_heads=2)
    yield ort_case("attention_mask_ends_starts", op, projected(rng, mask=[3, 4, 1, 2]), ["y"], num_heads=2)
    yield ort_case("attention_mask_packed_form", op, projected(rng, mask=[3, 4, 0, 4, 8, 0, 4, 8]), ["y"], num_heads=2)
    two = np.array([[1, 1, 1, 0], [0, 1, 1, 1]])
    yield ort_case("attention_mask_keys", op, projected(rng, mask=two), ["y"], num_heads=2)
    yield ort_case("attention_mask_keys_unidirectional", op, projected(rng, mask=two), ["y"], num_heads=2, unidirectional=1)
    yield ort_case("attention_mask_each_query", op, projected(rng, mask=rng.integers(0, 2, (2, 4, 4))), ["y"], num_heads=2)
    yield ort_case("attention_past", op, projected(rng, past=3), ["y", "present"], num_heads=2, unidirectional=1)
    yield ort_case("attention_past_mask", op, projected(rng, sequence=1, past=3, mask=two), ["y", "present"], num_heads=2, mask_filter_value=-3.0)
    yield ort_case("attention_score_bias", op, projected(rng, score_bias=(1, 2, 4, 4)), ["y"], num_heads=2)


def rotary_cases():
    rng = np.random.default_rng(15)
    angles = rng.random((9, 4)) * 6
    cosine, sine = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    positions = rng.integers(0, 9, (2, 3))

    def inputs(x, at):
        return {"input": x, "position_ids": np.asarray(at, np.int64), "cos_cache": cosine, "sin_cache": sine}

    op = "RotaryEmbedding"
    yield ort_case("rotary_positions", op, inputs(floats(rng, 2, 3, 16), positions), ["y"])
    yield ort_case("rotary_start", op, inputs(floats(rng, 2, 3, 16), [4]), ["y"], interleaved=1)
    yield ort_case("rotary_heads_outside", op, inputs(floats(rng, 2, 5, 3, 8), positions), ["y"])
    yield ort_case("rotary_part", op, inputs(floats(rng, 2, 3, 24), positions), ["y"], num_heads=2, rotary_embedding_dim=8)
    yield ort_case("rotary_part_interleaved", op, inputs(floats(rng, 2, 3, 24), positions), ["y"], num_heads=2, rotary_embedding_dim=8, interleaved=1)
    for layout in (0, 1):
        x = floats(rng, 2, 3, 16)
        streams = rng.integers(0, 9, (3, 2, 3))
        yield streams_case(f"rotary_streams_{layout}", inputs(x, streams), layout)


def streams_case(name, inputs, layout):
    x, positions = inputs["input"].astype(np.float64), inputs["position_ids"]
    sections = [2, 1, 1]
    owner = np.array([0, 0, 1, 2]) if layout == 0 else np.array([0, 1, 2, 0])
    angle_rows = positions[owner].transpose(1, 2, 0)
    cosine = np.take_along_axis(inputs["cos_cache"].astype(np.float64)[None, :, :].repeat(2, 0), angle_rows, 1)[:, :, None]
    sine = np.take_along_axis(inputs["sin_cache"].astype(np.float64)[None, :, :].repeat(2, 0), angle_rows, 1)[:, :, None]
    heads = x.reshape(2, 3, 2, 8)
    first, second = heads[..., :4], heads[..., 4:]
    y = np.concatenate([first * cosine - second * sine, first * sine + second * cosine], -1).reshape(x.shape).astype(np.float32)
    attributes = {"mrope_section": sections, "mrope_layout": layout, "num_heads": 2}
    model = one_node(node_of("MRotaryEmbedding", inputs, ["y"], attributes), inputs, {"y": y}, 21, {DOMAIN: 1})
    return Case(name, model, inputs, {"y": y})


def cases():
    for family in (multi_head_cases, decoder_masked_cases, group_query_cases, stored_cases, sparse_cases, projected_cases, rotary_cases):
        yield from family()
