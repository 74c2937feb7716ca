"""ai.onnx.ml beyond the package's cases, trees excepted: every operator, input type, post transform and label kind.

onnxruntime answers where it has the operator for the type; where it has not (many types, maps of strings) or departs from the standard's words, numpy or the written value does.
"""

import numpy as np
import onnxruntime
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper

from case import Case, info_of

F, I, S, D = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING, TensorProto.DOUBLE
POSTS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
FEATURES = (np.float32, np.float64, np.int64, np.int32)


def strings(values):
    return np.array(values, dtype=object)


def map_info(name, key, value):
    info = ValueInfoProto(name=name)
    info.type.map_type.key_type = key
    info.type.map_type.value_type.tensor_type.elem_type = value
    return info


def maps_info(name, key):
    info = ValueInfoProto(name=name)
    held = info.type.sequence_type.elem_type.map_type
    held.key_type = key
    held.value_type.tensor_type.elem_type = F
    return info


def build(op, infos, outputs, version=4, **attributes):
    outputs = [helper.make_tensor_value_info(f"y{i}", each, None) if isinstance(each, int) else each for i, each in enumerate(outputs)]
    node = helper.make_node(op, [info.name for info in infos], [info.name for info in outputs], domain="ai.onnx.ml", **attributes)
    graph = helper.make_graph([node], op, infos, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", version)], ir_version=10)


def written(name, op, inputs, outputs, types=None, version=4, **attributes):
    """A case with expected outputs given as arrays."""
    infos = [info_of(f"x{i}", value) for i, value in enumerate(inputs)]
    model = build(op, infos, types or [info_of(f"y{i}", value) for i, value in enumerate(outputs)], version, **attributes)
    return Case(name, model, {f"x{i}": v for i, v in enumerate(inputs)}, {info.name: v for info, v in zip(model.graph.output, outputs)}, rtol=1e-4, atol=1e-6)


def answered(name, op, inputs, types, version=4, **attributes):
    """A case that onnxruntime answers."""
    infos = [info_of(f"x{i}", value) for i, value in enumerate(inputs)]
    model = build(op, infos, types, version, **attributes)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feeds = {f"x{i}": value for i, value in enumerate(inputs)}
    return Case(name, model, feeds, {info.name: v for info, v in zip(model.graph.output, session.run(None, feeds))}, rtol=1e-4, atol=1e-6)


def linear():
    random = np.random.default_rng(1)
    x = random.normal(size=(7, 5)).astype(np.float32)
    whole = random.integers(-4, 5, size=(7, 5))
    coefficients = lambda n: [float(v) for v in random.normal(size=n * 5).astype(np.float32) * 0.3]
    labels = {"classlabels_ints": [3, -4, 7]}
    names = {"classlabels_strings": ["a", "b", "c"]}
    for post in POSTS:
        yield answered(f"linear_classifier_{post.lower()}", "LinearClassifier", [x], [I, F], coefficients=coefficients(3), intercepts=[0.1, -0.2, 0.3], post_transform=post, **labels)
        yield answered(f"linear_regressor_{post.lower()}", "LinearRegressor", [x], [F], coefficients=coefficients(1), intercepts=[0.5], post_transform=post)
        yield answered(f"linear_regressor_3_{post.lower()}", "LinearRegressor", [x], [F], coefficients=coefficients(3), intercepts=[0.5, 0.25, 0.1], targets=3, post_transform=post)
        if post != "PROBIT":
            yield answered(f"linear_binary_{post.lower()}", "LinearClassifier", [x], [I, F], coefficients=coefficients(1), intercepts=[0.05], classlabels_ints=[10, 20], post_transform=post)
    # Probabilities through PROBIT; onnxruntime leaves one of two scores unwritten.
    weights = [0.25]
    probit = lambda p: np.sqrt(2) * np.vectorize(erfinv)(2 * p - 1)
    ones = np.array([[1.0], [2.0], [3.0]], np.float32)
    second = ones @ np.array([weights])
    yield written("linear_binary_probit", "LinearClassifier", [ones], [np.array([20, 20, 20]), probit(np.hstack([1 - second, second])).astype(np.float32)], coefficients=weights, intercepts=[0.0], classlabels_ints=[10, 20], post_transform="PROBIT")
    yield answered("linear_classifier_strings", "LinearClassifier", [x], [S, F], coefficients=coefficients(3), intercepts=[0.1, -0.2, 0.3], post_transform="SOFTMAX", **names)
    yield answered("linear_binary_strings", "LinearClassifier", [x], [S, F], coefficients=coefficients(1), intercepts=[0.0], classlabels_strings=["no", "yes"], post_transform="LOGISTIC", multi_class=1)
    yield answered("linear_classifier_row", "LinearClassifier", [x[0]], [I, F], coefficients=coefficients(3), intercepts=[0.1, -0.2, 0.3], **labels)
    yield answered("linear_classifier_no_rows", "LinearClassifier", [x[:0]], [I, F], coefficients=coefficients(3), intercepts=[0.1, -0.2, 0.3], **labels)
    yield answered("linear_classifier_ties", "LinearClassifier", [np.ones((2, 2), np.float32)], [I, F], coefficients=[1.0, 1, 1, 1], intercepts=[0.0, 0.0], classlabels_ints=[3, 4])
    wide = random.normal(size=(40, 64)).astype(np.float32)
    yield answered("linear_classifier_wide", "LinearClassifier", [wide], [I, F], coefficients=[float(v) for v in random.normal(size=12 * 64)], intercepts=[float(v) for v in random.normal(size=12)], classlabels_ints=list(range(12)), post_transform="SOFTMAX")
    for dtype in FEATURES[1:]:
        typed = x.astype(dtype) if dtype == np.float64 else whole.astype(dtype)
        weights = coefficients(3)
        yield answered(f"linear_classifier_{dtype.__name__}", "LinearClassifier", [typed], [I, F], coefficients=weights, intercepts=[0.1, -0.2, 0.3], **labels)
        wanted = typed.astype(np.float32) @ np.array(weights, np.float32).reshape(3, 5).T
        yield written(f"linear_regressor_{dtype.__name__}", "LinearRegressor", [typed], [wanted], coefficients=weights, targets=3)


def erfinv(x):
    """Winitzki's approximation, in float64."""
    logarithm = np.log((1 - x) * (1 + x))
    half = 2 / (3.14159 * 0.147) + logarithm / 2
    return np.sign(x) * np.sqrt(np.sqrt(half * half - logarithm / 0.147) - half)


def svm():
    random = np.random.default_rng(2)
    x = random.normal(size=(9, 4)).astype(np.float32)
    floats = lambda *shape: [float(v) for v in random.normal(size=shape).astype(np.float32).ravel() * 0.5]
    kernels = {"LINEAR": [0.0, 0.0, 0.0], "POLY": [0.5, 0.25, 3.0], "RBF": [0.3, 0.0, 0.0], "SIGMOID": [0.2, 0.1, 0.0]}

    def vectors(per_class, kernel, probable):
        classes, count = len(per_class), sum(per_class)
        pairs = classes * (classes - 1) // 2
        made = {"support_vectors": floats(count, 4), "vectors_per_class": per_class, "coefficients": floats(classes - 1, count), "rho": floats(pairs), "kernel_type": kernel, "kernel_params": kernels[kernel]}
        return {**made, "prob_a": floats(pairs), "prob_b": floats(pairs)} if probable else made

    for kernel in kernels:
        for probable in (False, True):
            suffix = f"{kernel.lower()}{'_probable' if probable else ''}"
            yield answered(f"svm_2_{suffix}", "SVMClassifier", [x], [I, F], classlabels_ints=[5, -1], **vectors([3, 2], kernel, probable))
            yield answered(f"svm_4_{suffix}", "SVMClassifier", [x], [S, F], classlabels_strings=["a", "b", "c", "d"], **vectors([2, 1, 3, 2], kernel, probable))
        model = {"coefficients": floats(6), "support_vectors": floats(6, 4), "n_supports": 6, "rho": [0.2], "kernel_type": kernel, "kernel_params": kernels[kernel]}
        yield answered(f"svm_regressor_{kernel.lower()}", "SVMRegressor", [x], [F], **model)
        yield answered(f"svm_one_class_{kernel.lower()}", "SVMRegressor", [x], [F], one_class=1, **model)
    for post in POSTS:
        for probable in (False, True):
            if post == "PROBIT" and not probable:
                continue  # numbers that are no probabilities
            suffix = f"{post.lower()}{'_probable' if probable else ''}"
            yield answered(f"svm_post_2_{suffix}", "SVMClassifier", [x], [I, F], classlabels_ints=[5, -1], post_transform=post, **vectors([3, 2], "RBF", probable))
            yield answered(f"svm_post_3_{suffix}", "SVMClassifier", [x], [I, F], classlabels_ints=[5, -1, 8], post_transform=post, **vectors([3, 2, 1], "RBF", probable))
        yield answered(f"svm_regressor_{post.lower()}", "SVMRegressor", [x], [F], coefficients=floats(4), rho=[0.1], kernel_params=[0.0, 0.0, 0.0], post_transform=post)
    linear_model = lambda classes, scale=1.0: {"coefficients": [scale * abs(v) if scale != 1.0 else v for v in floats(classes, 4)], "rho": [0.1], "kernel_params": [0.0, 0.0, 0.0]}
    for classes, labels in ((1, [3]), (2, [3, 4]), (3, [3, 4, 5])):
        for post in ("NONE", "SOFTMAX", "LOGISTIC"):
            yield answered(f"svm_linear_{classes}_{post.lower()}", "SVMClassifier", [x], [I, F], classlabels_ints=labels, post_transform=post, **linear_model(classes))
            yield answered(f"svm_linear_{classes}_{post.lower()}_positive", "SVMClassifier", [x], [I, F], classlabels_ints=labels, post_transform=post, **linear_model(classes, 0.5))
    for dtype in FEATURES[1:]:
        yield answered(f"svm_{dtype.__name__}", "SVMClassifier", [(x * 2).astype(dtype)], [I, F], classlabels_ints=[5, -1, 3], **vectors([3, 2, 1], "RBF", True))
        typed, weights = (x * 2).astype(dtype), floats(4)
        yield written(f"svm_regressor_{dtype.__name__}", "SVMRegressor", [typed], [(typed.astype(np.float64) @ weights + 0.5).astype(np.float32)[:, None]], coefficients=weights, rho=[0.5], kernel_params=[0.0, 0.0, 0.0])
    yield answered("svm_row", "SVMClassifier", [x[0]], [I, F], classlabels_ints=[5, -1], **vectors([3, 2], "RBF", False))
    yield answered("svm_class_without_vectors", "SVMClassifier", [x], [I, F], classlabels_ints=[5, -1, 3], **vectors([3, 0, 2], "RBF", False))


def scaling():
    random = np.random.default_rng(3)
    for dtype in FEATURES:
        x = (random.normal(size=(4, 19)) * 5).astype(dtype)
        offset, scale = (random.normal(size=19).astype(np.float32) for _ in range(2))
        yield answered(f"scaler_{dtype.__name__}", "Scaler", [x], [F], offset=offset.tolist(), scale=scale.tolist())
        yield answered(f"scaler_one_{dtype.__name__}", "Scaler", [x[0]], [F], offset=[1.5], scale=[0.25])
        for norm in ("MAX", "L1", "L2"):
            x[1] = 0
            x[2] = -np.abs(x[2])
            yield answered(f"normalizer_{norm.lower()}_{dtype.__name__}", "Normalizer", [x], [F], norm=norm)
        yield answered(f"normalizer_row_{dtype.__name__}", "Normalizer", [x[0]], [F], norm="L2")
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield written("scaler_last_axis", "Scaler", [x], [(x - np.arange(4, dtype=np.float32)) * 2], offset=[0.0, 1.0, 2.0, 3.0], scale=[2.0])
    yield written("scaler_no_columns", "Scaler", [np.zeros((3, 0), np.float32)], [np.zeros((3, 0), np.float32)], offset=[1.0], scale=[2.0])


def single_values():
    for dtype in FEATURES:
        x = np.array([[-2, 0, 1], [3, 0, 7]], dtype)
        fits = dtype in (np.float32, np.float64)
        for threshold in (0.0, 1.0, 0.5, -0.5, 1e30, -1e30):
            yield written(f"binarizer_{dtype.__name__}_{threshold:g}", "Binarizer", [x], [(x.astype(np.float64) > threshold).astype(dtype)], threshold=threshold)
        attributes = {"imputed_value_floats": [5.0, 6.5, 7.0]} if fits else {"imputed_value_int64s": [5, 6, 7]}
        filled = np.array(list(attributes.values())[0], dtype)
        yield written(f"imputer_{dtype.__name__}", "Imputer", [x], [np.where(x == 0, filled, x)], **attributes)
        attributes = {"imputed_value_floats": [-9.0], "replaced_value_float": 3.0} if fits else {"imputed_value_int64s": [-9], "replaced_value_int64": 3}
        yield written(f"imputer_one_{dtype.__name__}", "Imputer", [x.reshape(6)], [np.where(x == 3, dtype(-9), x).reshape(6)], **attributes)
    x = np.array([1, np.nan, -np.inf, 0], np.float32)
    yield written("imputer_nan", "Imputer", [x], [np.array([1, 2, -np.inf, 0], np.float32)], imputed_value_floats=[9.0, 2.0, 3.0, 4.0], replaced_value_float=float("nan"))
    yield written("imputer_nan_double", "Imputer", [x.astype(np.float64)], [np.array([1, 2, -np.inf, 0])], imputed_value_floats=[2.0], replaced_value_float=float("nan"))
    yield written("binarizer_nan", "Binarizer", [x], [np.array([1, 0, 0, 0], np.float32)])


def extraction():
    for dtype in (*FEATURES, object):
        x = np.arange(12).reshape(3, 4).astype(dtype) if dtype is not object else strings([[f"t{4 * r + c}" for c in range(4)] for r in range(3)])
        name = np.dtype(dtype).name
        picks = np.array([[3, 0, 3]])
        yield written(f"extract_{name}", "ArrayFeatureExtractor", [x, picks], [x[:, [3, 0, 3]]])
        yield written(f"extract_list_{name}", "ArrayFeatureExtractor", [x[0], np.array([2])], [x[:1, [2]]])
    cube = np.arange(8, dtype=np.float32).reshape(2, 2, 2)
    yield written("extract_cube", "ArrayFeatureExtractor", [cube, np.array([1])], [cube[:, :, [1]]])
    yield written("extract_no_rows", "ArrayFeatureExtractor", [np.zeros((0, 3), np.float32), np.array([0, 2])], [np.zeros((0, 2), np.float32)])
    for dtype in FEATURES:
        a, b = np.array([[1, 2], [3, 4]], dtype), np.array([[5], [6]], dtype)
        yield written(f"vectorizer_{np.dtype(dtype).name}", "FeatureVectorizer", [a, b, a], [np.hstack([a, b, a]).astype(np.float32)], inputdimensions=[2, 1, 2])
    a = np.array([1, 2], np.float32)
    yield answered("vectorizer_filled", "FeatureVectorizer", [a, a], [F], inputdimensions=[3, 2])
    yield answered("vectorizer_cut", "FeatureVectorizer", [a, a], [F], inputdimensions=[1, 2])
    yield answered("vectorizer_flattened", "FeatureVectorizer", [cube], [F], inputdimensions=[4])


def encoders():
    names, numbers = ["a", "b", "c", "a"], [3, 4, 5, 6]
    words, integers = strings([["a", "z"], ["c", "b"]]), np.array([[3, 9], [6, 4]])
    for version, op in ((1, "CategoryMapper"),):
        yield answered("category_strings", op, [words], [I], version=version, cats_strings=names, cats_int64s=numbers, default_int64=-7)
        yield answered("category_integers", op, [integers], [S], version=version, cats_strings=names, cats_int64s=numbers, default_string="none")
        yield answered("category_defaults", op, [integers], [S], version=version, cats_strings=names, cats_int64s=numbers)
    yield answered("label_1_strings", "LabelEncoder", [words], [I], version=1, classes_strings=names, default_int64=-3)
    yield answered("label_1_integers", "LabelEncoder", [integers - 4], [S], version=1, classes_strings=names)
    kinds = {"strings": (["a", "b", "c"], words), "int64s": ([3, -(10**12), 6], np.array([3, 6, -(10**12), 7])), "floats": ([0.5, -1.5, 1e20], np.array([[-1.5, 0.5, 2.0, 1e20]], np.float32))}
    values = {"strings": (["x", "y", "z"], S), "int64s": ([10, 20, 30], I), "floats": ([0.5, 1.5, 2.5], F)}
    defaults = {"strings": {"default_string": "?"}, "int64s": {"default_int64": -5}, "floats": {"default_float": 0.125}}
    for version in (2, 4):
        for key, (keys, x) in kinds.items():
            for value, (mapped, kind) in values.items():
                attributes = {f"keys_{key}": keys, f"values_{value}": mapped}
                yield answered(f"label_{version}_{key}_{value}", "LabelEncoder", [x], [kind], version=version, **attributes, **defaults[value])
                yield answered(f"label_{version}_{key}_{value}_default", "LabelEncoder", [x], [kind], version=version, **attributes)
    # Tensors as lists, of every pair of types.
    tensors = [np.array([3, 5, -7], t) for t in (np.int64, np.int32, np.int16, np.float32, np.float64)] + [strings(["a", "b", "c"])]
    for keys in tensors:
        for mapped in tensors:
            x = keys[[2, 0, 0, 1]].reshape(2, 2)
            name = f"label_tensor_{np.dtype(keys.dtype).name}_{np.dtype(mapped.dtype).name}"
            attributes = {"keys_tensor": numpy_helper.from_array(keys), "values_tensor": numpy_helper.from_array(mapped)}
            yield written(name, "LabelEncoder", [x], [mapped[[2, 0, 0, 1]].reshape(2, 2)], **attributes)
            missing = strings(["q"]) if x.dtype == object else np.array([99], x.dtype)
            usual = strings(["_Unused"]) if mapped.dtype == object else np.array([-1 if mapped.dtype.kind == "i" else -0.0], mapped.dtype)
            yield written(f"{name}_missing", "LabelEncoder", [missing], [usual], **attributes)
            yield written(f"{name}_default", "LabelEncoder", [missing], [mapped[1:2]], default_tensor=numpy_helper.from_array(mapped[1:2]), **attributes)
    nan = float("nan")
    x = np.array([1, nan, 0.0, -0.0], np.float32)
    yield written("label_4_nan", "LabelEncoder", [x], [np.array([10, 20, 30, 30])], keys_floats=[1.0, nan, -0.0], values_int64s=[10, 20, 30])
    # Bit by bit, so that 0 and -0 are two keys.
    yield written("label_2_bits", "LabelEncoder", [x], [np.array([10, 20, -1, 30])], version=2, keys_floats=[1.0, nan, -0.0], values_int64s=[10, 20, 30])
    # The standard of opset 4 lets the last of equal keys win; before that onnxruntime's first one does.
    repeated = {"keys_int64s": [1, 1, 2], "values_strings": ["a", "b", "c"]}
    yield written("label_4_repeated", "LabelEncoder", [np.array([1, 2, 3])], [strings(["b", "c", "_Unused"])], **repeated)
    yield answered("label_2_repeated", "LabelEncoder", [np.array([1, 2, 3])], [S], version=2, **repeated)
    yield answered("label_empty", "LabelEncoder", [np.zeros((0, 2), np.int64)], [S], version=2, **repeated)
    categories = {"cats_int64s": [1, 7, -2, 7]}
    yield answered("one_hot_int64", "OneHotEncoder", [np.array([[1, 9], [7, -2]])], [F], **categories)
    yield answered("one_hot_float", "OneHotEncoder", [np.array([1.7, -2.9, nan, 1e30, 7.0], np.float32)], [F], **categories)
    yield answered("one_hot_double", "OneHotEncoder", [np.array([1.7, -2.9, -np.inf, 7.0])], [F], **categories)
    yield written("one_hot_int32", "OneHotEncoder", [np.array([1, 9, -2], np.int32)], [np.array([[1, 0, 0], [0, 0, 0], [0, 0, 1]], np.float32)], cats_int64s=[1, 7, -2])
    yield answered("one_hot_strings", "OneHotEncoder", [words], [F], cats_strings=["c", "b", "a"])
    yield answered("one_hot_present", "OneHotEncoder", [strings(["c", "b"])], [F], cats_strings=["c", "b", "a"], zeros=0)
    yield answered("one_hot_scalar", "OneHotEncoder", [np.array(7)], [F], cats_int64s=[1, 7])


def of_map(name, op, given, key, value, wanted, kind, **attributes):
    model = build(op, [map_info("x0", key, value)], [kind], 3, **attributes)
    return Case(name, model, {"x0": given}, {"y0": wanted}, rtol=1e-4)


def maps():
    f32 = np.float32
    yield of_map("cast_map", "CastMap", {3: f32(1.5), 1: f32(-2.5), 0: f32(7)}, I, F, np.array([[7, -2.5, 1.5]], np.float32), F)
    yield of_map("cast_map_int", "CastMap", {3: f32(1.5), 1: f32(-2.5)}, I, F, np.array([[-2, 1]]), I, cast_to="TO_INT64")
    yield of_map("cast_map_text", "CastMap", {3: f32(1.5), 1: f32(1e10)}, I, F, strings([["10000000000.000000", "1.500000"]]), S, cast_to="TO_STRING")
    yield of_map("cast_map_sparse", "CastMap", {3: f32(1.5), 1: f32(2.5), 9: f32(3)}, I, F, np.array([[0, 2.5, 0, 1.5, 0]], np.float32), F, map_form="SPARSE", max_map=5)
    yield of_map("cast_map_sparse_text", "CastMap", {2: f32(1.5)}, I, F, strings([["0.f", "0.f", "1.500000"]]), S, cast_to="TO_STRING", map_form="SPARSE", max_map=3)
    yield of_map("cast_map_parse", "CastMap", {3: "1.5", -1: " 7"}, I, S, np.array([[7, 1.5]], np.float32), F)
    yield of_map("cast_map_parse_int", "CastMap", {3: "15", 1: "-7.9"}, I, S, np.array([[-7, 15]]), I, cast_to="TO_INT64")
    yield of_map("cast_map_strings", "CastMap", {3: "x", 1: "yy"}, I, S, strings([["yy", "x"]]), S, cast_to="TO_STRING")
    words = {"string_vocabulary": ["b", "a", "c"]}
    numbers = {"int64_vocabulary": [5, 1, 5]}
    yield of_map("dict_string_float", "DictVectorizer", {"a": f32(1), "z": f32(2)}, S, F, np.array([[0, 1, 0]], np.float32), F, **words)
    yield of_map("dict_string_int64", "DictVectorizer", {"c": np.int64(4), "b": np.int64(3)}, S, I, np.array([[3, 0, 4]]), I, **words)
    yield of_map("dict_string_double", "DictVectorizer", {"c": np.float64(4)}, S, D, np.array([[0, 0, 4.0]]), D, **words)
    yield of_map("dict_int64_float", "DictVectorizer", {5: f32(1), 1: f32(2)}, I, F, np.array([[1, 2, 1]], np.float32), F, **numbers)
    yield of_map("dict_int64_double", "DictVectorizer", {1: np.float64(2)}, I, D, np.array([[0, 2.0, 0]]), D, **numbers)
    yield of_map("dict_int64_string", "DictVectorizer", {1: "q"}, I, S, strings([["", "q", ""]]), S, **numbers)
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    for key, attribute, labels in ((I, "classlabels_int64s", [7, -1, 3]), (S, "classlabels_strings", ["x", "b", "y"]), (I, "classlabels_int64s", [7, 3, 7])):
        wanted = [dict(zip(labels, row)) for row in x]
        suffix = f"{'strings' if key == S else 'int64s'}{'_repeated' if len(wanted[0]) < 3 else ''}"
        yield written(f"zip_map_{suffix}", "ZipMap", [x], [wanted], [maps_info("y0", key)], **{attribute: labels})
        yield written(f"zip_map_row_{suffix}", "ZipMap", [x[0]], [wanted[:1]], [maps_info("y0", key)], **{attribute: labels})
    yield from map_plumbing(x)


def map_plumbing(x):
    """A map as a graph's input, sequences of maps as its output, and out of a branch. Identity takes neither by its schema."""
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)]
    chain = helper.make_graph(
        [helper.make_node("DictVectorizer", ["x0"], ["v"], domain="ai.onnx.ml", string_vocabulary=["b", "c", "a"]), helper.make_node("ZipMap", ["v"], ["y0"], domain="ai.onnx.ml", classlabels_strings=["p", "q", "r"])],
        "chain", [map_info("x0", S, F)], [maps_info("y0", S)])
    given = {"a": np.float32(1), "b": np.float32(2)}
    yield Case("map_chain", helper.make_model(chain, opset_imports=opsets, ir_version=10), {"x0": given}, {"y0": [{"p": np.float32(2), "q": np.float32(0), "r": np.float32(1)}]})
    branch = lambda name, labels: helper.make_graph([helper.make_node("ZipMap", ["x0"], [name], domain="ai.onnx.ml", classlabels_int64s=labels)], name, [], [maps_info(name, I)])
    either = helper.make_graph(
        [helper.make_node("If", ["x1"], ["y0"], then_branch=branch("yes", [1, 2, 3]), else_branch=branch("no", [4, 5, 6]))],
        "either", [info_of("x0", x), info_of("x1", np.array(False))], [maps_info("y0", I)])
    wanted = [dict(zip([4, 5, 6], row)) for row in x]
    yield Case("map_if", helper.make_model(either, opset_imports=opsets, ir_version=10), {"x0": x, "x1": np.array(False)}, {"y0": wanted})


def cases():
    for family in (linear, svm, scaling, single_values, extraction, encoders, maps):
        yield from family()
