#!/usr/bin/env python3
"""Sizes that are 0 or 1 only at run time, on providers that compile: nobody dies of them, and results are those of onnxruntime.

Every backend case of the node kind whose inputs are tensors, with all sizes of its inputs open: inputs are cut to 0 and to 1
along one axis (where several inputs have the same size there, all of them). onnxruntime says what comes out; what it refuses
is left out. `cutaway-cli check` then runs them on each --providers list. A case that fails on cpu alone is none of the
provider's. A provider that refuses a size when it runs, with an error, is listed and counted as refused: it neither dies nor
computes something else. Prints what failed, and last `N passed, N failed, N refused, N left out`.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library is loaded

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from cutaway_cli import TEST_DATA, default_cli  # noqa: E402

REFUSALS = ("INVALID_ARGUMENT: ", "NOT_IMPLEMENTED: ", "EP_FAIL: ")  # codes, as `check` prints them before the message
LISTS = ("onednn{claim_all=1},cpu", "openvino{minimum_nodes=1,isolate=0},cpu")
SIZES = (0, 1)


def opened(model):
    """All sizes of inputs open, and nothing said about other values."""
    for index, value in enumerate(model.graph.input):
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            dim.dim_param = f"d{index}_{axis}"
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return model


def cut(feeds, axis, size):
    """The feeds with `size` along the axis of the first one, and of all others that are as long there; None: nothing changes."""
    tensors = [feed for feed in feeds.values() if feed.ndim > axis]
    if not tensors:
        return None
    length = tensors[0].shape[axis]
    result = {name: feed.take(range(size), axis) if feed.ndim > axis and feed.shape[axis] == length and length >= size else feed for name, feed in feeds.items()}
    return result if any(result[name].shape != feeds[name].shape for name in feeds) else None


def expected_of(model, feeds):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def write_case(folder, model, feeds, outputs):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for kind, values, names in (("input", list(feeds.values()), list(feeds)), ("output", outputs, [each.name for each in model.graph.output])):
        for index, (value, name) in enumerate(zip(values, names)):
            (data / f"{kind}_{index}.pb").write_bytes(numpy_helper.from_array(numpy.asarray(value), name).SerializeToString())
    (folder / "data.json").write_text(json.dumps({"rtol": 1e-2, "atol": 1e-4}))


def make_cases(source, target):
    """Writes the cases of a source; how many onnxruntime refused."""
    refused = 0
    try:
        model = opened(onnx.load(source / "model.onnx"))
        files = sorted((source / "test_data_set_0").glob("input_*.pb"), key=lambda path: int(path.stem.split("_")[1]))
        feeds = {info.name: numpy_helper.to_array(onnx.load_tensor(path)) for info, path in zip(model.graph.input, files)}
    except Exception:  # no tensors: sequences, maps, optional values
        return 1
    for axis in range(max([feed.ndim for feed in feeds.values()], default=0)):
        for size in SIZES:
            smaller = cut(feeds, axis, size)
            if smaller is None:
                continue
            try:
                outputs = expected_of(model, smaller)
                write_case(target / f"{source.name}-{axis}-{size}", model, smaller, outputs)
            except Exception:  # onnxruntime's own refusal, or a value that is no tensor
                refused += 1
    return refused


def cases_of(source, target):
    """make_cases in a process of its own: of some of these sizes onnxruntime dies or never ends, which leaves the rest of the source out."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os.write(writer, str(make_cases(source, target)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        words = told.read()
    os.waitpid(child, 0)
    return int(words or 1)


def failures(cli, folder, providers, jobs):
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        done = subprocess.run([cli, "check", folder, "--providers", providers, "--jobs", str(jobs), "--timeout", "120", "--rtol", "1e-2", "--atol", "1e-4", "--json", report], stdout=subprocess.DEVNULL, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"check ended with {done.returncode}")
        seen = json.loads(report.read_text())
    return {pathlib.Path(each["case"]).name: each["message"] for each in seen["failures"]}, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", default=default_cli())
    parser.add_argument("--cases", type=pathlib.Path, default=TEST_DATA / "backend" / "node")
    parser.add_argument("--only", default="", help="a part of the case's name")
    parser.add_argument("--every", type=int, default=1, help="one case of so many")
    parser.add_argument("--providers", action="append", help="instead of the usual lists")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    sources = [path for path in sorted(options.cases.iterdir()) if options.only in path.name][:: options.every]
    with tempfile.TemporaryDirectory() as root:
        folder = pathlib.Path(root)
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            refused = sum(pool.map(cases_of, sources, [folder] * len(sources), chunksize=16))
        made = sum(1 for _ in folder.iterdir())
        known, _ = failures(options.cli, folder, "cpu", options.jobs)
        passed = failed = refusals = 0
        for providers in options.providers or LISTS:
            found, seen = failures(options.cli, folder, providers, options.jobs)
            own = {case: message for case, message in found.items() if case not in known or "signal" in message}
            turned_down = {case: own.pop(case) for case in sorted(own) if any(f": {code}" in own[case] for code in REFUSALS) and "signal" not in own[case]}
            name = providers.split("{")[0]
            claimed = seen["claimed_nodes"].get(name, 0)
            print(f"{providers}: {claimed} nodes claimed, {len(own)} of {made} failed, {len(turned_down)} refused")
            for case, message in turned_down.items():
                print(f"  refused: {case}: {message[:300]}")
            for case, message in sorted(own.items()):
                print(f"  {case}: {message[:300]}")
            refusals += len(turned_down)
            passed, failed = passed + made - len(own) - len(turned_down), failed + len(own) + (claimed == 0)
        crashed = {case: message for case, message in known.items() if "signal" in message}
        for case, message in sorted(crashed.items()):
            print(f"  cpu: {case}: {message[:300]}")
        print(f"{passed} passed, {failed + len(crashed)} failed, {refusals} refused, {refused} left out")
    return 1 if failed or crashed or not made else 0


if __name__ == "__main__":
    sys.exit(main())
