#!/usr/bin/env python3
"""Partition, what-if, configurations and extract through the command line, on bundled samples; parts that were cut out are checked by onnx and run by onnxruntime."""

import json
import pathlib
import sys
import tempfile

import numpy
import onnx
import onnxruntime

from cutaway_cli import BAD_MODEL, DONE, REPOSITORY, USAGE, default_cli, run_cli

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


def run_json(*arguments):
    outcome = run(DONE, *arguments, "--json")
    return json.loads(outcome.stdout) if outcome.code == DONE else {}


def input_dims(model):
    value = model.graph.input[0]
    return value.name, [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]


def check_extract(folder):
    """The part between a value and an output gives what the whole model gives."""
    model = onnx.load(SAMPLE)
    middle = next(node for node in model.graph.node if node.op_type == "GlobalAveragePool").input[0]
    last = model.graph.output[0].name
    part = folder / "part.onnx"
    run(DONE, "extract", SAMPLE, "--inputs", middle, "--outputs", last, "-o", part)
    if not part.exists():
        return
    onnx.checker.check_model(onnx.load(part), full_check=True)
    model.graph.output.append(onnx.helper.make_empty_tensor_value_info(middle))
    name, dims = input_dims(model)
    feed = {name: numpy.random.default_rng(1).random(dims, dtype=numpy.float32)}
    whole = onnxruntime.InferenceSession(model.SerializeToString()).run([last, middle], feed)
    cut = onnxruntime.InferenceSession(str(part)).run([last], {middle: whole[1]})
    expect(numpy.allclose(whole[0], cut[0], rtol=1e-4, atol=1e-5), "the part computes something else than the whole")
    run(BAD_MODEL, "extract", SAMPLE, "--outputs", "no such value", "-o", part)
    run(USAGE, "extract", SAMPLE, "-o", part)
    run(USAGE, "extract", SAMPLE, "--outputs", last)


def check_refused(folder):
    """What the skeleton refuses (everything) is saved whole, and loads."""
    target = folder / "refused"
    answer = run_json("extract", SAMPLE, "--providers", "skeleton,cpu", "--refused-by", "skeleton", "--opt-level", "0", "-o", target)
    parts = answer.get("parts", [])
    expect(parts, "skeleton refused nothing")
    expect(sum(len(part["nodes"]) for part in parts) == len(onnx.load(SAMPLE).graph.node), "parts hold another number of nodes than the model")
    for part in parts:
        expect(not part["problem"], f"{part['file']}: {part['problem']}")
        onnx.checker.check_model(onnx.load(target / part["file"]))
    only = run_json("extract", SAMPLE, "--providers", "skeleton,cpu", "--refused-by", "skeleton", "--operator", "Relu", "--opt-level", "0", "-o", target)
    expect(all(part["operators"] == ["Relu"] for part in only.get("parts", [])), "--operator lets others through")
    run(BAD_MODEL, "extract", SAMPLE, "--refused-by", "warp", "-o", target)


def check_what_if(folder):
    """Both sides are in the comparison, and a saved configuration gives the partition that it was saved from."""
    answer = run_json("partition", SAMPLE, "--what-if", "providers=declared(TensorRT),cpu; pin=op:Relu=cpu", "--save-config", folder / "chosen.json")
    comparison = answer.get("comparison", {})
    expect(comparison.get("a", {}).get("title") == "now", "the comparison has no side a")
    expect(comparison.get("moved"), "no node moved to TensorRT")
    expect(comparison.get("estimate_basis"), "the estimate has no basis")
    expect("walk" in answer and "partition" in answer["walk"], "the walk is missing")
    again = run_json("partition", SAMPLE, "--config", folder / "chosen.json")
    if again and answer:
        places = [[(node["graph"], node["node"], node["provider"]) for node in walk["partition"]["nodes"]] for walk in (answer["walk"], again)]
        expect(places[0] == places[1], "the saved configuration gives another partition")
    text = run(DONE, "partition", SAMPLE, "--what-if", "providers=skeleton,cpu", "--measure", "2", "--onnxruntime-keys").stdout
    expect("measured time" in text and "CPUExecutionProvider" in text, "measured time or onnxruntime's keys are missing")
    expect("CPUExecutionProvider" in run(DONE, "partition", SAMPLE, "--reference-keys").stdout, "the option's earlier name is gone")
    run(USAGE, "partition", SAMPLE, "--what-if", "speed=9")
    run(USAGE, "partition", SAMPLE, "--pin", "layer:a=cpu")


def check_inspector():
    nodes = run_json("partition", SAMPLE, "--providers", "skeleton,cpu")
    if not nodes:
        return
    first = nodes["optimized_graphs"]["graphs"][0]["nodes"][0] if isinstance(nodes["optimized_graphs"], dict) else nodes["optimized_graphs"][0]["nodes"][0]
    name = first["name"] or f"{first['op_type']} #0"
    text = run(DONE, "partition", SAMPLE, "--providers", "skeleton,cpu", "--node", name).stdout
    expect("skeleton: refused" in text and "reason" in text and "cpu: claimed" in text, f"--node says: {text}")
    run(BAD_MODEL, "partition", SAMPLE, "--node", "no such node")


def check_numbers():
    """OrtValueIndex, counted here from the file: inputs, then node by node what it reads and makes."""
    model = onnx.load(SAMPLE)
    expected = {}
    for name in [value.name for value in model.graph.input] + [
            name for node in model.graph.node if node.op_type != "Constant" for name in (*node.input, *node.output) if name]:
        expected.setdefault(name, len(expected))
    report = run_json("allocate", SAMPLE, "--opt-level", "0", "--trace")
    names = [value["name"] for value in report["partitioned_graphs"][0]["values"]]
    told = {names[value["value"]]: value["ort_value_index"] for value in report["allocate"]["graphs"][0]["values"] if "ort_value_index" in value}
    expect(told == expected, f"values are numbered {told}, not {expected}")
    steps = report["allocate"]["steps"][0]["steps"]
    expect([step["node"] for step in steps] == [step["node"] for step in report["schedule"]["graphs"][0]["steps"]], "the steps are not those of the order")
    expect(any(step["freed"] for step in steps), "no step frees a buffer")


def check_pattern_off():
    """No peak is claimed where nothing plans one; the other side of the comparison shows it."""
    off = run_json("pattern", SAMPLE, "--dim", "batch=4", "--set", "session.enable_mem_pattern=0")["pattern"]
    expect(not off["eligible"] and "simulated" in off["reason"] and not off["graphs"][0]["blocks"], f"a switched-off pattern says {off['reason']}")
    comparison = run_json("pattern", SAMPLE, "--dim", "batch=4", "--what-if", "session.enable_mem_pattern=0")
    expect(comparison["b"]["peak_bytes"] == off["peak_bytes"] and comparison["a"]["peak_bytes"] != off["peak_bytes"], "the what-if does not show the arena's bytes")
    expect(any("session.enable_mem_pattern" in warning for warning in comparison["warnings"]), "the what-if does not say that there is no pattern")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_extract(folder)
        check_refused(folder)
        check_what_if(folder)
        check_numbers()
        check_pattern_off()
    check_inspector()
    print(f"{len(FAILURES)} failures")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
