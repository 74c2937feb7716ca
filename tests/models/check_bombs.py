#!/usr/bin/env python3
"""Small files that ask for much: each is under 10 kB, and none may take more memory than its share or end in a signal.

`inspect` of each stays under 500 MB of resident memory, on openvino under 5 GB; `run`, `compare` and `inspect` on openvino with `--memory-limit 200MB` under the limit
and 300 MB for the program itself, and they say why they do not run. Ctrl-C is heard in `inspect` and in `run`. No time is judged: the slowest `inspect` and the slowest answer to
Ctrl-C are printed. Last line: `N passed, N failed, N skipped`.
"""

import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from cutaway_cli import BAD_MODEL, CHECK_FAILED, DONE, REFUSED, USAGE, default_cli
from message_rules import message_faults

CLI = default_cli()
MEGABYTE, CANCELLED = 1 << 20, 130
SANITIZED = bool(os.environ.get("CUTAWAY_SANITIZE"))  # then memory is not judged: shadow memory and what was freed count, too
INSPECT_BYTES, RUN_BYTES, LIMIT = 500 * MEGABYTE, 500 * MEGABYTE, "200MB"
OPENVINO_BYTES = 5 << 30  # of the process that asks it, too, which may take 4 GB
FLOAT, INT64, BOOL, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING


def tensor(name, kind=FLOAT, shape=None):
    return helper.make_tensor_value_info(name, kind, shape)


def numbers(name, *values, kind=numpy.int64):
    return numpy_helper.from_array(numpy.array(values, dtype=kind), name)


def model_of(nodes, inputs, outputs, initializers=(), functions=(), opset=21, domains=()):
    graph = helper.make_graph(nodes, "bomb", inputs, outputs, list(initializers))
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10)


def split_outputs():
    node = helper.make_node("Split", ["x"], ["y"], axis=0, num_outputs=1 << 29)
    return model_of([node], [tensor("x", shape=[1 << 20])], [tensor("y")])


def nested_functions(levels, calls):
    functions = []
    for level in range(levels):
        called, domain = (f"F{level - 1}", "bomb") if level else ("Neg", "")
        nodes = [helper.make_node(called, [f"v{i}"], [f"v{i + 1}"], domain=domain) for i in range(calls)]
        functions.append(helper.make_function("bomb", f"F{level}", ["v0"], [f"v{calls}"], nodes, [helper.make_opsetid("", 21), helper.make_opsetid("bomb", 1)]))
    top = helper.make_node(f"F{levels - 1}", ["x"], ["y"], domain="bomb")
    return model_of([top], [tensor("x", shape=[4])], [tensor("y")], functions=functions, domains=("bomb",))


def concat_ladder(steps):
    nodes = [helper.make_node("Concat", [f"c{i}", f"c{i}"], [f"c{i + 1}"], axis=0) for i in range(steps)]
    nodes.append(helper.make_node("ReduceSum", [f"c{steps}"], ["s"], keepdims=0))
    nodes.append(helper.make_node("Add", ["x", "s"], ["y"]))
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], [numbers("c0", *[1.0] * 64, kind=numpy.float32)])


def expanded(operator, sizes):
    """A constant of any size out of a few numbers."""
    if operator == "ConstantOfShape":
        node = helper.make_node(operator, ["sizes"], ["big"])
    elif operator == "Expand":
        node = helper.make_node(operator, ["one", "sizes"], ["big"])
    else:
        node = helper.make_node("Tile", ["one", "sizes"], ["big"])
    nodes = [node, helper.make_node("ReduceMax", ["big"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])]
    one = numpy_helper.from_array(numpy.ones([1] * len(sizes), numpy.float32), "one")
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], [numbers("sizes", *sizes), one])


def many_expanded(count, size):
    nodes, initializers = [], [numbers("sizes", size)]
    for i in range(count):
        nodes.append(helper.make_node("ConstantOfShape", ["sizes"], [f"b{i}"], value=numpy_helper.from_array(numpy.array([float(i)], numpy.float32), "v")))
    nodes.append(helper.make_node("Sum", [f"b{i}" for i in range(count)], ["s"]))
    nodes.append(helper.make_node("Add", ["x", "s"], ["y"]))
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], initializers)


def ranged():
    nodes = [helper.make_node("Range", ["a", "b", "c"], ["r"]), helper.make_node("ReduceSum", ["r"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])]
    scalars = [numpy_helper.from_array(numpy.array(value, numpy.int64), name) for name, value in (("a", 0), ("b", 1 << 33), ("c", 1))]
    return model_of(nodes, [tensor("x", INT64, [1])], [tensor("y", INT64)], scalars)


def collecting_loop(trips, size):
    """Scan outputs that no limit of the plan knows of."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["goes"], ["on"]), helper.make_node("ConstantOfShape", ["sizes"], ["slice"])],
        "body", [tensor("i", INT64, []), tensor("goes", BOOL, [])], [tensor("on", BOOL, []), tensor("slice", FLOAT, [size])], [numbers("sizes", size)])
    nodes = [helper.make_node("Loop", ["trips", "true"], ["all"], body=body), helper.make_node("ReduceMax", ["all"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])]
    start = [numpy_helper.from_array(numpy.array(trips, numpy.int64), "trips"), numpy_helper.from_array(numpy.array(True), "true")]
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], start)


def large_input():
    return model_of([helper.make_node("ReduceMax", ["x"], ["y"], keepdims=0)], [tensor("x", shape=[1 << 16, 1 << 15])], [tensor("y")])


def deep_bodies(depth):
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["out"])], "leaf", [], [tensor("out", shape=[1])])
    for i in range(depth):
        node = helper.make_node("If", ["c"], [f"o{i}"], then_branch=graph, else_branch=graph) if i < 5 else helper.make_node("If", ["c"], [f"o{i}"], then_branch=graph, else_branch=helper.make_graph([helper.make_node("Identity", ["x"], ["e"])], "e", [], [tensor("e", shape=[1])]))
        graph = helper.make_graph([node], f"g{i}", [], [tensor(f"o{i}", shape=[1])])
    nodes = [helper.make_node("If", ["c"], ["y"], then_branch=graph, else_branch=graph)]
    return model_of(nodes, [tensor("x", shape=[1]), tensor("c", BOOL, [])], [tensor("y", shape=[1])])


def padded():
    nodes = [helper.make_node("Pad", ["x", "pads"], ["p"]), helper.make_node("ReduceMax", ["p"], ["y"], keepdims=0)]
    return model_of(nodes, [tensor("x", shape=[1, 1])], [tensor("y")], [numbers("pads", 0, 0, 1 << 18, 1 << 18)])


def one_hot():
    nodes = [helper.make_node("OneHot", ["x", "depth", "values"], ["h"]), helper.make_node("ReduceMax", ["h"], ["y"], keepdims=0)]
    constants = [numpy_helper.from_array(numpy.array(1 << 34, numpy.int64), "depth"), numbers("values", 0.0, 1.0, kind=numpy.float32)]
    return model_of(nodes, [tensor("x", INT64, [2])], [tensor("y")], constants)


def resized():
    nodes = [helper.make_node("Resize", ["x", "", "scales"], ["r"]), helper.make_node("ReduceMax", ["r"], ["y"], keepdims=0)]
    return model_of(nodes, [tensor("x", shape=[1, 1, 1, 1])], [tensor("y")], [numbers("scales", 1.0, 1.0, 2.0**18, 2.0**18, kind=numpy.float32)])


def drawn():
    nodes = [helper.make_node("RandomNormal", [], ["r"], shape=[1 << 20, 1 << 20]), helper.make_node("ReduceMax", ["r"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])]
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")])


def eye():
    nodes = [helper.make_node("Shape", ["x"], ["h"]), helper.make_node("Mul", ["h", "wide"], ["sizes"]), helper.make_node("ConstantOfShape", ["sizes"], ["z"]),
             helper.make_node("EyeLike", ["z"], ["e"]), helper.make_node("ReduceMax", ["e"], ["y"], keepdims=0)]
    return model_of(nodes, [tensor("x", shape=[1, 1])], [tensor("y")], [numbers("wide", 1 << 18, 1 << 18)])


def unique_axis():
    return model_of([helper.make_node("Unique", ["x"], ["y"], axis=1 << 40)], [tensor("x", shape=[4])], [tensor("y")])


def endless_loop():
    """Runs until it is told to stop."""
    body = helper.make_graph([helper.make_node("Identity", ["goes"], ["on"]), helper.make_node("Add", ["v", "v"], ["w"])], "body",
                             [tensor("i", INT64, []), tensor("goes", BOOL, []), tensor("v", shape=[1])], [tensor("on", BOOL, []), tensor("w", shape=[1])])
    return model_of([helper.make_node("Loop", ["", "true", "x"], ["y"], body=body)], [tensor("x", shape=[1])], [tensor("y")], [numpy_helper.from_array(numpy.array(True), "true")])


def loop_of(node, carried, start, trips):
    """A loop that carries one value, `v` to `w`, through this node."""
    body = helper.make_graph([helper.make_node("Identity", ["goes"], ["on"]), *node], "body", [tensor("i", INT64, []), tensor("goes", BOOL, []), carried("v")], [tensor("on", BOOL, []), carried("w")])
    constants = [numpy_helper.from_array(numpy.array(trips, numpy.int64), "trips"), numpy_helper.from_array(numpy.array(True), "true")]
    return helper.make_node("Loop", ["trips", "true", start], ["all"], body=body), constants


def text_loop():
    loop, constants = loop_of([helper.make_node("StringConcat", ["v", "v"], ["w"])], lambda name: tensor(name, STRING, [1]), "x", 40)
    return model_of([loop, helper.make_node("StringConcat", ["x", "all"], ["y"])], [tensor("x", STRING, [1])], [tensor("y", STRING)], constants)


def text_ladder(steps):
    """Each text is short enough, all together are not; two sessions of `compare` make them twice."""
    nodes = [helper.make_node("StringConcat", [f"t{i}" if i else "x"] * 2, [f"t{i + 1}"]) for i in range(steps)]
    nodes.append(helper.make_node("StringConcat", ["x", f"t{steps}"], ["y"]))
    return model_of(nodes, [tensor("x", STRING, [1])], [tensor("y", STRING)])


def sequence_loop(trips, size):
    nodes = [helper.make_node("ConstantOfShape", ["sizes"], ["slice"]), helper.make_node("SequenceInsert", ["v", "slice"], ["w"])]
    loop, constants = loop_of(nodes, lambda name: helper.make_tensor_sequence_value_info(name, FLOAT, None), "none", trips)
    nodes = [helper.make_node("SequenceEmpty", [], ["none"]), loop, helper.make_node("SequenceLength", ["all"], ["count"]), helper.make_node("Add", ["x", "count"], ["y"])]
    return model_of(nodes, [tensor("x", INT64, [1])], [tensor("y", INT64)], [*constants, numbers("sizes", size)])


def split_to_pieces():
    nodes = [helper.make_node("SplitToSequence", ["x"], ["pieces"], axis=0), helper.make_node("SequenceLength", ["pieces"], ["y"])]
    return model_of(nodes, [tensor("x", shape=[1 << 23, 1])], [tensor("y", INT64)])


def wide_identity(count):
    nodes = [helper.make_node("Identity", ["x"], [f"y{i}"]) for i in range(count)]
    return model_of(nodes, [tensor("x", shape=[1 << 24])], [tensor(f"y{i}") for i in range(count)])


def windows(operator, sizes, **attributes):
    """A constant of a few megabytes whose windows take 10^12 operations."""
    nodes = [helper.make_node("ConstantOfShape", ["sizes"], ["c"]), helper.make_node(operator, ["c", "k"] if operator == "Conv" else ["c"], ["w"], **attributes),
             helper.make_node("ReduceMax", ["w"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])]
    if operator == "Conv":
        nodes.insert(0, helper.make_node("ConstantOfShape", ["kernel"], ["k"]))
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], [numbers("sizes", *sizes), numbers("kernel", 1, 1, 1000, 1000)])


def transformed(lines, length):
    """Long lines, each of which a kernel needs much memory of its own for."""
    nodes = [helper.make_node("ConstantOfShape", ["sizes"], ["c"]), helper.make_node("DFT", ["c", "", "axis"], ["f"]),
             helper.make_node("ReduceMax", ["f"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])]
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], [numbers("sizes", lines, length, 1), numpy_helper.from_array(numpy.array(1, numpy.int64), "axis")])


def outer_products():
    """Few operations an element, and a product of two vectors between them that nobody asked for."""
    nodes = [helper.make_node("ConstantOfShape", ["sizes"], ["c"]), helper.make_node("Einsum", ["c", "c"], ["s"], equation="i,j->"), helper.make_node("Add", ["x", "s"], ["y"])]
    return model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], [numbers("sizes", 30_000)])


def functions_of(inner, calls, levels, **attributes):
    """Nested functions around one node, each of which calls the one before so many times, and the model that calls the last."""
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 2), helper.make_opsetid("other", 1), helper.make_opsetid("bomb", 1)]
    functions = [helper.make_function("bomb", "F0", ["v0"], ["v1"], [inner], imports)]
    for level in range(1, levels):
        nodes = [helper.make_node(f"F{level - 1}", [f"v{i}"], [f"v{i + 1}"], domain="bomb", **attributes) for i in range(calls)]
        functions.append(helper.make_function("bomb", f"F{level}", ["v0"], [f"v{calls}"], nodes, imports))
    return helper.make_node(f"F{levels - 1}", ["x"], ["y"], domain="bomb", **attributes), functions


def copied_lists():
    """A list of one byte a number, which takes eight in memory, in each of 10,000 nodes."""
    call, functions = functions_of(helper.make_node("Custom", ["v0"], ["v1"], domain="other", numbers=[1] * 4500), 10, 5)
    return model_of([call], [tensor("x", shape=[4])], [tensor("y")], functions=functions, domains=("other", "bomb"))


def copied_keys():
    """The same with a node that runs, and keeps its list in tables of its own."""
    inner = helper.make_node("LabelEncoder", ["v0"], ["v1"], domain="ai.onnx.ml", keys_int64s=list(range(1500)), values_int64s=[i % 100 for i in range(1500)])
    call, functions = functions_of(inner, 10, 5)
    model = model_of([call], [tensor("x", INT64, [4])], [tensor("y", INT64)], functions=functions, domains=("bomb",))
    model.opset_import.append(helper.make_opsetid("ai.onnx.ml", 2))
    return model


def calls_of_their_own():
    """Calls that nobody remembers, as each has a graph; formulas of four open dimensions type all of them again and again."""
    call, functions = functions_of(helper.make_node("Relu", ["v0"], ["v1"]), 10, 5, own=helper.make_graph([], "own", [], []))
    return model_of([call, helper.make_node("NonZero", ["x"], ["n"])], [tensor("x", shape=["a", "b", "c", "d"])], [tensor("y"), tensor("n", INT64)], functions=functions, domains=("bomb",))


def chain_of(shape, count):
    nodes = [helper.make_node("Relu", [f"v{i}" if i else "x"], [f"v{i + 1}" if i < count - 1 else "y"]) for i in range(count)]
    return model_of(nodes, [tensor("x", shape=shape)], [tensor("y")])


def folded(nodes, initializers, domains=()):
    """What is computed ahead, of few bytes."""
    nodes = [*nodes, helper.make_node("ReduceMax", ["o"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])]
    model = model_of(nodes, [tensor("x", shape=[1])], [tensor("y")], initializers, opset=20)
    model.opset_import.extend(helper.make_opsetid(domain, 3) for domain in domains)
    return model


def filled(value, kind=numpy.float32):
    return helper.make_node("ConstantOfShape", ["sizes"], ["c"], value=numpy_helper.from_array(numpy.array([value], kind)))


def regions():
    nodes = [filled(0.0), helper.make_node("Tile", ["region", "times"], ["rois"]), helper.make_node("MaxRoiPool", ["c", "rois"], ["o"], pooled_shape=[1, 1])]
    return folded(nodes, [numbers("sizes", 1, 1, 1000, 1000), numbers("times", 1_000_000, 1), numpy_helper.from_array(numpy.array([[0, 0, 0, 999, 999]], numpy.float32), "region")])


def skipped_grams():
    grams = helper.make_node("TfIdfVectorizer", ["c"], ["o"], mode="TF", min_gram_length=2, max_gram_length=2, max_skip_count=1000, ngram_counts=[0, 0], ngram_indexes=[0], pool_int64s=[1, 1])
    return folded([filled(1, numpy.int64), grams], [numbers("sizes", 8_000_000)])


def powers():
    pools = [helper.make_node("GlobalLpPool", ["c"], [f"p{i}"], p=i + 3) for i in range(40)]
    return folded([filled(1.5), *pools, helper.make_node("Concat", [f"p{i}" for i in range(40)], ["o"], axis=0)], [numbers("sizes", 1, 1, 25_000_000)])


def trees():
    depth, count = 6, 24
    places = [(tree, node) for tree in range(count) for node in range(2 * depth + 1)]
    is_leaf = [node % 2 == 1 or node == 2 * depth for _, node in places]
    leaves = [place for place, leaf in zip(places, is_leaf) if leaf]
    forest = helper.make_node(
        "TreeEnsembleRegressor", ["c"], ["o"], domain="ai.onnx.ml", n_targets=1, nodes_treeids=[tree for tree, _ in places], nodes_nodeids=[node for _, node in places],
        nodes_featureids=[0] * len(places), nodes_modes=["LEAF" if leaf else "BRANCH_LEQ" for leaf in is_leaf], nodes_values=[0.0 if leaf else -1.0 * node for (_, node), leaf in zip(places, is_leaf)],
        nodes_truenodeids=[0 if leaf else node + 1 for (_, node), leaf in zip(places, is_leaf)], nodes_falsenodeids=[0 if leaf else node + 2 for (_, node), leaf in zip(places, is_leaf)],
        target_treeids=[tree for tree, _ in leaves], target_nodeids=[node for _, node in leaves], target_ids=[0] * len(leaves), target_weights=[0.5] * len(leaves))
    return folded([filled(0.0), forest], [numbers("sizes", 8_000_000, 1)], domains=("ai.onnx.ml",))


def sparse(count):
    """Sparse initializers of 64 MB each, of one number."""
    stored = [helper.make_sparse_tensor(helper.make_tensor(f"s{i}", FLOAT, [1], [1.0]), numbers(f"s{i}_at", 5), [1 << 24]) for i in range(count)]
    model = model_of([helper.make_node("Sum", ["x", *(f"s{i}" for i in range(count))], ["y"])], [tensor("x", shape=[1])], [tensor("y")])
    model.graph.sparse_initializer.extend(stored)
    return model


def codestream(side, components, precinct=None):
    """An image in JPEG 2000 of nothing but empty packets."""
    size = struct.pack(">HIIIIIIIIH", 0, side, side, 0, 0, side, side, 0, 0, components) + bytes([7, 1, 1]) * components
    style = struct.pack(">BBHBBBBBB", precinct is not None, 0, 1, 0, 1, 4, 4, 0, 1) + bytes([] if precinct is None else [precinct * 0x11] * 2)
    segments = b"".join(struct.pack(">HH", marker, len(content) + 2) + content for marker, content in ((0xFF51, size), (0xFF52, style), (0xFF5C, b"\x40" + b"\x48" * 4)))
    return b"\xff\x4f" + segments + struct.pack(">HHHIBB", 0xFF90, 10, 0, 0, 0, 1) + b"\xff\x93" + bytes(200) + b"\xff\xd9"


def picture(file, *shape):
    """A constant that is decoded ahead where the model says how large it is."""
    nodes = [helper.make_node("ImageDecoder", ["file"], ["pixels"]), helper.make_node("Cast", ["pixels"], ["o"], to=FLOAT)]
    model = folded(nodes, [numbers("file", *file, kind=numpy.uint8)])
    model.graph.value_info.append(tensor("pixels", TensorProto.UINT8, shape))
    return model


# Only looked at: a run takes the hours that they ask for.
LONG = {
    "MaxPool over 10^6 places": lambda: windows("MaxPool", [1, 1, 3000, 3000], kernel_shape=[1000, 1000]),
    "AveragePool over 10^6 places": lambda: windows("AveragePool", [1, 1, 3000, 3000], kernel_shape=[1000, 1000]),
    "LRN over 5000 channels": lambda: windows("LRN", [1, 5000, 40, 40], size=4999),
    "Conv over 10^6 places": lambda: windows("Conv", [1, 1, 3000, 3000]),
    "MaxRoiPool of 10^6 regions": regions,
    "TfIdfVectorizer that skips 1000": skipped_grams,
}
BOMBS = {
    **LONG,
    "Split with 2^29 outputs": split_outputs,
    "functions that double 24 times": lambda: nested_functions(24, 2),
    "functions, ten calls, 8 levels": lambda: nested_functions(8, 10),
    "functions, 60 levels": lambda: nested_functions(60, 2),
    "Concat ladder of 22": lambda: concat_ladder(22),
    "Concat ladder of 40": lambda: concat_ladder(40),
    "ConstantOfShape of 1 GB": lambda: expanded("ConstantOfShape", [1 << 14, 1 << 14]),
    "ConstantOfShape of 2^60": lambda: expanded("ConstantOfShape", [1 << 30, 1 << 30]),
    "Expand to 2 GB": lambda: expanded("Expand", [1 << 15, 1 << 14]),
    "Tile to 2^40": lambda: expanded("Tile", [1 << 20, 1 << 20]),
    "20 constants of 200 MB": lambda: many_expanded(20, 50_000_000),
    "Range to 2^33": ranged,
    "Loop that collects 16 GB": lambda: collecting_loop(4000, 1_000_000),
    "Loop that collects 2^50": lambda: collecting_loop(1 << 40, 1024),
    "an input of 8 GB": large_input,
    "bodies 2^5 and 14 deep": lambda: deep_bodies(14),
    "Pad to 2^36": padded,
    "OneHot of depth 2^34": one_hot,
    "64 outputs of 64 MB": lambda: wide_identity(64),
    "Resize to 2^36": resized,
    "RandomNormal of 2^40": drawn,
    "EyeLike of 2^36": eye,
    "Unique along axis 2^40": unique_axis,
    "texts that double in a loop": text_loop,
    "texts that double on a ladder": lambda: text_ladder(24),
    "a sequence of 16 GB out of a loop": lambda: sequence_loop(4000, 1_000_000),
    "a sequence of 2^23 numbers": split_to_pieces,
    "DFT of 100 lines of a prime length": lambda: transformed(100, 99_991),
    "DFT of a line of 2^22 - 1": lambda: transformed(1, (1 << 22) - 1),
    "Einsum of two vectors": outer_products,
    "a list in 10,000 nodes of functions": copied_lists,
    "keys in 10,000 nodes of functions": copied_keys,
    "10,000 calls with graphs of their own": calls_of_their_own,
    "a size of 250 summands": lambda: chain_of(["+".join(f"s{i}" for i in range(250)), 4], 60),
    "a size of 250 factors": lambda: chain_of(["*".join(f"s{i}" for i in range(250)), 4], 60),
    "1,200 dimensions": lambda: chain_of([None] * 1200, 100),
    "1,200 dimensions with names": lambda: chain_of([f"s{i}" for i in range(1200)], 60),
    "GlobalLpPool, 40 powers": powers,
    "24 trees, 8,000,000 rows": trees,
    "an image of 2^26 pixels": lambda: picture(codestream(8192, 4), 8192, 8192, 3),
    "an image of 2^26 pixels that says it has one": lambda: picture(codestream(8192, 4), 1, 1, 3),
    "an image in 10^6 precincts": lambda: picture(codestream(2048, 1, precinct=1), 2048, 2048, 3),
    "40 sparse constants of 64 MB": lambda: sparse(40),
}


def measured(arguments):
    """Exit code (negative: signal), peak of resident bytes, standard error."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(CLI), *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, usage.ru_maxrss * 1024, errors.read().decode(errors="replace")


def listens(process):
    """Whether it has a handler for Ctrl-C."""
    caught = next(line for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("SigCgt"))
    return int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1


def interrupted(*arguments, after=0.3, first=lambda process: True):
    """Exit code after Ctrl-C (negative: a signal), and the seconds that it took. It comes a while after `first` has come true."""
    with subprocess.Popen([str(CLI), *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        while process.poll() is None and not first(process):
            time.sleep(0.01)
        time.sleep(after)
        is_running = process.poll() is None
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        return process.wait(), (time.monotonic() - began) * is_running


class Slowest:
    """The largest of some figures, and whose it is."""
    figure, name = 0.0, "none"

    def see(self, figure, name):
        if figure > self.figure:
            self.figure, self.name = figure, name


SLOWEST_INSPECT, SLOWEST_ANSWER, SLOWEST_OPENVINO, MOST_OPENVINO = Slowest(), Slowest(), Slowest(), Slowest()


def interruptions(name, path):
    for arguments in (("inspect", path), ("run", path, "--memory-limit", LIMIT), ("inspect", path, "--providers", "openvino,cpu")):
        code, seconds = interrupted(*arguments)
        SLOWEST_ANSWER.see(seconds, f"{arguments[0]}, {name}")
        if code < 0 and code != -signal.SIGINT:  # that is how it ends before it listens
            yield f"{arguments[0]}: Ctrl-C ended in signal {-code}"


def faults(name, path):
    began = time.monotonic()
    inspect = measured(("inspect", path))
    SLOWEST_INSPECT.see(time.monotonic() - began, name)
    done = [("inspect", inspect, INSPECT_BYTES)]
    if name not in LONG:
        done.append(("run", measured(("run", path, "--memory-limit", LIMIT, "--threads", "1")), RUN_BYTES))
        done.append(("compare", measured(("compare", path, "--a", "opt-level=0", "--b", "opt-level=3", "--memory-limit", LIMIT, "--threads", "1")), RUN_BYTES))
    for verb, (code, peak, said), most in done:
        if code not in (DONE, CHECK_FAILED, USAGE, BAD_MODEL, REFUSED):
            yield f"{verb}: exit code {code}: {said.strip()[-300:]}"
        if peak > most and not SANITIZED:
            yield f"{verb}: {peak // MEGABYTE} MB of memory, at most {most // MEGABYTE}"
        yield from (f"{verb}: {fault}" for fault in message_faults(said, code))
    # What this program folds itself, and what it leaves to OpenVINO.
    alone = ("--providers", "openvino{minimum_nodes=1},cpu", "--opt-level", "0")
    for title, options, most in (("openvino", ("--providers", "openvino,cpu"), OPENVINO_BYTES), ("openvino alone", alone, OPENVINO_BYTES),
                                 ("openvino alone under a limit", (*alone, "--memory-limit", LIMIT), RUN_BYTES)):
        began = time.monotonic()
        code, peak, said = measured(("inspect", path, *options))
        SLOWEST_OPENVINO.see(time.monotonic() - began, f"{title}, {name}")
        MOST_OPENVINO.see(peak / MEGABYTE, f"{title}, {name}")
        if code not in (DONE, USAGE, BAD_MODEL, REFUSED):
            yield f"inspect on {title}: exit code {code}: {said.strip()[-300:]}"
        if peak > most and not SANITIZED:
            yield f"inspect on {title}: {peak // MEGABYTE} MB of memory, at most {most // MEGABYTE}"
    yield from interruptions(name, path)


def main():
    passed = failed = 0
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        for name, make in BOMBS.items():
            if only not in name:
                continue
            path = pathlib.Path(folder) / "bomb.onnx"
            path.write_bytes(make().SerializeToString())
            found = [f"{path.stat().st_size} bytes are no small file"] if path.stat().st_size > 60_000 else []
            found += faults(name, path)
            passed, failed = passed + (not found), failed + bool(found)
            for fault in found:
                print(f"{name}: {fault}")
        path = pathlib.Path(folder) / "endless.onnx"
        path.write_bytes(endless_loop().SerializeToString())
        code, seconds = interrupted("run", path, after=1, first=listens)
        SLOWEST_ANSWER.see(seconds, "run, a loop without an end")
        passed, failed = passed + (code == CANCELLED), failed + (code != CANCELLED)
        if code != CANCELLED:
            print(f"a loop without an end: Ctrl-C gave exit code {code}")
    for arguments, word in ((("--memory-limit", "-5"), "negative"), (("--threads", "100000"), "4096"), (("--threads", "-1"), "threads"), (("--inter-threads", "100000"), "4096")):
        path = pathlib.Path(__file__).resolve().parents[2] / "resources" / "samples" / "digits_mlp" / "model.onnx"
        code, _, said = measured(("run", path, *arguments))
        right = code == USAGE and word in said
        passed, failed = passed + right, failed + (not right)
        if not right:
            print(f"{arguments}: exit code {code}: {said.strip()[-300:]}")
    print(f"slowest inspect: {SLOWEST_INSPECT.figure:.2f} s ({SLOWEST_INSPECT.name}); slowest answer to Ctrl-C: {SLOWEST_ANSWER.figure * 1000:.0f} ms ({SLOWEST_ANSWER.name})")
    print(f"on openvino: slowest inspect {SLOWEST_OPENVINO.figure:.2f} s ({SLOWEST_OPENVINO.name}), most memory {MOST_OPENVINO.figure:.0f} MB ({MOST_OPENVINO.name})")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
