#!/usr/bin/env python3
"""edit and diff through the command line: edited samples are checked by onnx and run by onnxruntime, external weights stay sound, and models are compared with what other tools made of them."""

import json
import pathlib
import shutil
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper, version_converter

from cutaway_cli import BAD_MODEL, CHECK_FAILED, DONE, REFUSED, REPOSITORY, USAGE, default_cli, run_cli

SAMPLE = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
CLI = default_cli()
FAILURES = []


def expect(condition, what):
    if not condition:
        FAILURES.append(what)
        print(f"FAIL {what}")


def run(code, *arguments):
    outcome = run_cli(CLI, *arguments)
    expect(outcome.code == code, f"{' '.join(map(str, arguments))}: exit code {outcome.code}, not {code}: {outcome.reason}")
    return outcome


def diff(a, b, *options):
    """The report; empty when the comparison itself failed."""
    outcome = run_cli(CLI, "diff", a, b, *options, "--json")
    expect(outcome.code in (DONE, CHECK_FAILED), f"diff {a} {b}: {outcome.reason}")
    report = json.loads(outcome.stdout) if outcome.code in (DONE, CHECK_FAILED) else {}
    expect(report.get("identical") == (outcome.code == DONE), f"diff {a} {b}: the exit code says {outcome.code}")
    return report


def counts(report):
    return report.get("same"), report.get("changed"), report.get("only_a"), report.get("only_b")


def feeds_of(model):
    feeds = {}
    for value in model.graph.input:
        dims = [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]
        feeds[value.name] = numpy.random.default_rng(1).random(dims, dtype=numpy.float32)
    return feeds


def results(model):
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, feeds_of(model))


def check_edits(folder):
    model = onnx.load(SAMPLE)
    entry, last = model.graph.input[0].name, model.graph.output[0].name
    out = folder / "renamed.onnx"
    run(DONE, "edit", SAMPLE, "-o", out, "--rename-value", f"{entry}=image", "--rename-value", f"{last}=scores", "--set-metadata", "author=somebody", "--save-edits", folder / "edits.json")
    edited = onnx.load(out)
    onnx.checker.check_model(edited, full_check=True)
    expect([edited.graph.input[0].name, edited.graph.output[0].name] == ["image", "scores"], "names are not those asked for")
    expect({entry.key: entry.value for entry in edited.metadata_props}.get("author") == "somebody", "metadata is not there")
    expect(all(numpy.array_equal(a, b) for a, b in zip(results(model), results(edited))), "a renamed model computes something else")
    # The same list from its file gives the same bytes.
    run(DONE, "edit", SAMPLE, "-o", folder / "again.onnx", "--edits", folder / "edits.json")
    expect((folder / "again.onnx").read_bytes() == out.read_bytes(), "--edits gives other bytes than the options it was saved from")
    # Nothing is replaced unasked.
    before = out.read_bytes()
    run(REFUSED, "edit", SAMPLE, "-o", out, "--set-producer", "x")
    expect(out.read_bytes() == before, "a file was replaced without --force")
    run(DONE, "edit", SAMPLE, "-o", out, "--set-producer", "x", "--force")
    # Its own file.
    shutil.copy(SAMPLE, folder / "own.onnx")
    run(DONE, "edit", folder / "own.onnx", "-o", folder / "own.onnx", "--set-documentation", "edited in place", "--force")
    expect(onnx.load(folder / "own.onnx").doc_string == "edited in place", "a file is not edited in place")


def check_nodes(folder):
    model = onnx.load(SAMPLE)
    relu = next(node for node in model.graph.node if node.op_type == "Relu")
    number = list(model.graph.node).index(relu)
    name = relu.name or f"#{number}"
    run(DONE, "edit", SAMPLE, "-o", folder / "bypassed.onnx", "--bypass", name)
    bypassed = onnx.load(folder / "bypassed.onnx")
    onnx.checker.check_model(bypassed, full_check=True)
    expect(len(bypassed.graph.node) == len(model.graph.node) - 1, "bypass takes one node out")
    for node in model.graph.node:
        node.input[:] = [relu.input[0] if each == relu.output[0] else each for each in node.input]
    model.graph.node.remove(relu)
    expect(all(numpy.allclose(a, b, rtol=1e-5) for a, b in zip(results(model), results(bypassed))), "a bypassed node still computes")
    report = diff(SAMPLE, folder / "bypassed.onnx")
    expect(counts(report)[2:] == (1, 0) and report["facts"] == [], f"a bypassed node is not what diff finds: {counts(report)}")
    run(DONE, "edit", SAMPLE, "-o", folder / "tail.onnx", "--extract-outputs", model.graph.output[0].name, "--extract-inputs", relu.output[0])
    tail = onnx.load(folder / "tail.onnx")
    onnx.checker.check_model(tail, full_check=True)
    expect([value.name for value in tail.graph.input] == [relu.output[0]], "the part begins elsewhere")


def check_refusals(folder):
    out = folder / "never.onnx"
    run(USAGE, "edit", SAMPLE, "-o", out)
    run(USAGE, "edit", SAMPLE, "--set-producer", "x")
    run(USAGE, "edit", SAMPLE, "-o", out, "--rename-value", "nothing")
    run(USAGE, "edit", SAMPLE, "-o", out, "--bypass", "no such node")
    run(USAGE, "edit", SAMPLE, "-o", out, "--extract-inputs", "a")
    run(USAGE, "edit", SAMPLE, "-o", out, "--edits", folder / "missing.json")
    run(BAD_MODEL, "edit", SAMPLE, "-o", out, "--rename-value", "no such value=b")
    run(BAD_MODEL, "edit", folder / "missing.onnx", "-o", out, "--set-producer", "x")
    expect(not out.exists(), "a refused edit wrote a file")
    entry = onnx.load(SAMPLE).graph.input[0].name
    broken = run(CHECK_FAILED, "edit", SAMPLE, "-o", out, "--set-type", f"{entry}=string")
    expect("does not resolve" in broken.stderr, "a contradiction is not told")


def check_external(folder):
    """Weights in files of their own: written beside the edited model, byte for byte, and never over another model's."""
    model = onnx.load(SAMPLE)
    source, target = folder / "source", folder / "target"
    source.mkdir()
    target.mkdir()
    onnx.save(model, source / "model.onnx", save_as_external_data=True, location="weights.bin", size_threshold=256)
    run(DONE, "edit", source / "model.onnx", "-o", target / "model.onnx", "--set-producer", "x")
    expect((target / "model.onnx.data").exists(), "large weights do not lie outside any more")
    shutil.rmtree(source)
    edited = onnx.load(target / "model.onnx")
    expect(all(numpy.array_equal(a, b) for a, b in zip(results(onnx.load(SAMPLE)), results(edited))), "external weights are not those of the model")
    expect(diff(SAMPLE, target / "model.onnx").get("values_differ") == 0, "external weights differ")
    # In its own place: the mapped file is replaced, not written over.
    run(DONE, "edit", target / "model.onnx", "-o", target / "model.onnx", "--set-producer", "y", "--force")
    expect(all(numpy.array_equal(a, b) for a, b in zip(results(onnx.load(SAMPLE)), results(onnx.load(target / "model.onnx")))), "weights are lost when a model is saved over itself")
    data = (target / "model.onnx.data").read_bytes()
    (target / "model.onnx").unlink()
    shutil.copy(target / "model.onnx.data", target / "other.onnx.data")
    onnx.save(onnx.load(SAMPLE), folder / "source.onnx", save_as_external_data=True, location="source.bin", size_threshold=256)
    run(REFUSED, "edit", folder / "source.onnx", "-o", target / "other.onnx", "--set-producer", "x")
    expect((target / "other.onnx.data").read_bytes() == data and not (target / "other.onnx").exists(), "another model's weights were written over")


def check_diff(folder):
    model = onnx.load(SAMPLE)
    nodes = len(model.graph.node)
    expect(counts(diff(SAMPLE, SAMPLE)) == (nodes, 0, 0, 0), "a model differs from itself")
    # Everything renamed.
    renamed = onnx.ModelProto()
    renamed.CopyFrom(model)
    border = {value.name for value in list(renamed.graph.input) + list(renamed.graph.output)}
    names = {}
    for node in renamed.graph.node:
        node.name = f"other_{len(names)}_{node.op_type}"
        for list_ in (node.input, node.output):
            list_[:] = [each if each in border or not each else names.setdefault(each, f"value_{len(names)}") for each in list_]
    for tensor in renamed.graph.initializer:
        tensor.name = names.get(tensor.name, tensor.name)
    del renamed.graph.value_info[:]
    onnx.save(renamed, folder / "other_names.onnx")
    expect(counts(diff(SAMPLE, folder / "other_names.onnx"))[2:] == (0, 0), "renamed nodes are not found again")
    run(DONE, "diff", SAMPLE, folder / "other_names.onnx", "--ignore-names")
    # One weight.
    weighted = onnx.ModelProto()
    weighted.CopyFrom(model)
    tensor = next(each for each in weighted.graph.initializer if each.data_type == onnx.TensorProto.FLOAT)
    values = numpy_helper.to_array(tensor).copy()
    values.flat[-1] += 1
    tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(weighted, folder / "weight.onnx")
    report = diff(SAMPLE, folder / "weight.onnx")
    expect(report.get("values_differ") == 1 and report.get("changed") == 1, f"one weight is not what differs: {report}")
    # Another opset, by onnx's own converter.
    target = model.opset_import[0].version + 2
    onnx.save(version_converter.convert_version(model, target), folder / "opset.onnx")
    report = diff(SAMPLE, folder / "opset.onnx", "--ignore-names")
    expect(any(f"-> {target}" in fact for fact in report.get("facts", [])), "another opset is not told")
    expect(counts(report)[0] is not None and counts(report)[2] <= 1, f"nodes are lost in another opset: {counts(report)}")
    # What the optimiser made of it.
    run(DONE, "optimize", SAMPLE, "--save", folder / "optimised.onnx")
    report = diff(SAMPLE, folder / "optimised.onnx")
    expect(report.get("same", 0) + report.get("changed", 0) + report.get("only_a", 0) == nodes, "nodes are counted twice or not at all")
    run(BAD_MODEL, "diff", SAMPLE, folder / "missing.onnx")
    run(USAGE, "diff", SAMPLE)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for check in (check_edits, check_nodes, check_refusals, check_external, check_diff):
            check(folder)
    print(f"{len(FAILURES)} failed")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
