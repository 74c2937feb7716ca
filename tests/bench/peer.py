#!/usr/bin/env python3
"""One engine, one model, one process: loads, warms up, runs for some seconds and prints a line of JSON.

Keys as `cutaway-cli bench --json` has them; `baseline_rss_bytes` is what the process held before it saw the model
(interpreter, numpy and the engine's libraries), so that peaks can be compared.
"""

import argparse
import ctypes
import gc
import json
import pathlib
import resource
import sys
import time

import numpy as np
import onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from random_inputs import random_inputs  # noqa: E402


def resident_bytes():
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def start_counting_peak():
    """What is resident now; the high-water mark begins here, without what reading the model's inputs took."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    return resident_bytes()


def peak_bytes():
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


class OnnxRuntime:
    def __init__(self):
        import onnxruntime
        self.library = onnxruntime

    def load(self, path, threads, dims, _):
        options = self.library.SessionOptions()
        for name, size in dims.items():
            options.add_free_dimension_override_by_name(name, size)
        options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 4
        self.session = self.library.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def feed(self, feeds):
        self.feeds = feeds

    def run(self):
        self.session.run(None, self.feeds)


class OpenVino:
    def __init__(self):
        import openvino
        self.library = openvino

    def load(self, path, threads, dims, feeds):
        core = self.library.Core()
        model = core.read_model(path) if dims else path
        if dims:
            model.reshape({name: list(array.shape) for name, array in feeds.items()})
        self.request = core.compile_model(model, "CPU", {
            "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()

    def feed(self, feeds):
        for port in self.request.model_inputs:
            name = next(name for name in port.names if name in feeds)
            self.request.set_tensor(port, self.library.Tensor(np.ascontiguousarray(feeds[name])))

    def run(self):
        self.request.infer()


PEERS = {"onnxruntime": OnnxRuntime, "openvino": OpenVino}


def milliseconds(action):
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def measure(arguments):
    dims = {name: int(size) for name, size in (each.split("=") for each in arguments.dim)}
    feeds = random_inputs(onnx.load(arguments.model, load_external_data=False), 0, dims)
    engine = PEERS[arguments.peer]()
    baseline = start_counting_peak()
    load = milliseconds(lambda: engine.load(arguments.model, arguments.threads, dims, feeds))
    engine.feed(feeds)
    first = milliseconds(engine.run)
    for _ in range(arguments.warmup):
        engine.run()
    times, end = [], time.perf_counter() + arguments.seconds
    while time.perf_counter() < end or len(times) < 3:
        times.append(milliseconds(engine.run))
    return {"load_ms": load, "first_run_ms": first, "median_ms": float(np.median(times)),
            "p90_ms": float(np.percentile(times, 90)), "min_ms": min(times), "runs": len(times),
            "threads": arguments.threads, "baseline_rss_bytes": baseline,
            "peak_rss_bytes": peak_bytes()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=SIZE", help="an open dimension, known when the model is loaded")
    print(json.dumps(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
