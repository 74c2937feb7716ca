"""What models are made of besides nodes: sparse values, functions, several opsets, bodies in bodies, sequences and optionals at the border."""

import numpy as np
from case import Case, info_of
from onnx import AttributeProto, TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
X = np.float32([[1, -2, 3], [4, 5, -6]])
node = helper.make_node


def value(name, kind=FLOAT, shape=()):
    return helper.make_tensor_value_info(name, kind, shape)


def case_of(name, nodes, inputs, outputs, opsets=None, functions=(), initializers=None, sparse=(), infos=None):
    """infos: ValueInfoProtos by name, where the value itself does not tell."""
    infos = infos or {}

    def described(values):
        return [infos.get(each) or info_of(each, held) for each, held in values.items()]

    graph = helper.make_graph(
        nodes,
        name,
        described(inputs),
        described(outputs),
        [numpy_helper.from_array(held, each) for each, held in (initializers or {}).items()],
        sparse_initializer=list(sparse),
    )
    imports = [helper.make_opsetid(domain, version) for domain, version in (opsets or {"": 21}).items()]
    return Case(name, helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10), inputs, outputs)


# ---- sparse values


def sparse_of(values, indices, dims, name=""):
    held = numpy_helper.from_array(values, name) if not isinstance(values, TensorProto) else values
    return helper.make_sparse_tensor(held, numpy_helper.from_array(np.array(indices, dtype=np.int64)), dims)


def sparse():
    dense = np.float32([[0, 0, 7], [5, 0, 0]])
    for tag, indices in (("linear", [2, 3]), ("coordinates", [[0, 2], [1, 0]])):
        sparse_value = sparse_of(np.float32([7, 5]), indices, [2, 3], "w")
        yield case_of(f"sparse_initializer_{tag}", [node("Add", ["x", "w"], ["y"])], {"x": X}, {"y": X + dense}, sparse=[sparse_value])
        held = sparse_of(np.float32([7, 5]), indices, [2, 3])
        yield case_of(f"sparse_constant_{tag}", [node("Constant", [], ["w"], sparse_value=held), node("Add", ["x", "w"], ["y"])], {"x": X}, {"y": X + dense}, {"": 13})
    empty = sparse_of(np.zeros(0, np.float32), np.zeros(0), [2, 3], "w")
    yield case_of("sparse_initializer_empty", [node("Add", ["x", "w"], ["y"])], {"x": X}, {"y": X}, sparse=[empty])
    plain = {"int64": np.int64([3, -4]), "int8": np.int8([3, -4]), "double": np.float64([3, -4]), "bool": np.array([True, True]), "float16": np.float16([3, -4]), "complex64": np.complex64([3, 4j])}
    for name, values in plain.items():
        full = np.zeros(4, values.dtype)
        full[[1, 3]] = values
        yield case_of(f"sparse_{name}", [node("Constant", [], ["w"], sparse_value=sparse_of(values, [1, 3], [4])), node("Identity", ["w"], ["y"])], {}, {"y": full})
    nibbles = helper.make_tensor("", TensorProto.INT4, [2], [3, -4])
    full = helper.make_tensor("y", TensorProto.INT4, [4], [0, 3, 0, -4])
    yield case_of("sparse_int4", [node("Constant", [], ["w"], sparse_value=sparse_of(nibbles, [1, 3], [4])), node("Identity", ["w"], ["y"])], {}, {"y": full})


# ---- functions


def function(name, inputs, outputs, nodes, opsets=None, attributes=(), defaults=(), overload=""):
    imports = [helper.make_opsetid(domain, version) for domain, version in (opsets or {"": 21}).items()]
    made = helper.make_function("own", name, inputs, outputs, nodes, imports, attributes=list(attributes), attribute_protos=list(defaults))
    made.overload = overload
    return made


def referring(made, attribute, source, kind):
    """The node with an attribute that takes its value from the function's."""
    held = made.attribute.add()
    held.name, held.ref_attr_name, held.type = attribute, source, kind
    return made


def functions():
    kinds = AttributeProto
    double = function("Double", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])])
    own = {"": 21, "own": 1}
    yield case_of("function_plain", [node("Double", ["x"], ["y"], domain="own")], {"x": X}, {"y": 2 * X}, own, [double])
    four = function("Four", ["a"], ["c"], [node("Double", ["a"], ["b"], domain="own"), node("Double", ["b"], ["c"], domain="own")], own)
    eight = function("Eight", ["a"], ["c"], [node("Four", ["a"], ["b"], domain="own"), node("Double", ["b"], ["c"], domain="own")], own)
    yield case_of("function_nested", [node("Eight", ["x"], ["y"], domain="own")], {"x": X}, {"y": 8 * X}, own, [eight, four, double])
    yield case_of("function_twice", [node("Four", ["x"], ["t"], domain="own"), node("Four", ["t"], ["y"], domain="own")], {"x": X}, {"y": 16 * X}, own, [double, four])

    leaky = referring(node("LeakyRelu", ["a"], ["b"]), "alpha", "slope", kinds.FLOAT)
    sloped = function("Sloped", ["a"], ["b"], [leaky], attributes=["slope"])
    yield case_of("function_attribute", [node("Sloped", ["x"], ["y"], domain="own", slope=0.5)], {"x": X}, {"y": np.where(X < 0, X / 2, X)}, own, [sloped])
    # an attribute that is not given leaves the operator's own default
    yield case_of("function_attribute_absent", [node("Sloped", ["x"], ["y"], domain="own")], {"x": X}, {"y": np.where(X < 0, X * np.float32(0.01), X)}, own, [sloped])
    defaulted = function("Sloped", ["a"], ["b"], [leaky], defaults=[helper.make_attribute("slope", 0.25)])
    yield case_of("function_default", [node("Sloped", ["x"], ["y"], domain="own")], {"x": X}, {"y": np.where(X < 0, X / 4, X)}, own, [defaulted])
    yield case_of("function_default_given", [node("Sloped", ["x"], ["y"], domain="own", slope=0.5)], {"x": X}, {"y": np.where(X < 0, X / 2, X)}, own, [defaulted])
    inner = referring(node("Sloped", ["a"], ["b"], domain="own"), "slope", "steep", kinds.FLOAT)
    outer = function("Outer", ["a"], ["b"], [inner], own, defaults=[helper.make_attribute("steep", 2.0)])
    yield case_of("function_attribute_passed_on", [node("Outer", ["x"], ["y"], domain="own")], {"x": X}, {"y": np.where(X < 0, X * 2, X)}, own, [outer, defaulted])
    constant = referring(node("Constant", [], ["k"]), "value_float", "by", kinds.FLOAT)
    scaled = function("Scaled", ["a"], ["b"], [constant, node("Mul", ["a", "k"], ["b"])], attributes=["by"])
    yield case_of("function_attribute_constant", [node("Scaled", ["x"], ["t"], domain="own", by=3.0), node("Scaled", ["t"], ["y"], domain="own", by=0.5)], {"x": X}, {"y": X * 3 / 2}, own, [scaled])

    add = function("Pick", ["a"], ["b"], [node("Neg", ["a"], ["b"])], overload="negative")
    absolute = function("Pick", ["a"], ["b"], [node("Abs", ["a"], ["b"])], overload="positive")
    call = [node("Pick", ["x"], ["t"], domain="own", overload="negative"), node("Pick", ["t"], ["y"], domain="own", overload="positive")]
    yield case_of("function_overloads", call, {"x": X}, {"y": np.abs(X)}, own, [add, absolute])

    old = function("SumRows", ["a"], ["b"], [node("ReduceSum", ["a"], ["t"], axes=[1], keepdims=1), node("Squeeze", ["t"], ["b"], axes=[1])], {"": 11})
    axes = [node("SumRows", ["x"], ["t"], domain="own"), node("ReduceSum", ["t", "axes"], ["y"], keepdims=0)]
    yield case_of("function_other_opset", axes, {"x": X, "axes": np.array([0])}, {"y": np.float32(X.sum())}, own, [old])
    body = function("Choice", ["c", "a"], ["b"], [
        node("Neg", ["a"], ["n"]),
        node("If", ["c"], ["b"], then_branch=helper.make_graph([node("Add", ["a", "n"], ["p"])], "t", [], [value("p", shape=None)]), else_branch=helper.make_graph([referring(node("LeakyRelu", ["n"], ["q"]), "alpha", "slope", kinds.FLOAT)], "e", [], [value("q", shape=None)])),
    ], attributes=["slope"])
    for chosen in (True, False):
        y = X * 0 if chosen else np.where(X > 0, -X / 2, -X)
        yield case_of(f"function_body_{'then' if chosen else 'else'}", [node("Choice", ["c", "x"], ["y"], domain="own", slope=0.5)], {"c": np.array(chosen), "x": X}, {"y": y}, own, [body])
    optional = function("Clamp", ["a", "low", "high"], ["b"], [node("Clip", ["a", "low", "high"], ["b"])])
    yield case_of("function_input_absent", [node("Clamp", ["x", "", "h"], ["y"], domain="own")], {"x": X, "h": np.float32(2)}, {"y": np.minimum(X, 2)}, own, [optional])
    two = function("Both", ["a"], ["n", "p"], [node("Neg", ["a"], ["n"]), node("Abs", ["a"], ["p"])])
    yield case_of("function_output_absent", [node("Both", ["x"], ["", "y"], domain="own")], {"x": X}, {"y": np.abs(X)}, own, [two])
    through = function("Through", ["a"], ["a"], [])
    yield case_of("function_through", [node("Through", ["x"], ["t"], domain="own"), node("Neg", ["t"], ["y"])], {"x": X}, {"y": -X}, own, [through])


# ---- several opsets


def opsets():
    both = [node("Binarizer", ["x"], ["t"], domain="ai.onnx.ml", threshold=0.0), node("Neg", ["t"], ["y"])]
    yield case_of("opsets_ml", both, {"x": X}, {"y": -(X > 0).astype(np.float32)}, {"": 21, "ai.onnx.ml": 3})
    yield case_of("opsets_unused", [node("Neg", ["x"], ["y"])], {"x": X}, {"y": -X}, {"": 21, "ai.onnx.ml": 3, "nobody.knows": 1})
    yield case_of("opsets_long_name", [node("Neg", ["x"], ["y"], domain="ai.onnx")], {"x": X}, {"y": -X}, {"ai.onnx": 21})
    yield case_of("opsets_long_name_mixed", [node("Neg", ["x"], ["t"], domain="ai.onnx"), node("Abs", ["t"], ["y"])], {"x": X}, {"y": np.abs(X)}, {"": 21})


# ---- bodies


def bodies():
    """Values of outer graphs seen from inner ones, two levels down."""
    inner = helper.make_graph([node("Add", ["sum", "x"], ["grown"]), node("Mul", ["grown", "factor"], ["next"])], "inner", [], [value("next", shape=[3])])
    rest = helper.make_graph([node("Identity", ["sum"], ["same"])], "rest", [], [value("same", shape=[3])])
    body = helper.make_graph(
        [node("Constant", [], ["one"], value_int=1), node("Less", ["i", "one"], ["first"]), node("If", ["first"], ["after"], then_branch=inner, else_branch=rest), node("Identity", ["c"], ["d"])],
        "body",
        [value("i", INT64), value("c", BOOL), value("sum", shape=[3])],
        [value("d", BOOL), value("after", shape=[3])],
    )
    x, factor = np.float32([1, 2, 3]), np.float32(2)
    inputs = {"m": np.int64(3), "start": np.float32([1, 1, 1]), "x": x, "factor": factor}
    yield case_of("body_two_levels", [node("Loop", ["m", "", "start"], ["y"], body=body)], inputs, {"y": (1 + x) * 2})
    yield case_of("body_of_initializer", [node("Loop", ["m", "", "start"], ["y"], body=body)], {"m": np.int64(1), "x": x}, {"y": (1 + x) * 2}, initializers={"start": np.float32([1, 1, 1]), "factor": factor})

    scanned = helper.make_graph([node("Mul", ["row", "weights"], ["t"]), node("ReduceSum", ["t"], ["s"], keepdims=0), node("Add", ["total", "s"], ["more"]), node("Identity", ["t"], ["out"])], "scanned", [value("total"), value("row", shape=[3])], [value("more"), value("out", shape=[3])])
    weights = np.float32([1, 10, 100])
    inputs = {"zero": np.float32(0), "x": X, "w": weights}
    outputs = {"end": np.float32((X * weights).sum()), "rows": X * weights}
    yield case_of("body_scan_captures", [node("Identity", ["w"], ["weights"]), node("Scan", ["zero", "x"], ["end", "rows"], body=scanned, num_scan_inputs=1)], inputs, outputs)

    # two scan inputs, one read backwards along its last axis, the output written backwards
    pair = helper.make_graph([node("Sub", ["a", "b"], ["o"])], "pair", [value("a", shape=[2]), value("b", shape=[2])], [value("o", shape=[2])])
    b = np.float32([[10, 20, 30], [40, 50, 60]])
    rows = np.stack([X[:, k] - b[:, 2 - k] for k in range(3)])
    scan = node("Scan", ["x", "b"], ["y"], body=pair, num_scan_inputs=2, scan_input_axes=[-1, 1], scan_input_directions=[0, 1], scan_output_axes=[-1], scan_output_directions=[1])
    yield case_of("body_scan_directions", [scan], {"x": X, "b": b}, {"y": rows[::-1].T.copy()})
    still = helper.make_graph([node("Identity", ["a"], ["o"])], "still", [value("a", shape=[3])], [value("o", shape=[3])])
    nothing = np.zeros((0, 3), np.float32)
    yield case_of("body_scan_no_steps", [node("Scan", ["x"], ["y"], body=still, num_scan_inputs=1)], {"x": nothing}, {"y": nothing})

    # the shape of what is carried grows
    grow = helper.make_graph([node("Concat", ["v", "v"], ["w"], axis=0), node("Identity", ["c"], ["d"])], "grow", [value("i", INT64), value("c", BOOL), value("v", shape=None)], [value("d", BOOL), value("w", shape=None)])
    loop = node("Loop", ["m", "", "x"], ["y"], body=grow)
    yield case_of("body_loop_grows", [loop], {"m": np.int64(3), "x": np.float32([1, 2])}, {"y": np.tile(np.float32([1, 2]), 8)})
    # no trip count, no condition at the start: the body ends it
    until = helper.make_graph(
        [node("Constant", [], ["step"], value_float=1.5), node("Add", ["v", "step"], ["w"]), node("Less", ["w", "limit"], ["d"])],
        "until",
        [value("i", INT64), value("c", BOOL), value("v")],
        [value("d", BOOL), value("w")],
    )
    yield case_of("body_loop_until", [node("Loop", ["", "", "x"], ["y"], body=until)], {"x": np.float32(0), "limit": np.float32(5)}, {"y": np.float32(6)})
    counts = helper.make_graph([node("Identity", ["c"], ["d"]), node("Mul", ["i", "i"], ["square"])], "counts", [value("i", INT64), value("c", BOOL)], [value("d", BOOL), value("square", INT64)])
    yield case_of("body_loop_only_slices", [node("Loop", ["m", ""], ["y"], body=counts)], {"m": np.int64(4)}, {"y": np.array([0, 1, 4, 9])})
    yield case_of("body_loop_no_slices", [node("Loop", ["m", ""], ["y"], body=counts)], {"m": np.int64(0)}, {"y": np.zeros(0, np.int64)})
    pair = helper.make_graph([node("Identity", ["c"], ["d"]), node("Identity", ["q"], ["p1"]), node("Add", ["p", "q"], ["q1"])], "fibonacci", [value("i", INT64), value("c", BOOL), value("p", INT64), value("q", INT64)], [value("d", BOOL), value("p1", INT64), value("q1", INT64)])
    yield case_of("body_loop_swaps", [node("Loop", ["m", "", "a", "b"], ["y", "z"], body=pair)], {"m": np.int64(10), "a": np.int64(0), "b": np.int64(1)}, {"y": np.int64(55), "z": np.int64(89)})


# ---- sequences and optionals


SEQUENCE = helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None))
OPTIONAL = helper.make_optional_type_proto(helper.make_tensor_type_proto(FLOAT, [2, 3]))
OPTIONAL_SEQUENCE = helper.make_optional_type_proto(SEQUENCE)


def typed(name, kind):
    return helper.make_value_info(name, kind)


def containers():
    border = {"s": typed("s", SEQUENCE), "t": typed("t", SEQUENCE), "o": typed("o", OPTIONAL), "p": typed("p", OPTIONAL), "q": typed("q", OPTIONAL_SEQUENCE), "r": typed("r", OPTIONAL_SEQUENCE)}
    for tag, items in (("two", [X, X[:, :1].copy()]), ("none", [])):
        yield case_of(f"sequence_{tag}_through", [node("Identity", ["s"], ["t"])], {"s": items}, {"t": items}, infos=border)
        yield case_of(f"sequence_{tag}_insert", [node("SequenceInsert", ["s", "x"], ["t"])], {"s": items, "x": X * 2}, {"t": [*items, X * 2]}, infos=border)
        yield case_of(f"sequence_{tag}_length", [node("SequenceLength", ["s"], ["n"])], {"s": items}, {"n": np.int64(len(items))}, infos=border)
    for tag, held in (("value", X), ("nothing", None)):
        yield case_of(f"optional_{tag}_through", [node("Identity", ["o"], ["p"])], {"o": held}, {"p": held}, infos=border)
        has = [node("OptionalHasElement", ["o"], ["y"])]
        yield case_of(f"optional_{tag}_has", has, {"o": held}, {"y": np.array(held is not None)}, infos=border)
        # a default where nothing came
        take = helper.make_graph([node("OptionalGetElement", ["o"], ["e"])], "take", [], [value("e", shape=[2, 3])])
        other = helper.make_graph([node("Neg", ["x"], ["f"])], "other", [], [value("f", shape=[2, 3])])
        chosen = [*has[:0], node("OptionalHasElement", ["o"], ["c"]), node("If", ["c"], ["y"], then_branch=take, else_branch=other)]
        yield case_of(f"optional_{tag}_default", chosen, {"o": held, "x": X * 3}, {"y": X if held is not None else -X * 3}, infos=border)
    yield case_of("optional_sequence_through", [node("Identity", ["q"], ["r"])], {"q": [X, X * 2]}, {"r": [X, X * 2]}, infos=border)
    yield case_of("optional_sequence_get", [node("OptionalGetElement", ["q"], ["t"])], {"q": [X, X * 2]}, {"t": [X, X * 2]}, infos=border)
    # branches that give sequences and optionals
    build = helper.make_graph([node("SequenceConstruct", ["x", "x"], ["u"])], "build", [], [typed("u", SEQUENCE)])
    empty = helper.make_graph([node("SequenceEmpty", [], ["v"])], "empty", [], [typed("v", SEQUENCE)])
    for chosen in (True, False):
        yield case_of(f"if_sequence_{int(chosen)}", [node("If", ["c"], ["t"], then_branch=build, else_branch=empty)], {"c": np.array(chosen), "x": X}, {"t": [X, X] if chosen else []}, infos=border)
        some = helper.make_graph([node("Optional", ["x"], ["u"])], "some", [], [typed("u", OPTIONAL)])
        none = helper.make_graph([node("Optional", [], ["v"], type=OPTIONAL.optional_type.elem_type)], "none", [], [typed("v", OPTIONAL)])
        yield case_of(f"if_optional_{int(chosen)}", [node("If", ["c"], ["p"], then_branch=some, else_branch=none)], {"c": np.array(chosen), "x": X}, {"p": X if chosen else None}, infos=border)


def maps():
    """SequenceMap: over one and two sequences, with a tensor beside them, with captured values, with two outputs."""
    s, r = [X, X[:1].copy(), X[:, :2].copy()], [X * 2, X[:1] * 3, X[:, :2] * 4]
    border = {name: typed(name, SEQUENCE) for name in ("s", "r", "t", "u")}
    any_shape = dict(shape=None)
    double = helper.make_graph([node("Add", ["a", "a"], ["b"])], "double", [value("a", **any_shape)], [value("b", **any_shape)])
    yield case_of("map_one", [node("SequenceMap", ["s"], ["t"], body=double)], {"s": s}, {"t": [2 * each for each in s]}, {"": 17}, infos=border)
    yield case_of("map_none", [node("SequenceMap", ["s"], ["t"], body=double)], {"s": []}, {"t": []}, {"": 17}, infos=border)
    add = helper.make_graph([node("Add", ["a", "b"], ["o"]), node("Sub", ["a", "b"], ["m"])], "both", [value("a", **any_shape), value("b", **any_shape)], [value("o", **any_shape), value("m", **any_shape)])
    yield case_of("map_two", [node("SequenceMap", ["s", "r"], ["t", "u"], body=add)], {"s": s, "r": r}, {"t": [a + b for a, b in zip(s, r)], "u": [a - b for a, b in zip(s, r)]}, {"": 17}, infos=border)
    yield case_of("map_tensor", [node("SequenceMap", ["s", "x"], ["t", "u"], body=add)], {"s": s, "x": np.float32(5)}, {"t": [a + 5 for a in s], "u": [a - 5 for a in s]}, {"": 17}, infos=border)
    captured = helper.make_graph([node("Mul", ["a", "k"], ["b"])], "captured", [value("a", **any_shape)], [value("b", **any_shape)])
    yield case_of("map_captured", [node("Neg", ["x"], ["k"]), node("SequenceMap", ["s"], ["t"], body=captured)], {"s": s, "x": np.float32(5)}, {"t": [-5 * a for a in s]}, {"": 17}, infos=border)


# ---- the border of a graph


def borders():
    w = np.float32([[1, 2, 3], [4, 5, 6]])
    yield case_of("border_input_is_output", [node("Neg", ["x"], ["y"])], {"x": X}, {"x": X, "y": -X})
    yield case_of("border_initializer_is_output", [node("Neg", ["x"], ["y"])], {"x": X}, {"y": -X, "w": w}, initializers={"w": w})
    yield case_of("border_constant_is_output", [node("Constant", [], ["y"], value_floats=[1.0, 2.0])], {}, {"y": np.float32([1, 2])})
    yield case_of("border_middle_is_output", [node("Neg", ["x"], ["t"]), node("Abs", ["t"], ["y"])], {"x": X}, {"t": -X, "y": np.abs(X)})
    yield case_of("border_same_input_twice", [node("Mul", ["x", "x"], ["y"])], {"x": X}, {"y": X * X})
    yield case_of("border_unused_input", [node("Neg", ["x"], ["y"])], {"x": X, "z": w}, {"y": -X})
    yield case_of("border_dead_node", [node("Neg", ["x"], ["y"]), node("Abs", ["x"], ["nobody"])], {"x": X}, {"y": -X})
    yield case_of("border_default_given", [node("Add", ["x", "w"], ["y"])], {"x": X, "w": w * 2}, {"y": X + w * 2}, initializers={"w": w})
    kept = case_of("border_default_kept", [node("Add", ["x", "w"], ["y"])], {"x": X, "w": w}, {"y": X + w}, initializers={"w": w})
    del kept.inputs["w"]
    yield kept


def cases():
    for family in (sparse, functions, opsets, bodies, containers, maps, borders):
        yield from family()
