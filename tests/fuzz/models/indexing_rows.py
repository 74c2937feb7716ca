"""Ways to make one node more: indices, reductions, orders, bodies and sequences. Each takes a GraphMaker."""

import numpy
from onnx import TensorProto, helper

from elementwise_rows import ANY
from graph_maker import FLOATS


def gather(maker):
    one = maker.pick(ANY, rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    axis = int(maker.random.integers(0, one.rank))
    size = one.shape[axis]
    kind = maker.one_of(("int64", "int32"))
    if maker.chance(0.6):
        return maker.node("Gather", [one, maker.add(maker.random.integers(-size, size, maker.dims(int(maker.random.integers(0, 3)))).astype(kind))], axis=axis)
    shape = tuple(maker.size() if place == axis else int(maker.random.integers(1, each + 1)) for place, each in enumerate(one.shape))
    return maker.node("GatherElements", [one, maker.add(maker.random.integers(-size, size, shape).astype(kind))], axis=axis)


def gather_nd(maker):
    one = maker.pick(ANY, rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    depth = int(maker.random.integers(1, one.rank + 1))
    places = numpy.stack([maker.random.integers(-size, size, (2, 3)) for size in one.shape[:depth]], axis=-1).astype(numpy.int64)
    return maker.node("GatherND", [one, maker.add(places)])


def scatter(maker):
    one = maker.pick(("float32", "int64", "float64", "int32"), rank=(1, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    reduction = maker.one_of(("none", "add", "mul", "max", "min"))
    axis = int(maker.random.integers(0, one.rank))
    size = one.shape[axis]
    exact = None if reduction in ("none", "max", "min") else False
    if maker.chance(0.5):
        count = int(maker.random.integers(1, size + 1))  # without repeats, whose order is nobody's promise
        shape = tuple(count if place == axis else each for place, each in enumerate(one.shape))
        order = maker.random.permutation(size)[:count].reshape([-1 if place == axis else 1 for place in range(one.rank)])
        places = maker.add(numpy.broadcast_to(order, shape).astype(numpy.int64).copy())
        return maker.node("ScatterElements", [one, places, maker.fresh(one.kind, shape)], exact=exact, axis=axis, reduction=reduction)
    rows = maker.random.permutation(one.shape[0])[:max(1, one.shape[0] // 2)].reshape(-1, 1).astype(numpy.int64)
    return maker.node("ScatterND", [one, maker.add(rows), maker.fresh(one.kind, (len(rows), *one.shape[1:]))], exact=exact, reduction=reduction)


def reduced(maker):
    operator = maker.one_of(("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceSumSquare", "ReduceLogSum"))
    # Never of nothing: onnxruntime keeps axes of an input without elements, or forgets them.
    one = maker.pick(FLOATS if operator in ("ReduceLogSum", "ReduceLogSumExp", "ReduceL2") else ("float32", "float64", "int32", "int64"), fits=lambda value: value.array.size > 0)
    if one is None or (operator == "ReduceLogSum" and not one.is_exact and one.array.min() < 0.01):
        return None  # sums of what was rounded may be next to zero
    axes = [int(axis) - (one.rank if maker.chance(0.3) else 0) for axis in maker.random.permutation(one.rank)[:int(maker.random.integers(0, one.rank + 1))]]
    given = maker.constant(axes, "int64") if axes or maker.chance(0.3) else ""
    return maker.node(operator, [one, given], exact=None if operator in ("ReduceMax", "ReduceMin") else False, keepdims=int(maker.chance(0.5)), noop_with_empty_axes=int(maker.chance(0.3)))


def places(maker):
    one = maker.pick(("float32", "float64", "int32", "int64"), rank=(1, 4), exact=True, fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    axis = int(maker.random.integers(-one.rank, one.rank))
    return maker.node(maker.one_of(("ArgMax", "ArgMin")), [one], axis=axis, keepdims=int(maker.chance(0.5)), select_last_index=int(maker.chance(0.3)))


def ordered(maker):
    one = maker.pick(("float32", "float64", "int64"), rank=(1, 4), exact=True, fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    if maker.chance(0.3):
        return maker.node("NonZero", [one])
    if maker.chance(0.2):
        return maker.node("Unique", [one], outputs=4, sorted=1)
    axis = int(maker.random.integers(0, one.rank))
    count = maker.constant([int(maker.random.integers(1, one.shape[axis] + 1))], "int64")
    return maker.node("TopK", [one, count], outputs=2, axis=axis, largest=int(maker.chance(0.5)), sorted=1)


def summed_up(maker):
    one = maker.pick(("float32", "float64", "int32", "int64"), rank=(1, 4))
    return one and maker.node("CumSum", [one, maker.constant(int(maker.random.integers(-one.rank, one.rank)), "int64")], exact=False, exclusive=int(maker.chance(0.4)), reverse=int(maker.chance(0.4)))


def triangles(maker):
    one = maker.pick(("float32", "float64", "int64", "int32", "bool"), rank=(2, 4))
    return one and maker.node("Trilu", [one, maker.constant(int(maker.random.integers(-2, 3)), "int64")], upper=int(maker.chance(0.5)))


def reversed_parts(maker):
    one = maker.pick(("float32", "int64", "float64"), rank=(2, 4), fits=lambda value: value.array.size > 0)
    if one is None:
        return None
    lengths = maker.add(maker.random.integers(1, one.shape[0] + 1, one.shape[1]).astype(numpy.int64))
    return maker.node("ReverseSequence", [one, lengths], time_axis=0, batch_axis=1)


def one_hot(maker):
    places_of = maker.add(maker.random.integers(-4, 4, maker.dims(int(maker.random.integers(0, 3)))).astype(numpy.int64))
    kind = maker.one_of(("float32", "int64"))
    return maker.node("OneHot", [places_of, maker.constant(5, "int64"), maker.constant([0, 3], kind)], axis=maker.one_of((-1, 0)))


def made_up(maker):
    if maker.chance(0.5):
        return maker.node("Range", [maker.constant(part, "int64") for part in (-2, int(maker.random.integers(-4, 20)), maker.one_of((1, 2, 3)))])
    return maker.node("EyeLike", [maker.fresh("float32", (maker.size(), maker.size()), False)], dtype=maker.one_of((1, 7, None)), k=int(maker.random.integers(-2, 3)))


def compressed(maker):
    one = maker.pick(ANY, rank=(1, 4))
    if one is None:
        return None
    axis = int(maker.random.integers(0, one.rank))
    return maker.node("Compress", [one, maker.fresh("bool", (one.shape[axis],))], axis=axis)


def blocks(maker):
    size = 2
    if maker.chance(0.5):
        one = maker.pick(("float32", "float64"), rank=4, fits=lambda value: value.shape[1] % 4 == 0 and value.array.size) if maker.chance(0.3) else maker.fresh("float32", (2, 8, 3, 2))
        return one and maker.node("DepthToSpace", [one], blocksize=size, mode=maker.one_of(("DCR", "CRD")))
    return maker.node("SpaceToDepth", [maker.fresh(maker.one_of(("float32", "float64")), (1, 3, 4, 6))], blocksize=size)


def tensor_info(name, value):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.array.dtype), list(value.shape))


def branches(maker):
    """If: both branches read values from around them."""
    one = maker.pick(("float32", "float64", "int64"))
    if one is None:
        return None
    condition = maker.add(numpy.array(maker.chance(0.5)))
    bodies = []
    for operator in ("Neg", "Abs"):
        out = maker.name("b")
        bodies.append(helper.make_graph([helper.make_node(operator, [one.name], [out + "_"]), helper.make_node("Add", [out + "_", one.name], [out])], operator, [], [tensor_info(out, one)]))
    return maker.node("If", [condition], exact=False, then_branch=bodies[0], else_branch=bodies[1])


def loops(maker):
    """Loop: a state, a captured step, and every state collected."""
    one = maker.pick(("float32", "float64", "int64"))
    if one is None:
        return None
    step = maker.fresh(one.kind, one.shape)
    i, goes, state, on, after, seen = (maker.name("b") for _ in range(6))
    nodes = [helper.make_node("Identity", [goes], [on]), helper.make_node("Add", [state, step.name], [after]), helper.make_node("Mul", [after, step.name], [seen])]
    body = helper.make_graph(nodes, "body", [helper.make_tensor_value_info(i, TensorProto.INT64, []), helper.make_tensor_value_info(goes, TensorProto.BOOL, []), tensor_info(state, one)],
                             [helper.make_tensor_value_info(on, TensorProto.BOOL, []), tensor_info(after, one), tensor_info(seen, one)])
    trips = maker.constant(maker.one_of((0, 1, 2, 3)), "int64")
    return maker.node("Loop", [trips, maker.constant(True) if maker.chance(0.6) else "", one], outputs=2, exact=False, body=body)


def scans(maker):
    one = maker.pick(("float32", "float64"), rank=(1, 4), fits=lambda value: value.shape[0] > 0)
    if one is None:
        return None
    part = maker.fresh(one.kind, one.shape[1:])
    state, slice_of, after, seen = (maker.name("b") for _ in range(4))
    nodes = [helper.make_node("Add", [state, slice_of], [after]), helper.make_node("Sub", [state, slice_of], [seen])]
    body = helper.make_graph(nodes, "body", [tensor_info(state, part), tensor_info(slice_of, part)], [tensor_info(after, part), tensor_info(seen, part)])
    return maker.node("Scan", [part, one], outputs=2, exact=False, body=body, num_scan_inputs=1, scan_input_directions=[int(maker.chance(0.5))], scan_output_directions=[int(maker.chance(0.5))])


ROWS = (gather, gather, gather_nd, scatter, scatter, reduced, reduced, reduced, places, ordered, summed_up, triangles, reversed_parts, one_hot, made_up, compressed, blocks,
        branches, loops, scans)
