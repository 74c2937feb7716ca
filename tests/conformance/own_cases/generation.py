"""GreedySearch, BeamSearch and Sampling of com.microsoft over a decoder of one attention layer. Expected values are
onnxruntime's; sampling is only compared where one token is left to draw."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from attention import DOMAIN, oracle
from case import Case

VOCABULARY, HIDDEN, HEADS = 20, 8, 2


def decoder(rng):
    def weight(name, *shape):
        return numpy_helper.from_array((rng.standard_normal(shape) * 1.5).astype(np.float32), name)

    past = ["2", "rows", HEADS, "past", HIDDEN // HEADS]
    nodes = [
        helper.make_node("Gather", ["words", "input_ids"], ["word"]),
        helper.make_node("Gather", ["places", "position_ids"], ["place"]),
        helper.make_node("Add", ["word", "place"], ["x"]),
        helper.make_node("Attention", ["x", "qkv", "qkv_bias", "attention_mask", "past_0"], ["h", "present_0"], domain=DOMAIN, num_heads=HEADS, unidirectional=1),
        helper.make_node("Add", ["x", "h"], ["sum"]),
        helper.make_node("MatMul", ["sum", "head"], ["logits"]),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, ["rows", length]) for name, length in (("input_ids", "s"), ("position_ids", "s"), ("attention_mask", "t"))]
    inputs.append(helper.make_tensor_value_info("past_0", TensorProto.FLOAT, [2, *past[1:]]))
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", "s", VOCABULARY]),
        helper.make_tensor_value_info("present_0", TensorProto.FLOAT, [2, "rows", HEADS, "t", HIDDEN // HEADS]),
    ]
    weights = [weight("words", VOCABULARY, HIDDEN), weight("places", 32, HIDDEN), weight("qkv", HIDDEN, 3 * HIDDEN), weight("qkv_bias", 3 * HIDDEN), weight("head", HIDDEN, VOCABULARY)]
    return helper.make_graph(nodes, "decoder", inputs, outputs, weights)


def search_case(name, op, body, inputs, outputs, **attributes):
    names = [key if value is not None else "" for key, value in inputs.items()]
    while not names[-1]:
        names.pop()
    fed = {key: value for key, value in inputs.items() if value is not None}
    node = helper.make_node(op, names, list(outputs), domain=DOMAIN, decoder=body, **attributes)
    graph = helper.make_graph(
        [node],
        op,
        [helper.make_tensor_value_info(key, helper.np_dtype_to_tensor_dtype(value.dtype), list(value.shape)) for key, value in fed.items()],
        [helper.make_tensor_value_info(key, TensorProto.INT32 if key == "sequences" else TensorProto.FLOAT, None) for key in outputs],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)], ir_version=8)
    expected = dict(zip(outputs, oracle(model, fed)))
    for info in graph.output:
        value = expected[info.name]
        info.type.CopyFrom(helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(value.dtype), list(value.shape)))
    return Case(name, model, fed, expected, 1e-3, 1e-4)


def one(value, dtype=np.int32):
    return np.array([value], dtype)


def greedy(ids, longest=10, smallest=None, penalty=None, **more):
    base = {
        "input_ids": ids,
        "max_length": one(longest),
        "min_length": None if smallest is None else one(smallest),
        "repetition_penalty": None if penalty is None else one(penalty, np.float32),
        "vocab_mask": None,
        "prefix_vocab_mask": None,
        "attention_mask": None,
    }
    return {**base, **more}


def beam(ids, beams=3, returned=2, longest=10, smallest=1, length_penalty=1.0, penalty=1.0, **more):
    base = {
        "input_ids": ids,
        "max_length": one(longest),
        "min_length": one(smallest),
        "num_beams": one(beams),
        "num_return_sequences": one(returned),
        "length_penalty": one(length_penalty, np.float32),
        "repetition_penalty": one(penalty, np.float32),
        "vocab_mask": None,
        "prefix_vocab_mask": None,
        "attention_mask": None,
    }
    return {**base, **more}


def cases():
    rng = np.random.default_rng(21)
    body = decoder(rng)
    ids = rng.integers(3, VOCABULARY, (3, 4)).astype(np.int32)
    padded = ids.copy()
    padded[0, :2] = 1
    ends = {"eos_token_id": 2, "pad_token_id": 1}
    mask = np.ones(VOCABULARY, np.int32)
    mask[5:9] = 0
    prefix = rng.integers(0, 2, (3, VOCABULARY)).astype(np.int32)
    op = "GreedySearch"
    yield search_case("greedy_plain", op, body, greedy(ids), ["sequences"], **ends)
    yield search_case("greedy_padded", op, body, greedy(padded), ["sequences"], **ends)
    for token in range(3, 9):
        yield search_case(f"greedy_ends_{token}", op, body, greedy(ids, longest=14), ["sequences"], eos_token_id=token, pad_token_id=0)
    yield search_case("greedy_smallest_length", op, body, greedy(ids, smallest=9), ["sequences"], eos_token_id=7, pad_token_id=0)
    yield search_case("greedy_repetition", op, body, greedy(ids, penalty=1.7), ["sequences"], **ends)
    yield search_case("greedy_ngrams", op, body, greedy(ids, longest=16), ["sequences"], no_repeat_ngram_size=2, **ends)
    yield search_case("greedy_masks", op, body, greedy(ids, vocab_mask=mask, prefix_vocab_mask=prefix), ["sequences"], **ends)
    op, outputs = "BeamSearch", ["sequences", "sequences_scores"]
    yield search_case("beam_plain", op, body, beam(ids), outputs, **ends)
    yield search_case("beam_scores", op, body, beam(ids, longest=7), [*outputs, "scores"], **ends)
    yield search_case("beam_padded", op, body, beam(padded, beams=4, returned=1), outputs, **ends)
    for token in range(3, 9):
        yield search_case(f"beam_ends_{token}", op, body, beam(ids, longest=14), outputs, eos_token_id=token, pad_token_id=0)
        yield search_case(f"beam_ends_early_{token}", op, body, beam(ids, beams=2, longest=14, length_penalty=0.5), outputs, eos_token_id=token, pad_token_id=0, early_stopping=1)
    yield search_case("beam_penalties", op, body, beam(ids, penalty=1.5, length_penalty=2.0, smallest=8), outputs, eos_token_id=7, pad_token_id=0)
    yield search_case("beam_ngrams", op, body, beam(ids, longest=14), outputs, no_repeat_ngram_size=2, **ends)
    yield search_case("beam_masks", op, body, beam(ids, vocab_mask=mask), outputs, **ends)
    inputs = greedy(ids, smallest=1, penalty=1.0, presence_mask=None, seed=one(5))
    yield search_case("sampling_one_left", "Sampling", body, inputs, ["sequences"], top_p=1e-6, temperature=0.5, min_tokens_to_keep=1, **ends)
