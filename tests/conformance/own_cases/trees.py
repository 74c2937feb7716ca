"""Tree ensembles of ai.onnx.ml: random trees in every mode, all post transforms and aggregates, missing values, labels.

Expected values come from onnxruntime where it has the operator's form, else from walking the listed trees in float64.
"""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from case import Case, one_node

ML = "ai.onnx.ml"
MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
POSTS = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"]
FEATURES = 5


class Trees:
    """Lists of the older operators' attributes, filled by random growth."""

    def __init__(self, seed, trees=4, depth=3, modes=("BRANCH_LEQ",), targets=1, per_leaf=1, integers=False, only=None, positive=False):
        self.rng = np.random.default_rng(seed)
        self.modes, self.targets, self.per_leaf, self.integers, self.only, self.positive = modes, targets, per_leaf, integers, only, positive
        self.lists = {name: [] for name in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids", "missing")}
        self.weights = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
        for tree in range(trees):
            self.next_id = 0
            self.grow(tree, depth)

    def add(self, tree, node, feature, mode, value, missing=0):
        for name, each in zip(self.lists, (tree, node, feature, mode, value, 0, 0, missing)):
            self.lists[name].append(each)
        return len(self.lists["treeids"]) - 1

    def grow(self, tree, depth):
        node, self.next_id = self.next_id, self.next_id + 1
        if depth == 0 or (depth < 3 and self.rng.random() < 0.2):
            self.add(tree, node, 0, "LEAF", 0.0)
            for target in self.rng.choice(self.targets, size=min(self.per_leaf, self.targets), replace=False):
                weight = float(np.float32(self.rng.random() if self.positive else self.rng.normal()))
                for name, each in zip(self.weights, (tree, node, int(target) if self.only is None else self.only, weight)):
                    self.weights[name].append(each)
            return node
        value = float(self.rng.integers(-3, 4)) if self.integers else float(np.float32(self.rng.normal()))
        place = self.add(tree, node, int(self.rng.integers(FEATURES)), str(self.rng.choice(self.modes)), value, int(self.rng.integers(2)))
        self.lists["truenodeids"][place] = self.grow(tree, depth - 1)
        self.lists["falsenodeids"][place] = self.grow(tree, depth - 1)
        return node

    def attributes(self, prefix, missing=False, as_tensor=None):
        result = {"nodes_" + name: each for name, each in self.lists.items() if name not in ("missing", "values")}
        result |= {f"{prefix}_{name}": each for name, each in self.weights.items() if name != "weights"}
        if missing:
            result["nodes_missing_value_tracks_true"] = self.lists["missing"]
        if as_tensor is None:
            return result | {"nodes_values": self.lists["values"], prefix + "_weights": self.weights["weights"]}
        result["nodes_values_as_tensor"] = numpy_helper.from_array(np.array(self.lists["values"], as_tensor))
        result[prefix + "_weights_as_tensor"] = numpy_helper.from_array(np.array(self.weights["weights"], as_tensor))
        return result


def inputs(seed, rows, dtype=np.float32, integers=False, missing=False):
    rng = np.random.default_rng(seed + 1000)
    x = rng.integers(-3, 4, (rows, FEATURES)).astype(dtype) if integers else rng.normal(size=(rows, FEATURES)).astype(dtype)
    if missing:
        x[rng.random(x.shape) < 0.3] = np.nan
    return x


def by_onnxruntime(name, node, x, outputs, version, **tolerance):
    def model_for(each):
        made = one_node(node, {"X": each}, {key: np.zeros((1,), kind) for key, kind in outputs.items()}, 21, {ML: version})
        for value in list(made.graph.output) + list(made.graph.input):
            value.type.tensor_type.ClearField("shape")
        return made

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    model = model_for(x)
    # onnxruntime's regressor takes no integers; the standard's does, and they are compared as floats.
    fed = x.astype(np.float32) if node.op_type == "TreeEnsembleRegressor" and x.dtype.kind == "i" else x
    session = onnxruntime.InferenceSession(model_for(fed).SerializeToString(), options, providers=["CPUExecutionProvider"])
    got = session.run(None, {"X": fed})
    return Case(name, model, {"X": x}, dict(zip(outputs, got)), **{"rtol": 1e-4, "atol": 1e-5, **tolerance})


def regressor(name, seed, rows=11, version=3, x_type=np.float32, missing=False, as_tensor=None, trees=None, base=None, **attributes):
    grown = Trees(seed, **(trees or {}))
    extra = dict(attributes)
    if base is not None:
        extra["base_values"] = base
    node = helper.make_node(
        "TreeEnsembleRegressor", ["X"], ["Y"], domain=ML, n_targets=grown.targets, **grown.attributes("target", missing, as_tensor), **extra
    )
    return by_onnxruntime(name, node, inputs(seed, rows, x_type, grown.integers, missing), {"Y": np.float32}, version)


def classifier(name, seed, classes, rows=11, version=3, x_type=np.float32, strings=False, missing=False, as_tensor=None, trees=None, base=None, **attributes):
    grown = Trees(seed, targets=classes, **(trees or {}))
    extra = dict(attributes)
    if base is not None:
        extra["base_values"] = base
    if strings:
        extra["classlabels_strings"] = [f"label {i}" for i in range(classes)]
    else:
        # Where leaves name both of two classes, onnxruntime gives 1 and 0 whatever the labels are; the standard wants the labels, so these two it is.
        extra["classlabels_int64s"] = [0, 1] if classes == 2 and grown.only is None else [10 * i + 3 for i in range(classes)]
    node = helper.make_node("TreeEnsembleClassifier", ["X"], ["Y", "Z"], domain=ML, **grown.attributes("class", missing, as_tensor), **extra)
    x = inputs(seed, rows, x_type, grown.integers, missing)
    return by_onnxruntime(name, node, x, {"Y": object if strings else np.int64, "Z": np.float32}, version)


def placed(name, seed, targets=1, rows=9, kind=np.float32, aggregate=1, post=0, members=False, missing=False, trees=5, depth=3):
    """TreeEnsemble of version 5, expected values from a plain walk in float64."""
    rng = np.random.default_rng(seed)
    nodes, leaves, sets, roots = [], [], [], []

    def grow(level):
        if level == 0 or (level < depth and rng.random() < 0.2):
            leaves.append((int(rng.integers(targets)), float(np.float16(rng.normal()))))
            return len(leaves) - 1, 1
        place = len(nodes)
        mode = int(rng.integers(7 if members else 6))
        nodes.append(None)
        if mode == 6:
            sets.append((place, [float(v) for v in rng.choice(np.arange(-3, 40), size=4, replace=False)]))
        branches = [grow(level - 1), grow(level - 1)]
        nodes[place] = (mode, int(rng.integers(FEATURES)), float(rng.integers(-3, 4)), int(rng.integers(2)), *branches)
        return place, 0

    for _ in range(trees):
        roots.append(grow(depth)[0])
    sets.sort()
    member_of = {place: values for place, values in sets}
    x = inputs(seed, rows, kind, True, missing)

    def holds(node, place, value):
        mode, _, split, missing_true, _, _ = node
        if missing and missing_true and np.isnan(value):
            return True
        if mode == 6:
            return value in member_of[place]
        return bool([value <= split, value < split, value >= split, value > split, value == split, value != split][mode])

    y = np.zeros((rows, targets))
    for r in range(rows):
        given = {}
        for root in roots:
            place, leaf = root, 0
            while not leaf:
                node = nodes[place]
                place, leaf = node[4] if holds(node, place, float(x[r, node[1]])) else node[5]
            given.setdefault(leaves[place][0], []).append(leaves[place][1])
        for target, values in given.items():
            y[r, target] = [sum(values) / trees, sum(values), min(values), max(values)][aggregate]
        if post == 1:
            y[r] = np.exp(y[r] - y[r].max()) / np.exp(y[r] - y[r].max()).sum()
        elif post == 2:
            y[r] = 1 / (1 + np.exp(-y[r]))
    table = list(zip(*nodes))
    extra = {"nodes_missing_value_tracks_true": list(table[3])} if missing else {}
    if sets:
        extra["membership_values"] = numpy_helper.from_array(np.array([v for _, values in sets for v in [*values, np.nan]], kind))
    node = helper.make_node(
        "TreeEnsemble", ["X"], ["Y"], domain=ML, n_targets=targets, aggregate_function=aggregate, post_transform=post,
        tree_roots=roots, nodes_featureids=list(table[1]), nodes_modes=numpy_helper.from_array(np.array(table[0], np.uint8)),
        nodes_splits=numpy_helper.from_array(np.array(table[2], kind)), nodes_truenodeids=[b[0] for b in table[4]], nodes_trueleafs=[b[1] for b in table[4]],
        nodes_falsenodeids=[b[0] for b in table[5]], nodes_falseleafs=[b[1] for b in table[5]], leaf_targetids=[leaf[0] for leaf in leaves],
        leaf_weights=numpy_helper.from_array(np.array([leaf[1] for leaf in leaves], kind)), **extra,
    )  # fmt: skip
    tolerance = {"rtol": 4e-3, "atol": 2e-3} if kind == np.float16 else {"rtol": 1e-4, "atol": 1e-5}
    return Case(name, one_node(node, {"X": x}, {"Y": y.astype(kind)}, 21, {ML: 5}), {"X": x}, {"Y": y.astype(kind)}, **tolerance)


def regressor_cases():
    for i, mode in enumerate(MODES):
        whole = mode in ("BRANCH_EQ", "BRANCH_NEQ")
        yield regressor(f"regressor_{mode.lower()}", 10 + i, trees={"modes": (mode,), "integers": True})
        yield regressor(f"regressor_{mode.lower()}_missing", 20 + i, missing=True, trees={"modes": (mode,), "integers": whole})
    yield regressor("regressor_mixed_modes_missing", 30, rows=40, missing=True, trees={"modes": MODES, "integers": True, "trees": 9, "depth": 5})
    for i, aggregate in enumerate(["SUM", "AVERAGE", "MIN", "MAX"]):
        yield regressor(f"regressor_{aggregate.lower()}", 40 + i, aggregate_function=aggregate, base=[0.75])
        yield regressor(f"regressor_{aggregate.lower()}_three_targets", 50 + i, aggregate_function=aggregate, trees={"targets": 3, "per_leaf": 2}, base=[0.5, -1.0, 2.0])
        yield regressor(f"regressor_{aggregate.lower()}_sparse_targets", 56 + i, aggregate_function=aggregate, trees={"targets": 6, "trees": 2})
        yield regressor(f"regressor_{aggregate.lower()}_sparse_targets_base", 56 + i, aggregate_function=aggregate, trees={"targets": 6, "trees": 2}, base=[1.0, 2.0, 3.0, -1.0, -2.0, -3.0])
    for i, post in enumerate(POSTS[:4]):
        yield regressor(f"regressor_post_{post.lower()}", 60 + i, post_transform=post, trees={"targets": 3, "per_leaf": 3})
        yield regressor(f"regressor_post_{post.lower()}_one_target", 70 + i, post_transform=post)
    yield regressor("regressor_post_probit_one_target", 75, post_transform="PROBIT", trees={"positive": True, "trees": 1})
    for rows in (1, 7, 8, 9, 300):
        yield regressor(f"regressor_rows_{rows}", 80, rows=rows, trees={"trees": 19, "depth": 4})
        yield regressor(f"regressor_rows_{rows}_less", 81, rows=rows, trees={"trees": 19, "depth": 4, "modes": ("BRANCH_LT", "BRANCH_GTE")})
    yield regressor("regressor_rows_300_missing", 82, rows=300, missing=True, trees={"trees": 19, "depth": 4})
    yield regressor("regressor_rows_1_less_missing", 83, rows=1, missing=True, trees={"trees": 19, "depth": 4, "modes": ("BRANCH_LT",)})
    yield regressor("regressor_double", 84, x_type=np.float64, as_tensor=np.float64)
    yield regressor("regressor_int64", 85, x_type=np.int64, trees={"integers": True})
    yield regressor("regressor_int32_version_1", 86, x_type=np.int32, version=1, trees={"integers": True})
    yield regressor("regressor_float_tensor", 87, as_tensor=np.float32)
    yield regressor("regressor_leaf_only", 88, trees={"depth": 0})


def classifier_cases():
    for i, post in enumerate(POSTS):
        weights = {"positive": True} if post == "PROBIT" else {}
        yield classifier(f"classifier_post_{post.lower()}", 100 + i, 4, post_transform=post, trees={"per_leaf": 4, "trees": 1 if post == "PROBIT" else 4, **weights})
        yield classifier(f"classifier_two_classes_post_{post.lower()}", 110 + i, 2, post_transform=post, trees={"per_leaf": 2, "trees": 1 if post == "PROBIT" else 4, **weights})
        if post == "PROBIT":
            continue
        for only in (0, 1):
            for positive in (False, True):
                sign = "positive" if positive else "mixed"
                for base in ((), (0.25,), (0.25, -0.5)):
                    name = f"classifier_binary_{post.lower()}_class_{only}_{sign}_base_{len(base)}"
                    yield classifier(name, 120 + i, 2, post_transform=post, base=list(base) or None, trees={"only": only, "positive": positive, "trees": 3})
    yield classifier("classifier_two_classes_base", 140, 2, base=[0.25, 0.75], trees={"per_leaf": 2})
    yield classifier("classifier_two_classes_sparse", 141, 2, trees={"trees": 2})
    yield classifier("classifier_one_label", 151, 1, base=[0.125])
    yield classifier("classifier_one_label_logistic", 152, 1, post_transform="LOGISTIC")
    yield classifier("classifier_two_classes_strings", 153, 2, strings=True, trees={"per_leaf": 2})
    yield classifier("classifier_base", 142, 3, base=[0.1, 0.2, -0.3], trees={"per_leaf": 1, "trees": 2})
    yield classifier("classifier_sparse", 143, 7, trees={"trees": 2})
    yield classifier("classifier_strings", 144, 3, strings=True, trees={"per_leaf": 3})
    yield classifier("classifier_binary_strings", 145, 2, strings=True, trees={"only": 1})
    yield classifier("classifier_double", 146, 3, x_type=np.float64, as_tensor=np.float64, trees={"per_leaf": 3})
    yield classifier("classifier_int64", 147, 3, x_type=np.int64, trees={"per_leaf": 3, "integers": True})
    yield classifier("classifier_int32_version_1", 148, 3, version=1, x_type=np.int32, trees={"per_leaf": 3, "integers": True})
    yield classifier("classifier_missing", 149, 3, rows=60, missing=True, trees={"per_leaf": 3, "trees": 12})
    yield classifier("classifier_one_row", 150, 3, rows=1, trees={"per_leaf": 3, "trees": 12})


def placed_cases():
    for i, kind in enumerate((np.float32, np.float64, np.float16)):
        yield placed(f"ensemble_{np.dtype(kind).name}", 200 + i, kind=kind)
        yield placed(f"ensemble_{np.dtype(kind).name}_members_missing", 210 + i, kind=kind, targets=3, members=True, missing=True, rows=20)
    for aggregate, name in enumerate(("average", "sum", "min", "max")):
        yield placed(f"ensemble_{name}", 220 + aggregate, targets=2, aggregate=aggregate)
    yield placed("ensemble_softmax", 230, targets=4, post=1, members=True)
    yield placed("ensemble_logistic", 231, targets=4, post=2, members=True)


def cases():
    yield from regressor_cases()
    yield from classifier_cases()
    yield from placed_cases()
