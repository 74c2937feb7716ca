"""String operators beyond the package's cases: forms the standard leaves open (onnxruntime answers), Unicode, com.microsoft Tokenizer and MurmurHash3."""

import re

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from case import Case, info_of

OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]


def strings(values, shape=None):
    array = np.array(values, dtype=object)
    return array if shape is None else array.reshape(shape)


def build(op, inputs, output_types, domain="", **attributes):
    names = [f"x{i}" for i in range(len(inputs))]
    outputs = [f"y{i}" for i in range(len(output_types))]
    node = helper.make_node(op, names, outputs, domain=domain, **attributes)
    graph = helper.make_graph([node], op, [info_of(n, v) for n, v in zip(names, inputs)], [helper.make_tensor_value_info(n, t, None) for n, t in zip(outputs, output_types)])
    return helper.make_model(graph, opset_imports=OPSETS, ir_version=10)


def as_case(name, model, inputs, outputs, **tolerances):
    return Case(name, model, {f"x{i}": v for i, v in enumerate(inputs)}, {f"y{i}": v for i, v in enumerate(outputs)}, **tolerances)


def by_onnxruntime(name, op, inputs, output_types, domain="", **attributes):
    model = build(op, inputs, output_types, domain, **attributes)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return as_case(name, model, inputs, session.run(None, {f"x{i}": v for i, v in enumerate(inputs)}))


def splits():
    types = [TensorProto.STRING, TensorProto.INT64]
    table = [
        ("trailing_space", ["a b  c ", " x "], {}),
        ("trailing_space_max", ["a b  ", "  a b  c"], {"maxsplit": 1}),
        ("max_zero", ["a b", " a b "], {"maxsplit": 0}),
        ("max_zero_delimiter", ["a-b", ""], {"maxsplit": 0, "delimiter": "-"}),
        ("empty_strings", ["", "a-b"], {"delimiter": "-"}),
        ("only_empty", ["", ""], {}),
        ("only_space", ["   "], {"maxsplit": 3}),
        ("long_delimiter", ["a--b--", "--", "a-b"], {"delimiter": "--"}),
        ("overlapping", ["aaa", "aaaa"], {"delimiter": "aa"}),
        ("delimiter_max", ["a--b--c"], {"delimiter": "--", "maxsplit": 1}),
        ("utf8", ["für→alle", "→"], {"delimiter": "→"}),
    ]
    for name, values, attributes in table:
        yield by_onnxruntime(f"split_{name}", "StringSplit", [strings(values)], types, **attributes)
    # White space is more than the space.
    tabs = strings(["a\tb\n c", "\r\nd"])
    yield as_case("split_tabs", build("StringSplit", [tabs], types), [tabs], [strings([["a", "b", "c"], ["d", "", ""]]), np.array([3, 1])])
    yield as_case("split_scalar", build("StringSplit", [strings("a b")], types), [strings("a b")], [strings(["a", "b"]), np.array(2)])


def concats():
    for name, left, right in [
        ("row_column", strings(["a", "b", "c"]), strings([["1"], ["2"]])),
        ("scalar", strings("pre-"), strings([["x", "yy"], ["", "ü"]])),
        ("channel", strings(list("abcdefgh"), (2, 2, 2)), strings(["-", "+"], (2, 1))),
        ("empty", strings([], (0, 3)), strings(["a", "b", "c"])),
    ]:
        wanted = np.add(left, right)
        yield as_case(f"concat_{name}", build("StringConcat", [left, right], [TensorProto.STRING]), [left, right], [strings(wanted) if np.isscalar(wanted) else wanted.astype(object)])


def normalizers():
    def normalizer(name, values, wanted, **attributes):
        values, wanted = strings(values), strings(wanted)
        return as_case(f"normalize_{name}", build("StringNormalizer", [values], [TensorProto.STRING], **attributes), [values], [wanted])

    words = ["Straße", "ÄÖ", "ĳssel", "ΑΣ", "plain", "Zürich"]
    yield normalizer("upper_full", words, [word.upper() for word in words], case_change_action="UPPER", is_case_sensitive=1)
    yield normalizer("lower_full", words, [word.lower() for word in words], case_change_action="LOWER", is_case_sensitive=1)
    yield normalizer("turkish_lower", ["TITLE", "Işık", "IĞDIR"], ["tıtle", "ışık", "ığdır"], case_change_action="LOWER", locale="tr_TR", is_case_sensitive=1)
    yield normalizer("turkish_upper", ["title"], ["TİTLE"], case_change_action="UPPER", locale="tr_TR.UTF-8", is_case_sensitive=1)
    yield normalizer("stop_any_case", [["Ärger", "und", "UND", "Freude", "ärger"]], [["Freude"]], stopwords=["ÄRGER", "Und"])
    yield normalizer("stop_exact", ["a", "A", "b"], ["A", "b"], stopwords=["a"], is_case_sensitive=1)
    yield normalizer("stop_exact_upper", ["a", "A", "b"], ["A", "B"], stopwords=["a"], is_case_sensitive=1, case_change_action="UPPER")
    yield normalizer("all_stopped", [["a", "B"]], [[""]], stopwords=["A", "b"], case_change_action="LOWER")
    yield normalizer("nothing_to_do", ["a", "", "C d"], ["a", "", "C d"])


def regexes():
    values = ["abc", "abcd", "", "a\nc", "ABC", "äbc", "a.c", "12-34"]
    for number, pattern in enumerate([r"a.c", r"(?i)abc", r"", r".*", r"\d+-\d+", r"[[:alpha:]]+", r"a|abc", r"a\.c", r"(?s)a.c"]):
        python = pattern.replace("[[:alpha:]]", "[A-Za-z]")
        wanted = np.array([re.fullmatch(python, value, re.ASCII) is not None for value in values])
        yield as_case(f"regex_{number}", build("RegexFullMatch", [strings(values)], [TensorProto.BOOL], pattern=pattern), [strings(values)], [wanted])


def tfidf():
    float_out = [TensorProto.FLOAT]
    numbers = {"ngram_counts": [0, 4], "ngram_indexes": [6, 0, 3, 1, 5, 2, 4], "pool_int64s": [2, 3, 5, 4, 5, 6, 7, 8, 6, 7], "weights": [0.5, 2.0, 1.5, 0.25, 3.0, 0.125, 1.75]}
    rows = np.array([[1, 1, 3, 3, 3, 7, 8, 6], [7, 8, 6, 7, 5, 6, 8, 5], [5, 6, 7, 8, 2, 2, 2, 9]])
    for mode in ("TF", "IDF", "TFIDF"):
        for lengths in ((1, 1), (2, 2), (1, 2)):
            for skips in (0, 1, 5):
                name = f"tfidf_{mode.lower()}_{lengths[0]}{lengths[1]}_skip{skips}"
                yield by_onnxruntime(name, "TfIdfVectorizer", [rows], float_out, mode=mode, min_gram_length=lengths[0], max_gram_length=lengths[1], max_skip_count=skips, **numbers)
    words = strings("the cat sat on the mat and the cat ran off the mat".split())
    pool = ["the", "cat", "mat", "the", "cat", "cat", "sat", "the", "mat", "the", "cat", "sat", "on", "the", "mat"]
    text = {"pool_strings": pool, "ngram_counts": [0, 3, 9], "ngram_indexes": [0, 1, 2, 3, 4, 5, 9, 7], "min_gram_length": 1, "max_gram_length": 3}
    for skips in (0, 2):
        yield by_onnxruntime(f"tfidf_words_skip{skips}", "TfIdfVectorizer", [words], float_out, mode="TF", max_skip_count=skips, **text)
        yield by_onnxruntime(f"tfidf_words_rows_skip{skips}", "TfIdfVectorizer", [words[:12].reshape(3, 4)], float_out, mode="TFIDF", max_skip_count=skips, weights=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], **text)
    # Weights wait at the end of the pool that no length asks for; int32; no weights; several n-grams on one column; nothing to count.
    yield by_onnxruntime("tfidf_int32", "TfIdfVectorizer", [rows.astype(np.int32)], float_out, mode="TFIDF", min_gram_length=2, max_gram_length=2, max_skip_count=1, **numbers)
    unweighted = {key: value for key, value in numbers.items() if key != "weights"}
    yield by_onnxruntime("tfidf_unweighted", "TfIdfVectorizer", [rows], float_out, mode="IDF", min_gram_length=1, max_gram_length=2, max_skip_count=1, **unweighted)
    yield by_onnxruntime("tfidf_one_column", "TfIdfVectorizer", [rows], float_out, mode="TF", min_gram_length=1, max_gram_length=2, max_skip_count=1, **{**unweighted, "ngram_indexes": [0, 0, 1, 1, 0, 2, 2]})
    yield by_onnxruntime("tfidf_no_tokens", "TfIdfVectorizer", [np.zeros((2, 0), np.int64)], float_out, mode="TF", min_gram_length=1, max_gram_length=2, max_skip_count=1, **unweighted)
    # Far apart keys take the hash table instead of the array.
    far = {"pool_int64s": [10**15, -(10**15), 7, 7, 10**15], "ngram_counts": [0, 3], "ngram_indexes": [0, 1, 2, 3]}
    yield by_onnxruntime("tfidf_far_tokens", "TfIdfVectorizer", [np.array([7, 10**15, 7, 10**15, -(10**15), 8])], float_out, mode="TF", min_gram_length=1, max_gram_length=2, max_skip_count=0, **far)


def tokenizers():
    table = [
        ("space", ["a b", "c d e"], {"separators": [" "]}),
        ("space_marked", ["a b", "c d e", ""], {"separators": [" "], "mark": 1}),
        ("characters", ["ab", "c", "ü→"], {"separators": [""]}),
        ("characters_marked", ["ab", "", "c"], {"separators": [""], "mark": 1}),
        ("expression", ["ab c1", "c", "12"], {"tokenexp": "[a-z]+"}),
        ("expression_short", ["ab c1", "c"], {"tokenexp": "[a-z]+", "mincharnum": 2, "mark": 1}),
        ("expression_empty_matches", ["aab", "ba"], {"tokenexp": "a*"}),
        ("expression_first_alternative", ["aab", "abab"], {"tokenexp": "(a)b|a"}),
        ("expression_start", ["ab ab"], {"tokenexp": "^ab"}),
        ("short", ["ab c1", "c", "éa à"], {"separators": [" "], "mincharnum": 2}),
        ("separators_in_turn", ["a, b", "a,b"], {"separators": [",", ", "]}),
        ("separators_longer_first", ["a, b", "a,b"], {"separators": [", ", ","]}),
        ("separator_set", ["a, b;c", " ,;"], {"separators": [" ", ",", ";"]}),
        ("separator_expression", ["a1b22c", "333"], {"separators": ["[0-9]+"]}),
        ("separator_any", ["a.b"], {"separators": ["."]}),
        ("separator_escaped", ["a.b", "c"], {"separators": ["\\."]}),
        ("separator_space_class", ["a b\tc"], {"separators": ["\\s"]}),
        ("separator_utf8", ["aéb", "é"], {"separators": ["é"]}),
        ("both_given", ["a b"], {"separators": [" "], "tokenexp": "a"}),
        ("nothing_found", ["1", "2"], {"tokenexp": "x", "mark": 1}),
    ]
    for name, values, attributes in table:
        attributes = {"mark": 0, "mincharnum": 1, "pad_value": "<pad>", **attributes}
        for form, array in (("", strings(values)), ("_rows", strings(values, (1, len(values))))):
            yield by_onnxruntime(f"tokenize_{name}{form}", "Tokenizer", [array], [TensorProto.STRING], "com.microsoft", **attributes)


def hashes():
    numbers = np.array([0, 1, 3, 250, 65537], np.int64)
    arrays = {"string": strings(["", "a", "ab", "abc", "abcd", "hello world", "ü"])}
    arrays.update({t.__name__: numbers.astype(t) for t in (np.int32, np.int64, np.uint32, np.uint64, np.float32, np.float64)})
    for name, array in arrays.items():
        yield by_onnxruntime(f"murmur_{name}", "MurmurHash3", [array], [TensorProto.UINT32], "com.microsoft")
        yield by_onnxruntime(f"murmur_{name}_signed", "MurmurHash3", [array], [TensorProto.INT32], "com.microsoft", positive=0, seed=42)


def cases():
    for family in (splits, concats, normalizers, regexes, tfidf, tokenizers, hashes):
        yield from family()
