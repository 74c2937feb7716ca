"""Files that every run of a target begins with: made here, taken from the repository, and those in corpus/, most of which once were findings."""

import base64
import json
import pathlib
import struct
import zlib

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
FOUND = pathlib.Path(__file__).resolve().parent / "corpus"
TEXT = '''<ir_version: 8, opset_import: ["" : 17]>
main (float[n,4] x) => (float[n,2] y) <float[4,2] w = {1,2,3,4,5,6,7,8}, float[n,4] h> {
  [relu1] h = Relu (x)
  y = MatMul <alpha = 2.0, axes = [1, -2], mode = "up", then_branch = g1 () => (float[2] a) { a = Neg (h) }> (h, w)
}
'''
SETTINGS = {"schema": "cutaway.configuration/1", "providers": ["onednn", "cpu"], "options": {"openvino": {"device": "CPU"}},
            "pins": [{"operator": "Resize", "provider": "cpu"}, {"node": "n", "provider": "cpu"}], "minimum_group_nodes": 4, "opt_level": 3,
            "precision": "f32", "order": "default", "plan": "cutaway", "in_place": True, "executor": "sequential", "inter_threads": 1,
            "threads": 2, "keys": {"session.disable_cpu_ep_fallback": "1"}, "dims": {"batch": 1}}
EVENT = {"cat": "Node", "pid": 1, "tid": 2, "dur": 3, "ts": 4, "ph": "X", "name": "conv1_kernel_time",
         "args": {"op_name": "Conv", "node_index": "3", "provider": "CPUExecutionProvider", "output_size": "16", "thread_scheduling_stats": "", "input_type_shape": [{"float": [1, 2]}]}}
INSIDE = {"v": 1, "name": "g", "values": [["x", "float[2]", None], ["y", "float[2]", [2]]], "nodes": [["n", "Relu", "", [0], [1], [["alpha", "float", "1"]], [], ""]],
          "inputs": [0], "outputs": [1]}
EDITS = {"edits": [{"kind": "rename_value", "graph": 0, "origin": 1, "name": "x", "text": "y", "names": ["a"], "outputs": ["b"]}]}
SESSION = {"schema": "cutaway.session/1", "current": 0, "models": [
    {"path": "net/model.onnx", "configuration": {"schema": "cutaway.configuration/1", "providers": ["onednn", "cpu"], "dims": {"batch": 1}},
     "limits": {"memory_limit_bytes": 536870912, "profile_folders": ["profiles"]}, "edits": [{"kind": "bypass_node", "origin": 12}],
     "bookmarks": {"3": {"title": "Conv", "stage": "pattern", "graph": 0, "origin": 12, "centre": [0, 8], "scale": 0.5, "unfolded": ["encoder"]}},
     "stage": "partition", "overlay": "time", "place": {"stage": "partition", "graph": 0, "origin": 7, "centre": [3, 4], "scale": 1}, "selected": [7],
     "profile": base64.b64encode(struct.pack(">I", 2) + zlib.compress(b"{}")).decode()}], "style_rules": [], "window": {"arrangement": "AAAA"}}
RECORD = [{"schema": "cutaway.record/1", "program": "p", "date": "2026-11-23T17:09:19Z"}, {"provider": {"name": "qnn", "title": "QNN", "registration": "QNNExecutionProvider", "options": [["a", "b"]]}}]


def npy_files():
    for array in (numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.array(True), numpy.asfortranarray(numpy.ones((2, 2), numpy.int64)), numpy.array(["a", "bc"]), numpy.zeros((0, 3), numpy.float16)):
        header = repr({"descr": numpy.lib.format.dtype_to_descr(array.dtype), "fortran_order": array.flags.fnc, "shape": array.shape}).encode() + b"\n"
        yield b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + array.tobytes("A")


def pb_files():
    """A byte in front says what the model expects (targets.cpp)."""
    tensor = numpy_helper.from_array(numpy.arange(6, dtype=numpy.float32), "x")
    yield b"\0" + tensor.SerializeToString()
    yield b"\0" + helper.make_tensor("t", onnx.TensorProto.STRING, [2], [b"a", b"b"]).SerializeToString()
    yield b"\0" + helper.make_tensor("t", onnx.TensorProto.BFLOAT16, [1], [1.0]).SerializeToString()
    yield b"\1" + numpy_helper.from_list([numpy.ones(2, numpy.float32)], "s").SerializeToString()
    yield b"\2" + numpy_helper.from_optional(numpy.ones(2, numpy.float32), "o").SerializeToString()


def protocol_messages():
    for kind in range(15):
        yield bytes([kind]) + b"\0" * 40
        yield bytes([kind]) + struct.pack("<Q", 3) + b"abc" + struct.pack("<Q", 1) + b"x"
    yield bytes([14]) + struct.pack("<IHHQQII", 0x54524F43, 2, 1, 7, 0, 0, 0)


def asking_messages():
    def text(words):
        return struct.pack("<Q", len(words)) + words

    yield struct.pack("<Q", 1) + text(b"model") + text(b"CPU") + struct.pack("<QQQ", 1, 1, 0) + text(b"q0.o0") + struct.pack("<QQQQQ", 1, 1, 2, 3, 4)
    yield text(b"") + struct.pack("<QQ", 1, 3) + text(b"Unique")
    yield text(b"2026.4") + struct.pack("<QQQ", 4096, 8192, 1 << 30)


def small_models():
    """Each with something of its own: bodies, functions, quantisation, texts, sequences, open dimensions, sparse constants."""
    float_, int_, bool_ = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
    value, node, constant = helper.make_tensor_value_info, helper.make_node, numpy_helper.from_array

    def model(nodes, inputs, outputs, initializers=(), **more):
        graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
        opsets = more.pop("opsets", [helper.make_opsetid("", 21)])
        return helper.make_model(graph, opset_imports=opsets, ir_version=10, **more).SerializeToString()

    w = constant(numpy.ones((3, 2, 3, 3), numpy.float32), "w")
    yield model([node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1], name="c"), node("Relu", ["a"], ["b"]), node("MaxPool", ["b"], ["d"], kernel_shape=[2, 2]), node("Flatten", ["d"], ["y"])],
                [value("x", float_, ["n", 2, 6, 6])], [value("y", float_, None)], [w])
    then = helper.make_graph([node("Neg", ["x"], ["t"])], "then", [], [value("t", float_, None)])
    other = helper.make_graph([node("Abs", ["x"], ["e"])], "else", [], [value("e", float_, None)])
    yield model([node("If", ["c"], ["y"], then_branch=then, else_branch=other)], [value("x", float_, [2]), value("c", bool_, [])], [value("y", float_, None)])
    body = helper.make_graph([node("Identity", ["go"], ["on"]), node("Add", ["s", "s"], ["r"]), node("Identity", ["r"], ["slice"])], "body",
                             [value("i", int_, []), value("go", bool_, []), value("s", float_, [2])], [value("on", bool_, []), value("r", float_, [2]), value("slice", float_, [2])])
    yield model([node("Loop", ["m", "", "x"], ["last", "all"], body=body)], [value("x", float_, [2])], [value("last", float_, None), value("all", float_, None)], [constant(numpy.array(3), "m")])
    inner = helper.make_function("own", "F", ["a"], ["b"], [node("Softmax", ["a"], ["t"], axis=-1), node("Mul", ["t", "a"], ["b"])], [helper.make_opsetid("", 21)])
    yield model([node("F", ["x"], ["y"], domain="own", name="call")], [value("x", float_, [2, 3])], [value("y", float_, None)], opsets=[helper.make_opsetid("", 21), helper.make_opsetid("own", 1)], functions=[inner])
    scale, zero = constant(numpy.array(0.5, numpy.float32), "s"), constant(numpy.array(3, numpy.uint8), "z")
    yield model([node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["d"]), node("MatMul", ["d", "d"], ["y"])], [value("x", float_, [2, 2])], [value("y", float_, None)], [scale, zero])
    yield model([node("SplitToSequence", ["x"], ["q"], axis=0), node("ConcatFromSequence", ["q"], ["y"], axis=0)], [value("x", float_, ["n", 3])], [value("y", float_, None)])
    yield model([node("Shape", ["x"], ["h"]), node("ReduceProd", ["h"], ["p"], keepdims=1), node("Reshape", ["x", "p"], ["f"]), node("Gather", ["f", "i"], ["y"]), node("TopK", ["f", "k"], ["t", "u"])],
                [value("x", float_, ["n", 4])], [value("y", float_, None), value("t", float_, None)], [constant(numpy.array([0, 1]), "i"), constant(numpy.array([2]), "k")])
    yield model([node("StringConcat", ["x", "x"], ["y"])], [value("x", TensorProto.STRING, [2])], [value("y", TensorProto.STRING, None)])
    yield model([node("LSTM", ["x", "w", "r"], ["y"], hidden_size=2), node("Einsum", ["y", "y"], ["z"], equation="abcd,abcd->a")], [value("x", float_, [3, 1, 2])], [value("z", float_, None)],
                [constant(numpy.ones((1, 8, 2), numpy.float32), "w"), constant(numpy.ones((1, 8, 2), numpy.float32), "r")])


def texts(*values):
    return [value.encode() if isinstance(value, str) else json.dumps(value).encode() for value in values]


def files_of(*patterns):
    return [path.read_bytes() for pattern in patterns for path in sorted(REPOSITORY.glob(pattern))]


SEEDS = {
    "npy": npy_files,
    "pb": pb_files,
    "text": lambda: texts(TEXT) + files_of("tests/unit/engine/graph/*.textproto"),
    "context": lambda: files_of("tests/fuzz/context/corpus/*"),
    "inside": lambda: texts(INSIDE),
    "profile": lambda: texts({"kind": "cutaway profile", "model": "m", "run": {"runs": 1, "nodes": []}}),
    "trace": lambda: texts([EVENT], {"traceEvents": [EVENT, {**EVENT, "name": "model_run", "cat": "Session"}]}),
    "settings": lambda: texts(SETTINGS),
    "support": lambda: files_of("resources/profiles/*.json"),
    "record": lambda: ["\n".join(json.dumps(line) for line in RECORD).encode()],
    "edits": lambda: texts(EDITS),
    "protocol": protocol_messages,
    "asking": asking_messages,
    "model": lambda: [*small_models(), *files_of("tests/unit/engine/stages/load/ort_format/*.ort")],
    "walk": small_models,
    "run": lambda: [*small_models(), *files_of("tests/unit/engine/stages/load/ort_format/*.ort")],
    "session": lambda: texts(SESSION),
}


def write_seeds(target, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(SEEDS[target]()):
        (folder / f"seed_{number}.{target}").write_bytes(content)
    for path in sorted(FOUND.glob(f"*.{target}")):
        (folder / path.name).write_bytes(path.read_bytes())
