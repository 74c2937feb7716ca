"""Files that every run of a target begins with: made here, taken from the repository, and those in corpus/, most of which once were findings."""

import base64
import json
import pathlib
import struct
import zlib

import numpy
import onnx
from onnx import helper, numpy_helper

from context_seeds import context_binaries
from model_seeds import model_texts, small_models, tensors, written_models
from ort_seeds import ort_lists

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
FOUND = pathlib.Path(__file__).resolve().parent / "corpus"
TEXT = '''<ir_version: 8, opset_import: ["" : 17]>
main (float[n,4] x) => (float[n,2] y) <float[4,2] w = {1,2,3,4,5,6,7,8}, float[n,4] h> {
  [relu1] h = Relu (x)
  y = MatMul <alpha = 2.0, axes = [1, -2], mode = "up", then_branch = g1 () => (float[2] a) { a = Neg (h) }> (h, w)
}
'''
# Everything that the notation has.
WHOLE_TEXT = '''<ir_version: 10, model_version: 3, opset_import: ["" : 21, "own" : 1], producer_name: "p", producer_version: "1", domain: "d",
 doc_string: "a\\n\\t\\r\\"\\\\\\x41", metadata_props: ["a" : "b", "c" : "d"]>  # told
main (seq(float[?]) s, optional(seq(map(string, float[2]))) o, map(int64, float) m, sparse_tensor(float[3]) p, opaque q, unknown u, float[n,?,3]@channels_last x, float[1,8]@blocked8 b, float[1,16]@blocked16 c) => (y)
<string[2] t = {"a", "b"}, bool[2] f = {true, 0}, complex64[1] z = {1, -2}, float8e4m3fn[1] n = {0.5}, int4[3] i4 = {-8, 7, 0}, uint2[2] u2 = {3, 0}, float4e2m1[2] f4 = {0.5, -6}, float16[1] h = {1e-3}, bfloat16[1] bf = {+inf}, double d = {nan}, float[0] e = {}> {
  y, "z 2" = own.deep.Odd:v2 @cpu <a: int = 1, b: float = 2, c: string = "t", d: ints = [], e: floats = [1, 2.5], f: strings = ["a"], g: tensor = float[1] {1}, h: tensors = [float[1] {1}, float {2}],
    i: graph = g1 () => (a) { a = Neg (x) }, j: graphs = [g2 () => () {}], k: sparse_tensor = {dims = [3,4], values = float[1] {1}, indices = int64[1] {5}},
    l: sparse_tensors = [{dims = [2], values = float[1] {1}, indices = int64[1] {0}}], m: type_proto = seq(float), n: type_protos = [float[1], int64], o: undefined = none, p = @alpha, q = float[2], r = float[1] {1}, s = "g 3" () => () {}> (x, "", s)
  [""] w = Relu (y) <axis = 1>
  = Sink (w)
}
<domain: "own", overload: "v2", doc_string: "d", opset_import: ["" : 21]> F <alpha, beta: float = 1.5, gamma = [1]> (a) => (r) { r = Elu <alpha: float = @alpha> (a) } // end
'''
TEXT_WORDS = ("seq(", "optional(", "map(", "sparse_tensor(", "opaque", "unknown", "@channels_last", "@blocked8", "{...}", "=>", "=", "\\x4", "[n,?]", ": ints = []", ": graph = ", ": type_proto = ", ": undefined = none", "= @a", "dims = [", "values = ", "indices = ", "-nan", "1e999", "ir_version: ",
              "opset_import: [", "metadata_props: [", "<domain: ", "overload: ")
# One for each way to be wrong.
ODD_TEXTS = ("g () => () { x = F (y) ) }", "g () => () { a = F <b = c:d> () }", "g () => () {}<", "g (float[-1] x) => () {}", "g (float x) => () <float[2] w = {...}> {}", "g () => () <float[2] w = {1}> {}", "g () => () <float[1] w = {a}> {}", "g () => () <string[1] w = {1}> {}", "g () => () <int4[1] w = {99}> {}",
             "g () => () <float w = {1e999}> {}", "g () => () <seq(float) w = {1}> {}", "g () => () { a = F <b: ints = 1> () }", "g () => () { a = F <b: int = [1]> () }", "g () => () { a = F <b = []> () }", "g () => () { a = F <b = [1, \"a\"]> () }", "g () => () { a = F <b: odd = 1> () }",
             "g () => () { a = F <b = ,> () }", "g () => () { a = F <b: sparse_tensor = {odd = 1}> () }", "g () => () { a = F <b: sparse_tensor = {}> () }", "g (float@odd x) => () {}", '"\\q"', '"\\xZZ"', '"\\xaF" () => () {}', '"abc', "\x01", "<odd: 1> g () => () {}", "g () => () {} <odd: 1> F () => () {}",
             "g () => () <uint8[1] a = {1}, int8[1] b = {-1}, uint16[1] c = {1}, int16[1] d = {1}, uint32[1] e = {1}, int32[1] f = {1}, uint64[1] g = {1}, int64[1] h = {1}, complex128[1] i = {1, 2}, double[1] j = {1}, uint4[1] k = {1}, float6e2m3[1] l = {1}> {}", "", "g () => (", f"g () => () {{ a = F {'<b: graph = g () => () { a = F ' * 70}")
LINE = 'providers=onednn{precision=f16},cpu; opt-level=0; pin=op:Resize=cpu; pin=node:"a;b"=cpu; pin=scope:/encoder=cpu; pin=op:com.microsoft:Gelu=cpu; min-group=4; threads=2; inter-threads=1; precision=f16; order=memory; plan=reference; in-place=1; executor=dataflow; dim=batch=3; ep.openvino.device=CPU; session.x="q \\"\\\\"'
LINE_WORDS = tuple(f"{name}=" for name in ("providers", "pin", "pins", "min-group", "opt-level", "precision", "order", "plan", "in-place", "executor", "threads", "inter-threads", "dim", "ep.a.b", "session.a")) + ("none", ";", '"', "{", "}", "node:", "scope:", "op:", "9223372036854775808", "-1")
SETTINGS = {"schema": "cutaway.configuration/1", "providers": ["onednn", "cpu"], "options": {"openvino": {"device": "CPU"}},
            "pins": [{"operator": "Resize", "provider": "cpu"}, {"node": "n", "provider": "cpu"}], "minimum_group_nodes": 4, "opt_level": 3,
            "precision": "f32", "order": "default", "plan": "cutaway", "in_place": True, "executor": "sequential", "inter_threads": 1,
            "threads": 2, "keys": {"session.disable_cpu_ep_fallback": "1"}, "dims": {"batch": 1}}
EVENT = {"cat": "Node", "pid": 1, "tid": 2, "dur": 3, "ts": 4, "ph": "X", "name": "conv1_kernel_time",
         "args": {"op_name": "Conv", "node_index": "3", "provider": "CPUExecutionProvider", "output_size": "16", "thread_scheduling_stats": "", "input_type_shape": [{"float": [1, 2]}]}}
RUN = {**EVENT, "name": "model_run", "cat": "Session", "ts": 0, "dur": 90, "args": {"tag": "t"}}
ARENA = {"mem_bytes_in_use": 64, "mem_in_use_delta": "32", "mem_in_use_peak": 128, "mem_arena_held": 256, "activation_size": "8", "parameter_size": 4, "scratch_size": "16", "kernel": "k", "graph": 0, "output_type_shape": [{"float": [1]}]}
TRACES = ([EVENT], {"traceEvents": [EVENT, RUN]}, {"other": [[1], {"a": {}}], "traceEvents": [RUN, {**EVENT, "args": {**EVENT["args"], **ARENA}}, {**EVENT, "name": "relu_kernel_time", "ts": 9, "args": {"mem_bytes_in_use": 8, "mem_in_use_peak": 512}}, {"ph": "M"},
          {**EVENT, "cat": "Kernel", "name": "part", "args": {"part_of": "conv1"}}, {**EVENT, "name": "SequentialExecutor::Execute", "cat": "Session"}, {**EVENT, "name": "stranger_kernel_time", "args": {}}, {**RUN, "ts": 100}, {**EVENT, "ts": 101}, {**EVENT, "ts": 5000}]},
          [{**EVENT, "ts": "4"}], [{**EVENT, "dur": -1}], [{"name": "x"}], [1], {}, [{**EVENT, "cat": "Other"}], [[[[[[[[[[[[[[1]]]]]]]]]]]]]])
QNN = """Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier,ONNX Source Ops
0,NODE,300,CYCLES,BACKEND,SUB-EVENT,conv1_token_1:OpId_22 (cycles),conv1
0,NODE,400,CYCLES,BACKEND,SUB-EVENT,relu:OpId_26 (cycles),relu
0,EXECUTE,1000,CYCLES,BACKEND,SUB-EVENT,Accelerator (execute) time (cycles),
0,EXECUTE,100,US,BACKEND,SUB-EVENT,Accelerator (execute) time,
0,EXECUTE,120,US,BACKEND,ROOT,QNN (execute) time,
0,NODE,500,CYCLES,BACKEND,SUB-EVENT,relu:OpId_26 (cycles),relu
0,EXECUTE,220,US,BACKEND,ROOT,QNN (execute) time,
0,NODE,x,US
0,NODE,5,US,BACKEND,SUB-EVENT,conv1_token_x,
0,EXECUTE,220,US,BACKEND,ROOT,QNN (execute) time,
"""
OPENVINO = "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\nconv1;Status::EXECUTED;MatMul;jit_gemm;0.25;0.2;\r\nrelu;Status::NOT_RUN;Relu;jit;0;0;\nb;Status::OPTIMIZED_OUT;Relu;jit;0;0;\nc;d\ne;EXECUTED;f;g;x;\nTotal;;;;0.25;0.2;\n"
TRTEXEC = [{"count": 200}, {"name": "conv1 + relu", "averageMs": 1, "medianMs": 2}, {"name": "relu", "averageMs": 0.5}, {"name": 1, "averageMs": 1}, {"averageMs": 1}, {"name": "x", "averageMs": -1}, 7]
TRACE_WORDS = (QNN.splitlines()[0], OPENVINO.splitlines()[0], ":OpId_", "_token_1", "NODE,", "EXECUTE,", "CYCLES,", "Accelerator (execute) time", "NOT_RUN", "OPTIMIZED_OUT", '"averageMs"')
INSIDE = {"v": 1, "name": "g", "values": [["x", "float[2]", None], ["y", "float[2]", [2]]], "nodes": [["n", "Relu", "", [0], [1], [["alpha", "float", "1"]], [], ""]],
          "inputs": [0], "outputs": [1]}
EDITS = {"edits": [{"kind": "rename value", "graph": 0, "origin": 1, "name": "x", "text": "y", "names": ["a"], "outputs": ["b"]}]}
SESSION = {"schema": "cutaway.session/1", "current": 0, "models": [
    {"path": "net/model.onnx", "configuration": {"schema": "cutaway.configuration/1", "providers": ["onednn", "cpu"], "dims": {"batch": 1}},
     "limits": {"memory_limit_bytes": 536870912, "profile_folders": ["profiles"]}, "edits": [{"kind": "bypass node", "origin": 12}],
     "bookmarks": {"3": {"title": "Conv", "stage": "pattern", "graph": 0, "origin": 12, "centre": [0, 8], "scale": 0.5, "unfolded": ["encoder"]}},
     "stage": "partition", "overlay": "time", "place": {"stage": "partition", "graph": 0, "origin": 7, "centre": [3, 4], "scale": 1}, "selected": [7],
     "profile": base64.b64encode(struct.pack(">I", 2) + zlib.compress(b"{}")).decode()}], "style_rules": [], "window": {"arrangement": "AAAA"}}
PRINT = {"provider": 0, "graph_hash": "0123456789abcdef", "weights_hash": "fedcba9876543210", "level": 1, "log": [[2, "a.cc:1", "told"]], "took_ns": 5}
CALL = {"provider": "QNNExecutionProvider", "nested": True, "nodes": [["n", "", "Relu"], ["m", "own", "Odd"]], "ports": [[["x"], ["y"]], [["y"], ["z"]]], "groups": [[0, 1]], "singles": [1], "without_kernel": [0], "shapes": [["x", [1, 2]]], "took_ns": 3, "error": "no"}
ASSIGNMENT = [{"provider": "CPUExecutionProvider", "nodes": [["n", "", "Relu"]]}]
RECORD = [{"schema": "cutaway.record/1", "program": "p", "date": "2026-11-23T17:09:19Z", "onnxruntime": "1.30"},
          {"provider": {"name": "qnn", "title": "QNN", "registration": "QNNExecutionProvider", "package": "q", "version": "2", "simulator": True, "options": [["a", "b"]]}},
          {"question": {**PRINT, "answer": {"code": 0, "message": "", "compiles": True, "calls": [CALL], "assignment": ASSIGNMENT, "took_ns": 9}}}, {"question": {**PRINT, "failure": {"code": 1, "message": "m"}}},
          {"session": {**PRINT, "provider": -1, "assignment": ASSIGNMENT, "runs": 2, "run_ns": [3, 4]}}, {"later": 1}]
PROFILE = {"schema_version": 1, "kind": "cutaway profile", "model": "m", "simulated_providers": ["qnn"],
           "run": {"runs": 1, "run_ms": [1.5, "x"], "threads": 2, "workers": 1, "executor": "sequential", "executor_reason": "r", "tag": "t", "source": "s", "warmups": 1, "first_run_ms": 2.5, "engine_ns_per_node": 10, "planned_peak_bytes": 4096,
                   "nodes": [{"graph": 0, "node": 1, "step": 0, "start_ns": 5, "total_ns": 7, "min_ns": 1, "max_ns": 9, "calls": 2, "thread": 1, "variant": "v", "provider": "cpu", "input_bytes": 8, "flops": 3, "deviation_ns": 0.5, "input_shapes": ["float[1]"], "name": "n", "op_type": "Relu"}]}}
SUPPORT = {"schema": "cutaway.profile/1", "name": "own-1", "title": "Own", "hardware": "h", "version": "1", "date": "2026-11", "sources": {"a": {"title": "t", "url": "u", "date": "2026", "note": "n"}},
           "device": {"type": "npu", "memory_bytes": 1024, "memory_bytes_per_second": 1e9, "link_bytes_per_second": 2.5, "transfer_us": 1, "launch_us": 2, "flops_per_second": {"float32": 1e9, "odd": 1}, "source": "a"},
           "groups": {"compiled": False, "minimum_nodes": 2, "maximum_groups": 3, "quantized_units": False, "stop_operators": ["Relu", "Relu"], "whole_model_only": True, "constants_only_inputs": True, "source": "b"},
           "preferred_layout": "nhwc", "types": ["float32", "odd"], "maximum_rank": 5, "static_shapes": True, "bodies": True, "main_graph_only": True,
           "operators": [{"op": "Conv", "domain": "ai.onnx", "versions": [[1, 10], [5, None]], "types": {"0": ["float32"], "*": ["int8"], "out0": ["float16"], "out*": [], "x": ["int8"]}, "ranks": {"0": [4, 4], "1": [3, 2]},
                          "attributes": {"group": {"equals": 1}, "auto_pad": {"one_of": ["NOTSET", ["a", 1.5, True]]}, "pads": {"absent": True}, "strides": {"minimum": 3, "maximum": 1, "equals": {}}, "odd": {}, "dilations": {"one_of": [], "absent": False}}, "constant_inputs": [1, 9],
                          "forbidden_inputs": [0, 2], "shapes": [{"input": 0, "axis": 7, "minimum": 2, "maximum": 1}, {"output": 0, "axis": -1, "multiple_of": 4, "known": True}, {"input": 1, "output": 1}], "inputs": {"minimum": 2, "maximum": 3}, "outputs": {"minimum": 2, "maximum": 1}, "note": "n"},
                         {"op": "Conv", "versions": [2, 3]}, {"op": "Nothing"}, {"op": "Gelu", "domain": "com.microsoft"}, 7], "refused": [{"op": "Relu", "reason": "r"}, {"op": "Relu", "reason": "again"}, {"op": "Conv", "reason": "r"}], "later": 1}


def npy(dictionary, data, version=1):
    header = (dictionary if isinstance(dictionary, str) else repr(dictionary)).encode() + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


def npy_files():
    plain = [numpy.ones(3, each) for each in ("f4", "f8", "f2", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?", "c8", "c16")]
    for array in (*plain, numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.array(True), numpy.asfortranarray(numpy.ones((2, 2), numpy.int64)), numpy.array(["a", "b\u00fc", "\u20ac\U0001f600"]), numpy.array([b"a", b"bc"]), numpy.zeros((0, 3), numpy.float16)):
        yield npy({"descr": numpy.lib.format.dtype_to_descr(array.dtype), "fortran_order": array.flags.fnc, "shape": array.shape}, array.tobytes("A"))
    yield npy({"descr": "<f4", "fortran_order": False, "shape": (1,)}, b"\0" * 4, version=2)
    yield npy("{'descr': \"=f4\", 'fortran_order': False, 'shape': (1L, 2L)}", b"\0" * 8)
    for odd in ({"descr": [("a", "<f4")]}, {"descr": "|O"}, {"descr": ">f4", "shape": ()}, {"descr": "<f4"}, {"descr": "<f4", "shape": (-1,)}, {"descr": "<Ux", "shape": (1,)}, {"descr": "<U0", "shape": (1 << 30,)}, {"descr": "<f4", "shape": (9,)}, {}):
        yield npy(odd, b"\0" * 4)
    for cut in (8, 11, 40):
        yield npy({"descr": "<f4", "fortran_order": False, "shape": (1,)}, b"", version=2)[:cut]


def pb_files():
    """A byte in front says what the model expects (targets.cpp)."""
    one, text = numpy.ones(2, numpy.float32), helper.make_tensor("t", onnx.TensorProto.STRING, [2], [b"a", b"b"])
    for tensor in (*tensors(), numpy_helper.from_array(numpy.arange(6, dtype=numpy.float32), "x"), text):
        yield b"\0" + tensor.SerializeToString()
    yield b"\1" + numpy_helper.from_list([one], "s").SerializeToString()
    yield b"\1" + numpy_helper.from_list([[one], [one, one]], "s").SerializeToString()
    yield b"\2" + numpy_helper.from_optional(one, "o").SerializeToString()
    yield b"\5" + numpy_helper.from_optional([one], "o").SerializeToString()
    yield b"\2"
    single, whole, nibble = numpy_helper.from_array(numpy.ones(1, numpy.float32)), numpy_helper.from_array(one), helper.make_tensor("", onnx.TensorProto.INT4, [1], [1])
    for keys in ({"keys": [1, 2]}, {"string_keys": [b"a", b"b"]}, {"keys": [1, 2, 3]}):
        for held in ([single, single], [whole], [text], [nibble, nibble], [whole, whole], [helper.make_tensor("", onnx.TensorProto.STRING, [1], [b"a"])] * 2, [single, text]):
            made = onnx.MapProto(name="m", values=onnx.SequenceProto(elem_type=onnx.SequenceProto.TENSOR, tensor_values=held), **keys)
            yield b"\3" + made.SerializeToString()
            yield b"\4" + onnx.SequenceProto(name="s", elem_type=onnx.SequenceProto.MAP, map_values=[made]).SerializeToString()
    yield b"\3" + made.SerializeToString() + b"\x1a\x02\x01\x02"  # keys once more, packed
    sparse = onnx.SequenceProto(elem_type=onnx.SequenceProto.SPARSE_TENSOR)
    sparse.sparse_tensor_values.add()
    yield b"\1" + sparse.SerializeToString()
    yield b"\0version https://git-lfs.github.com/spec/v1"
    yield b"\0"
    yield b"\0" + next(npy_files())


def protocol_messages():
    """Two bytes in front say what it is (wire_targets.cpp)."""
    header = struct.pack("<IHHQQII", 0x54524F43, 2, 1, 7, 3, 0, 0)
    for kind in range(22):
        yield bytes([kind, 0]) + b"\0" * 40
        yield bytes([kind, 0]) + struct.pack("<Q", 3) + b"abc" + struct.pack("<Q", 1) + b"x"
        yield bytes([kind, 0]) + struct.pack("<I", 3) + b"abc" + struct.pack("<I", 1) + b"x"
    for kind in (22, 23):
        for descriptors in (0, 1):
            yield bytes([kind, descriptors]) + header + b"abc"
            yield bytes([kind, descriptors]) + struct.pack("<IHHQQII", 0x54524F43, 2, 1, 7, 3, 0, 1)
        for odd in (struct.pack("<IHHQQII", 1, 2, 1, 7, 3, 0, 0), struct.pack("<IHHQQII", 0x54524F43, 9, 1, 7, 3, 0, 0), struct.pack("<IHHQQII", 0x54524F43, 2, 1, 7, 3, 0, 2), struct.pack("<IHHQQII", 0x54524F43, 2, 1, 7, 1 << 40, 0, 0), struct.pack("<IHHQQII", 0x54524F43, 2, 1, 7, 3, 99, 0), b""):
            yield bytes([kind, 0]) + odd + b"abc"
            yield bytes([kind, 0]) + odd
    for body, descriptors in ((b"", 0), (b"abc", 2), (b"a" * 40_000, 16), (b"abc", 17)):
        yield bytes([24, descriptors]) + body


def asking_messages():
    """A byte in front says whether it is a message, comes over the socket, or is passed on."""
    def words(text):
        return struct.pack("<Q", len(text)) + text

    yield b"\0" + struct.pack("<Q", 1) + words(b"model") + words(b"CPU") + struct.pack("<QQQ", 1, 1, 0) + words(b"q0.o0") + struct.pack("<QQQQQQ", 1, 1, 2, 3, 4, 0)
    yield b"\0" + struct.pack("<Q", 3) + words(b"blob") + words(b"CPU") + struct.pack("<QQQ", 0, 0, 0)
    yield b"\0" + struct.pack("<Q", 4) + words(b"group") + words(b"CPU") + struct.pack("<QQQ", 0, 0, 1) + words(b"NUM_STREAMS") + words(b"1")
    yield b"\0" + struct.pack("<Q", 5) + words(b"") + words(b"") + struct.pack("<QQQ", 0, 0, 0)
    yield b"\0" + words(b"") + struct.pack("<QQ", 1, 3) + words(b"Unique")
    yield b"\0" + words(b"2026.4") + struct.pack("<QQQ", 4096, 8192, 1 << 30)
    for stream in (words(b"abc") + words(b""), words(b"abc")[:-1], struct.pack("<Q", 1 << 40), b"abc"):
        yield b"\1" + stream
    yield b"\2abc"
    yield b"\2"


def texts(*values):
    return [value.encode() if isinstance(value, str) else json.dumps(value).encode() for value in values]


def files_of(*patterns):
    return [path.read_bytes() for pattern in patterns for path in sorted(REPOSITORY.glob(pattern))]


def file_signatures():
    """Beginnings of files that people open by mistake."""
    for begin in ("version https://git-lfs", "version https://hawser", "\0\0\0\0ODTC", "\0\0\0\0TFL3", "PK\3\4", "\x89PNG", "\x93NUMPY", "\x80\2", "  <!DOCTYPE html>", "<html", "<?xml", "<net", " {}", "[1]", "ir_version graph", "words", "\x10\0\0\0\0\0\0\0{}", ""):
        yield begin.encode("latin-1")


def broken_records():
    """A line that is wrong behind lines that are right."""
    for call in ({"nodes": [["n"]]}, {"groups": [[9]]}, {"groups": [1]}, {"ports": [[1]]}, {"ports": [[["x"], ["y"]]]}, {"ports": [[[1], []]] * 2}, {"shapes": [["x"]]}, {"nested": 1}, {"provider": 1}, {"nodes": 1}, {"took_ns": -1}):
        yield "\n".join(map(json.dumps, (*RECORD[:2], {"question": {**PRINT, "answer": {"calls": [{**CALL, **call}]}}}))).encode()
    for odd in ({"provider": {"name": ""}}, {"provider": {**RECORD[1]["provider"], "options": [1]}}, {"question": {**PRINT, "graph_hash": "x", "answer": {}}}, {"question": {**PRINT, "log": [1], "answer": {}}}, {"question": PRINT}, {"question": 1}, {"question": {**PRINT, "level": 77}},
                {"session": {**PRINT, "provider": 5}}, {"session": {**PRINT, "run_ns": [1.5]}}):
        yield "\n".join(map(json.dumps, (*RECORD[:2], odd))).encode()
    yield "\n".join(map(json.dumps, [RECORD[0], *[RECORD[1]] * 70])).encode()


def broken_settings():
    for name, odd in (("providers", 1), ("providers", [1]), ("providers", ["a{"]), ("options", 1), ("options", {"a": 1}), ("options", {"a": {"b": [], }}), ("options", {"a": {"b": 1, "c": True}}), ("pins", 1), ("pins", [1]), ("pins", [{"node": ""}]), ("pins", [{"node": "a"}]),
                      ("pins", [{"provider": "a"}]), ("pins", [{"odd": "a"}]), ("pins", [{"scope": "a", "provider": "b"}]), ("keys", 1), ("keys", {"a": "b"}), ("keys", {"ep.a.b": 1}), ("dims", 1), ("dims", {"a": -1}), ("opt_level", 9), ("opt_level", "a"), ("minimum_group_nodes", 0), ("threads", -1),
                      ("inter_threads", -1), ("precision", "x"), ("precision", 1), ("order", "x"), ("plan", "x"), ("executor", "x"), ("in_place", 2), ("in_place", []), ("odd", 1), ("schema", "x"), ("dims", {"a": 1 << 64})):
        yield json.dumps({"schema": "cutaway.configuration/1", name: odd}).encode()
    yield b"[]"
    yield b"{}"
    yield b"{\n\n x"


SEEDS = {
    "npy": npy_files,
    "pb": pb_files,
    "text": lambda: texts(TEXT, WHOLE_TEXT, *ODD_TEXTS) + files_of("tests/unit/engine/graph/*.textproto"),
    "context": lambda: [*context_binaries(), *files_of("tests/fuzz/context/corpus/*.bin")],
    "inside": lambda: [*files_of("tests/fuzz/context/corpus/*.json"), *texts(INSIDE, [], {"v": 2}, {"v": 1}, {**INSIDE, "values": [["x", "float[2]@blocked8", [-1]]]}, {**INSIDE, "inputs": [1]}, {**INSIDE, "nodes": INSIDE["nodes"] * 2}, {**INSIDE, "nodes": [["n", "Relu", "", [-1, 1 << 40], [1], []]]}, [[[[[[[[[1]]]]]]]]])],
    "profile": lambda: texts({"kind": "cutaway profile", "model": "m", "run": {"runs": 1, "nodes": []}}, PROFILE, {"kind": "other"}, {"kind": "cutaway profile"}, "{"),
    "trace": lambda: [*texts(*TRACES, QNN, OPENVINO, TRTEXEC), b'[{"averageMs"', json.dumps(TRACES[2])[:-40].encode(), b"x", *files_of("tests/unit/providers/onnxruntime/profiles/*.csv")],
    "settings": lambda: [*texts(SETTINGS), *broken_settings()],
    "line": lambda: texts(LINE, *LINE.split("; "), "pin=a", 'a="', "x=1", "threads=x", "dim=x", "in-place=2", "pins=none", "pins=some", "op:Relu=cpu"),
    "support": lambda: [*texts(SUPPORT, [], 1, {"operators": {"a": None}}, {"schema": 1, "name": None, "title": True, "version": 1.5, "hardware": [1, "a", None, [2]], "date": "2026-13", "sources": {}, "operators": 1, "device": [1] * 60, "types": [], "maximum_rank": 0.5}), b'{"a": 1,\n"a": 2}', *files_of("resources/profiles/*.json")],
    "record": lambda: [*broken_records(), *["\n".join(json.dumps(line) for line in lines).encode() for lines in (RECORD, RECORD[:2], RECORD[1:], [RECORD[0], 1], [RECORD[0], RECORD[3]], [[[[[[[[[[[[[[1]]]]]]]]]]]]]])]],
    "edits": lambda: texts(EDITS, {"edits": [1]}, {"edits": [{"kind": "none"}]}, {"edits": [{"name": "x"}]}, {"edits": [{"kind": 1}]}, {"edits": [{"graph": -5}]}, {"edits": [{"names": [1]}]}, {"edits": [{"odd": 1}]}, {}, "{"),
    "protocol": protocol_messages,
    "asking": asking_messages,
    "model": lambda: [*small_models(), *written_models(), *model_texts(), ort_lists(), *files_of("tests/unit/engine/stages/load/ort_format/*.ort")],
    "file": lambda: [*small_models(), *written_models(), *model_texts(), *file_signatures()],
    "walk": small_models,
    "run": lambda: [*small_models(), *files_of("tests/unit/engine/stages/load/ort_format/*.ort")],
    "session": lambda: texts(SESSION, [], {}, {"schema": "cutaway.session/9"}, {"schema": "cutaway.session/1"}, {"schema": "cutaway.session/1", "models": [1]}, {"schema": "cutaway.session/1", "models": [{"path": "a", "configuration": {}}]},
                             {"schema": "cutaway.session/1", "models": [{"path": "a", "edits": [1]}]}, {"schema": "cutaway.session/1", "models": [{"path": "a", "profile": "AAAA"}, {"path": "a", "profile": "/////w=="}, {"path": "a", "profile": "AAAAAgAA"}]}, "{"),
}
# Words that bytes alone would hardly become.
WORDS = {"text": TEXT_WORDS, "line": LINE_WORDS, "trace": TRACE_WORDS, "npy": ("'descr': '", "'fortran_order': True", "'shape': (", "<U7", "|S7", "<c16", "|O")}


def write_words(target, file):
    """As libFuzzer's option -dict wants them; whether there are any."""
    words = WORDS.get(target, ())
    file.write_text("".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for word in words), encoding="utf-8")
    return bool(words)


def write_seeds(target, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(SEEDS[target]()):
        (folder / f"seed_{number}.{target}").write_bytes(content)
    for path in sorted(FOUND.glob(f"*.{target}")):
        (folder / path.name).write_bytes(path.read_bytes())
