#!/usr/bin/env python3
"""Engine overhead per node, one thread: bench_overhead on empty kernels, then cutaway and onnxruntime side by side on chains of
tiny Relus and on make_models' `flat` with tiny tensors (at the engines' own default optimisation, and the chain without any).

    build/env/bin/python tests/bench/overhead/overhead.py [--bin build/main/tests/bench_overhead] [--nodes 5000] [--seconds 2]
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

ROOT = pathlib.Path(__file__).resolve().parents[3]


def chain(nodes, folder):
    names = ["x"] + [f"v{i}" for i in range(nodes - 1)] + ["y"]
    graph = helper.make_graph(
        [helper.make_node("Relu", [names[i]], [names[i + 1]], name=f"n{i}") for i in range(nodes)], "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4])])
    path = folder / f"chain_{nodes}.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def flat(nodes, folder):
    subprocess.run([sys.executable, ROOT / "tests/models/make_models.py", "flat", f"nodes={nodes}", "channels=1", "width=4",
                    "--out", folder], check=True, stdout=subprocess.DEVNULL)
    return folder / "flat.onnx"


def peer_ns(path, seconds, level):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feeds = {i.name: np.zeros([d if isinstance(d, int) else 1 for d in i.shape], np.float32) for i in session.get_inputs()}
    binding = session.io_binding()
    for name, value in feeds.items():
        binding.bind_cpu_input(name, value)
    for output in session.get_outputs():
        binding.bind_output(output.name, "cpu")
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter_ns()
        session.run_with_iobinding(binding)
        times.append(time.perf_counter_ns() - start)
    return float(np.median(times)), min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/main/tests/bench_overhead")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    print("load average", *pathlib.Path("/proc/loadavg").read_text().split()[:3])
    subprocess.run([arguments.bin, "--nodes", str(arguments.nodes), "--seconds", str(arguments.seconds)], check=True)
    disabled = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    enabled = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        one = peer_ns(chain(1, folder), arguments.seconds / 4, disabled)
        many = peer_ns(chain(arguments.nodes, folder), arguments.seconds, disabled)
        median, least = ((b - a) / (arguments.nodes - 1) for a, b in zip(one, many))
        print(f"{'onnxruntime Relu, 4 floats':28} {arguments.nodes:8} nodes  {median:8.1f} ns per node (median), {least:8.1f} (least)")
        path = flat(arguments.nodes, folder)
        ours = subprocess.run([arguments.bin, "--model", path, "--seconds", str(arguments.seconds)], check=True, capture_output=True, text=True).stdout
        mine = float(re.search(r"([\d.]+) ns per node", ours).group(1)) * float(re.search(r"(\d+) nodes", ours).group(1))
        peer = peer_ns(path, arguments.seconds, enabled)[0]
        print(f"flat, {arguments.nodes} nodes, 4 floats: run {mine / 1e6:.3f} ms, onnxruntime {peer / 1e6:.3f} ms, ratio {peer / mine:.2f};"
              f" per node of the file {mine / arguments.nodes:.1f} ns and {peer / arguments.nodes:.1f} ns")


if __name__ == "__main__":
    main()
