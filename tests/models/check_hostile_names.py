#!/usr/bin/env python3
"""Names with escape sequences, zero bytes, broken UTF-8, characters that XML forbids, and of 100 kB, through every verb that writes.

SVG and the SVG inside reports are parsed as XML, JSON as JSON, everything is strict UTF-8 without control characters; words
in pictures stay short, and so do lines on the terminal. Last line: `N passed, N failed`.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from onnx import TensorProto, helper

from cutaway_cli import DONE, default_cli

CLI = default_cli()
MARK = "NAME"
NAMES = {
    "escape": b"a\x1b[31mX\x00\x07\x7f",
    "no UTF-8": b"\xff\xfe\xc3(",
    "markup": "<&\"'>]]>\u0001\ufffe\uffff\u202e\U0001f600".encode(),
    "long": b"L" * 100_000,
}
MOST_WORD, MOST_LINE = 2_000, 4_000  # characters
COMMANDS = {
    "render": ("render", "-o", "picture.svg"),
    "render by time": ("render", "--overlay", "time", "-o", "timed.svg"),
    "report": ("report", "-o", "report.html"),
    "trace": ("profile", "--runs", "1", "--trace", "trace.json"),
    "saved profile": ("profile", "--runs", "1", "--save", "profile.json"),
    "settings": ("partition", "--save-config", "settings.json"),
    **{f"{verb} --json": (verb, "--json", f"{verb}.json") for verb in ("inspect", "inputs", "optimize", "partition", "order", "allocate", "pattern", "profile", "run")},
    **{verb: (verb,) for verb in ("inspect", "inputs", "partition", "order", "allocate", "pattern", "profile", "run")},
}


def model_bytes(name):
    """A model whose values and nodes all carry the name: as a string of bytes, which the onnx package would not write."""
    info = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [2, 3]) for value in ("x", "y")]
    nodes = [helper.make_node("Relu", ["x"], [MARK], name=MARK), helper.make_node("Neg", [MARK], ["y"], name=MARK + "2")]
    model = helper.make_model(helper.make_graph(nodes, "g", info[:1], info[1:]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return relabelled(model, name)


def relabelled(model, name):
    """Field by field: the lengths around a replaced string change, too."""

    def varint(number):
        out = b""
        while number > 127:
            out, number = out + bytes([number & 127 | 128]), number >> 7
        return out + bytes([number])

    def field(number, content):
        return varint(number << 3 | 2) + varint(len(content)) + content

    def named(text):
        return text.encode().replace(MARK.encode(), name)

    graph = b""
    for node in model.graph.node:
        graph += field(1, b"".join(field(1, named(value)) for value in node.input) + b"".join(field(2, named(value)) for value in node.output) + field(3, named(node.name)) + field(4, node.op_type.encode()))
    graph += field(2, b"g") + b"".join(field(11, value.SerializeToString()) for value in model.graph.input) + b"".join(field(12, value.SerializeToString()) for value in model.graph.output)
    return varint(1 << 3) + varint(model.ir_version) + field(7, graph) + field(8, model.opset_import[0].SerializeToString())


def faults_of_text(text, what):
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text):
        yield f"{what}: a control character"


def faults_of_svg(text, what):
    try:
        words = ["".join(element.itertext()) for element in xml.etree.ElementTree.fromstring(text).iter() if element.tag.endswith("text")]
    except xml.etree.ElementTree.ParseError as error:
        yield f"{what}: no XML: {error}"
        return
    if words and max(map(len, words)) > MOST_WORD:
        yield f"{what}: a word of {max(map(len, words))} characters"


def faults_of_file(path):
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        yield f"{path.name}: {error}"
        return
    if path.suffix == ".json":
        try:
            json.loads(text)
        except ValueError as error:
            yield f"{path.name}: {error}"
    elif path.suffix == ".svg":
        yield from faults_of_svg(text, path.name)
    else:
        yield from faults_of_text(text, path.name)
        for number, svg in enumerate(re.findall(r"<svg.*?</svg>", text, re.DOTALL)):
            yield from faults_of_svg(svg, f"{path.name}, picture {number}")


def faults(model, command, folder):
    output = [str(folder / word) if re.search(r"\.(svg|html|json)$", word) else word for word in command]
    done = subprocess.run([CLI, output[0], model, *output[1:]], capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
    if done.returncode != DONE:
        yield f"exit code {done.returncode}: {done.stderr[-300:]!r}"
    for stream in (done.stdout, done.stderr):
        try:
            text = stream.decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"the terminal: {error}"
            continue
        yield from faults_of_text(text, "the terminal")
        if max(map(len, text.split("\n"))) > MOST_LINE:
            yield f"the terminal: a line of {max(map(len, text.split(chr(10))))} characters"
    for path in sorted(folder.iterdir()):
        yield from faults_of_file(path)


def main():
    passed = failed = 0
    for title, name in NAMES.items():
        for what, command in COMMANDS.items():
            with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as written:
                model = pathlib.Path(place) / "model.onnx"
                model.write_bytes(model_bytes(name))
                found = list(faults(model, command, pathlib.Path(written)))
            passed, failed = passed + (not found), failed + bool(found)
            for fault in found:
                print(f"FAIL {title}, {what}: {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
