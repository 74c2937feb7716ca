#!/usr/bin/env python3
"""check_custom_ops.py LIBRARY: models with custom operators of a library written for ONNX Runtime, as a user of the command line has them.

LIBRARY is the one that the unit tests build. Listing in text and JSON, `inspect`, the walk with ordinary nodes around, results beside
numpy, `run` of a configuration of one's own, and libraries that cannot be used. Exit code 77 where onnxruntime is not installed.
"""

import importlib.util
import json
import os
import pathlib
import shutil
import sys
import tempfile

from check_npu_contexts import SKIPPED
from checks import Checks
from cutaway_cli import BAD_MODEL, DONE, USAGE, default_cli, run_cli

CLI = default_cli()
DOMAIN = "cutaway.test"


def make_model(path):
    """Ordinary nodes before, between and behind two custom ones; the batch is open."""
    import onnx
    from onnx import TensorProto, helper

    nodes = [helper.make_node("Abs", ["x"], ["a"], name="abs"),
             helper.make_node("Twice", ["a"], ["b"], name="twice", domain=DOMAIN),
             helper.make_node("Sqrt", ["b"], ["c"], name="sqrt"),
             helper.make_node("Total", ["c", "x", "a"], ["d"], name="total", domain=DOMAIN),
             helper.make_node("Neg", ["d"], ["y"], name="neg")]
    graph = helper.make_graph(nodes, "custom", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 4])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 4])])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    return path


def check_listing(checks, library):
    done = run_cli(CLI, "custom-ops", library)
    checks.that(done.code == DONE and "Twice" in done.stdout and "float+ -> float" in done.stdout, "the list", done)
    done = run_cli(CLI, "custom-ops", library, "--json")
    checks.that(done.code == DONE, "the list as JSON", done)
    listed = json.loads(done.stdout)["libraries"]
    checks.that(len(listed) == 1 and listed[0]["path"] == str(library), "one library", listed)
    twice, total = listed[0]["operators"]
    float_ = {"type": "float", "role": "required"}
    checks.that((twice["domain"], twice["operator"], twice["inputs"], twice["outputs"], twice["infers_shapes"])
                == (DOMAIN, "Twice", [float_], [float_], True), "Twice", twice)
    checks.that(total["inputs"] == [{"type": "float", "role": "variadic", "least": 1, "homogeneous": True}] and not total["infers_shapes"], "Total", total)


def check_model(checks, library, folder):
    import numpy as np

    model = make_model(folder / "custom.onnx")
    named = ("--custom-ops", library)
    without = run_cli(CLI, "run", model, "--random", "1")
    checks.that(without.code == BAD_MODEL and "--custom-ops" in without.stderr, "without the library", without)
    done = run_cli(CLI, "inspect", model, *named)
    checks.that(done.code == DONE and f"{DOMAIN}:Twice" in done.stdout and library.name in done.stdout, "inspect", done)
    done = run_cli(CLI, "partition", model, "--json", *named)
    checks.that(done.code == DONE, "partition", done)
    placed = [node["provider"] for node in json.loads(done.stdout)["partition"]["nodes"]]
    checks.that(placed == ["cpu", "onnxruntime", "cpu", "onnxruntime", "cpu"], "who runs what", placed)
    for batch in (1, 3):
        x = np.linspace(-2, 5, 4 * batch, dtype=np.float32).reshape(batch, 4)
        np.save(folder / "x.npy", x)
        wanted = -(np.sqrt(2 * np.abs(x)) + x + np.abs(x))
        for what, options in (("as it is", ()), ("all of it there", ("--providers", "onnxruntime,cpu")),
                              ("another list", ("--providers", "skeleton,cpu"))):
            out = folder / f"out-{batch}-{len(what)}"
            done = run_cli(CLI, "run", model, "--input", f"x={folder / 'x.npy'}", "--save-outputs", out, *named, *options)
            checks.that(done.code == DONE, f"batch {batch}, {what}: run", done)
            if done.code == DONE:
                got = np.load(out / "y.npy")
                checks.that(got.shape == wanted.shape and np.allclose(got, wanted, rtol=1e-5, atol=1e-6), f"batch {batch}, {what}: results", got)


def check_bad(checks, library, folder):
    model = make_model(folder / "custom.onnx")
    broken = folder / "broken.so"
    broken.write_bytes(library.read_bytes()[:4096])
    for path in (folder / "nowhere.so", broken, model):
        for command in (("custom-ops", path), ("run", model, "--random", "1", "--custom-ops", path)):
            done = run_cli(CLI, *command)
            checks.that(done.code == USAGE and path.name in done.stderr, f"{command[0]} with {path.name}", done)
    other = folder / "crashing.so"
    shutil.copyfile(library, other)
    for how, word in (("crash:Register", "signal 11"), ("new:Register", "version 999"), ("fail:Register", "told to fail")):
        os.environ["CUTAWAY_TEST_OPERATORS"] = how
        done = run_cli(CLI, "custom-ops", other)
        checks.that(done.code == USAGE and word in done.stderr, how, done)
    for how, word in (("crash:Compute", "signal 11"), ("fail:Compute", "told to fail")):
        os.environ["CUTAWAY_TEST_OPERATORS"] = how
        done = run_cli(CLI, "run", model, "--dim", "batch=1", "--random", "1", "--custom-ops", library)
        checks.that(done.code == BAD_MODEL and word in done.stderr, how, done)
    del os.environ["CUTAWAY_TEST_OPERATORS"]


def main():
    library = pathlib.Path(sys.argv[1]).resolve()
    if importlib.util.find_spec("onnxruntime") is None or not library.exists():
        print("onnxruntime is not installed here, or its tests were not built: nothing was checked")
        return SKIPPED
    checks = Checks()
    check_listing(checks, library)
    with tempfile.TemporaryDirectory() as name:
        check_model(checks, library, pathlib.Path(name))
        check_bad(checks, library, pathlib.Path(name))
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
