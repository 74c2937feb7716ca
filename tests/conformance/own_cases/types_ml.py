"""Every version and element type of the operators of ai.onnx.ml, by the formulas of their texts."""

import numpy as np
from case import Case, at_version
from onnx import TensorProto, helper
from typed import narrow, of, typed_cases, wide

DOMAIN = "ai.onnx.ml"
FLOAT, INT64, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING
NUMBERS = [[1, -2, 3], [0, 5, -1]]


def first(kinds):
    return kinds["T1"] if "T1" in kinds else kinds["T"]


def to_floats(definition, numbers=NUMBERS, **attributes):
    def recipe(kinds, version):
        x = of(first(kinds), numbers)
        return [x], [definition(wide(x)).astype(np.float32)], attributes

    return recipe


def binarizer(kinds, version):
    x = of(kinds["T"], NUMBERS)
    return [x], [narrow(wide(x) > 1, kinds["T"])], {"threshold": 1.0}


def imputer(kinds, version):
    x = of(kinds["T"], NUMBERS)
    y = narrow(np.where(wide(x) == 0, 7, wide(x)), kinds["T"])
    if kinds["T"] in (TensorProto.INT64, TensorProto.INT32):
        return [x], [y], {"imputed_value_int64s": [7], "replaced_value_int64": 0}
    return [x], [y], {"imputed_value_floats": [7.0], "replaced_value_float": 0.0}


def feature_vectorizer(kinds, version):
    a, b = of(kinds["T1"], NUMBERS), of(kinds["T1"], [[4], [6]])
    return [a, b], [np.concatenate([wide(a), wide(b)], 1).astype(np.float32)], {"inputdimensions": [3, 1]}


def array_feature_extractor(kinds, version):
    x = of(kinds["T"], NUMBERS)
    return [x, np.array([2, 0])], [x[:, [2, 0]]], {}


def one_hot_encoder(kinds, version):
    x = of(kinds["T"], [3, 1, 9])
    y = np.float32([[0, 0, 1], [1, 0, 0], [0, 0, 0]])
    cats = {"cats_strings": ["1", "2", "3"]} if kinds["T"] == STRING else {"cats_int64s": [1, 2, 3]}
    return [x], [y], {**cats, "zeros": 1}


def category_mapper(kinds, version):
    source = STRING if kinds["T2"] == INT64 and kinds["T1"] == STRING else INT64
    x = np.array(["a", "c", "?"], dtype=object) if source == STRING else np.int64([1, 3, 8])
    y = np.int64([1, 3, -7]) if source == STRING else np.array(["a", "c", "none"], dtype=object)
    return [x], [y], {"cats_int64s": [1, 2, 3], "cats_strings": ["a", "b", "c"], "default_int64": -7, "default_string": "none"}


def label_encoder(kinds, version):
    source, target = kinds["T1"], kinds["T2"]
    if version == 1:
        if source == STRING:
            return [np.array(["b", "?"], dtype=object)], [np.int64([1, -5])], {"classes_strings": ["a", "b"], "default_int64": -5}
        return [np.int64([1, 8])], [np.array(["b", "none"], dtype=object)], {"classes_strings": ["a", "b"], "default_string": "none"}
    names = {FLOAT: "floats", INT64: "int64s", STRING: "strings"}
    keys, values = of(source, [1, 2]), of(target, [20, 10])
    x, y = of(source, [2, 1, 9]), of(target, [10, 20, 99])
    if version == 2 and (source not in names or target not in names):
        return None
    attributes = {}
    for role, kind, held in (("keys", source, keys), ("values", target, values)):
        if kind in names:
            attributes[f"{role}_{names[kind]}"] = held.tolist()
        else:
            attributes[f"{role}_tensor"] = helper.make_tensor(role, kind, [2], held)
    if target in names:
        attributes[f"default_{names[target][:-1]}"] = of(target, 99).item()
    else:
        attributes["default_tensor"] = helper.make_tensor("default", target, [1], of(target, [99]))
    return [x], [y], attributes


def linear_classifier(kinds, version):
    x = of(kinds["T1"], NUMBERS)
    coefficients, intercepts = np.float64([[1, 0, 1], [0, 1, 0], [-1, 0, 0]]), np.float64([0, 0.5, 1])
    scores = wide(x) @ coefficients.T + intercepts
    labels = {"classlabels_strings": ["p", "q", "r"]} if kinds["T2"] == STRING else {"classlabels_ints": [4, 5, 6]}
    chosen = np.array(next(iter(labels.values())), dtype=object if kinds["T2"] == STRING else np.int64)[scores.argmax(1)]
    return [x], [chosen, scores.astype(np.float32)], {**labels, "coefficients": coefficients.ravel().tolist(), "intercepts": intercepts.tolist()}


def svm_classifier(kinds, version):
    x = of(kinds["T1"], NUMBERS)
    # one support vector a class, a linear kernel: the first class wins where the decision is positive
    vectors, coefficients, rho = np.float64([[1, 1, 0], [0, 0, 1]]), np.float64([1, -1]), 0.25
    decision = wide(x) @ vectors.T @ coefficients + rho
    labels = {"classlabels_strings": ["p", "q"]} if kinds["T2"] == STRING else {"classlabels_ints": [4, 5]}
    names = np.array(next(iter(labels.values())), dtype=object if kinds["T2"] == STRING else np.int64)
    given = {"coefficients": coefficients.tolist(), "kernel_params": [0.0, 0.0, 0.0], "kernel_type": "LINEAR", "rho": [rho], "support_vectors": vectors.ravel().tolist(), "vectors_per_class": [1, 1]}
    return [x], [names[(decision <= 0).astype(int)], np.stack([-decision, decision], 1).astype(np.float32)], {**labels, **given}


def tree_classifier(kinds, version):
    x = of(kinds["T1"], NUMBERS)
    labels = {"classlabels_strings": ["p", "q", "r"]} if kinds["T2"] == STRING else {"classlabels_int64s": [4, 5, 6]}
    names = np.array(next(iter(labels.values())), dtype=object if kinds["T2"] == STRING else np.int64)
    left = wide(x)[:, 1] <= 0
    weights = np.where(left[:, None], [0.75, 0.25, 0.5], [0.125, 0.25, 0.875])
    leaves = {"class_ids": [0, 1, 2] * 2, "class_nodeids": [1] * 3 + [2] * 3, "class_treeids": [0] * 6, "class_weights": [0.75, 0.25, 0.5, 0.125, 0.25, 0.875]}
    return [x], [names[weights.argmax(1)], weights.astype(np.float32)], {**labels, **tree(), **leaves}


def tree():
    return {
        "nodes_featureids": [1, 0, 0],
        "nodes_falsenodeids": [2, 0, 0],
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"],
        "nodes_nodeids": [0, 1, 2],
        "nodes_treeids": [0, 0, 0],
        "nodes_truenodeids": [1, 0, 0],
        "nodes_values": [0.0, 0.0, 0.0],
    }


REGRESSED = {"n_targets": 1, "target_ids": [0, 0], "target_nodeids": [1, 2], "target_treeids": [0, 0], "target_weights": [2.5, -1.5]}
VECTORS, COEFFICIENTS = np.float64([[1, 1, 0], [0, 0, 1]]), np.float64([0.5, -1])
REGRESSION = {"coefficients": COEFFICIENTS.tolist(), "kernel_params": [0.0, 0.0, 0.0], "kernel_type": "LINEAR", "n_supports": 2, "rho": [0.25], "support_vectors": VECTORS.ravel().tolist()}

RECIPES = {
    "Binarizer": binarizer,
    "Imputer": imputer,
    "Scaler": to_floats(lambda x: (x - [1, 0, -1]) * [2, 3, 4], offset=[1.0, 0.0, -1.0], scale=[2.0, 3.0, 4.0]),
    "Normalizer": to_floats(lambda x: x / np.sqrt((x * x).sum(1, keepdims=True)), norm="L2"),
    "LinearRegressor": to_floats(lambda x: x @ [[1], [2], [0.5]] + 0.25, coefficients=[1.0, 2.0, 0.5], intercepts=[0.25]),
    "SVMRegressor": to_floats(lambda x: (x @ VECTORS.T @ COEFFICIENTS + 0.25)[:, None], **REGRESSION),
    "TreeEnsembleRegressor": to_floats(lambda x: np.where(x[:, 1:2] <= 0, 2.5, -1.5), **tree(), **REGRESSED),
    "FeatureVectorizer": feature_vectorizer,
    "ArrayFeatureExtractor": array_feature_extractor,
    "OneHotEncoder": one_hot_encoder,
    "CategoryMapper": category_mapper,
    "LabelEncoder": label_encoder,
    "LinearClassifier": linear_classifier,
    "SVMClassifier": svm_classifier,
    "TreeEnsembleClassifier": tree_classifier,
}


def map_case(name, node, inputs, outputs):
    """inputs, outputs: name -> (value, TypeProto)."""
    graph = helper.make_graph([node], name, [helper.make_value_info(n, t) for n, (_, t) in inputs.items()], [helper.make_value_info(n, t) for n, (_, t) in outputs.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(DOMAIN, 1)], ir_version=10)
    return Case(name, model, {n: v for n, (v, _) in inputs.items()}, {n: v for n, (v, _) in outputs.items()})


def maps():
    def map_of(key, kind):
        return helper.make_map_type_proto(key, helper.make_tensor_type_proto(kind, None))

    def row(kind, count):
        return helper.make_tensor_type_proto(kind, [1, count])

    scores = np.float32([[0.25, 0.75], [0.5, 0.5]])
    for tag, keys, kind, attribute in (("int64", [3, 4], INT64, "classlabels_int64s"), ("string", ["p", "q"], STRING, "classlabels_strings")):
        items = [dict(zip(keys, [np.float32(v) for v in line], strict=True)) for line in scores]
        node = helper.make_node("ZipMap", ["x"], ["z"], domain=DOMAIN, **{attribute: keys})
        yield map_case(f"zipmap_1_{tag}", node, {"x": (scores, helper.make_tensor_type_proto(FLOAT, [2, 2]))}, {"z": (items, helper.make_sequence_type_proto(map_of(kind, FLOAT)))})


    def feed(key, kind, values):
        return {"x": (values, map_of(key, kind))}

    numbers, texts = {3: np.float32(1.5), 0: np.float32(-2), 7: np.float32(4)}, {3: "1.5", 0: "-2", 7: "4"}
    casts = {"TO_FLOAT": (FLOAT, np.float32([[-2, 1.5, 4]])), "TO_INT64": (INT64, np.int64([[-2, 1, 4]]))}
    for form, (kind, y) in casts.items():
        node = helper.make_node("CastMap", ["x"], ["y"], domain=DOMAIN, cast_to=form, map_form="DENSE")
        yield map_case(f"castmap_1_{form.lower()}", node, feed(INT64, FLOAT, numbers), {"y": (y, row(kind, 3))})
    node = helper.make_node("CastMap", ["x"], ["y"], domain=DOMAIN, cast_to="TO_FLOAT", map_form="SPARSE", max_map=9)
    y = np.zeros((1, 9), np.float32)
    y[0, [0, 3, 7]] = [-2, 1.5, 4]
    yield map_case("castmap_1_sparse", node, feed(INT64, FLOAT, numbers), {"y": (y, row(FLOAT, 9))})
    node = helper.make_node("CastMap", ["x"], ["y"], domain=DOMAIN, cast_to="TO_STRING")
    yield map_case("castmap_1_text", node, feed(INT64, STRING, texts), {"y": (np.array([["-2", "1.5", "4"]], dtype=object), row(STRING, 3))})
    node = helper.make_node("CastMap", ["x"], ["y"], domain=DOMAIN, cast_to="TO_FLOAT")
    yield map_case("castmap_1_from_text", node, feed(INT64, STRING, texts), {"y": (np.float32([[-2, 1.5, 4]]), row(FLOAT, 3))})
    for key, kind in ((STRING, INT64), (INT64, STRING), (INT64, FLOAT), (INT64, TensorProto.DOUBLE), (STRING, FLOAT), (STRING, TensorProto.DOUBLE)):
        keys = ["p", "q", "r", "s"] if key == STRING else [5, 6, 7, 8]
        held, missing = of(kind, [2, 4]), of(kind, [0])[0] if kind != STRING else ""
        vocabulary = {"string_vocabulary" if key == STRING else "int64_vocabulary": keys[:3]}
        node = helper.make_node("DictVectorizer", ["x"], ["y"], domain=DOMAIN, **vocabulary)
        y = np.array([[held[1], missing, held[0]]], dtype=held.dtype)
        tag = f"{TensorProto.DataType.Name(key)}_{TensorProto.DataType.Name(kind)}".lower()
        yield map_case(f"dictvectorizer_1_{tag}", node, feed(key, kind, {keys[2]: held[0], keys[0]: held[1]}), {"y": (y, row(kind, 3))})


def momentum():
    """The step of the Momentum operator's text, in float and double."""
    for dtype in (np.float32, np.float64):
        rate, count = dtype(0.5), np.int64(1)
        x, gradient, velocity = (np.array(values, dtype=dtype) for values in ([1, -2], [0.5, 0.25], [2, 4]))
        regular = 0.125 * x + gradient
        grown = 0.75 * velocity + 0.25 * regular
        given = {"alpha": 0.75, "beta": 0.25, "mode": "standard", "norm_coefficient": 0.125}
        yield at_version("Momentum", 1, [rate, count, x, gradient, velocity], [(x - rate * grown).astype(dtype), grown.astype(dtype)], name=f"momentum_1_{np.dtype(dtype).name}", domain="ai.onnx.preview.training", **given)


def cases():
    yield from momentum()
    yield from typed_cases(RECIPES, DOMAIN)
    yield from maps()
