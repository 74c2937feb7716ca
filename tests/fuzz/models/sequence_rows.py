"""Ways to make one node more: sequences, optional values and text. Each takes a GraphMaker."""

import numpy
from onnx import TensorProto, helper

from graph_maker import SEQUENCE, TEXT

KINDS = ("float32", "float32", "int64", "float64", "bool")
WORDS = ("a", "The", "cat", "", "dog's", "über", "x1", "sat on", "  mat", "Zoo", "1.5", "the")


def gathered(maker):
    """A sequence of tensors whose shapes differ."""
    one = maker.pick(KINDS, rank=(1, 3))
    if one is None:
        return None
    rest = [maker.fresh(one.kind, (maker.size(), *one.shape[1:])) for _ in range(int(maker.random.integers(0, 3)))]
    return maker.node("SequenceConstruct", [one, *rest])


def cut_up(maker):
    one = maker.pick(("float32", "int64", "float64"), rank=(1, 4), fits=lambda value: min(value.shape) > 0)
    if one is None:
        return None
    axis = int(maker.random.integers(0, one.rank))
    size = one.shape[axis]
    if maker.chance(0.3):
        return maker.node("SplitToSequence", [one], axis=axis - (one.rank if maker.chance(0.5) else 0), keepdims=int(maker.chance(0.5)))
    if maker.chance(0.5):
        return maker.node("SplitToSequence", [one, maker.constant(maker.one_of((1, 2, 3)), "int64")], axis=axis)
    first = int(maker.random.integers(0, size + 1))
    return maker.node("SplitToSequence", [one, maker.constant([first, size - first], "int64")], axis=axis)


def sequence(maker):
    known = [value for value in maker.values.values() if value.kind == SEQUENCE]
    if known and maker.chance(0.7):
        return maker.one_of(known)
    made = gathered(maker) or cut_up(maker)
    return made and made[0]


def taken(maker):
    one = sequence(maker)
    place = one and maker.constant(int(maker.random.integers(-len(one.array), len(one.array))), maker.one_of(("int64", "int32")))
    return one and maker.node("SequenceAt", [one, place])


def changed(maker):
    one = sequence(maker)
    if one is None:
        return None
    size = len(one.array)
    if maker.chance(0.4):
        return maker.node("SequenceErase", [one, maker.constant(int(maker.random.integers(-size, size)), "int64")] if maker.chance(0.7) else [one])
    if maker.chance(0.2):
        return maker.node("SequenceLength", [one])
    more = maker.add(maker.array(one.array[0].dtype.name, one.array[0].shape)) if one.array[0].dtype.name != TEXT else maker.add(one.array[0])
    return maker.node("SequenceInsert", [one, more, maker.constant(int(maker.random.integers(-size, size + 1)), "int64")] if maker.chance(0.7) else [one, more])


def joined(maker):
    one = sequence(maker)
    if one is None or not one.array[0].ndim:
        return None
    shapes = {each.shape for each in one.array}
    axis = int(maker.random.integers(0, one.array[0].ndim))
    if len(shapes) == 1 and maker.chance(0.4):
        return maker.node("ConcatFromSequence", [one], axis=axis - maker.one_of((0, len(next(iter(shapes))) + 1)), new_axis=1)
    if len({(*shape[:axis], *shape[axis + 1:]) for shape in shapes}) > 1:
        return None  # onnxruntime lets empty ones pass, and gives what was in its memory
    return maker.node("ConcatFromSequence", [one], axis=axis - (one.array[0].ndim if maker.chance(0.5) else 0), new_axis=0)


def mapped(maker):
    """SequenceMap: a body for every element."""
    one = sequence(maker)
    if one is None or one.array[0].dtype.name not in ("float32", "int64", "float64"):
        return None
    kind = helper.np_dtype_to_tensor_dtype(one.array[0].dtype)
    inside, out = maker.name("b"), maker.name("b")
    ranks = {each.ndim for each in one.array}
    dims = [None] * ranks.pop() if len(ranks) == 1 else None
    body = helper.make_graph([helper.make_node("Neg", [inside], [out])], "body", [helper.make_tensor_value_info(inside, kind, dims)], [helper.make_tensor_value_info(out, kind, dims)])
    return maker.node("SequenceMap", [one], body=body)


def optional(maker):
    one = maker.pick(KINDS) if maker.chance(0.7) else sequence(maker)
    return one and maker.node(maker.one_of(("OptionalHasElement", "OptionalGetElement")), [one])


def words(maker, rank=(0, 2), only=WORDS):
    found = [value for value in maker.values.values() if value.kind == TEXT and rank[0] <= value.rank <= rank[1]]
    if found and only is WORDS and maker.chance(0.5):
        return maker.one_of(found)
    shape = maker.dims(int(maker.random.integers(rank[0], rank[1] + 1)))
    array = numpy.empty(shape, dtype=object)
    for place in numpy.ndindex(*shape):
        array[place] = maker.one_of(only)
    return maker.add(array)


def text(maker):
    one = words(maker)
    way = maker.one_of(("join", "match", "split", "normalise", "same", "cast", "label", "category", "tokens", "move"))
    if way == "join" and maker.opset >= 20:
        other = words(maker)
        return maker.broadcasts(one, other) and maker.node("StringConcat", [one, other]) or None
    if way == "match" and maker.opset >= 20:
        return maker.node("RegexFullMatch", [one], pattern=maker.one_of(("[a-z]+", ".*a.*", "(the|cat)", "[^ ]*", "\\w+")))
    if way == "tokens":
        return maker.node("Tokenizer", [words(maker, (1, 2))], domain="com.microsoft", mark=int(maker.chance(0.4)), mincharnum=maker.one_of((1, 2)), pad_value="<pad>", **maker.one_of(({"separators": [" "]}, {"separators": ["a", "t"]}, {"tokenexp": "[a-z]+"}, {"separators": [""]})))
    if way == "split" and maker.opset >= 20:
        return maker.node("StringSplit", [one], outputs=2, delimiter=maker.one_of((None, " ", "t", "'")), maxsplit=maker.one_of((None, 1, 2)))
    if way == "normalise":
        line = words(maker, (1, 1))
        return maker.node("StringNormalizer", [line], case_change_action=maker.one_of(("NONE", "LOWER", "UPPER")), is_case_sensitive=int(maker.chance(0.5)), stopwords=maker.one_of((None, ["the", "cat"], ["THE"])), locale="C")
    if way == "same":
        return maker.broadcasts(one, other := words(maker)) and maker.node("Equal", [one, other]) or None
    if way == "cast":
        whole = maker.pick(("int64", "int32", "bool"))
        return whole and maker.node("Cast", [whole], to=TensorProto.STRING)
    if way == "label":
        return maker.node("LabelEncoder", [one], domain="ai.onnx.ml", keys_strings=["a", "cat", "the"], **maker.one_of(({"values_int64s": [3, 1, 4], "default_int64": -2}, {"values_strings": ["u", "v", "w"], "default_string": "?"}, {"values_floats": [0.5, 1.5, -2.0], "default_float": 9.0})))
    if way == "category":
        both = {"cats_int64s": [1, 2, 5], "cats_strings": ["a", "cat", "The"]}
        if maker.chance(0.5):
            return maker.node("CategoryMapper", [one], domain="ai.onnx.ml", default_int64=-3, **both)
        number = maker.pick(("int64",))
        return number and maker.node("CategoryMapper", [number], domain="ai.onnx.ml", default_string="none", **both)
    if one.rank and one.shape[0]:
        # The last axis: of longer slices onnxruntime copies the first text alone.
        places = maker.constant(maker.random.integers(0, one.shape[-1], 3), "int64") if one.shape[-1] else None
        return maker.node("Gather", [one, places], axis=one.rank - 1) if maker.chance(0.5) else maker.node("Concat", [one, one], axis=0)
    return maker.node("Unsqueeze", [one, maker.constant([0], "int64")])


def counted(maker):
    """TfIdfVectorizer over whole numbers or words."""
    modes = maker.one_of(("TF", "IDF", "TFIDF"))
    longest, skips = int(maker.random.integers(1, 3)), int(maker.random.integers(0, 3))
    if maker.chance(0.5):
        one, pool = maker.add(maker.random.integers(0, 5, maker.dims(int(maker.random.integers(1, 3)))).astype(maker.one_of(("int64", "int32")))), {"pool_int64s": [0, 1, 2, 3, 0, 1, 2, 1, 3, 3]}
    else:
        one, pool = words(maker, (1, 2), ("a", "b", "c", "d")), {"pool_strings": ["a", "b", "c", "d", "a", "b", "c", "b", "d", "d"]}
    weights = {"weights": [0.5, 1.0, 2.0, 0.25, 1.5, 3.0, 1.0]} if maker.chance(0.5) else {}
    return maker.node("TfIdfVectorizer", [one], exact=False, mode=modes, min_gram_length=1, max_gram_length=longest, max_skip_count=skips, ngram_counts=[0, 4], ngram_indexes=[int(place) for place in maker.random.permutation(7)], **pool, **weights)


ROWS = (gathered, cut_up, taken, taken, changed, joined, joined, mapped, optional, text, text, counted)
