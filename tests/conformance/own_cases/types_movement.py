"""Every element type of the operators that move elements without arithmetic."""

import numpy as np
from case import Case
from onnx import TensorProto, helper
from typed import COMPLEX, of, schemas_of, kinds_of, typed_cases

FLOAT = TensorProto.FLOAT
NUMBERS = [[1, -2, 3], [0, 5, -1]]


def ints(*values):
    return np.array(values, dtype=np.int64)


def moving(make, variable="T"):
    """A recipe of an operator with one tensor of the variable's type: make(x) -> (other inputs, outputs, attributes)."""

    def recipe(kinds, version):
        x = of(kinds[variable] if variable in kinds else kinds["T"], NUMBERS)
        others, outputs, attributes = make(x)
        return [x, *others], outputs, attributes

    return recipe


def index_kind(kinds):
    return helper.tensor_dtype_to_np_dtype(kinds.get("Tind", TensorProto.INT64))


def gather(kinds, version):
    x, at = of(kinds["T"], NUMBERS), np.array([2, 0], dtype=index_kind(kinds))
    return [x, at], [x[:, [2, 0]]], {"axis": 1}


def gather_elements(kinds, version):
    x, at = of(kinds["T"], NUMBERS), np.array([[2, 0, 1], [1, 1, 0]], dtype=index_kind(kinds))
    return [x, at], [np.take_along_axis(x, at.astype(np.int64), 1)], {"axis": 1}


def scatter(kinds, version):
    x, at, updates = of(kinds["T"], NUMBERS), np.array([[2], [0]], dtype=index_kind(kinds)), of(kinds["T"], [[4], [1]])
    y = x.copy()
    np.put_along_axis(y, at.astype(np.int64), updates, 1)
    return [x, at, updates], [y], {"axis": 1}


def scatter_nd(kinds, version):
    x, updates = of(kinds["T"], NUMBERS), of(kinds["T"], [4, 1])
    y = x.copy()
    y[[1, 0], [2, 1]] = updates
    return [x, np.array([[1, 2], [0, 1]]), updates], [y], {}


def slices(kinds, version):
    x, kind = of(kinds["T"], NUMBERS), index_kind(kinds)
    at = [np.array([value], dtype=kind) for value in (2, -4, 1, -2)]
    return [x, *at], [x[:, 2::-2]], {}


def pad(kinds, version):
    x, filler = of(kinds["T"], NUMBERS), of(kinds["T"], 3)
    y = np.empty((2, 5), dtype=x.dtype)
    y[:, :1], y[:, 1:4], y[:, 4:] = filler, x, filler
    if "Tind" in kinds:
        return [x, ints(1, 1), filler, np.array([1], dtype=index_kind(kinds))], [y], {}
    return [x, ints(0, 1, 0, 1), filler], [y], {}


def where(kinds, version):
    x, other, chosen = of(kinds["T"], NUMBERS), of(kinds["T"], [4, 5, 6]), np.array([[True, False, True], [False, True, False]])
    return [chosen, x, other], [np.where(chosen, x, other)], {}


def trilu(kinds, version):
    x = of(kinds["T"], NUMBERS)
    y = x.copy()
    y[1, 0] = "" if kinds["T"] == TensorProto.STRING else np.zeros(1, dtype=x.dtype)[0]
    return [x], [y], {}


def center_crop_pad(kinds, version):
    x = of(kinds["T"], NUMBERS)
    y = np.full((4, 1), "", dtype=object) if kinds["T"] == TensorProto.STRING else np.zeros((4, 1), dtype=x.dtype)
    y[1:3] = x[:, 1:2]
    return [x, np.array([4, 1], dtype=index_kind(kinds))], [y], {}


def one_hot(kinds, version):
    values = of(kinds["T3"], [0, 1])
    on = np.array([[False, True, False], [True, False, False]])
    return [of(kinds["T1"], [1, 0]), of(kinds["T2"], 3), values], [np.where(on, values[1], values[0])], {}


def nonzero(kinds, version):
    x = of(kinds["T"], NUMBERS)
    filled = np.vectorize(lambda item: item != "")(x) if kinds["T"] == TensorProto.STRING else x.astype(np.complex128) != 0
    return [x], [np.array(np.nonzero(filled), dtype=np.int64)], {}


def unique(kinds, version):
    x = of(kinds["T"], [1, 0, 1, 3, 0])
    keys = list(x.tolist())
    first = [keys.index(key) for key in dict.fromkeys(keys)]
    kept = [keys[at] for at in first]
    return [x], [x[first], ints(*first), ints(*[kept.index(key) for key in keys]), ints(*[keys.count(key) for key in kept])], {"sorted": 0}


def tensor_scatter(kinds, version):
    past, update = of(kinds["T"], np.arange(12).reshape(1, 4, 3) % 4), of(kinds["T"], [[[1, 0, 3], [2, 2, 1]]])
    y = past.copy()
    y[:, 1:3] = update
    return [past, update, ints(1)], [y], {"mode": "linear", "axis": 1}


def eye_like(kinds, version):
    return [of(kinds["T1"], NUMBERS)], [of(kinds["T2"], np.eye(2, 3))], {"dtype": kinds["T2"]}


def constant_of_shape(kinds, version):
    kind = kinds["T2"]
    value = helper.make_tensor("value", kind, [1], of(kind, [1]))
    return [ints(2, 3)], [of(kind, np.ones((2, 3)))], {"value": value}


def constant(kinds, version):
    held = of(kinds["T"], NUMBERS)
    values = [item.encode() for item in held.ravel()] if kinds["T"] == TensorProto.STRING else held.ravel()
    return [], [held], {"value": helper.make_tensor("value", kinds["T"], held.shape, values)}


def resize(kinds, version):
    x = of(kinds["T1" if version > 10 else "T"], np.reshape(NUMBERS, (1, 1, 2, 3)))
    region = np.zeros(0, helper.tensor_dtype_to_np_dtype(kinds["T2"]))
    return [x, region, np.float32([1, 1, 2, 2])], [x.repeat(2, 2).repeat(2, 3)], {"mode": "nearest"}


def upsample(kinds, version):
    x = of(kinds["T"], np.reshape(NUMBERS, (1, 1, 2, 3)))
    return [x, np.float32([1, 1, 2, 2])], [x.repeat(2, 2).repeat(2, 3)], {"mode": "nearest"}


def reverse_sequence(kinds, version):
    x = of(kinds["T"], NUMBERS)
    return [x, ints(2, 3)], [np.stack([x[0, [1, 0, 2]], x[1, ::-1]])], {"batch_axis": 0, "time_axis": 1}


def depth(x):
    deep = np.resize(x, 8).reshape(1, 4, 1, 2)
    return deep, deep.reshape(1, 2, 2, 1, 1, 2).transpose(0, 3, 4, 1, 5, 2).reshape(1, 1, 2, 4)


def depth_to_space(kinds, version):
    deep, flat = depth(of(kinds["T"], NUMBERS))
    return [deep], [flat], {"blocksize": 2}


def space_to_depth(kinds, version):
    deep, flat = depth(of(kinds["T"], NUMBERS))
    return [flat], [deep], {"blocksize": 2}


def split_to_sequence(kinds, version):
    x = of(kinds["T"], NUMBERS)
    return [x, of(kinds["I"], [1, 2])], [[x[:, :1], x[:, 1:]]], {"axis": 1}


def grid_sample(kinds, version):
    x = of(kinds["T1"], np.reshape(NUMBERS, (1, 1, 2, 3)))
    grid = of(kinds["T2"], [[[[-1, -1], [1, 0.75]]]])
    return [x, grid], [x[:, :, [0, 1], [0, 2]].reshape(1, 1, 1, 2)], {"mode": "nearest"}


def like(kinds, version):
    x = of(kinds["T1"], NUMBERS)
    return [x], [np.zeros((2, 3), helper.tensor_dtype_to_np_dtype(kinds["T2"]))], {"dtype": kinds["T2"], "seed": 1.0}


def filled(kinds, version):
    return [], [np.zeros((2, 3), helper.tensor_dtype_to_np_dtype(kinds["T"]))], {"dtype": kinds["T"], "seed": 1.0, "shape": [2, 3]}


def dropout(kinds, version):
    if "T2" not in kinds:
        x = of(kinds["T"], NUMBERS)
        return [x], [x], {}
    x = of(kinds["T"], NUMBERS)
    training = True
    return [x, of(kinds["T1"], 0), np.array(training)], [x, np.ones(x.shape, bool)], {}


def bit_cast(kinds, version):
    source, target = (helper.tensor_dtype_to_np_dtype(kinds[variable]) for variable in ("T1", "T2"))
    bits = {"int4": 4, "uint4": 4, "float4_e2m1fn": 4, "int2": 2, "uint2": 2}
    kind = kinds["T1"] if kinds["T1"] != FLOAT else kinds["T2"]
    width = bits.get(np.dtype(target if kind == kinds["T2"] else source).name, 8 * np.dtype(target if kind == kinds["T2"] else source).itemsize)
    other = {2: TensorProto.UINT2, 4: TensorProto.UINT4, 8: TensorProto.UINT8, 16: TensorProto.UINT16, 32: TensorProto.UINT32, 64: TensorProto.UINT64}.get(width, TensorProto.COMPLEX128)
    first, second = (kind, other) if kind == kinds["T1"] else (other, kind)
    x = of(first, [1, 0, 1, 1])
    y = x.view(helper.tensor_dtype_to_np_dtype(second)) if width >= 8 else x.view(np.uint8).astype(np.uint8).view(helper.tensor_dtype_to_np_dtype(second))
    if kind == TensorProto.BOOL and first != kind:
        y = np.array([True, False, True, True])
    return [x], [y], {"to": second}


def sequence(make):
    def recipe(kinds, version):
        kind = kinds["T"]
        return make([of(kind, NUMBERS), of(kind, [[4, 1, 2]])], kinds)

    return recipe


def col2im(kinds, version):
    # blocks of one element put every column back where it was
    x = of(kinds["T"], np.reshape(NUMBERS, (1, 1, 6)))
    return [x, ints(2, 3), ints(1, 1)], [x.reshape(1, 1, 2, 3)], {}


RECIPES = {
    "Identity": moving(lambda x: ([], [x], {}), "V"),
    "Reshape": moving(lambda x: ([ints(3, -1)], [x.reshape(3, 2)], {})),
    "Flatten": moving(lambda x: ([], [x.reshape(1, 6)], {"axis": 0})),
    "Squeeze": lambda kinds, version: ([x := of(kinds["T"], [NUMBERS]), ints(0)], [x[0]], {}),
    "Unsqueeze": moving(lambda x: ([ints(1)], [x[:, None]], {})),
    "Transpose": moving(lambda x: ([], [x.T.copy()], {})),
    "Expand": moving(lambda x: ([ints(2, 1, 1)], [np.stack([x, x])], {})),
    "Tile": moving(lambda x: ([ints(1, 2)], [np.tile(x, (1, 2))], {})),
    "Concat": moving(lambda x: ([x[:, :1].copy()], [np.concatenate([x, x[:, :1]], 1)], {"axis": 1})),
    "Split": moving(lambda x: ([ints(1, 2)], [x[:, :1], x[:, 1:]], {"axis": 1})),
    "Slice": slices,
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": moving(lambda x: ([np.array([[1, 2], [0, 1]])], [x[[1, 0], [2, 1]]], {})),
    "Scatter": scatter,
    "ScatterElements": scatter,
    "ScatterND": scatter_nd,
    "Compress": moving(lambda x: ([np.array([True, False, True])], [x[:, [0, 2]]], {"axis": 1})),
    "Pad": pad,
    "DepthToSpace": depth_to_space,
    "SpaceToDepth": space_to_depth,
    "ReverseSequence": reverse_sequence,
    "Where": where,
    "Trilu": trilu,
    "CenterCropPad": center_crop_pad,
    "OneHot": one_hot,
    "Shape": moving(lambda x: ([], [ints(2, 3)], {})),
    "Size": moving(lambda x: ([], [np.array(6, dtype=np.int64)], {})),
    "NonZero": nonzero,
    "Unique": unique,
    "TensorScatter": tensor_scatter,
    "EyeLike": eye_like,
    "ConstantOfShape": constant_of_shape,
    "Constant": constant,
    "Resize": resize,
    "Upsample": upsample,
    "Col2Im": col2im,
    "GridSample": grid_sample,
    "Dropout": dropout,
    "BitCast": bit_cast,
    "RandomNormalLike": like,
    "RandomUniformLike": like,
    "RandomNormal": filled,
    "RandomUniform": filled,
    "SequenceConstruct": sequence(lambda s, kinds: (s, [s], {})),
    "SequenceInsert": sequence(lambda s, kinds: ([s, s[1], of(kinds["I"], 0)], [[s[1], *s]], {})),
    "SequenceAt": sequence(lambda s, kinds: ([s, of(kinds["I"], 1)], [s[1]], {})),
    "ConcatFromSequence": sequence(lambda s, kinds: ([s], [np.concatenate(s)], {"axis": 0})),
    "SplitToSequence": split_to_sequence,
}


def named(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def whole_case(name, node, kind, inputs, outputs, opset):
    graph = helper.make_graph([node], name, [named(n, k, v.shape) for n, (v, k) in inputs.items()], [named(n, k, v.shape) for n, (v, k) in outputs.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    return Case(name, model, {n: v for n, (v, _) in inputs.items()}, {n: v for n, (v, _) in outputs.items()})


def body_of(kind, shape, count):
    """A body that hands its last `count` inputs through."""
    nodes = [helper.make_node("Identity", [f"b{i}"], [f"o{i}"]) for i in range(count)]
    return nodes, [named(f"b{i}", kind, shape) for i in range(count)], [named(f"o{i}", kind, shape) for i in range(count)]


def control():
    """If, Loop (carried value and slices), Scan (state and slices) of every type."""
    for op in ("If", "Loop", "Scan"):
        for schema in schemas_of(op):
            for variable, kind, _ in kinds_of(schema):
                if variable != "V":
                    continue
                x, opset = of(kind, NUMBERS), schema.since_version
                name = f"{op.lower()}_{opset}_{TensorProto.DataType.Name(kind).lower()}"
                whole, row = (x, kind), (x[0], kind)
                if op == "If":
                    branches = [helper.make_graph([helper.make_node("Identity", ["x"], [out])], out, [], [named(out, kind, [2, 3])]) for out in ("a", "b")]
                    node = helper.make_node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1])
                    yield whole_case(name, node, kind, {"x": whole, "c": (np.array(True), TensorProto.BOOL)}, {"y": whole}, opset)
                elif op == "Loop":
                    nodes, inputs, outputs = body_of(kind, [2, 3], 1)
                    nodes += [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Identity", ["b0"], ["slice"])]
                    graph = helper.make_graph(nodes, "body", [named("i", TensorProto.INT64, []), named("c", TensorProto.BOOL, []), *inputs], [named("d", TensorProto.BOOL, []), *outputs, named("slice", kind, [2, 3])])
                    node = helper.make_node("Loop", ["m", "", "x"], ["y", "z"], body=graph)
                    yield whole_case(name, node, kind, {"m": (np.array(2), TensorProto.INT64), "x": whole}, {"y": whole, "z": (np.stack([x, x]), kind)}, opset)
                else:
                    nodes, inputs, outputs = body_of(kind, [3], 2)
                    graph = helper.make_graph(nodes, "body", inputs, outputs)
                    node = helper.make_node("Scan", ["s", "x"], ["t", "y"], body=graph, num_scan_inputs=1, scan_input_directions=[1])
                    yield whole_case(name, node, kind, {"s": row, "x": whole}, {"t": row, "y": (x[::-1].copy(), kind)}, opset)


def tensor_type(kind):
    return helper.make_tensor_type_proto(kind, None)


def container_case(name, nodes, inputs, outputs, opset):
    """inputs, outputs: name -> (value, TypeProto)."""
    graph = helper.make_graph(nodes, name, [helper.make_value_info(n, t) for n, (_, t) in inputs.items()], [helper.make_value_info(n, t) for n, (_, t) in outputs.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    return Case(name, model, {n: v for n, (v, _) in inputs.items()}, {n: v for n, (v, _) in outputs.items()})


def containers():
    """Optionals and sequences of every type."""
    flag = helper.make_tensor_type_proto(TensorProto.BOOL, [])
    for op in ("Optional", "OptionalGetElement", "OptionalHasElement"):
        for schema in schemas_of(op):
            for variable, kind, _ in kinds_of(schema):
                if variable == "B" or (variable == "V" and op == "OptionalGetElement"):
                    continue
                x, plain = of(kind, NUMBERS), tensor_type(kind)
                held = helper.make_optional_type_proto(plain)
                name = f"{op.lower()}_{schema.since_version}_{variable.lower()}_{TensorProto.DataType.Name(kind).lower()}"
                inputs = {"x": (x, plain if op == "Optional" else held)}
                outputs = {"Optional": {"y": (x, held)}, "OptionalGetElement": {"y": (x, plain)}, "OptionalHasElement": {"y": (np.array(True), flag)}}[op]
                yield container_case(name, [helper.make_node(op, ["x"], ["y"])], inputs, outputs, schema.since_version)
                if op != "Optional" and schema.since_version >= 18:
                    yield container_case(name + "_plain", [helper.make_node(op, ["x"], ["y"])], {"x": (x, plain)}, outputs, schema.since_version)
    schema = schemas_of("SequenceMap")[0]
    for variable, kind, _ in kinds_of(schema):
        items, plain = [of(kind, NUMBERS), of(kind, [[1]])], tensor_type(kind)
        sequence = helper.make_sequence_type_proto(plain)
        nodes = [helper.make_node("Identity", ["a"], ["o"]), helper.make_node("Identity", ["b"], ["p"])]
        body = helper.make_graph(nodes, "body", [helper.make_value_info(n, plain) for n in "ab"], [helper.make_value_info(n, plain) for n in "op"])
        node = helper.make_node("SequenceMap", ["s", "x"], ["t", "u"], body=body)
        outputs = {"t": (items, sequence), "u": ([items[1], items[1]], sequence)}
        yield container_case(f"sequencemap_17_{TensorProto.DataType.Name(kind).lower()}", [node], {"s": (items, sequence), "x": (items[1], plain)}, outputs, 17)
        first = [helper.make_node("SequenceEmpty", [], ["e"], dtype=kind), helper.make_node("SequenceInsert", ["e", "x"], ["f"]), helper.make_node("SequenceInsert", ["f", "x"], ["g"]), helper.make_node("SequenceErase", ["g"], ["t"]), helper.make_node("SequenceLength", ["g"], ["n"])]
        outputs = {"t": ([items[1]], sequence), "n": (np.array(2), helper.make_tensor_type_proto(TensorProto.INT64, []))}
        yield container_case(f"sequenceempty_11_{TensorProto.DataType.Name(kind).lower()}", first, {"x": (items[1], plain)}, outputs, 11)


def cases():
    yield from typed_cases(RECIPES)
    yield from control()
    yield from containers()
