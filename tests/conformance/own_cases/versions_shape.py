"""Every version of the operators that move, cut, join and index elements; shapes and axes as attributes in old versions, as inputs in new ones."""

import numpy as np
from case import at_version, tensor_of, versions_of
from onnx import TensorProto

A = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def ints(*values):
    return np.array(values, dtype=np.int64)


def reshaping():
    for version in versions_of("Reshape"):
        y = A.reshape(2, 12)
        if version == 1:
            yield at_version("Reshape", 1, [A], [y], shape=[0, -1], consumed_inputs=[0])
        else:
            yield at_version("Reshape", version, [A, ints(0, -1)], [y])
        if version >= 14:
            empty = np.zeros((0, 3), dtype=np.float32)
            yield at_version("Reshape", version, [empty, ints(3, 0)], [empty.reshape(3, 0)], name=f"reshape_{version}_allowzero", allowzero=1)
    for version in versions_of("Flatten"):
        yield at_version("Flatten", version, [A], [A.reshape(2, 12)])
        yield at_version("Flatten", version, [A], [A.reshape(1, 24)], name=f"flatten_{version}_0", axis=0)
        yield at_version("Flatten", version, [A], [A.reshape(24, 1)], name=f"flatten_{version}_3", axis=3)
        if version >= 11:
            yield at_version("Flatten", version, [A], [A.reshape(6, 4)], name=f"flatten_{version}_negative", axis=-1)
    thin = A.reshape(2, 1, 12, 1)
    for version in versions_of("Squeeze"):
        axes = [1, 3] if version < 11 else [1, -1]
        y = thin.reshape(2, 12)
        yield at_version("Squeeze", version, [thin], [y], name=f"squeeze_{version}_all")
        yield at_version("Squeeze", version, [thin], [y], axes=axes) if version < 13 else at_version("Squeeze", version, [thin, ints(*axes)], [y])
    for version in versions_of("Unsqueeze"):
        axes = [4, 0] if version < 11 else [-1, 0]
        y = A.reshape(1, 2, 3, 4, 1)
        yield at_version("Unsqueeze", version, [A], [y], axes=axes) if version < 13 else at_version("Unsqueeze", version, [A, ints(*axes)], [y])
    for version in versions_of("Transpose"):
        yield at_version("Transpose", version, [A], [A.transpose(2, 0, 1)], perm=[2, 0, 1])
        yield at_version("Transpose", version, [A], [A.T], name=f"transpose_{version}_reversed")
    for version in versions_of("Expand"):
        yield at_version("Expand", version, [A[:, :1], ints(2, 1, 3, 1)], [np.broadcast_to(A[:, :1], (2, 2, 3, 4)).copy()])


def sizes():
    for version in versions_of("Shape"):
        yield at_version("Shape", version, [A], [ints(2, 3, 4)])
        if version >= 15:
            yield at_version("Shape", version, [A], [ints(3)], name=f"shape_{version}_range", start=-2, end=-1)
            yield at_version("Shape", version, [A], [ints()], name=f"shape_{version}_none", start=2, end=1)
    for version in versions_of("Size"):
        yield at_version("Size", version, [A], [np.array(24, dtype=np.int64)])


def cutting():
    for version in versions_of("Slice"):
        y = A[:, 1:3, -3:-1]
        if version == 1:
            yield at_version("Slice", 1, [A], [y], starts=[1, -3], ends=[1000, -1], axes=[1, 2])
            yield at_version("Slice", 1, [A], [A[1:2, 0:2]], name="slice_1_leading", starts=[1, 0], ends=[2, -1])
        else:
            yield at_version("Slice", version, [A, ints(1, -3), ints(1000, -1), ints(1, 2)], [y])
            whole = np.iinfo(np.int64)
            step = [A, ints(whole.max, 0), ints(whole.min, 4), ints(1, 2), ints(-2, 3)]
            yield at_version("Slice", version, step, [A[:, ::-2, ::3]], name=f"slice_{version}_steps")
            short = [A, np.int32([0]), np.int32([1]), np.int32([-1] if version > 10 else [2])]
            yield at_version("Slice", version, short, [A[:, :, :1]], name=f"slice_{version}_int32")
    for version in versions_of("Split"):
        parts = [A[:, :, :1], A[:, :, 1:4]]
        if version == 1:
            yield at_version("Split", 1, [A, np.float32([1, 3])], parts, name="split_1_input", axis=2)
        if version < 13:
            yield at_version("Split", version, [A], parts, axis=2, split=[1, 3])
        else:
            yield at_version("Split", version, [A, ints(1, 3)], parts, axis=-1)
        even = {"num_outputs": 2} if version >= 18 else {}
        yield at_version("Split", version, [A], [A[:1], A[1:]], name=f"split_{version}_even", **even)
        if version >= 18:
            yield at_version("Split", version, [A], [A[:, :2], A[:, 2:]], name=f"split_{version}_uneven", axis=1, num_outputs=2)
    for version in versions_of("Compress"):
        keep = np.array([True, False, True])
        yield at_version("Compress", version, [A, keep], [A[:, [0, 2]]], axis=1)
        yield at_version("Compress", version, [A, keep], [np.float32([0, 2])], name=f"compress_{version}_flat")
    for version in versions_of("Unique"):
        x = np.float32([2, 1, 1, 3, 4, 3])
        outputs = [np.float32([2, 1, 3, 4]), ints(0, 1, 3, 4), ints(0, 1, 1, 2, 3, 2), ints(1, 2, 2, 1)]
        yield at_version("Unique", version, [x], outputs, sorted=0)
        y, first, inverse, counts = np.unique(x, True, True, True)
        yield at_version("Unique", version, [x], [y, first, inverse, counts], name=f"unique_{version}_sorted")
    for version in versions_of("NonZero"):
        x = np.float32([[1, 0], [0, 2], [3, 3]])
        yield at_version("NonZero", version, [x], [np.array(np.nonzero(x), dtype=np.int64)])


def joining():
    for version in versions_of("Concat"):
        b = A[:, :1] + 100
        if version == 1:
            yield at_version("Concat", 1, [A, b], [np.concatenate([A, b], 1)], name="concat_1_default")
        yield at_version("Concat", version, [A, b], [np.concatenate([A, b], 1)], axis=1 if version < 11 else -2)
        yield at_version("Concat", version, [A], [A], name=f"concat_{version}_single", axis=0)
    for version in versions_of("Tile"):
        y = np.tile(A, (1, 1, 2))
        if version == 1:
            yield at_version("Tile", 1, [A, np.float32(2), np.float32(2)], [y])
        else:
            yield at_version("Tile", version, [A, ints(1, 1, 2)], [y])
    for version in versions_of("DepthToSpace"):
        x = np.arange(32, dtype=np.float32).reshape(1, 8, 2, 2)
        dcr = x.reshape(1, 2, 2, 2, 2, 2).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 4)
        crd = x.reshape(1, 2, 2, 2, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 4)
        yield at_version("DepthToSpace", version, [x], [dcr], blocksize=2)
        if version >= 11:
            yield at_version("DepthToSpace", version, [x], [crd], name=f"depthtospace_{version}_crd", blocksize=2, mode="CRD")
    for version in versions_of("SpaceToDepth"):
        x = np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4)
        y = x.reshape(1, 2, 2, 2, 2, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 2)
        yield at_version("SpaceToDepth", version, [x], [y], blocksize=2)
    for version in versions_of("ReverseSequence"):
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        y = x.copy()
        for row, length in enumerate((4, 2, 1)):
            y[row, :length] = x[row, :length][::-1]
        yield at_version("ReverseSequence", version, [x, ints(4, 2, 1)], [y], batch_axis=0, time_axis=1)


# mode, numpy's name of it
PAD_MODES = {"constant": "constant", "reflect": "reflect", "edge": "edge", "wrap": "wrap"}


def padding():
    around = ((0, 0), (1, 0), (2, 1))
    flat = [0, 1, 2, 0, 0, 1]
    for version in versions_of("Pad"):
        for mode, numpy_mode in PAD_MODES.items():
            if mode == "wrap" and version < 19:
                continue
            value = {"constant_values": 1.5} if mode == "constant" else {}
            y = np.pad(A, around, mode=numpy_mode, **value)
            name = f"pad_{version}_{mode}"
            if version < 11:
                given = {"paddings" if version == 1 else "pads": flat, "mode": mode, **({"value": 1.5} if value else {})}
                yield at_version("Pad", version, [A], [y], name=name, **given)
            else:
                yield at_version("Pad", version, [A, ints(*flat)] + ([np.float32(1.5)] if value else []), [y], name=name, mode=mode)
        cut = np.pad(A[:, 1:], ((0, 0), (0, 1), (0, 0)))
        negative = [0, -1, 0, 0, 1, 0]
        old = {"paddings" if version == 1 else "pads": negative}
        yield at_version("Pad", version, [A], [cut], name=f"pad_{version}_negative", **old) if version < 11 else at_version("Pad", version, [A, ints(*negative)], [cut], name=f"pad_{version}_negative")
        if version >= 18:
            y = np.pad(A, ((0, 0), (0, 0), (1, 2)))
            yield at_version("Pad", version, [A, ints(1, 2), None, ints(-1)], [y], name=f"pad_{version}_axes")


def gathering():
    index = ints(1, 0)
    for version in versions_of("Gather"):
        yield at_version("Gather", version, [A, index], [A[:, index]], axis=1)
        if version >= 11:
            yield at_version("Gather", version, [A, np.int32([[-1]])], [A[:, :, [[-1]]]], name=f"gather_{version}_negative", axis=-1)
    for version in versions_of("GatherElements"):
        at = np.array([[[0, 1, 2, 0]], [[2, 2, -1, -3]]], dtype=np.int64)
        yield at_version("GatherElements", version, [A, at], [np.take_along_axis(A, at, 1)], axis=1)
    for version in versions_of("GatherND"):
        yield at_version("GatherND", version, [A, np.array([[0, 1], [1, -1]])], [A[[0, 1], [1, 2]]])
        if version >= 12:
            yield at_version("GatherND", version, [A, np.array([[1], [2]])], [A[[0, 1], [1, 2]]], name=f"gathernd_{version}_batch", batch_dims=1)
    for version in versions_of("OneHot"):
        values = np.float32([2, 5])
        y = np.float32([[2, 2, 5], [5, 2, 2]])
        yield at_version("OneHot", version, [ints(2, 0), np.int64(3), values], [y])
        yield at_version("OneHot", version, [ints(2, 0), np.int64(3), values], [y.T.copy()], name=f"onehot_{version}_first", axis=0)
        if version >= 11:
            yield at_version("OneHot", version, [ints(-1, -3), np.int64(3), values], [y], name=f"onehot_{version}_negative")


def scattering():
    zeros = np.zeros((3, 3), dtype=np.float32)
    at = np.array([[1, 0, 2], [0, 2, 1]])
    updates = np.float32([[1, 2, 3], [4, 5, 6]])
    y = np.float32([[4, 2, 0], [1, 0, 6], [0, 5, 3]])
    yield at_version("Scatter", 9, [zeros, at, updates], [y])
    yield at_version("Scatter", 9, [zeros, at[:1], updates[:1]], [np.float32([[2, 1, 3], [0, 0, 0], [0, 0, 0]])], name="scatter_9_axis", axis=1)
    for version in versions_of("ScatterElements"):
        yield at_version("ScatterElements", version, [zeros, at, updates], [y])
        below = at.copy()
        below[0, 0] = -2
        yield at_version("ScatterElements", version, [zeros, below, updates], [y], name=f"scatterelements_{version}_negative", axis=-2)
        for reduction, least in (("add", 16), ("mul", 16), ("max", 18), ("min", 18)):
            if version >= least:
                start = np.float32([[2.5, 2.5]])
                values, twice = np.float32([[1, 3]]), np.array([[1, 1]])
                end = {"add": 6.5, "mul": 7.5, "max": 3, "min": 1}[reduction]
                yield at_version("ScatterElements", version, [start, twice, values], [np.float32([[2.5, end]])], name=f"scatterelements_{version}_{reduction}", axis=1, reduction=reduction)
    for version in versions_of("ScatterND"):
        start = np.float32([1, 2, 3, 4])
        yield at_version("ScatterND", version, [start, np.array([[3], [-3]]), np.float32([9, 8])], [np.float32([1, 8, 3, 9])])
        for reduction, least in (("add", 16), ("mul", 16), ("max", 18), ("min", 18)):
            if version >= least:
                end = {"add": 14, "mul": 60, "max": 6, "min": 2}[reduction]
                inputs = [start, np.array([[1], [1]]), np.float32([6, 5 if reduction != "add" else 6])]
                yield at_version("ScatterND", version, inputs, [np.float32([1, end, 3, 4])], name=f"scatternd_{version}_{reduction}", reduction=reduction)


def constants():
    for version in versions_of("Constant"):
        yield at_version("Constant", version, [], [A], value=tensor_of(TensorProto.FLOAT, A.shape, A.ravel()))
        if version >= 12:
            yield at_version("Constant", version, [], [np.float32(2.5)], name=f"constant_{version}_float", value_float=2.5)
            yield at_version("Constant", version, [], [np.float32([2.5, 1])], name=f"constant_{version}_floats", value_floats=[2.5, 1.0])
            yield at_version("Constant", version, [], [np.int64(7)], name=f"constant_{version}_int", value_int=7)
            yield at_version("Constant", version, [], [ints(7, 8)], name=f"constant_{version}_ints", value_ints=[7, 8])
            yield at_version("Constant", version, [], [np.array("ab", dtype=object)], name=f"constant_{version}_string", value_string="ab")
            yield at_version("Constant", version, [], [np.array(["ab", "c"], dtype=object)], name=f"constant_{version}_strings", value_strings=["ab", "c"])
    for version in versions_of("ConstantOfShape"):
        yield at_version("ConstantOfShape", version, [ints(2, 3)], [np.full((2, 3), 4, dtype=np.int32)], value=tensor_of(TensorProto.INT32, [1], [4]))
        yield at_version("ConstantOfShape", version, [ints()], [np.float32(0)], name=f"constantofshape_{version}_scalar")
    for version in versions_of("EyeLike"):
        yield at_version("EyeLike", version, [A[0]], [np.eye(3, 4, 1, dtype=np.int32)], dtype=TensorProto.INT32, k=1)
        yield at_version("EyeLike", version, [A[0]], [np.eye(3, 4, -2, dtype=np.float32)], name=f"eyelike_{version}_below", k=-2)
    for version in versions_of("Range"):
        yield at_version("Range", version, [np.float32(1), np.float32(5), np.float32(1.5)], [np.float32([1, 2.5, 4])])
        yield at_version("Range", version, [np.int32(10), np.int32(4), np.int32(-3)], [np.int32([10, 7])], name=f"range_{version}_down")


def cases():
    for family in (reshaping, sizes, cutting, joining, padding, gathering, scattering, constants):
        yield from family()
