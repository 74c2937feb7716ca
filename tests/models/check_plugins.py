#!/usr/bin/env python3
"""check_plugins.py FOLDER: a model with an operator of the plug-in in FOLDER, as a user of the command line has it: results, pass, overlay, and folders that cannot be used."""

import json
import pathlib
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper

from checks import Checks
from cutaway_cli import BAD_MODEL, DONE, USAGE, default_cli, run_cli

CLI = default_cli()
DOMAIN = "com.example"


def make_model(path):
    nodes = [helper.make_node("Abs", ["x"], ["a"], name="abs"),
             helper.make_node("Scale", ["a"], ["b"], name="twice", domain=DOMAIN, factor=2.0),
             helper.make_node("Scale", ["b"], ["c"], name="thrice", domain=DOMAIN, factor=3.0),
             helper.make_node("Sqrt", ["c"], ["y"], name="sqrt")]
    graph = helper.make_graph(nodes, "plugged", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 4])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 4])])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)], ir_version=9), path)
    return path


def check_model(checks, plugins, folder):
    model = make_model(folder / "plugged.onnx")
    named = ("--plugin", plugins)
    without = run_cli(CLI, "run", model, "--random", "1")
    checks.that(without.code == BAD_MODEL and "Scale" in without.stderr, "without the plug-in", without)
    done = run_cli(CLI, "partition", model, "--opt-level", "0", "--json", *named)
    placed = [node["provider"] for node in json.loads(done.stdout)["partition"]["nodes"]] if done.code == DONE else done
    checks.that(placed == ["cpu", "plugged", "plugged", "cpu"], "who runs what", placed)
    done = run_cli(CLI, "optimize", model, *named)
    checks.that(done.code == DONE and "ScaleScaleFusion" in done.stdout and "two scales are one" in done.stdout, "the pass", done)
    x = np.linspace(-2, 5, 12, dtype=np.float32).reshape(3, 4)
    np.save(folder / "x.npy", x)
    for what, options in (("as it is", ()), ("nothing rewritten", ("--opt-level", "0")), ("another list", ("--providers", "onednn,cpu")),
                          ("named", ("--providers", "plugged,cpu"))):
        out = folder / what.replace(" ", "-")
        done = run_cli(CLI, "run", model, "--input", f"x={folder / 'x.npy'}", "--save-outputs", out, "--format", "npy", *named, *options)
        checks.that(done.code == DONE, f"{what}: run", done)
        if done.code == DONE:
            checks.that(np.allclose(np.load(out / "y.npy"), np.sqrt(6 * np.abs(x)), rtol=1e-6), f"{what}: results", np.load(out / "y.npy"))
    picture = folder / "growth.svg"
    done = run_cli(CLI, "render", model, "-o", picture, "--overlay", "growth", *named)
    checks.that(done.code == DONE and "Bytes out for each in" in picture.read_text(), "the overlay", done)
    done = run_cli(CLI, "render", model, "-o", picture, "--overlay", "growth")
    checks.that(done.code == USAGE and "growth" in done.stderr, "the overlay without the plug-in", done)


def check_bad(checks, plugins, folder):
    empty = folder / "empty"
    empty.mkdir()
    text = folder / "text"
    text.mkdir()
    (text / "plugin.so").write_text("no library")
    for path, said in ((folder / "nowhere", "nowhere"), (empty, "ends in .so"), (text, "plugin.so"),
                       (plugins.parent / "plugin_of_tomorrow", "version 1"), (plugins.parent / "plugin_without_entry", "cutaway_plugin")):
        done = run_cli(CLI, "inspect", folder / "plugged.onnx", "--plugin", path)
        checks.that(done.code == USAGE and said in done.stderr, f"{path.name} is refused", done)


def check_functions(checks, folder):
    """A folder with a library of functions and no library of code; a library beside the model."""
    library = folder / "functions"
    library.mkdir()
    body = [helper.make_node("Relu", ["a"], ["t"]), helper.make_node("Neg", ["t"], ["b"])]
    function = helper.make_function("com.functions", "Fold", ["a"], ["b"], body, [helper.make_opsetid("", 17)])
    graph = helper.make_graph([helper.make_node("Fold", ["x"], ["y"], name="fold", domain="com.functions")], "calls",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.functions", 1)]
    onnx.save(helper.make_model(helper.make_graph([], "none", [], []), functions=[function], opset_imports=imports, ir_version=9), library / "library.onnx")
    model = folder / "calls.onnx"
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=9), model)
    x = np.array([-1, 0, 2, 3], np.float32)
    np.save(folder / "f.npy", x)
    alone = run_cli(CLI, "run", model, "--random", "1")
    checks.that(alone.code == BAD_MODEL and "Fold" in alone.stderr, "a function that is nowhere", alone)
    for what, options in (("from a folder", ("--plugin", library)), ("beside the model", ())):
        if not options:
            (library / "library.onnx").rename(folder / "calls.functions.onnx")
        out = folder / what.replace(" ", "-")
        done = run_cli(CLI, "run", model, "--input", f"x={folder / 'f.npy'}", "--save-outputs", out, "--format", "npy", *options)
        checks.that(done.code == DONE and np.array_equal(np.load(out / "y.npy"), -np.maximum(x, 0)), f"functions {what}", done)


def main():
    plugins = pathlib.Path(sys.argv[1]).resolve()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        check_model(checks, plugins, pathlib.Path(name))
        check_bad(checks, plugins, pathlib.Path(name))
        check_functions(checks, pathlib.Path(name))
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
