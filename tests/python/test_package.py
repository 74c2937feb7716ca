"""What is installed: the command, the types, the example."""

import ast
import importlib.metadata
import importlib.resources
import inspect
import json
import os
import pathlib
import subprocess
import sys

import cutaway
import pytest

NOTEBOOK = pathlib.Path(os.environ["CUTAWAY_NOTEBOOK"])


def test_version_is_that_of_the_wheel_and_of_the_command():
    command = pathlib.Path(sys.executable).parent / "cutaway-cli"
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert cutaway.__version__ == importlib.metadata.version("cutaway") == done.stdout.split()[1]


def test_the_command_runs_a_sample():
    command = pathlib.Path(sys.executable).parent / "cutaway-cli"
    done = subprocess.run([command, "inspect", cutaway.sample()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with pytest.raises(KeyError, match="digits_mlp"):
        cutaway.sample("nobody")


def test_everything_public_is_documented_and_typed():
    root = importlib.resources.files("cutaway")
    assert (root / "py.typed").is_file() and (root / "_engine.pyi").is_file()
    for name in cutaway.__all__:
        thing = getattr(cutaway, name)
        assert inspect.getdoc(thing) or name == "Error", name
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            assert signature.return_annotation is not inspect.Signature.empty, name
            assert all(each.annotation is not inspect.Parameter.empty for each in signature.parameters.values()), name


def test_stub_has_what_the_module_has():
    stub = ast.parse((importlib.resources.files("cutaway") / "_engine.pyi").read_text())
    written = {node.name: node for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    real = {name for name in dir(cutaway._engine) if not name.startswith("_")}
    assert real == set(written)
    methods = {node.name for node in written["Session"].body if isinstance(node, ast.FunctionDef)} - {"__init__"}
    assert methods == {name for name in dir(cutaway._engine.Session) if not name.startswith("_")}


def test_the_example_notebook_runs():
    namespace = {}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, str(NOTEBOOK), "exec"), namespace)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), namespace)
            assert getattr(shown, "_repr_html_", shown.__repr__)()
