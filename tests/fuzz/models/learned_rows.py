"""Ways to make one node more: operators of classical learning. Each takes a GraphMaker."""

import numpy
from onnx import numpy_helper

HERE = {"domain": "ai.onnx.ml"}
NUMBERS = ("float32", "float32", "int64", "float64", "int32")


def table(maker, kinds=NUMBERS, exact=False):
    return maker.pick(kinds, rank=2, exact=exact, fits=lambda value: value.array.size > 0)


def floats(maker, *shape):
    return [float(each) for each in maker.array("float32", shape).reshape(-1)]


def scaled(maker):
    one = table(maker)
    if one is None:
        return None
    count = maker.one_of((1, one.shape[1]))
    return maker.node("Scaler", [one], exact=False, offset=floats(maker, count), scale=floats(maker, count), **HERE)


def normalised(maker):
    one = table(maker)
    if one is None or numpy.abs(one.array).sum(axis=-1).min() < 0.1:
        return None  # what is next to nothing is rounding, and would be made as large as all else
    return maker.node("Normalizer", [one], exact=False, norm=maker.one_of(("MAX", "L1", "L2")), **HERE)


def cut(maker):
    one = table(maker, ("float32", "int64", "float64"), exact=True)
    return one and maker.node("Binarizer", [one], threshold=maker.one_of((0.0, 0.5)), **HERE)


def filled(maker):
    one = maker.fresh("float32", (maker.size() or 1, 3))
    if maker.chance(0.5):
        values = one.array.copy()
        values[maker.random.random(values.shape) < 0.3] = numpy.nan
        one = maker.add(values)
        return maker.node("Imputer", [one], imputed_value_floats=floats(maker, maker.one_of((1, 3))), replaced_value_float=float("nan"), **HERE)
    other = maker.fresh("int64", (2, 3))
    return maker.node("Imputer", [other], imputed_value_int64s=[7], replaced_value_int64=int(maker.random.integers(-2, 3)), **HERE)


def picked(maker):
    one = maker.pick(("float32", "int64", "float64", "int32"), rank=(1, 2), fits=lambda value: value.array.size > 0)
    return one and maker.node("ArrayFeatureExtractor", [one, maker.constant(maker.random.integers(0, one.shape[-1], int(maker.random.integers(1, 4))), "int64")], **HERE)


def hot(maker):
    one = maker.pick(("int64", "float32"), rank=(1, 2), exact=True)
    return one and maker.node("OneHotEncoder", [one], cats_int64s=[int(each) for each in maker.random.permutation(6)[:4]], zeros=1, **HERE)


def labelled(maker):
    one = maker.pick(("int64",), rank=(1, 3), exact=True)
    return one and maker.node("LabelEncoder", [one], exact=None, keys_int64s=[0, 1, 2, 5], **maker.one_of(({"values_int64s": [3, 1, 4, 1], "default_int64": -2}, {"values_floats": [0.5, 1.5, -2.0, 0.0], "default_float": 9.0})), **HERE)


def joined(maker):
    parts = [maker.fresh("float32", (3, int(maker.random.integers(1, 4)))) for _ in range(int(maker.random.integers(1, 4)))]
    return maker.node("FeatureVectorizer", parts, exact=False, inputdimensions=[part.shape[1] for part in parts], **HERE)


def linear_regression(maker):
    one = table(maker, ("float32",))
    if one is None:
        return None
    targets = int(maker.random.integers(1, 4))
    return maker.node("LinearRegressor", [one], exact=False, coefficients=floats(maker, targets, one.shape[1]), intercepts=floats(maker, targets) if maker.chance(0.6) else None, targets=targets,
                      post_transform=maker.one_of(("NONE", "NONE", "LOGISTIC", "SOFTMAX")), **HERE)


def linear_classification(maker):
    one = table(maker, ("float32", "int64", "float64"), exact=True)
    if one is None:
        return None
    classes = int(maker.random.integers(2, 5))
    return maker.node("LinearClassifier", [one], outputs=2, exact=False, coefficients=floats(maker, classes, one.shape[1]), intercepts=floats(maker, classes), classlabels_ints=list(range(classes)),
                      post_transform=maker.one_of(("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")), multi_class=int(maker.chance(0.5)), **HERE)


def support_vectors(maker):
    one = table(maker, ("float32",))
    if one is None:
        return None
    count = int(maker.random.integers(1, 5))
    kernel, params = maker.one_of((("LINEAR", [0.0, 0.0, 0.0]), ("RBF", [0.3, 0.0, 0.0]), ("POLY", [0.2, 1.0, 2.0]), ("SIGMOID", [0.1, 0.2, 0.0])))
    return maker.node("SVMRegressor", [one], exact=False, kernel_type=kernel, kernel_params=params, n_supports=count, support_vectors=floats(maker, count, one.shape[1]), coefficients=floats(maker, count), rho=floats(maker, 1), **HERE)


def support_vector_classes(maker):
    one = table(maker, ("float32", "int64"), exact=True)
    if one is None:
        return None
    classes = int(maker.random.integers(2, 4))
    counts = [int(maker.random.integers(1, 4)) for _ in range(classes)]
    pairs = classes * (classes - 1) // 2
    kernel, params = maker.one_of((("LINEAR", [0.0, 0.0, 0.0]), ("RBF", [0.3, 0.0, 0.0]), ("POLY", [0.2, 1.0, 2.0])))
    probable = {"prob_a": floats(maker, pairs), "prob_b": floats(maker, pairs)} if maker.chance(0.4) else {}
    return maker.node("SVMClassifier", [one], outputs=2, exact=False, kernel_type=kernel, kernel_params=params, vectors_per_class=counts, support_vectors=floats(maker, sum(counts), one.shape[1]), coefficients=floats(maker, classes - 1, sum(counts)),
                      rho=floats(maker, pairs), classlabels_ints=list(range(classes)), post_transform=maker.one_of(("NONE", "LOGISTIC", "SOFTMAX")), **probable, **HERE)


class Forest:
    """Trees as the lists of attributes that the operators take."""

    def __init__(self, maker, features, targets, trees, modes):
        self.nodes = {name: [] for name in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "hitrates", "missing_value_tracks_true")}
        self.leaves = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
        for tree in range(trees):
            self.size = 0
            self.grow(maker, tree, features, targets, modes, int(maker.random.integers(0, 4)))

    def add(self, **values):
        for name, value in values.items():
            self.nodes[name].append(value)

    def grow(self, maker, tree, features, targets, modes, depth):
        own = self.size
        self.size += 1
        place = len(self.nodes["nodeids"])
        is_leaf = depth == 0 or maker.chance(0.2)
        self.add(treeids=tree, nodeids=own, featureids=0 if is_leaf else int(maker.random.integers(features)), values=0.0 if is_leaf else float(maker.random.integers(-4, 5)) / 2, modes="LEAF" if is_leaf else maker.one_of(modes),
                 truenodeids=0, falsenodeids=0, hitrates=1.0, missing_value_tracks_true=int(maker.chance(0.3)))
        if is_leaf:
            for target in range(targets) if maker.chance(0.4) else [int(maker.random.integers(targets))]:
                for name, value in (("treeids", tree), ("nodeids", own), ("ids", target), ("weights", float(maker.random.integers(-8, 9)) / 4)):
                    self.leaves[name].append(value)
            return own
        self.nodes["truenodeids"][place] = self.grow(maker, tree, features, targets, modes, depth - 1)
        self.nodes["falsenodeids"][place] = self.grow(maker, tree, features, targets, modes, depth - 1)
        return own


def trees(maker):
    one = table(maker, ("float32", "float64", "int64"), exact=True)
    if one is None:
        return None
    targets = int(maker.random.integers(1, 4))
    modes = maker.one_of((("BRANCH_LEQ",), ("BRANCH_LT",), ("BRANCH_GTE",), ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")))
    classifies = maker.chance(0.5)
    if maker.opsets["ai.onnx.ml"] >= 5:
        return newer_trees(maker, one, targets)
    forest = Forest(maker, one.shape[1], max(2, targets) if classifies else targets, maker.one_of((1, 2, 5, 20)), modes)
    nodes = {f"nodes_{name}": values for name, values in forest.nodes.items()}
    transform = maker.one_of(("NONE", "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"))
    if classifies:
        leaves = {f"class_{name}": values for name, values in forest.leaves.items()}
        return maker.node("TreeEnsembleClassifier", [one], outputs=2, exact=False, post_transform=transform, classlabels_int64s=list(range(max(2, targets))), base_values=floats(maker, max(2, targets)) if maker.chance(0.4) else None,
                          **nodes, **leaves, **HERE)
    leaves = {f"target_{name}": values for name, values in forest.leaves.items()}
    return maker.node("TreeEnsembleRegressor", [one], exact=False, post_transform=transform, n_targets=targets, aggregate_function=maker.one_of(("SUM", "AVERAGE", "MIN", "MAX")), base_values=floats(maker, targets) if maker.chance(0.4) else None,
                      **nodes, **leaves, **HERE)


def newer_trees(maker, one, targets):
    """TreeEnsemble: roots, branches and leaves in lists of their own. No SOFTMAX (1) and no LOGISTIC (2): onnxruntime takes each for the other."""
    if one.kind not in ("float32", "float64"):
        return None
    roots, nodes, leaves = [], [], []

    def grow(depth):
        """(place, whether it is a leaf)."""
        if depth == 0:
            leaves.append((int(maker.random.integers(targets)), float(maker.random.integers(-8, 9)) / 4))
            return len(leaves) - 1, 1
        place = len(nodes)
        nodes.append(None)
        split = int(maker.random.integers(one.shape[1])), int(maker.random.integers(0, 6)), float(maker.random.integers(-4, 5)) / 2
        nodes[place] = (*split, grow(int(maker.random.integers(0, depth))), grow(int(maker.random.integers(0, depth))))
        return place, 0

    for _ in range(maker.one_of((1, 2, 7))):
        roots.append(grow(int(maker.random.integers(1, 4)))[0])
    kind = numpy.dtype(one.kind)
    return maker.node("TreeEnsemble", [one], exact=False, n_targets=targets, aggregate_function=maker.one_of((0, 1, 2, 3)), post_transform=maker.one_of((0, 0, 3)), tree_roots=roots, nodes_featureids=[node[0] for node in nodes],
                      nodes_modes=numpy_helper.from_array(numpy.array([node[1] for node in nodes], numpy.uint8)), nodes_splits=numpy_helper.from_array(numpy.array([node[2] for node in nodes], kind)),
                      nodes_truenodeids=[node[3][0] for node in nodes], nodes_trueleafs=[node[3][1] for node in nodes], nodes_falsenodeids=[node[4][0] for node in nodes], nodes_falseleafs=[node[4][1] for node in nodes],
                      leaf_targetids=[leaf[0] for leaf in leaves], leaf_weights=numpy_helper.from_array(numpy.array([leaf[1] for leaf in leaves], kind)), **HERE)


ROWS = (scaled, normalised, cut, filled, picked, hot, labelled, joined, linear_regression, linear_classification, support_vectors, support_vector_classes, trees, trees, trees)
