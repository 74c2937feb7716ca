"""GreedySearch, BeamSearch and Sampling of com.microsoft over a decoder of one attention layer, and BeamSearch over an
encoder with its decoder in T5's and Whisper's forms. Expected values are onnxruntime's; sampling is only compared where one
token is left to draw."""

import numpy as np
import onnx
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


class Pair:
    """An encoder and its decoder with one layer of attention over the text so far and one over the prompt, as graphs that
    BeamSearch takes: T5's (ids), Whisper's (features), with what may differ between exporters."""

    def __init__(self, rng, whisper=False, starts=True, vocabulary=VOCABULARY):
        self.whisper, self.starts, self.vocabulary = whisper, starts, vocabulary
        shared = {"words": (vocabulary, HIDDEN), "head": (HIDDEN, vocabulary), **{key: (HIDDEN, HIDDEN) for key in ("q", "k", "v", "cq", "ck", "cv")}}
        self.weights = {key: (rng.standard_normal(shape) * 1.5).astype(np.float32) for key, shape in shared.items()}
        self.weights["prompts"] = (rng.standard_normal((3, HIDDEN) if whisper else (VOCABULARY, HIDDEN)) * 1.5).astype(np.float32)

    def initializers(self, nodes):
        read = {each for node in nodes for each in node.input}
        constants = {"zero": np.array(0, np.int64), "axes": np.array([1, 2], np.int64), "split": np.array([0, 0, HEADS, HIDDEN // HEADS], np.int64), "join": np.array([0, 0, HIDDEN], np.int64)}
        constants |= {"one": np.array(1, np.float32), "much": np.array(-1e4, np.float32)}
        return [numpy_helper.from_array(value, key) for key, value in (self.weights | constants).items() if key in read]

    @staticmethod
    def heads(source, weight, result):
        return [
            helper.make_node("MatMul", [source, weight], [result + "_flat"]),
            helper.make_node("Reshape", [result + "_flat", "split"], [result + "_split"]),
            helper.make_node("Transpose", [result + "_split"], [result], perm=[0, 2, 1, 3]),
        ]

    @staticmethod
    def attend(query, key, value, mask, result):
        name = result + "_"
        nodes = [helper.make_node("Transpose", [key], [name + "kt"], perm=[0, 1, 3, 2]), helper.make_node("MatMul", [query, name + "kt"], [name + "scores"])]
        if mask:
            nodes += [
                helper.make_node("Cast", [mask], [name + "mask"], to=TensorProto.FLOAT),
                helper.make_node("Sub", ["one", name + "mask"], [name + "hidden"]),
                helper.make_node("Mul", [name + "hidden", "much"], [name + "low"]),
                helper.make_node("Unsqueeze", [name + "low", "axes"], [name + "bias"]),
                helper.make_node("Add", [name + "scores", name + "bias"], [name + "masked"]),
            ]
        return nodes + [
            helper.make_node("Softmax", [name + ("masked" if mask else "scores")], [name + "shares"], axis=-1),
            helper.make_node("MatMul", [name + "shares", value], [name + "seen"]),
            helper.make_node("Transpose", [name + "seen"], [name + "back"], perm=[0, 2, 1, 3]),
            helper.make_node("Reshape", [name + "back", "join"], [result]),
        ]

    def tail(self, tokens, past, mask):
        """From token ids to logits: attention over the text, then over the prompt."""
        nodes = [helper.make_node("Gather", ["words", tokens], ["x"])]
        for weight, result in (("q", "qh"), ("k", "kh"), ("v", "vh")):
            nodes += self.heads("x", weight, result)
        for key in ("key", "value"):
            new = key[0] + "h"
            nodes.append(helper.make_node("Concat", [f"past_{key}_self_0", new], [f"present_{key}_self_0"], axis=2) if past else helper.make_node("Identity", [new], [f"present_{key}_self_0"]))
        nodes += self.attend("qh", "present_key_self_0", "present_value_self_0", None, "text")
        nodes.append(helper.make_node("Add", ["x", "text"], ["y"]))
        nodes += self.heads("y", "cq", "cqh")
        cross = ["past_key_cross_0", "past_value_cross_0"] if past else ["present_key_cross_0", "present_value_cross_0"]
        nodes += self.attend("cqh", *cross, mask, "prompt")
        return nodes + [helper.make_node("Add", ["y", "prompt"], ["z"]), helper.make_node("MatMul", ["z", "head"], ["logits"])]

    def encoder(self):
        cache = ["rows", HEADS, "length", HIDDEN // HEADS]
        inputs = [helper.make_tensor_value_info("encoder_input_ids", *((TensorProto.FLOAT, ["rows", 3, "length"]) if self.whisper else (TensorProto.INT32, ["rows", "length"])))]
        if not self.whisper:
            inputs.append(helper.make_tensor_value_info("encoder_attention_mask", TensorProto.INT32, ["rows", "length"]))
        nodes = [helper.make_node("Transpose", ["encoder_input_ids"], ["frames"], perm=[0, 2, 1]), helper.make_node("MatMul", ["frames", "prompts"], ["encoder_hidden_states"])]
        if not self.whisper:
            nodes = [helper.make_node("Gather", ["prompts", "encoder_input_ids"], ["encoder_hidden_states"])]
        for key in ("key", "value"):
            nodes += self.heads("encoder_hidden_states", "c" + key[0], f"present_{key}_cross_0")
        outputs = [helper.make_tensor_value_info(f"present_{key}_cross_0", TensorProto.FLOAT, cache) for key in ("key", "value")]
        if self.starts:
            inputs.append(helper.make_tensor_value_info("decoder_input_ids", TensorProto.INT32, ["rows", "start" if self.whisper else 1]))
            nodes += self.tail("decoder_input_ids", False, "encoder_attention_mask" if not self.whisper else None)
            selfs = [helper.make_tensor_value_info(f"present_{key}_self_0", TensorProto.FLOAT, ["rows", HEADS, "start", HIDDEN // HEADS]) for key in ("key", "value")]
            first = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", "start", self.vocabulary]), helper.make_tensor_value_info("encoder_hidden_states", TensorProto.FLOAT, ["rows", "length", HIDDEN])]
            outputs = [*first, *selfs, *outputs]
        return helper.make_graph(nodes, "encoder", inputs, outputs, self.initializers(nodes))

    def decoder(self):
        inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["rows", 1])]
        if not self.whisper:
            inputs.append(helper.make_tensor_value_info("encoder_attention_mask", TensorProto.INT32, ["rows", "length"]))
        for scope, length in (("self", "past"), ("cross", "length")):
            inputs += [helper.make_tensor_value_info(f"past_{key}_{scope}_0", TensorProto.FLOAT, ["rows", HEADS, length, HIDDEN // HEADS]) for key in ("key", "value")]
        nodes = self.tail("input_ids", True, "encoder_attention_mask" if not self.whisper else None)
        outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", 1, self.vocabulary])]
        outputs += [helper.make_tensor_value_info(f"present_{key}_self_0", TensorProto.FLOAT, ["rows", HEADS, "grown", HIDDEN // HEADS]) for key in ("key", "value")]
        return helper.make_graph(nodes, "decoder", inputs, outputs, self.initializers(nodes))

    def attributes(self, **more):
        return {"encoder": self.encoder(), "model_type": 2 if self.whisper else 1, "decoder_start_token_id": 4, "eos_token_id": 2, "pad_token_id": 1, **more}


def as_told(model, told):
    """The same search as the operator WhisperBeamSearch, which names the tokens that BeamSearch takes to follow the end token: newer
    versions of onnxruntime know timestamps in this form alone."""
    other = onnx.ModelProto()
    other.CopyFrom(model)
    node = other.graph.node[0]
    node.op_type = "WhisperBeamSearch"
    node.attribute.extend(helper.make_attribute(key, value) for key, value in told.items())
    return other


def search_case(name, op, body, inputs, outputs, told=None, **attributes):
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
    expected = dict(zip(outputs, oracle(as_told(model, told) if told else model, fed)))
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
    yield from pair_cases(rng, ids, padded, outputs, mask, prefix)
    inputs = greedy(ids, smallest=1, penalty=1.0, presence_mask=None, seed=one(5))
    yield search_case("sampling_one_left", "Sampling", body, inputs, ["sequences"], top_p=1e-6, temperature=0.5, min_tokens_to_keep=1, **ends)


def pair_cases(rng, ids, padded, outputs, mask, prefix):
    op, pair = "BeamSearch", Pair(rng)
    body, attributes = pair.decoder(), pair.attributes()
    yield search_case("t5_plain", op, body, beam(ids), outputs, **attributes)
    yield search_case("t5_scores", op, body, beam(ids, longest=7), [*outputs, "scores"], **attributes)
    yield search_case("t5_padded", op, body, beam(padded, beams=4, returned=4), outputs, **attributes)
    given = np.ones_like(ids)
    given[1, 2:] = 0
    yield search_case("t5_attention_mask", op, body, beam(ids, attention_mask=given), outputs, **attributes)
    yield search_case("t5_one_beam", op, body, beam(ids, beams=1, returned=1), outputs, **attributes)
    for token in (5, 10, 15, 19):
        ends = pair.attributes(eos_token_id=token, pad_token_id=0)
        yield search_case(f"t5_ends_{token}", op, body, beam(ids, longest=14), outputs, **ends)
        yield search_case(f"t5_ends_early_{token}", op, body, beam(ids, beams=2, longest=14, length_penalty=0.5), outputs, early_stopping=1, **ends)
    yield search_case("t5_penalties", op, body, beam(ids, penalty=1.5, length_penalty=2.0, smallest=8), outputs, **pair.attributes(eos_token_id=7))
    yield search_case("t5_ngrams", op, body, beam(ids, longest=14), outputs, no_repeat_ngram_size=2, **attributes)
    yield search_case("t5_masks", op, body, beam(ids, vocab_mask=mask, prefix_vocab_mask=prefix), outputs, **attributes)
    later = Pair(rng, starts=False)
    yield search_case("t5_decoder_begins", op, later.decoder(), beam(ids), outputs, **later.attributes())
    heard = Pair(rng, whisper=True)
    features = rng.standard_normal((3, 3, 6)).astype(np.float32)
    body, attributes = heard.decoder(), heard.attributes()
    yield search_case("whisper_plain", op, body, features_of(features), outputs, **attributes)
    yield search_case("whisper_start", op, body, features_of(features, decoder_input_ids=rng.integers(3, VOCABULARY, (3, 3)).astype(np.int32)), outputs, no_repeat_ngram_size=3, **attributes)
    for token in (5, 7, 13):
        yield search_case(f"whisper_ends_{token}", op, body, features_of(features), outputs, **heard.attributes(eos_token_id=token, pad_token_id=token))
    # Times are the tokens from the end token + 107 on: with 2, from 109.
    timed = Pair(rng, whisper=True, vocabulary=200)
    body, attributes = timed.decoder(), timed.attributes()
    begun = {"none": [3], "text": [3, 40], "one": [3, 120], "one_and_text": [3, 120, 40], "single": [3, 120, 40, 150], "pair": [3, 120, 40, 150, 150], "later": [3, 120, 40, 150, 150, 41], "latest": [3, 199]}
    tokens_told = {"start_of_lm_token_id": 107, "no_timestamps_token_id": 108, "beginning_timestamp_token_id": 109, "translate_token_id": 50358, "transcribe_token_id": 50359}
    for name, tokens in begun.items():
        start = np.array([tokens] * 3, np.int32)
        yield search_case(f"whisper_times_{name}", op, body, features_of(features, decoder_input_ids=start, longest=len(tokens) + 12, logits_processor=one(1)), outputs, told=tokens_told, **attributes)
    yield search_case("whisper_times_off", op, body, features_of(features, decoder_input_ids=np.array([[3, 120]] * 3, np.int32), logits_processor=one(0)), outputs, **attributes)


def features_of(features, **more):
    inputs = beam(None, **more)
    del inputs["input_ids"]
    return {"input_features": features, **inputs}
