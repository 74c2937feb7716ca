#!/usr/bin/env python3
"""Does our partition through a plug-in provider agree with ONNX Runtime's own, node by node?

    plugin_partition.py                       QNN over the twelve models of the notes on hosting, and all shared models
    plugin_partition.py dtln-1 rl-go1-policy  only models whose folder begins with one of these
    plugin_partition.py --twelve --export     the twelve; also contexts: exported, their size, loaded again
    plugin_partition.py --generated           two small models that are made here, for machines without the shared ones

Each model is written with its free dimensions fixed and a name of its own for every node, then given to both sides: ONNX
Runtime from Python, a session at level "disable all" whose assignment is recorded, and `cutaway-cli partition --opt-level 0`.
Sets of names are compared. Times are of one session each, the process's start left out; those of QNN are of its simulator. Last
line: the sums. Exit code 1 when a set differs that both sides have; 0, saying so, where the provider's package is missing.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from cutaway_cli import default_cli, run_cli

MODELS = pathlib.Path(os.environ.get("CUTAWAY_CORPORA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "corpora")) / "models"
TWELVE = ("mobilenetv2-qdq-int8", "ad01-int8-qdq", "mlperf-tiny-resnet8", "ultraface-rfb-320", "yolox-nano", "squeezenet-fp16",
          "gtcrn-stream", "dtln-1", "tinybert-tribuo", "basic-pitch", "yolo-postprocess-nms", "rl-go1-policy")
DIMENSIONS = {"tinybert-tribuo": {"sequence": 16}}  # every other free dimension: 1
OPTIONS = {"backend_type": "htp", "soc_model": "69"}
PACKAGE, PROVIDER, LIBRARY, NAME = "onnxruntime_qnn", "QNNExecutionProvider", "libonnxruntime_providers_qnn.so", "qnn"
LARGEST = 300 << 20  # bytes of a model; larger ones take minutes in the simulator

# In a process of its own: the provider keeps its target for the process, and may crash.
THEIRS = r"""
import json, sys, time
import onnxruntime as ort
path, library, provider, options, level, run = sys.argv[1:]
ort.set_default_logger_severity(3)
ort.register_execution_provider_library(provider, library)
devices = [device for device in ort.get_ep_devices() if device.ep_name == provider]
settings = ort.SessionOptions()
settings.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
settings.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
settings.add_provider_for_devices(devices, json.loads(options))
start = time.perf_counter()
session = ort.InferenceSession(path, sess_options=settings)
seconds = time.perf_counter() - start
groups = [[node.name for node in group.get_nodes()] for group in session.get_provider_graph_assignment_info() if group.ep_name == provider]
every = [node.name for group in session.get_provider_graph_assignment_info() for node in group.get_nodes()]
print(json.dumps({"groups": groups, "every": every, "seconds": seconds}))
"""


def library():
    """The provider's library in the Python environment that this runs in; None: it is not installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    path = pathlib.Path(list(found.submodule_search_locations)[0]) / LIBRARY
    return path if path.exists() else None


def prepared(source, target, dimensions):
    """The model with fixed dimensions and a name of its own for every node; None where it cannot be read."""
    import onnx

    model = onnx.load(source)
    graph = model.graph
    for value in graph.input:
        for dim in value.type.tensor_type.shape.dim if value.type.HasField("tensor_type") else ():
            if not dim.HasField("dim_value") or dim.dim_value < 1:
                dim.dim_value = dimensions.get(dim.dim_param, 1)
    # What was inferred with free dimensions does not hold any more.
    del graph.value_info[:]
    for value in graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")
    for number, node in enumerate(graph.node):
        node.name = f"node{number}_"
    onnx.save(model, target)
    return len(graph.node)


def plain(name):
    """The name that a node had before ONNX Runtime's layout change or copies; None: a node that it made."""
    found = re.search(r"node(\d+)_", name)
    return int(found[1]) if found else None


def theirs(path, level="ORT_DISABLE_ALL"):
    command = [sys.executable, "-c", THEIRS, str(path), str(library()), PROVIDER, json.dumps(OPTIONS), level, "0"]
    environment = {**os.environ, "ORT_DISABLE_TELEMETRY": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    except subprocess.TimeoutExpired:
        return None, "did not end in 300 s"
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        return None, said[-1][:160]
    return json.loads(done.stdout.splitlines()[-1]), ""


def ours(cli, path):
    options = ",".join(f"{key}={value}" for key, value in OPTIONS.items())
    start = time.perf_counter()
    done = run_cli(cli, "partition", path, "--opt-level", "0", "--log", "off", "--providers", f"{NAME}{{{options}}},cpu", "--json", timeout=300)
    seconds = time.perf_counter() - start
    if done.code != 0:
        return None, done.reason
    report = json.loads(done.stdout)
    names = [node["name"] for node in report["optimized_graphs"][0]["nodes"]]
    partition = report["partition"]
    taken, failed = set(), set()
    for node in partition["nodes"]:
        if node["graph"] != 0:
            continue
        number = plain(names[node["node"]])
        if node["provider"] == NAME:
            taken.add(number)
        elif any(answer["provider"] == NAME and answer["verdict"] == "compile failed" for answer in node["answers"]):
            failed.add(number)
    groups = sum(group["provider"] == NAME and group["compiled"] and group["graph"] == 0 for group in partition["groups"])
    summary = next(row for row in partition["providers"] if row["name"] == NAME)
    return {"taken": taken, "failed": failed, "groups": groups, "seconds": seconds, "nodes": len(names), "summary": summary}, ""


def row_of(cli, name, source, folder):
    path = folder / "model.onnx"
    try:
        count = prepared(source, path, DIMENSIONS.get(name, {}))
    except Exception as why:  # a file that onnx itself does not read is none of ours
        return {"model": name, "verdict": "left out", "remark": f"not read: {str(why).splitlines()[0][:80]}"}
    peer, why = theirs(path)
    level = "none"
    if peer is None:
        peer, second = theirs(path, "ORT_ENABLE_BASIC")
        level = "basic"
        if peer is None:
            return {"model": name, "verdict": "left out", "remark": f"ONNX Runtime itself: {second or why}"}
    mine, why = ours(cli, path)
    if mine is None:
        return {"model": name, "verdict": "failed", "remark": why}
    split = [number for number in (plain(name) for group in peer["groups"] for name in group) if number is not None]
    every = [number for number in (plain(name) for name in peer["every"]) if number is not None]
    # A node counts where all its copies are the provider's.
    wanted = {number for number in split if split.count(number) == every.count(number)}
    claimed = mine["taken"] | mine["failed"]
    gone = set(range(count)) - set(every)  # put away by their level
    difference = (wanted ^ claimed) - gone
    verdict = "same" if not difference else "differs"
    remark = f"nodes {sorted(difference)[:6]}" if difference else ""
    if mine["failed"]:
        remark = f"{remark}; {len(mine['failed'])} claimed nodes do not compile in groups of their own".lstrip("; ")
    return {"model": name, "verdict": verdict, "nodes": count, "theirs": len(wanted), "ours": len(claimed), "kept": len(mine["taken"]),
            "groups": f"{len(peer['groups'])}/{mine['groups']}", "level": level, "their_seconds": peer["seconds"],
            "our_seconds": mine["seconds"], "ask": mine["summary"]["ask_time_ns"] / 1e9, "compile": mine["summary"]["compile_time_ns"] / 1e9,
            "remark": remark}


def generated(folder):
    """A convolution with its activation, and a sum over an axis that the provider takes as well."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights = numpy_helper.from_array(numpy.ones((4, 3, 3, 3), numpy.float32), "w")
    nodes = [helper.make_node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Erf", ["b"], ["c"]), helper.make_node("Softmax", ["c"], ["y"], axis=1)]
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 8, 8])], [weights])
    path = folder / "small.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return [("small", path)]


def shared(arguments):
    if not MODELS.is_dir():
        return []
    wanted = arguments.models or (TWELVE if arguments.twelve else None)
    found = []
    for folder in sorted(MODELS.iterdir()):
        if folder.name.startswith(("bad-", "_")) or (wanted and not folder.name.startswith(tuple(wanted))):
            continue
        files = [path for path in sorted(folder.glob("*.onnx")) if path.stat().st_size < LARGEST]
        found += [(folder.name if len(files) == 1 else f"{folder.name}/{path.stem}", path) for path in files]
    return found


def line(row):
    def number(key, form="{}"):
        return form.format(row[key]) if key in row else ""

    return (f"| {row['model']} | {row['verdict']} | {number('nodes')} | {number('theirs')} | {number('ours')} | {number('kept')} | {number('groups')} | "
            f"{number('level')} | {number('their_seconds', '{:.2f}')} | {number('ask', '{:.2f}')} + {number('compile', '{:.2f}')} | {row['remark']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--twelve", action="store_true")
    parser.add_argument("--generated", action="store_true")
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    arguments = parser.parse_args()
    if library() is None:
        print(f"{PACKAGE} is not installed here (packaging/setup.sh --providers): nothing was compared")
        return 0
    rows = []
    print("| model | sets | nodes | theirs | ours | kept | groups theirs/ours | level | their session, s | we ask + compile, s | remark |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as made:
        models = generated(pathlib.Path(made)) if arguments.generated else shared(arguments)
        for name, source in models:
            with tempfile.TemporaryDirectory() as folder:
                rows.append(row_of(arguments.cli, name, source, pathlib.Path(folder)))
            print(line(rows[-1]), flush=True)
    verdicts = {word: sum(row["verdict"] == word for row in rows) for word in ("same", "differs", "failed", "left out")}
    print("\n" + ", ".join(f"{count} {word}" for word, count in verdicts.items()))
    return 1 if verdicts["differs"] or verdicts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
