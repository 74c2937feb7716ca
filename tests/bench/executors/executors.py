#!/usr/bin/env python3
"""The dataflow executor against the sequential one and against onnxruntime's two modes, at the same number of threads in all.

    build/env/bin/python tests/bench/executors/executors.py [MODEL...] [--threads 2] [--seconds 0.5] [--rounds 5]

Without models: `wide` from make_models, a model of two equal branches, and the light Inceptions where they lie in the build
folder. onnxruntime runs ORT_SEQUENTIAL with all threads inside operators, and ORT_PARALLEL with as many workers as threads and
one thread inside operators. Engines take turns by round. Results also go to build/out/executors.json.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/models"))
from random_inputs import random_inputs  # noqa: E402


def two_branches(folder, width=512, depth=6):
    """Two chains of matrix products and activations over the same input, added at the end."""
    random = np.random.default_rng(0)
    nodes, weights, ends = [], [], []
    for branch, kind in enumerate(("Relu", "Tanh")):
        at = "x"
        for level in range(depth):
            name = f"w{branch}_{level}"
            weights.append(numpy_helper.from_array((random.standard_normal((width, width)) / np.sqrt(width)).astype(np.float32), name))
            nodes.append(helper.make_node("MatMul", [at, name], [f"m{branch}_{level}"]))
            nodes.append(helper.make_node(kind, [f"m{branch}_{level}"], [f"a{branch}_{level}"]))
            at = f"a{branch}_{level}"
        ends.append(at)
    nodes.append(helper.make_node("Add", ends, ["y"]))
    graph = helper.make_graph(nodes, "two_branches", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [256, width])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [256, width])], weights)
    path = folder / "two_branches.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def default_models(folder):
    subprocess.run([sys.executable, ROOT / "tests/models/make_models.py", "wide", "--out", folder], check=True, stdout=subprocess.DEVNULL)
    models = [folder / "wide.onnx", two_branches(folder)]
    for name in ("light_inception_v1", "light_inception_v2"):
        found = ROOT / "build/test-data/backend/light" / name / "model.onnx"
        if found.exists():
            models.append(found)
    return models


def peer_session(path, threads, parallel):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL if parallel else onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.intra_op_num_threads = 1 if parallel else threads
    options.inter_op_num_threads = threads if parallel else 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def peer_times(path, arguments):
    sessions = {"onnxruntime sequential": peer_session(path, arguments.threads, False), "onnxruntime parallel": peer_session(path, arguments.threads, True)}
    feeds = random_inputs(onnx.load(path, load_external_data=False), 0, {})
    times = {name: [] for name in sessions}
    for session in sessions.values():
        session.run(None, feeds)
    for _ in range(arguments.rounds):
        for name, session in sessions.items():
            end, least = time.perf_counter() + arguments.seconds, 3
            while time.perf_counter() < end or least > 0:
                start = time.perf_counter()
                session.run(None, feeds)
                times[name].append((time.perf_counter() - start) * 1e3)
                least -= 1
    return {name: float(np.median(each)) for name, each in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/main/tests/bench_executors")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/out/executors.json")
    arguments = parser.parse_args()
    print("load average", *pathlib.Path("/proc/loadavg").read_text().split()[:3], f"- {arguments.threads} threads in all, median ms")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for path in arguments.models or default_models(pathlib.Path(name)):
            made = subprocess.run([arguments.bin, path, "--threads", str(arguments.threads), "--workers", str(arguments.threads), "--rounds",
                                   str(arguments.rounds), "--seconds", str(arguments.seconds)], capture_output=True, text=True)
            if made.returncode != 0:
                print(f"{path.name}: {made.stderr.strip()}")
                continue
            ours = json.loads(made.stdout)
            times = {each["name"]: each["median_ms"] for each in ours["executors"]} | peer_times(str(path), arguments)
            label = path.stem if path.stem != "model" else path.parent.name
            forced = times[f"dataflow, {arguments.threads} workers"]
            print(f"\n{label}: same bits {ours['same_bits']}")
            for each, value in times.items():
                print(f"  {each:28} {value:10.3f} ms   x{value / forced:.2f} of dataflow with {arguments.threads} workers")
            print("  chosen:", ours["executors"][2]["executor"], "-", ours["executors"][2]["reason"])
            rows.append({"model": label, "median_ms": times, **ours})
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps({"threads": arguments.threads, "models": rows}, indent=1))


if __name__ == "__main__":
    main()
