"""Every version of the operators with bodies, of sequences and optionals, of random draws, and of the recurrent and quantising ones."""

import numpy as np
from case import Case, at_version, info_of, reference, versions_of
from onnx import TensorProto, helper

FLOAT = TensorProto.FLOAT
X = np.float32([[1, -2, 3], [4, 5, -6]])


def value(name, kind=FLOAT, shape=()):
    return helper.make_tensor_value_info(name, kind, shape)


def model_of(nodes, inputs, outputs, opset):
    """inputs, outputs: name -> example value."""
    graph = helper.make_graph(nodes, "cases", [info_of(*item) for item in inputs.items()], [info_of(*item) for item in outputs.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def one(values, name):
    return helper.make_node("Constant", [], [name], value=helper.make_tensor(name, FLOAT, [len(values)], values))


def branches():
    then = helper.make_graph([helper.make_node("Neg", ["x"], ["a"])], "then", [], [value("a", shape=[2, 3])])
    other = helper.make_graph([helper.make_node("Abs", ["x"], ["b"])], "else", [], [value("b", shape=[2, 3])])
    for version in versions_of("If"):
        for chosen, y in ((True, -X), (False, np.abs(X))):
            inputs, outputs = {"x": X, "c": np.array(chosen)}, {"y": y}
            node = helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other)
            yield Case(f"if_{version}_{'then' if chosen else 'else'}", model_of([node], inputs, outputs, version), inputs, outputs)


def loop_body(version):
    """sum += x (captured); slices: the sum so far; goes on while the iteration number is below a captured limit."""
    # the version before 7 needs equal shapes and before 9 compares floats only
    nodes = [
        helper.make_node("Add", ["sum", "x"], ["next"]),
        helper.make_node("Cast", ["i"], ["number"], to=FLOAT if version >= 6 else "FLOAT"),
        helper.make_node("Less", ["number", "limit"], ["more"]),
        helper.make_node("Identity", ["next"], ["slice"]),
    ]
    inputs = [value("i", TensorProto.INT64), value("c", TensorProto.BOOL), value("sum", shape=[3])]
    return helper.make_graph(nodes, "body", inputs, [value("more", TensorProto.BOOL), value("next", shape=[3]), value("slice", shape=[3])])


def loops():
    x, start = np.float32([1, 2, 3]), np.float32([10, 10, 10])
    for version in versions_of("Loop"):
        for tag, trips, go, limit, runs in (("count", 3, True, 9, 3), ("condition", 100, True, 1, 2), ("none", 0, True, 9, 0), ("false", 5, False, 9, 0), ("endless", None, True, 3, 4)):
            slices = np.stack([start + x * (k + 1) for k in range(runs)]) if runs else np.zeros((0, 3), np.float32)
            inputs = {"c": np.array(go), "start": start, "x": x, "limit": np.float32(limit)}
            if trips is not None:
                inputs = {"m": np.array(trips, dtype=np.int64), **inputs}
            outputs = {"end": start + x * runs, "slices": slices}
            node = helper.make_node("Loop", ["m" if trips is not None else "", "c", "start"], ["end", "slices"], body=loop_body(version))
            yield Case(f"loop_{version}_{tag}", model_of([node], inputs, outputs, version), inputs, outputs)
    for version in versions_of("Loop"):
        if version < 13:
            continue
        sequence = helper.make_tensor_sequence_value_info
        body = helper.make_graph(
            [helper.make_node("Cast", ["i"], ["f"], to=FLOAT), helper.make_node("SequenceInsert", ["s", "f"], ["t"]), helper.make_node("Identity", ["c"], ["d"])],
            "body",
            [value("i", TensorProto.INT64), value("c", TensorProto.BOOL), sequence("s", FLOAT, None)],
            [value("d", TensorProto.BOOL), sequence("t", FLOAT, None)],
        )
        inputs = {"m": np.array(3, dtype=np.int64), "s0": [np.float32(7)]}
        outputs = {"s1": [np.float32(7), np.float32(0), np.float32(1), np.float32(2)]}
        node = helper.make_node("Loop", ["m", "", "s0"], ["s1"], body=body)
        yield Case(f"loop_{version}_sequence", model_of([node], inputs, outputs, version), inputs, outputs)


def scans():
    nodes = [helper.make_node("Add", ["sum", "x"], ["next"]), helper.make_node("Identity", ["next"], ["slice"])]
    body = helper.make_graph(nodes, "body", [value("sum", shape=[3]), value("x", shape=[3])], [value("next", shape=[3]), value("slice", shape=[3])])
    start = np.float32([10, 20, 30])
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    sums = start + np.cumsum(x, 0)
    for version in versions_of("Scan"):
        if version == 8:  # a batch in front of everything; the first entry has two steps of its four
            outputs = {"end": np.stack([sums[1], sums[3]]), "slices": np.stack([np.concatenate([sums[:2], np.zeros((2, 3), np.float32)]), sums])}
            inputs = {"lengths": np.array([2, 4], dtype=np.int64), "start": np.stack([start, start]), "x": np.stack([x, x])}
            node = helper.make_node("Scan", ["lengths", "start", "x"], ["end", "slices"], body=body, num_scan_inputs=1)
            yield Case("scan_8_lengths", model_of([node], inputs, outputs, 8), inputs, outputs)
            del inputs["lengths"]
            outputs = {"end": np.stack([sums[3], sums[3]]), "slices": np.stack([sums, sums])}
            node = helper.make_node("Scan", ["", "start", "x"], ["end", "slices"], body=body, num_scan_inputs=1)
            yield Case("scan_8_all", model_of([node], inputs, outputs, 8), inputs, outputs)
            back = start + np.cumsum(x[::-1], 0)
            outputs = {"end": np.stack([back[3], back[3]]), "slices": np.stack([back, back])}
            node = helper.make_node("Scan", ["", "start", "x"], ["end", "slices"], body=body, num_scan_inputs=1, directions=[1])
            yield Case("scan_8_reverse", model_of([node], inputs, outputs, 8), inputs, outputs)
            continue
        inputs, outputs = {"start": start, "x": x}, {"end": sums[3], "slices": sums}
        node = helper.make_node("Scan", ["start", "x"], ["end", "slices"], body=body, num_scan_inputs=1)
        yield Case(f"scan_{version}", model_of([node], inputs, outputs, version), inputs, outputs)
        back = start + np.cumsum(x[::-1], 0)
        inputs, outputs = {"start": start, "x": x.T.copy()}, {"end": back[3], "slices": back[::-1].T.copy()}
        axis = 1 if version < 11 else -1
        node = helper.make_node("Scan", ["start", "x"], ["end", "slices"], body=body, num_scan_inputs=1, scan_input_axes=[axis], scan_input_directions=[1], scan_output_axes=[axis], scan_output_directions=[1])
        yield Case(f"scan_{version}_axes", model_of([node], inputs, outputs, version), inputs, outputs)


def typed(name, kind):
    return helper.make_value_info(name, kind)


TENSOR = helper.make_tensor_type_proto(FLOAT, [2, 3])
SEQUENCE = helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None))


def typed_case(name, nodes, inputs, outputs, opset):
    """inputs, outputs: name -> (value, type)."""
    graph = helper.make_graph(nodes, name, [typed(n, t) for n, (_, t) in inputs.items()], [typed(n, t) for n, (_, t) in outputs.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    return Case(name, model, {n: v for n, (v, _) in inputs.items()}, {n: v for n, (v, _) in outputs.items()})


def sequences():
    a, b = X, X * 2
    yield at_version("SequenceConstruct", 11, [a, b], [[a, b]])
    yield at_version("SequenceInsert", 11, [[a, b], X * 3, np.int64(-1)], [[a, X * 3, b]])
    yield at_version("SequenceErase", 11, [[a, b], np.int32(0)], [[b]])
    yield at_version("SequenceAt", 11, [[a, b], np.int64(-1)], [b])
    yield at_version("SequenceLength", 11, [[a, b]], [np.int64(2)])
    yield at_version("ConcatFromSequence", 11, [[a, b]], [np.stack([a, b], -1)], axis=-1, new_axis=1)
    yield typed_case("sequenceempty_11", [helper.make_node("SequenceEmpty", [], ["s"], dtype=FLOAT)], {}, {"s": ([], SEQUENCE)}, 11)
    for version in versions_of("SplitToSequence"):
        yield at_version("SplitToSequence", version, [X], [[X[0], X[1]]], keepdims=0)
        yield at_version("SplitToSequence", version, [X, np.int64(2)], [[X[:, :2], X[:, 2:]]], name=f"splittosequence_{version}_chunk", axis=1)
        yield at_version("SplitToSequence", version, [X, np.array([1, 2])], [[X[:, :1], X[:, 1:]]], name=f"splittosequence_{version}_lengths", axis=-1)
    optional = helper.make_optional_type_proto
    for version in versions_of("Identity"):
        if version >= 14:
            yield at_version("Identity", version, [[a, b]], [[a, b]], name=f"identity_{version}_sequence")
        if version >= 16:
            for tag, kind, held in (("tensor", TENSOR, a), ("sequence", SEQUENCE, [a, b]), ("nothing", TENSOR, None)):
                both = (held, optional(kind))
                yield typed_case(f"identity_{version}_optional_{tag}", [helper.make_node("Identity", ["x"], ["y"])], {"x": both}, {"y": both}, version)
    for version in versions_of("OptionalHasElement"):
        flag = helper.make_tensor_type_proto(TensorProto.BOOL, [])
        for tag, kind, held in (("tensor", TENSOR, a), ("sequence", SEQUENCE, [a]), ("nothing", TENSOR, None)):
            given, found = {"x": (held, optional(kind))}, {"y": (np.array(held is not None), flag)}
            yield typed_case(f"optionalhaselement_{version}_{tag}", [helper.make_node("OptionalHasElement", ["x"], ["y"])], given, found, version)
        if version >= 18:
            yield typed_case(f"optionalhaselement_{version}_plain", [helper.make_node("OptionalHasElement", ["x"], ["y"])], {"x": (a, TENSOR)}, {"y": (np.array(True), flag)}, version)
            yield typed_case(f"optionalhaselement_{version}_absent", [helper.make_node("OptionalHasElement", [], ["y"])], {}, {"y": (np.array(False), flag)}, version)
    for version in versions_of("OptionalGetElement"):
        for tag, kind, held in (("tensor", TENSOR, a), ("sequence", SEQUENCE, [a, b])):
            yield typed_case(f"optionalgetelement_{version}_{tag}", [helper.make_node("OptionalGetElement", ["x"], ["y"])], {"x": (held, optional(kind))}, {"y": (held, kind)}, version)
            if version >= 18:
                yield typed_case(f"optionalgetelement_{version}_plain_{tag}", [helper.make_node("OptionalGetElement", ["x"], ["y"])], {"x": (held, kind)}, {"y": (held, kind)}, version)
    for version in versions_of("Optional"):
        for tag, kind, held in (("tensor", TENSOR, a), ("sequence", SEQUENCE, [a, b])):
            yield typed_case(f"optional_{version}_{tag}", [helper.make_node("Optional", ["x"], ["y"])], {"x": (held, kind)}, {"y": (held, optional(kind))}, version)
        yield typed_case(f"optional_{version}_nothing", [helper.make_node("Optional", [], ["y"], type=TENSOR)], {}, {"y": (None, optional(TENSOR))}, version)


def draws():
    """Only shape and element type: the standard fixes no generator."""
    chances = np.float32([[0.25, 0.5], [0, 1]])
    plan = []
    for version in versions_of("Bernoulli"):
        plan += [("Bernoulli", version, "", [chances], np.float32, (2, 2), {"seed": 1.0}), ("Bernoulli", version, "_int", [chances], np.int32, (2, 2), {"dtype": TensorProto.INT32})]
    for version in versions_of("Multinomial"):
        plan += [("Multinomial", version, "", [np.log(chances + 1)], np.int32, (2, 5), {"sample_size": 5, "seed": 2.0}), ("Multinomial", version, "_int64", [chances], np.int64, (2, 1), {"dtype": TensorProto.INT64})]
    for op, given in (("RandomNormal", {"mean": 1.0, "scale": 2.0}), ("RandomUniform", {"low": -1.0, "high": 1.0})):
        for version in versions_of(op):
            plan += [(op, version, "", [], np.float32, (2, 3), {"shape": [2, 3], "seed": 3.0, **given}), (op, version, "_double", [], np.float64, (4,), {"shape": [4], "dtype": TensorProto.DOUBLE})]
        for version in versions_of(op + "Like"):
            plan += [(op + "Like", version, "", [chances], np.float32, (2, 2), given), (op + "Like", version, "_half", [np.int32([1, 2, 3])], np.float16, (3,), {"dtype": TensorProto.FLOAT16})]
    for op, version, tag, inputs, dtype, shape, attributes in plan:
        case = at_version(op, version, inputs, [np.zeros(shape, dtype)], name=f"{op.lower()}_{version}{tag}", **attributes)
        case.compare = "shape"
        yield case
    for op, version in [(op, version) for op in ("RandomNormal", "RandomUniform") for version in versions_of(op)]:  # what does not vary is compared
        fixed = {"scale": 0.0, "mean": 2.5} if op == "RandomNormal" else {"low": 2.5, "high": 2.5}
        yield at_version(op, version, [], [np.full((2, 2), 2.5, np.float32)], name=f"{op.lower()}_{version}_still", shape=[2, 2], **fixed)
    for version in versions_of("Bernoulli"):
        sure = np.float32([0, 1, 1, 0])
        yield at_version("Bernoulli", version, [sure], [sure], name=f"bernoulli_{version}_sure")
    for version in versions_of("Multinomial"):
        sure = np.float32([[-1000, 0, -1000]])
        yield at_version("Multinomial", version, [sure], [np.int32([[1, 1, 1]])], name=f"multinomial_{version}_sure", sample_size=3)


def recurrent():
    x = (np.arange(12, dtype=np.float32) / 10 - 0.5).reshape(3, 2, 2)
    for op, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
        w = (((np.arange(gates * 6) * 7) % 11 - 5) / 10).astype(np.float32).reshape(1, gates * 3, 2)
        r = (((np.arange(gates * 9) * 5) % 13 - 6) / 10).astype(np.float32).reshape(1, gates * 3, 3)
        outputs = [np.zeros((3, 1, 2, 3), np.float32)] + [np.zeros((1, 2, 3), np.float32)] * (2 if op == "LSTM" else 1)
        newest = versions_of(op)[-1]
        expected = reference(at_version(op, newest, [x, w, r], outputs, hidden_size=3).model, {"x0": x, "x1": w, "x2": r})
        for version in versions_of(op):
            old = {"output_sequence": 1} if version < 7 else {}
            yield at_version(op, version, [x, w, r], expected[:1] if op == "LSTM" and version < 7 else expected, hidden_size=3, **old)


def quantising():
    x, scale, zero = np.float32([[-1, 0.26, 0.5], [1.49, 100, -100]]), np.float32(0.5), np.uint8(3)
    q = np.clip(np.rint(x / scale) + zero, 0, 255).astype(np.uint8)
    for version in versions_of("QuantizeLinear"):
        yield at_version("QuantizeLinear", version, [x, scale, zero], [q])
        if version >= 13:
            by_row = np.float32([0.5, 2])
            y = np.clip(np.rint(x / by_row[:, None]) + 3, 0, 255).astype(np.uint8)
            yield at_version("QuantizeLinear", version, [x, by_row, np.uint8([3, 3])], [y], name=f"quantizelinear_{version}_axis", axis=0)
    for version in versions_of("DequantizeLinear"):
        y = (q.astype(np.float32) - 3) * scale
        yield at_version("DequantizeLinear", version, [q, scale, zero], [y])
        if version >= 13:
            by_column = np.float32([0.5, 2, 1])
            y = (q.astype(np.float32) - 3) * by_column
            yield at_version("DequantizeLinear", version, [q, by_column, np.uint8([3, 3, 3])], [y], name=f"dequantizelinear_{version}_axis", axis=1 if version < 13 else -1)
    a, b = np.uint8([[1, 2], [3, 4]]), np.uint8([[5, 6], [7, 8]])
    for version in versions_of("QLinearMatMul"):
        real = (a.astype(np.float32) - 1) * 0.5 @ ((b.astype(np.float32) - 2) * 0.25)
        y = np.clip(np.rint(real / 0.5) + 4, 0, 255).astype(np.uint8)
        half, quarter = np.float32(0.5), np.float32(0.25)
        yield at_version("QLinearMatMul", version, [a, half, np.uint8(1), b, quarter, np.uint8(2), half, np.uint8(4)], [y])


def cases():
    for family in (branches, loops, scans, sequences, draws, recurrent, quantising):
        yield from family()
