#!/usr/bin/env python3
"""Further views of the stages, as the command line prints them: lists that the nodes give beside those of the file (inputs --derive), kernels before a run (partition --kernels), the arena in place of a
peak (pattern without a memory pattern), nodes placed by Graphviz (render --layout dot), and sparse constants as outputs. Last line: `N passed, N failed`."""

import json
import pathlib
import re
import shutil
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from checks import Checks
from cutaway_cli import BAD_MODEL, DONE, REPOSITORY, USAGE, default_cli, run_cli

CLI = default_cli()
SAMPLE = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"


def json_of(*arguments):
    done = run_cli(CLI, *arguments, "--json")
    return json.loads(done.stdout) if done.code == DONE else {"failed": done.reason}


def floats(name, shape=(4,)):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def save(path, nodes, inputs, outputs, weights=(), ir_version=8):
    graph = helper.make_graph(nodes, "main", inputs, outputs, list(weights))
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=ir_version), path)
    return path


def loop_model(path):
    """z is read by nobody, q is made and not listed, w is an initializer that is an input too; the body captures a."""
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "a"], ["t"], name="sum"), helper.make_node("Neg", ["t"], ["u"], name="unlisted"), helper.make_node("Identity", ["go"], ["again"], name="go_on")],
        "body", [helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("go", TensorProto.BOOL, []), floats("s")],
        [helper.make_tensor_value_info("again", TensorProto.BOOL, []), floats("t")])
    nodes = [helper.make_node("Mul", ["x", "w"], ["a"], name="scale"), helper.make_node("Loop", ["n", "c", "x"], ["y"], name="repeat", body=body), helper.make_node("Abs", ["a"], ["q"], name="forgotten")]
    inputs = [helper.make_tensor_value_info("n", TensorProto.INT64, []), helper.make_tensor_value_info("c", TensorProto.BOOL, []), floats("x"), floats("z"), floats("w")]
    return save(path, nodes, inputs, [floats("y")], [numpy_helper.from_array(np.ones(4, np.float32), "w")])


def check_derived(checks, folder):
    model = loop_model(folder / "loop.onnx")
    seen = json_of("inputs", model, "--derive")
    checks.that(seen.get("derived", {}).get("inputs") == ["x", "n", "c"], "inputs as the nodes read them", seen.get("failed", seen.get("derived")))
    checks.that(seen["declared"]["overridable"] == ["w"] and seen["derived"]["overridable"] == [], "who may be overridden", seen["declared"])
    checks.that(seen["derived"]["outputs"] == ["y", "q"] and seen["derived"]["intermediates"] == ["a"], "outputs and value_info", seen["derived"])
    told = {(each["list"], each["value"]) for each in seen["differences"]}
    checks.that({("inputs", "z"), ("overridable", "w"), ("outputs", "q")} <= told, "differences", told)
    checks.that([step["rule"] for step in seen["steps"]].count("auto.output") == 2, "the rule step by step", seen["steps"])
    bodies = seen["bodies"]
    checks.that(len(bodies) == 1 and "repeat" in bodies[0]["title"], "one body, with the name of its node", bodies)
    body = bodies[0]
    checks.that(body["declared"]["inputs"] == ["i", "go", "s"] and body["derived"]["inputs"] == ["s", "go"], "inputs of the body", body)
    checks.that(body["derived"]["outputs"] == ["u", "again"], "outputs of the body", body)
    checks.that(any(step["rule"] == "outer-scope" and "'a'" in step["text"] for step in body["steps"]), "what it captures", body["steps"])
    text = run_cli(CLI, "inputs", model, "--derive", "--trace").stdout
    for words in ("inputs excluding initializers", "'z' is listed as an input, and no node reads it", "step by step over the nodes", bodies[0]["title"], "outer-scope"):
        checks.that(words in text, f"the text says '{words}'", text)
    hand = json_of("inputs", model, "--derive", "--set-inputs", "n,c,x,w", "--set-outputs", "y")
    checks.that(hand["derived"]["inputs"] == ["n", "c", "x", "w"] and hand["derived"]["outputs"] == ["y"], "lists set by hand", hand)
    checks.that(len(hand["bodies"]) == 1, "bodies beside lists set by hand", hand.get("bodies"))
    lacking = run_cli(CLI, "inputs", model, "--derive", "--set-inputs", "n,c")
    checks.that(lacking.code == BAD_MODEL and "'x'" in lacking.stderr, "a list that lacks one", lacking)
    alone = run_cli(CLI, "inputs", model, "--set-inputs", "x")
    checks.that(alone.code == USAGE, "--set-inputs without --derive", alone)


def check_kernels(checks, folder):
    weights = [numpy_helper.from_array(np.ones((4, 4), np.float32), "w")]
    wide = [helper.make_tensor_value_info(name, TensorProto.DOUBLE, [4, 4]) for name in "de"]
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], name="plain"), helper.make_node("MatMul", ["d", "d"], ["e"], name="wide"), helper.make_node("Transpose", ["y"], ["t"], name="turned")]
    model = save(folder / "products.onnx", nodes, [floats("x", (4, 4)), wide[0]], [floats("t", (4, 4)), wide[1]], weights)
    seen = json_of("partition", model, "--kernels")
    kernels = {each["name"]: each for each in seen.get("kernels", [])}
    checks.that(set(kernels) == {"plain", "wide", "turned"}, "every node has its kernel", seen.get("failed", kernels))
    checks.that(kernels["plain"]["fast_path"] == "onednn" and not kernels["plain"]["refused"], "the preferred row", kernels["plain"])
    refused = kernels["wide"]["refused"]
    checks.that(refused and refused[0]["fast_path"] == "onednn" and "'d'" in refused[0]["reason"], "why a faster row refused", refused)
    text = run_cli(CLI, "partition", model, "--kernels").stdout
    checks.that(re.search(r"^kernels: .*\b1 onednn\b", text, re.M) and "onednn refused: " in text, "the text has both", text)
    one = run_cli(CLI, "partition", model, "--kernels", "--node", "wide").stdout
    checks.that(re.search(r"^  kernel: highway", one, re.M) and "onednn refused: " in one and "plain" not in one, "of one node", one)
    profile = json_of("profile", model, "--runs", "2")
    measured = {(node["graph"], node["node"]): node["variant"] for node in profile["run"]["nodes"]}
    before = {(each["graph"], each["node"]): each["variant"] for each in kernels.values()}
    checks.that(before == measured, "a run has the same kernels", (before, measured))


def check_arena(checks):
    """No peak is claimed where nothing plans one; what the arena would hold stands in its place."""
    options = ("--dim", "batch=4", "--set", "session.enable_mem_pattern=0")
    text = run_cli(CLI, "pattern", SAMPLE, *options).stdout
    checks.that("simulated" in text and "enable_mem_pattern" in text, "the arena is told, simulated", text)
    checks.that(not re.search(r"\bpeak [\d.]+ [KM]B", text), "no peak", text)
    for without in (("--plan", "onnxruntime", "--executor", "dataflow", "--inter-threads", "2"),):
        other = json_of("pattern", SAMPLE, "--dim", "batch=4", *without)["pattern"]
        checks.that(not other["eligible"] and "parallel" in other["reason"], "no pattern where the executor makes it impossible", other["reason"])


def places(path):
    return re.findall(r'<(?:rect|path|text)[^>]* (?:x|d|transform)="[^"]*"', path.read_text())


def check_layout(checks, folder):
    if shutil.which("dot") is None:
        checks.that(False, "Graphviz is missing: packaging/setup.sh installs it")
        return
    for layout in ("own", "dot"):
        done = run_cli(CLI, "render", SAMPLE, "-o", folder / f"{layout}.svg", "--layout", layout, "--group", "flat")
        checks.that(done.code == DONE and "note" not in done.stderr, f"--layout {layout}", done)
    checks.that(places(folder / "own.svg") != places(folder / "dot.svg"), "Graphviz places the nodes elsewhere")
    for count, noted in ((1997, False), (1998, True)):  # with a card for the input and one for the output
        chain = [helper.make_node("Relu", [f"v{i}" if i else "x"], [f"v{i + 1}" if i + 1 < count else "y"], name=f"n{i}") for i in range(count)]
        model = save(folder / f"chain{count}.onnx", chain, [floats("x")], [floats("y")])
        done = run_cli(CLI, "render", model, "-o", folder / "chain.svg", "--layout", "dot", "--group", "flat", "--opt-level", "0", timeout=300)
        checks.that(done.code == DONE and ("Graphviz is for fewer than 2000" in done.stderr) == noted, f"{count + 2} cards", done.stderr)
    refused = run_cli(CLI, "render", SAMPLE, "-o", folder / "x.svg", "--layout", "neato")
    checks.that(refused.code == USAGE, "another layout", refused)


def check_sparse(checks, folder):
    """Sparse constants as outputs of the graph, under a type that says so or not: their numbers, dense."""
    numbers = np.zeros((3, 4), np.float32)
    numbers[0, 1], numbers[2, 3] = 1.5, -2
    values = helper.make_tensor("sparse", TensorProto.FLOAT, [2], [1.5, -2])
    forms = {"linear": helper.make_tensor("indices", TensorProto.INT64, [2], [1, 11]), "by axis": helper.make_tensor("indices", TensorProto.INT64, [2, 2], [0, 1, 2, 3])}
    for what, indices in forms.items():
        sparse = helper.make_sparse_tensor(values, indices, [3, 4])
        for kind, output in (("sparse", helper.make_sparse_tensor_value_info("sparse", TensorProto.FLOAT, [3, 4])), ("dense", floats("sparse", (3, 4)))):
            constant = helper.make_graph([helper.make_node("Constant", [], ["sparse"], sparse_value=sparse)], "constant", [], [output])
            initializer = helper.make_graph([], "initializer", [], [output])
            initializer.sparse_initializer.append(sparse)
            for name, graph in (("Constant", constant), ("initializer", initializer)):
                model = folder / "sparse.onnx"
                onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), model)
                done = run_cli(CLI, "run", model, "--save-outputs", folder / "sparse", "--format", "npy")
                title = f"{name}, {what}, output {kind}"
                checks.that(done.code == DONE, title, done)
                checks.that(done.code == DONE and np.array_equal(np.load(folder / "sparse" / "sparse.npy"), numbers), f"{title}: its numbers")


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        check_derived(checks, pathlib.Path(name))
        check_kernels(checks, pathlib.Path(name))
        check_arena(checks)
        check_layout(checks, pathlib.Path(name))
        check_sparse(checks, pathlib.Path(name))
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
