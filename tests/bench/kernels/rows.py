"""The rows of the kernel table: one small model for each operator family, with shapes from real models.

A row is a name, a node (or a few) and the inputs that are fed; everything else is a constant. `rows()` yields Row objects
whose models both engines can load.
"""

import dataclasses

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET, MICROSOFT = 21, "com.microsoft"


@dataclasses.dataclass
class Row:
    family: str
    name: str
    model: onnx.ModelProto


def constant(name, shape, dtype=np.float32, low=-1.0, high=1.0, seed=0):
    rng = np.random.default_rng(seed + len(name))
    if np.issubdtype(np.dtype(dtype), np.integer):
        return numpy_helper.from_array(rng.integers(int(low), int(high), shape).astype(dtype), name)
    return numpy_helper.from_array(rng.uniform(low, high, shape).astype(dtype), name)


def values(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def row(family, name, nodes, feeds, constants=(), outputs=("y",), opset=OPSET):
    """feeds: {name: (element type, shape)}. outputs: names, all of unknown type."""
    nodes = nodes if isinstance(nodes, list) else [nodes]
    inputs = [helper.make_tensor_value_info(key, kind, shape) for key, (kind, shape) in feeds.items()]
    graph = helper.make_graph(nodes, name, inputs, [onnx.ValueInfoProto(name=each) for each in outputs], list(constants))
    imports = [helper.make_opsetid("", opset), helper.make_opsetid(MICROSOFT, 1), helper.make_opsetid("ai.onnx.ml", 3)]
    return Row(family, name, helper.make_model(graph, opset_imports=imports, ir_version=10))


def node(kind, inputs, outputs=("y",), **attributes):
    return helper.make_node(kind, list(inputs), list(outputs), **attributes)


FLOAT, HALF, INT64, INT32, UINT8, INT8 = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64, TensorProto.INT32, TensorProto.UINT8, TensorProto.INT8)
HIDDEN, CHANNELS = (1, 128, 768), (1, 64, 56, 56)


def unary_rows():
    for kind in ("Relu", "LeakyRelu", "Elu", "Selu", "Sigmoid", "HardSigmoid", "HardSwish", "Mish", "Softplus", "Softsign", "Tanh", "Gelu", "Celu", "ThresholdedRelu"):
        yield row("activation", kind, node(kind, ["x"]), {"x": (FLOAT, CHANNELS)})
    yield row("activation", "PRelu", node("PRelu", ["x", "slope"]), {"x": (FLOAT, CHANNELS)}, [constant("slope", (64, 1, 1))])
    yield row("activation", "Clip", node("Clip", ["x", "low", "high"]), {"x": (FLOAT, CHANNELS)}, [values("low", np.float32(0)), values("high", np.float32(6))])
    yield row("activation", "com.microsoft FastGelu", node("FastGelu", ["x"], domain=MICROSOFT), {"x": (FLOAT, HIDDEN)})
    for kind in ("Abs", "Neg", "Exp", "Log", "Sqrt", "Reciprocal", "Erf", "Floor", "Ceil", "Round", "Sign", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "IsNaN", "IsInf"):
        yield row("unary math", kind, node(kind, ["x"]), {"x": (FLOAT, HIDDEN)})
    yield row("unary math", "Not", [node("Greater", ["x", "zero"], ["g"]), node("Not", ["g"])], {"x": (FLOAT, HIDDEN)}, [values("zero", np.float32(0))])


def binary_rows():
    for kind in ("Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "PRelu"):
        yield row("binary", f"{kind} same shape", node(kind, ["a", "b"]), {"a": (FLOAT, HIDDEN), "b": (FLOAT, HIDDEN)})
    yield row("binary", "Add bias", node("Add", ["a", "b"]), {"a": (FLOAT, HIDDEN)}, [constant("b", (768,))])
    yield row("binary", "Mul channels", node("Mul", ["a", "b"]), {"a": (FLOAT, CHANNELS), "b": (FLOAT, (1, 64, 1, 1))})
    yield row("binary", "Pow constant 3", node("Pow", ["a", "b"]), {"a": (FLOAT, HIDDEN)}, [values("b", np.float32(3))])
    yield row("binary", "Mod int64", node("Mod", ["a", "b"]), {"a": (INT64, (65536,))}, [values("b", np.int64(7))])
    yield row("binary", "Add int64", node("Add", ["a", "b"]), {"a": (INT64, (65536,)), "b": (INT64, (65536,))})
    yield row("binary", "Add float16", node("Add", ["a", "b"]), {"a": (HALF, HIDDEN), "b": (HALF, HIDDEN)})
    for kind in ("Equal", "Less", "GreaterOrEqual"):
        yield row("comparison", kind, node(kind, ["a", "b"]), {"a": (FLOAT, HIDDEN), "b": (FLOAT, HIDDEN)})
    yield row("logic", "And", node("And", ["a", "b"]), {"a": (TensorProto.BOOL, HIDDEN), "b": (TensorProto.BOOL, HIDDEN)})
    yield row("logic", "BitwiseXor", node("BitwiseXor", ["a", "b"]), {"a": (INT32, HIDDEN), "b": (INT32, HIDDEN)})
    yield row("binary", "Where", [node("Greater", ["a", "b"], ["c"]), node("Where", ["c", "a", "b"])], {"a": (FLOAT, HIDDEN), "b": (FLOAT, HIDDEN)})
    yield row("cast", "Cast float to float16", node("Cast", ["x"], to=HALF), {"x": (FLOAT, HIDDEN)})
    yield row("cast", "Cast float16 to float", node("Cast", ["x"], to=FLOAT), {"x": (HALF, HIDDEN)})
    yield row("cast", "Cast int64 to float", node("Cast", ["x"], to=FLOAT), {"x": (INT64, HIDDEN)})
    yield row("cast", "Cast float to uint8", node("Cast", ["x"], to=UINT8), {"x": (FLOAT, HIDDEN)})


def reduction_rows():
    axes = lambda *axis: [values("axes", np.array(axis, np.int64))]
    for kind in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"):
        yield row("reduction", f"{kind} last axis", node(kind, ["x", "axes"]), {"x": (FLOAT, HIDDEN)}, axes(-1))
    for kind in ("ReduceMean", "ReduceMax", "ReduceLogSumExp"):
        yield row("reduction", f"{kind} first axis", node(kind, ["x", "axes"]), {"x": (FLOAT, (128, 768))}, axes(0))
    yield row("reduction", "ReduceMean H and W", node("ReduceMean", ["x", "axes"]), {"x": (FLOAT, CHANNELS)}, axes(2, 3))
    yield row("reduction", "ArgMax last axis", node("ArgMax", ["x"], axis=-1), {"x": (FLOAT, (128, 1000))})
    yield row("reduction", "ArgMax channels", node("ArgMax", ["x"], axis=1), {"x": (FLOAT, (1, 21, 128, 128))})
    yield row("reduction", "TopK 5 of 1000", node("TopK", ["x", "k"], ["y", "i"]), {"x": (FLOAT, (16, 1000))}, [values("k", np.array([5], np.int64))])
    yield row("reduction", "TopK 300 of 8400", node("TopK", ["x", "k"], ["y", "i"]), {"x": (FLOAT, (1, 8400))}, [values("k", np.array([300], np.int64))])
    yield row("reduction", "CumSum", node("CumSum", ["x", "axis"]), {"x": (FLOAT, HIDDEN)}, [values("axis", np.int64(1))])
    for kind in ("Softmax", "LogSoftmax"):
        yield row("softmax", f"{kind} last axis", node(kind, ["x"], axis=-1), {"x": (FLOAT, (12, 128, 128))})
    yield row("softmax", "Softmax channels", node("Softmax", ["x"], axis=1), {"x": (FLOAT, (1, 21, 128, 128))})


def movement_rows():
    yield row("shape", "Transpose 0213", node("Transpose", ["x"], perm=[0, 2, 1, 3]), {"x": (FLOAT, (1, 128, 12, 64))})
    yield row("shape", "Transpose NCHW to NHWC", node("Transpose", ["x"], perm=[0, 2, 3, 1]), {"x": (FLOAT, CHANNELS)})
    yield row("shape", "Transpose last two", node("Transpose", ["x"], perm=[0, 2, 1]), {"x": (FLOAT, (12, 128, 64))})
    yield row("shape", "Concat channels", node("Concat", ["a", "b"], axis=1), {"a": (FLOAT, CHANNELS), "b": (FLOAT, CHANNELS)})
    yield row("shape", "Concat last axis", node("Concat", ["a", "b"], axis=-1), {"a": (FLOAT, HIDDEN), "b": (FLOAT, HIDDEN)})
    yield row("shape", "Split last axis", node("Split", ["x"], ["y", "z", "w"], axis=-1, num_outputs=3), {"x": (FLOAT, (1, 128, 2304))})
    yield row("shape", "Slice step 2", node("Slice", ["x", "s", "e", "axes", "steps"]), {"x": (FLOAT, (1, 3, 416, 416))}, [values(name, np.array(each, np.int64)) for name, each in (("s", [0, 0]), ("e", [416, 416]), ("axes", [2, 3]), ("steps", [2, 2]))])
    yield row("shape", "Pad constant", node("Pad", ["x", "p"]), {"x": (FLOAT, CHANNELS)}, [values("p", np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64))])
    yield row("shape", "Pad reflect", node("Pad", ["x", "p"], mode="reflect"), {"x": (FLOAT, CHANNELS)}, [values("p", np.array([0, 0, 3, 3, 0, 0, 3, 3], np.int64))])
    yield row("shape", "Expand", node("Expand", ["x", "s"]), {"x": (FLOAT, (1, 64, 1, 1))}, [values("s", np.array(CHANNELS, np.int64))])
    yield row("shape", "Tile", node("Tile", ["x", "r"]), {"x": (FLOAT, (1, 64, 64))}, [values("r", np.array([4, 2, 2], np.int64))])
    yield row("shape", "DepthToSpace", node("DepthToSpace", ["x"], blocksize=2), {"x": (FLOAT, CHANNELS)})
    yield row("shape", "SpaceToDepth", node("SpaceToDepth", ["x"], blocksize=2), {"x": (FLOAT, CHANNELS)})
    yield row("shape", "Trilu", node("Trilu", ["x"]), {"x": (FLOAT, (512, 512))})
    yield row("shape", "ReverseSequence", node("ReverseSequence", ["x", "l"], batch_axis=1, time_axis=0), {"x": (FLOAT, (100, 4, 128))}, [values("l", np.array([100, 50, 10, 1], np.int64))])
    yield row("indexing", "Gather embeddings", node("Gather", ["t", "x"]), {"x": (INT64, (1, 128))}, [constant("t", (30522, 256))])
    yield row("indexing", "GatherElements", node("GatherElements", ["x", "i"], axis=1), {"x": (FLOAT, (128, 768))}, [constant("i", (128, 256), np.int64, 0, 768)])
    yield row("indexing", "GatherND", node("GatherND", ["x", "i"]), {"x": (FLOAT, (128, 128, 64))}, [constant("i", (1024, 2), np.int64, 0, 128)])
    yield row("indexing", "ScatterElements", node("ScatterElements", ["x", "i", "u"], axis=1), {"x": (FLOAT, (128, 768)), "u": (FLOAT, (128, 256))}, [values("i", np.stack([np.random.default_rng(i).permutation(768)[:256] for i in range(128)]))])
    yield row("indexing", "ScatterND", node("ScatterND", ["x", "i", "u"]), {"x": (FLOAT, (1024, 64)), "u": (FLOAT, (256, 64))}, [values("i", np.random.default_rng(0).permutation(1024)[:256, None])])
    yield row("indexing", "NonZero", node("NonZero", ["x"]), {"x": (TensorProto.BOOL, (256, 256))})
    yield row("indexing", "OneHot", node("OneHot", ["x", "d", "v"]), {"x": (INT64, (128,))}, [values("d", np.int64(1000)), values("v", np.array([0, 1], np.float32))])
    yield row("indexing", "Unique", node("Unique", ["x"], ["y"]), {"x": (INT64, (4096,))})
    yield row("indexing", "Compress", node("Compress", ["x", "c"], axis=0), {"x": (FLOAT, (1024, 64))}, [values("c", np.arange(1024) % 3 == 0)])
    yield row("generator", "Range", node("Range", ["z", "x", "o"]), {"x": (INT64, ())}, [values("z", np.int64(0)), values("o", np.int64(1))])
    yield row("generator", "RandomNormal", [node("RandomNormal", [], ["r"], shape=[256, 256]), node("Add", ["r", "x"])], {"x": (FLOAT, (1,))})
    yield row("generator", "EyeLike", node("EyeLike", ["x"]), {"x": (FLOAT, (512, 512))})


def product_rows():
    yield row("matmul", "MatMul 128x768x768", node("MatMul", ["x", "w"]), {"x": (FLOAT, HIDDEN)}, [constant("w", (768, 768))])
    yield row("matmul", "MatMul 1x768x3072", node("MatMul", ["x", "w"]), {"x": (FLOAT, (1, 768))}, [constant("w", (768, 3072))])
    yield row("matmul", "MatMul heads", node("MatMul", ["a", "b"]), {"a": (FLOAT, (12, 128, 64)), "b": (FLOAT, (12, 64, 128))})
    yield row("matmul", "MatMul double", node("MatMul", ["x", "w"]), {"x": (TensorProto.DOUBLE, (128, 256))}, [constant("w", (256, 256), np.float64)])
    yield row("matmul", "MatMul int32", node("MatMul", ["x", "w"]), {"x": (INT32, (64, 128))}, [constant("w", (128, 128), np.int32, 0, 9)])
    yield row("matmul", "Gemm", node("Gemm", ["x", "w", "b"], transB=1), {"x": (FLOAT, (1, 2048))}, [constant("w", (1000, 2048)), constant("b", (1000,))])
    yield row("matmul", "Einsum bhid,bhjd->bhij", node("Einsum", ["a", "b"], equation="bhid,bhjd->bhij"), {"a": (FLOAT, (1, 12, 128, 64)), "b": (FLOAT, (1, 12, 128, 64))})
    yield row("matmul", "com.microsoft FusedMatMul", node("FusedMatMul", ["a", "b"], transB=1, alpha=0.125, domain=MICROSOFT), {"a": (FLOAT, (12, 128, 64)), "b": (FLOAT, (12, 128, 64))})
    conv = lambda name, x, w, **attributes: row("convolution", name, node(attributes.pop("kind", "Conv"), ["x", "w"], **attributes), {"x": (FLOAT, x)}, [constant("w", w)])
    yield conv("Conv 3x3", CHANNELS, (64, 64, 3, 3), pads=[1, 1, 1, 1])
    yield conv("Conv 1x1", CHANNELS, (256, 64, 1, 1))
    yield conv("Conv 1x1, few channels", (1, 16, 112, 112), (96, 16, 1, 1))
    yield conv("Conv of one cell", (1, 384, 1, 1), (96, 384, 1, 1))
    yield conv("Conv 7x7 stride 2", (1, 3, 224, 224), (64, 3, 7, 7), pads=[3, 3, 3, 3], strides=[2, 2])
    yield conv("Conv depthwise 3x3", (1, 96, 56, 56), (96, 1, 3, 3), pads=[1, 1, 1, 1], group=96)
    yield conv("Conv 1-D", (1, 64, 1000), (64, 64, 3), pads=[1, 1])
    yield conv("Conv 1-D of sound, side by side", (1, 1, 80000), (320, 1, 455), pads=[7, 448], strides=[441])
    yield conv("Conv 1-D of sound, overlapping", (1, 1, 16000), (402, 1, 400), strides=[160])
    yield conv("Conv 3x3 stride 2, image", (1, 3, 224, 224), (32, 3, 3, 3), pads=[1, 1, 1, 1], strides=[2, 2])
    yield conv("Conv 3-D", (1, 16, 16, 32, 32), (16, 16, 3, 3, 3), pads=[1] * 6)
    yield conv("ConvTranspose 2x2", (1, 64, 28, 28), (64, 32, 2, 2), strides=[2, 2], kind="ConvTranspose")
    yield row("convolution", "DeformConv", node("DeformConv", ["x", "w", "o"], pads=[1, 1, 1, 1]), {"x": (FLOAT, (1, 16, 28, 28)), "o": (FLOAT, (1, 18, 28, 28))}, [constant("w", (16, 16, 3, 3))], opset=22)


def window_rows():
    for kind in ("MaxPool", "AveragePool", "LpPool"):
        yield row("pooling", f"{kind} 3x3 stride 2", node(kind, ["x"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]), {"x": (FLOAT, (1, 64, 112, 112))})
    yield row("pooling", "MaxPool 3x3, small planes", node("MaxPool", ["x"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]), {"x": (FLOAT, (1, 832, 7, 7))})
    for kind in ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"):
        yield row("pooling", kind, node(kind, ["x"]), {"x": (FLOAT, (1, 512, 7, 7))})
    for mode in ("nearest", "linear", "cubic"):
        yield row("resize", f"Resize {mode} 2x", node("Resize", ["x", "", "s"], mode=mode), {"x": (FLOAT, (1, 16, 64, 64))}, [values("s", np.array([1, 1, 2, 2], np.float32))])
    yield row("resize", "GridSample", node("GridSample", ["x", "g"]), {"x": (FLOAT, (1, 16, 64, 64)), "g": (FLOAT, (1, 64, 64, 2))})
    yield row("detection", "RoiAlign", node("RoiAlign", ["x", "r", "b"], output_height=7, output_width=7, sampling_ratio=2), {"x": (FLOAT, (1, 64, 50, 50))}, [values("r", np.sort(np.random.default_rng(0).uniform(0, 49, (64, 2, 2)), axis=1).reshape(64, 4).astype(np.float32)), values("b", np.zeros(64, np.int64))])
    boxes = np.random.default_rng(0).uniform(0, 0.8, (1, 1000, 2)).astype(np.float32)
    yield row("detection", "NonMaxSuppression", node("NonMaxSuppression", ["b", "x", "m", "i"]), {"x": (FLOAT, (1, 4, 1000))}, [values("b", np.concatenate([boxes, boxes + 0.1], axis=-1)), values("m", np.array([50], np.int64)), values("i", np.array([0.5], np.float32))])


def normalization_rows():
    vector = lambda name, size=768: constant(name, (size,))
    yield row("normalization", "LayerNormalization", node("LayerNormalization", ["x", "s", "b"]), {"x": (FLOAT, HIDDEN)}, [vector("s"), vector("b")])
    yield row("normalization", "RMSNormalization", node("RMSNormalization", ["x", "s"]), {"x": (FLOAT, HIDDEN)}, [vector("s")], opset=23)
    yield row("normalization", "com.microsoft SkipLayerNormalization", node("SkipLayerNormalization", ["x", "k", "s", "b"], domain=MICROSOFT), {"x": (FLOAT, HIDDEN), "k": (FLOAT, HIDDEN)}, [vector("s"), vector("b")])
    yield row("normalization", "BatchNormalization", node("BatchNormalization", ["x", "s", "b", "m", "v"]), {"x": (FLOAT, CHANNELS)}, [vector("s", 64), vector("b", 64), vector("m", 64), constant("v", (64,), low=0.5)])
    yield row("normalization", "InstanceNormalization", node("InstanceNormalization", ["x", "s", "b"]), {"x": (FLOAT, CHANNELS)}, [vector("s", 64), vector("b", 64)])
    yield row("normalization", "GroupNormalization", node("GroupNormalization", ["x", "s", "b"], num_groups=8), {"x": (FLOAT, CHANNELS)}, [vector("s", 64), vector("b", 64)])
    yield row("normalization", "LRN", node("LRN", ["x"], size=5), {"x": (FLOAT, CHANNELS)})
    yield row("normalization", "LpNormalization", node("LpNormalization", ["x"], axis=-1), {"x": (FLOAT, HIDDEN)})
    yield row("normalization", "MeanVarianceNormalization", node("MeanVarianceNormalization", ["x"]), {"x": (FLOAT, CHANNELS)})


def recurrent_rows():
    for kind, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        for batch in (1, 8):
            extra = {"linear_before_reset": 1} if kind == "GRU" else {}
            yield row("recurrent", f"{kind} T=100 B={batch}", node(kind, ["x", "w", "r"], hidden_size=256, **extra), {"x": (FLOAT, (100, batch, 128))}, [constant("w", (1, gates * 256, 128), low=-0.1, high=0.1), constant("r", (1, gates * 256, 256), low=-0.1, high=0.1)])
    scales = [values(name, np.array([0.001], np.float32)) for name in ("ws", "rs")]
    for batch in (1, 8):
        weights = [constant("w", (1, 128, 1024), np.int8, -127, 127), constant("r", (1, 256, 1024), np.int8, -127, 127), values("z", np.array([0], np.int8))]
        yield row("recurrent", f"com.microsoft DynamicQuantizeLSTM T=100 B={batch}", node("DynamicQuantizeLSTM", ["x", "w", "r", "", "", "", "", "", "ws", "z", "rs", "z"], hidden_size=256, domain=MICROSOFT), {"x": (FLOAT, (100, batch, 128))}, weights + scales)
    shapes = {"w": (1, 1024, 384), "r": (1, 1024, 256), "qw": (1, 256, 128), "mw": (1, 256, 128), "v": (1, 128), "aw": (1, 512, 256)}
    for steps in (1, 50):
        yield row("recurrent", f"com.microsoft AttnLSTM T={steps}", node("AttnLSTM", ["x", "w", "r", "", "", "", "", "", "qw", "mw", "v", "m", "", "aw"], hidden_size=256, domain=MICROSOFT), {"x": (FLOAT, (steps, 1, 128)), "m": (FLOAT, (1, 60, 256))}, [constant(name, shape, low=-0.1, high=0.1) for name, shape in shapes.items()])


def attention_rows():
    qkv = lambda shape: {name: (FLOAT, shape) for name in "qkv"}
    for length in (128, 1024):
        yield row("attention", f"Attention-23 S={length}", node("Attention", ["q", "k", "v"]), qkv((1, 12, length, 64)), opset=23)
        yield row("attention", f"com.microsoft MultiHeadAttention S={length}", node("MultiHeadAttention", ["q", "k", "v"], num_heads=12, domain=MICROSOFT), qkv((1, length, 768)))
    yield row("attention", "RotaryEmbedding", node("RotaryEmbedding", ["x", "c", "s", "p"]), {"x": (FLOAT, (1, 12, 128, 64))}, [constant("c", (128, 32)), constant("s", (128, 32)), values("p", np.arange(128)[None])], opset=23)
    step = {"q": (FLOAT, (1, 1, 4096)), "k": (FLOAT, (1, 1, 1024)), "v": (FLOAT, (1, 1, 1024)), "pk": (FLOAT, (1, 8, 2048, 128)), "pv": (FLOAT, (1, 8, 2048, 128))}
    lengths = [values("l", np.array([2048], np.int32)), values("t", np.array([2049], np.int32))]
    grouped = node("GroupQueryAttention", ["q", "k", "v", "pk", "pv", "l", "t"], ["y", "nk", "nv"], num_heads=32, kv_num_heads=8, domain=MICROSOFT)
    yield row("attention", "com.microsoft GroupQueryAttention decode", grouped, step, lengths, outputs=("y", "nk", "nv"))
    yield row("attention", "com.microsoft Attention S=128", node("Attention", ["x", "w", "b"], num_heads=12, domain=MICROSOFT), {"x": (FLOAT, (1, 128, 768))}, [constant("w", (768, 2304)), constant("b", (2304,))])


def quantised_rows():
    scale, zero = values("s", np.float32(0.02)), values("z", np.uint8(128))
    weights = constant("w", (768, 768), np.int8, -127, 127)
    yield row("quantised", "QuantizeLinear", node("QuantizeLinear", ["x", "s", "z"]), {"x": (FLOAT, CHANNELS)}, [scale, zero])
    yield row("quantised", "DequantizeLinear", node("DequantizeLinear", ["x", "s", "z"]), {"x": (UINT8, CHANNELS)}, [scale, zero])
    yield row("quantised", "DynamicQuantizeLinear", node("DynamicQuantizeLinear", ["x"], ["y", "ys", "yz"]), {"x": (FLOAT, HIDDEN)})
    yield row("quantised", "MatMulInteger", node("MatMulInteger", ["x", "w", "z"]), {"x": (UINT8, (128, 768))}, [weights, zero])
    yield row("quantised", "QLinearMatMul", node("QLinearMatMul", ["x", "s", "z", "w", "s", "wz", "s", "z"]), {"x": (UINT8, (128, 768))}, [weights, scale, zero, values("wz", np.int8(0))])
    yield row("quantised", "QLinearConv 3x3", node("QLinearConv", ["x", "s", "z", "w", "s", "wz", "s", "z"], pads=[1, 1, 1, 1]), {"x": (UINT8, CHANNELS)}, [constant("w", (64, 64, 3, 3), np.int8, -127, 127), scale, zero, values("wz", np.int8(0))])
    yield row("quantised", "ConvInteger 3x3", node("ConvInteger", ["x", "w", "z"], pads=[1, 1, 1, 1]), {"x": (UINT8, CHANNELS)}, [constant("w", (64, 64, 3, 3), np.uint8, 0, 255), zero])
    yield row("quantised", "com.microsoft QLinearAdd", node("QLinearAdd", ["x", "s", "z", "b", "s", "z", "s", "z"], domain=MICROSOFT), {"x": (UINT8, CHANNELS), "b": (UINT8, CHANNELS)}, [scale, zero])
    yield row("quantised", "com.microsoft DynamicQuantizeMatMul", node("DynamicQuantizeMatMul", ["x", "w", "s"], domain=MICROSOFT), {"x": (FLOAT, (1, 768))}, [weights, scale])
    for rows_of_a in (1, 128):
        yield row("quantised", f"com.microsoft MatMulNBits 4-bit M={rows_of_a}", node("MatMulNBits", ["x", "w", "s4"], K=1024, N=1024, bits=4, block_size=32, domain=MICROSOFT), {"x": (FLOAT, (rows_of_a, 1024))}, [constant("w", (1024, 32, 16), np.uint8, 0, 255), constant("s4", (1024 * 32,))])


def signal_rows():
    yield row("signal", "DFT 1024", node("DFT", ["x", "", "a"], onesided=1), {"x": (FLOAT, (8, 1024, 1))}, [values("a", np.int64(1))])
    yield row("signal", "STFT", node("STFT", ["x", "step", "w"]), {"x": (FLOAT, (1, 16000, 1))}, [values("step", np.int64(160)), values("w", np.hanning(400).astype(np.float32))])
    yield row("signal", "Det", node("Det", ["x"]), {"x": (FLOAT, (64, 8, 8))})


STRING, DOUBLE, BOOL = TensorProto.STRING, TensorProto.DOUBLE, TensorProto.BOOL
WORDS = [f"Word{i}" for i in range(64)]


def texts(name, count):
    return helper.make_tensor(name, STRING, [count], [WORDS[i * 7 % len(WORDS)].encode() for i in range(count)])


def text_rows():
    """A Gather by fed numbers makes each list of texts, so that nothing is folded."""
    def row_of_texts(name, nodes, count, **rest):
        chosen = node("Gather", ["table", "x"], ["words"])
        return row("text", name, [chosen] + nodes, {"x": (INT64, (count,))}, [texts("table", 2000)], **rest)
    yield row_of_texts("Gather texts", [node("Identity", ["words"])], 1000)
    yield row_of_texts("StringNormalizer", [node("StringNormalizer", ["words"], case_change_action="LOWER", is_case_sensitive=0, stopwords=WORDS[:4])], 1000)
    pool = node("TfIdfVectorizer", ["words"], mode="TF", min_gram_length=1, max_gram_length=2, max_skip_count=0, ngram_counts=[0, 48], ngram_indexes=list(range(48 + 31)),
                pool_strings=WORDS[:48] + [WORDS[(i + k) % 64] for i in range(31) for k in (0, 7)])
    yield row_of_texts("TfIdfVectorizer", [pool], 1000)
    yield row_of_texts("ai.onnx.ml LabelEncoder texts to numbers", [node("LabelEncoder", ["words"], domain="ai.onnx.ml", keys_strings=WORDS, values_int64s=list(range(len(WORDS))))], 1000)
    yield row("text", "ai.onnx.ml LabelEncoder numbers", node("LabelEncoder", ["x"], domain="ai.onnx.ml", keys_int64s=list(range(256)), values_int64s=list(range(256, 0, -1))), {"x": (INT64, (1000,))})


def body(name, nodes, inputs, outputs):
    info = lambda each: helper.make_tensor_value_info(*each)
    return helper.make_graph(nodes, name, [info(each) for each in inputs], [info(each) for each in outputs])


def control_rows():
    step = body("step", [node("Add", ["state", "one"], ["next"]), node("Identity", ["go"], ["still"])], [("i", INT64, []), ("go", BOOL, []), ("state", FLOAT, [64])], [("still", BOOL, []), ("next", FLOAT, [64])])
    one = values("one", np.float32(1))
    yield row("control", "Loop 100 trips", node("Loop", ["trips", "", "x"], body=step), {"x": (FLOAT, (64,))}, [values("trips", np.int64(100)), one])
    branch = lambda name, kind: body(name, [node(kind, ["x", "one"], [name])], [], [(name, FLOAT, [64])])
    yield row("control", "If", [node("ReduceSum", ["x"], ["sum"], keepdims=0), node("Greater", ["sum", "one"], ["c"]), node("If", ["c"], then_branch=branch("yes", "Add"), else_branch=branch("no", "Sub"))], {"x": (FLOAT, (64,))}, [one])
    scanned = body("scanned", [node("Add", ["total", "row"], ["sum"]), node("Identity", ["sum"], ["out"])], [("total", FLOAT, [64]), ("row", FLOAT, [64])], [("sum", FLOAT, [64]), ("out", FLOAT, [64])])
    yield row("control", "Scan 100 rows", node("Scan", ["start", "x"], ["last", "y"], body=scanned, num_scan_inputs=1), {"x": (FLOAT, (100, 64))}, [constant("start", (64,))])
    split = [node("SplitToSequence", ["x", "parts"], ["s"], axis=0), node("ConcatFromSequence", ["s"], axis=0)]
    yield row("control", "SplitToSequence and back", split, {"x": (FLOAT, (64, 256))}, [values("parts", np.int64(1))])


def more_rows():
    yield row("matmul", "Einsum of three bij,bjk,bkl->bil", node("Einsum", ["a", "b", "c"], equation="bij,bjk,bkl->bil"), {"a": (FLOAT, (4, 32, 48)), "b": (FLOAT, (4, 48, 40)), "c": (FLOAT, (4, 40, 24))})
    yield row("matmul", "MatMul double 1x512x512", node("MatMul", ["x", "w"]), {"x": (DOUBLE, (1, 512))}, [constant("w", (512, 512), np.float64)])
    yield row("matmul", "MatMul int64", node("MatMul", ["x", "w"]), {"x": (INT64, (64, 128))}, [constant("w", (128, 128), np.int64, 0, 9)])
    yield row("convolution", "Conv double 3x3", node("Conv", ["x", "w"], pads=[1, 1, 1, 1]), {"x": (DOUBLE, (1, 16, 28, 28))}, [constant("w", (16, 16, 3, 3), np.float64)])
    yield row("binary", "Where with broadcast", node("Where", ["c", "a", "low"]), {"c": (BOOL, (1, 1, 128, 128)), "a": (FLOAT, (1, 12, 128, 128))}, [values("low", np.float32(-1e9))])
    yield row("softmax", "Softmax 12x512x512", node("Softmax", ["x"], axis=-1), {"x": (FLOAT, (12, 512, 512))})
    yield row("indexing", "com.microsoft GatherBlockQuantized", node("GatherBlockQuantized", ["w", "x", "s"], block_size=32, bits=4, gather_axis=0, quantize_axis=1, domain=MICROSOFT), {"x": (INT64, (1, 128))}, [constant("w", (4000, 128), np.uint8, 0, 255), constant("s", (4000, 8))])
    scale, zero = values("s", np.float32(0.02)), values("z", np.uint8(128))
    yield row("quantised", "com.microsoft QLinearGlobalAveragePool", node("QLinearGlobalAveragePool", ["x", "s", "z", "s", "z"], domain=MICROSOFT), {"x": (UINT8, (1, 512, 7, 7))}, [scale, zero])
    yield row("quantised", "com.microsoft QLinearAveragePool", node("QLinearAveragePool", ["x", "s", "z", "s", "z"], domain=MICROSOFT, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]), {"x": (UINT8, CHANNELS)}, [scale, zero])
    yield row("detection", "MaxRoiPool", node("MaxRoiPool", ["x", "r"], pooled_shape=[7, 7]), {"x": (FLOAT, (1, 64, 50, 50))}, [values("r", np.concatenate([np.zeros((32, 1)), np.sort(np.random.default_rng(0).integers(0, 49, (32, 2, 2)), axis=1).reshape(32, 4)], axis=1).astype(np.float32))])
    yield row("detection", "AffineGrid", node("AffineGrid", ["x", "size"]), {"x": (FLOAT, (4, 2, 3))}, [values("size", np.array([4, 3, 64, 64], np.int64))])
    yield row("shape", "Col2Im", node("Col2Im", ["x", "i", "b"], pads=[1, 1, 1, 1]), {"x": (FLOAT, (1, 16 * 9, 28 * 28))}, [values("i", np.array([28, 28], np.int64)), values("b", np.array([3, 3], np.int64))])
    yield row("pooling", "MaxUnpool", [node("MaxPool", ["x"], ["p", "i"], kernel_shape=[2, 2], strides=[2, 2]), node("MaxUnpool", ["p", "i"], kernel_shape=[2, 2], strides=[2, 2])], {"x": (FLOAT, CHANNELS)})


def tree_arrays(trees, depth, features, rng):
    """Complete trees of one depth: inner nodes count 2^depth - 1, every leaf adds to target 0."""
    inner = 2**depth - 1
    total = 2 * inner + 1
    names = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true", "hitrates")
    nodes = {f"nodes_{name}": [] for name in names}
    leaves = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    for tree in range(trees):
        for index in range(total):
            leaf = index >= inner
            fields = (tree, index, 0 if leaf else int(rng.integers(features)), 0.0 if leaf else float(rng.normal()), "LEAF" if leaf else "BRANCH_LEQ",
                      0 if leaf else 2 * index + 1, 0 if leaf else 2 * index + 2, 0, 1.0)
            for name, value in zip(names, fields):
                nodes[f"nodes_{name}"].append(value)
            if leaf:
                for name, value in zip(leaves, (tree, index, 0, float(rng.normal()))):
                    leaves[name].append(value)
    return nodes, leaves


def ml_rows():
    ml = "ai.onnx.ml"
    nodes, leaves = tree_arrays(100, 8, 32, np.random.default_rng(0))
    targets = {f"target_{key}": value for key, value in leaves.items()}
    for count in (1, 1000):
        yield row("ml", f"TreeEnsembleRegressor {count} rows", node("TreeEnsembleRegressor", ["x"], domain=ml, n_targets=1, **nodes, **targets), {"x": (FLOAT, (count, 32))})
    yield row("ml", "LinearClassifier", node("LinearClassifier", ["x"], ["l", "y"], domain=ml, coefficients=np.linspace(-1, 1, 640).tolist(), intercepts=[0.0] * 10, classlabels_ints=list(range(10)), post_transform="SOFTMAX"), {"x": (FLOAT, (1000, 64))}, outputs=("l", "y"))
    yield row("ml", "Scaler", node("Scaler", ["x"], domain=ml, offset=[0.5] * 64, scale=[2.0] * 64), {"x": (FLOAT, (1000, 64))})
    yield row("ml", "Normalizer", node("Normalizer", ["x"], domain=ml, norm="L2"), {"x": (FLOAT, (1000, 64))})


def rows():
    for make in (unary_rows, binary_rows, reduction_rows, movement_rows, product_rows, window_rows, normalization_rows, recurrent_rows, attention_rows, quantised_rows, signal_rows, ml_rows, text_rows, control_rows, more_rows):
        yield from make()
