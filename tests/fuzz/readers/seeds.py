"""Files that every run of a target begins with: made here or taken from the repository, a folder for each target."""

import json
import pathlib
import struct

import numpy
import onnx
from onnx import helper, numpy_helper

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
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
}


def write_seeds(target, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(SEEDS[target]()):
        (folder / f"seed_{number}").write_bytes(content)
