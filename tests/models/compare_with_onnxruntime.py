#!/usr/bin/env python3
"""Runs models with cutaway-cli and with onnxruntime on the same seeded random inputs and compares the outputs.

    compare_with_onnxruntime.py model.onnx folder ... [--seed 7] [--dim batch=2] [--opt-level 0]

Folders are searched for models. No expected number is kept anywhere: onnxruntime makes them as the script runs.
Prints a line a model, and last `N passed, N failed, N skipped`. A model that onnxruntime cannot run, or whose inputs are
neither tensors nor maps, is skipped with the reason; so is an operator that cutaway says it does not have, unless --strict.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from google.protobuf.message import DecodeError
from onnx import MapProto, SequenceProto, TensorProto, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "conformance"))

from cutaway_cli import DONE, default_cli, run_cli
from export_cases import to_proto
from random_inputs import NotSupported, random_inputs

ENDINGS = (".onnx", ".textproto", ".onnxtxt", ".pbtxt", ".prototxt")


class Skipped(Exception):
    pass


class NotRun(Skipped):
    """The peer took the model and refused these inputs."""


class Failed(Exception):
    pass


def find_models(paths):
    found = []
    for path in paths:
        if path.is_dir():
            found += sorted(file for file in path.rglob("*") if file.suffix in ENDINGS)
        elif path.exists():
            found.append(path)
        else:
            raise SystemExit(f"{path} does not exist")
    return found


def read_model(path):
    """The model without external data: its inputs are all that matters here."""
    text = path.suffix != ".onnx"
    try:
        return onnx.load(path, format="textproto" if text else None, load_external_data=False)
    except Exception as error:
        raise Skipped(f"onnx cannot read it: {first_line(error)}") from error


def first_line(error, most=200):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:most]


def run_onnxruntime(path, model, feeds, optimised=True):
    options = onnxruntime.SessionOptions()
    if not optimised:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    source = str(path) if path.suffix == ".onnx" else model.SerializeToString()
    try:
        session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise Skipped(f"onnxruntime: {first_line(error, 900)}") from error
    try:
        return dict(zip([output.name for output in session.get_outputs()], session.run(None, feeds)))
    except Exception as error:
        raise NotRun(f"onnxruntime: {first_line(error, 900)}") from error


def from_bytes(data, info):
    """An output file as onnxruntime would give the value: array, list or dict; that of an optional holds what is in it."""
    kind = info.type.WhichOneof("value")
    if kind == "optional_type":
        kind = info.type.optional_type.elem_type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.to_list(SequenceProto.FromString(data))
    if kind == "map_type":
        return numpy_helper.to_dict(MapProto.FromString(data))
    return numpy_helper.to_array(TensorProto.FromString(data))


def name_in(data):
    """The name that a file of an output carries; where it stands differs by message."""
    for message in (TensorProto, SequenceProto, MapProto):
        try:
            if name := message.FromString(data).name:
                return name
        except DecodeError:
            continue
    raise Failed("an output file has no name")


def flattened(name, value):
    """Lists by position and maps in the order of their keys: (name, array) pairs."""
    if isinstance(value, list):
        yield f"{name} length", np.array(len(value))
        for index, item in enumerate(value):
            yield from flattened(f"{name}[{index}]", item)
    elif isinstance(value, dict):
        keys = [key.decode() if isinstance(key, bytes) else key for key in value]
        order = sorted(range(len(keys)), key=lambda i: keys[i])
        yield f"{name} keys", np.array([keys[i] for i in order], dtype=object)
        held = np.array([np.asarray(each).reshape(-1)[0] for each in value.values()])
        plain = held.dtype == np.float64 and all(type(each) is float for each in value.values())  # onnxruntime's way to give float32
        yield f"{name} values", held[order].astype(np.float32) if plain else held[order]
    else:
        yield name, np.asarray(value)


def run_cutaway(path, model, feeds, arguments):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        declared = {info.name: info for info in model.graph.input}
        command = ["run", path, "--save-outputs", scratch / "outputs", "--format", "pb"]
        for index, (name, array) in enumerate(feeds.items()):
            file = scratch / f"feed_{index}.pb"
            file.write_bytes(to_proto(array, declared[name]).SerializeToString())
            command += ["--input", f"{name}={file}"]
        outcome = run_cli(arguments.cli, *command, *arguments.passed_on, timeout=arguments.timeout)
        if outcome.code != DONE:
            lacks = "NOT_IMPLEMENTED" in outcome.stderr and not outcome.crashed
            raise (Skipped if lacks and not arguments.strict else Failed)(outcome.reason)
        outputs = {}
        for file in (scratch / "outputs").glob("*.pb"):
            data = file.read_bytes()
            name = name_in(data)
            outputs[name] = from_bytes(data, next(info for info in model.graph.output if info.name == name))
        return outputs


def compare_arrays(name, ours, theirs, tolerance):
    """The largest difference as a share of the largest expected value; raises Failed when it is above `tolerance`."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        raise Failed(f"{name}: {ours.dtype}{list(ours.shape)}, expected {theirs.dtype}{list(theirs.shape)}")
    if ours.size == 0:
        return 0.0
    if theirs.dtype.kind not in "fcV":
        if (ours != theirs).any():
            raise Failed(f"{name}: {int((ours != theirs).sum())} of {ours.size} values differ")
        return 0.0
    ours, theirs = (array.astype(np.complex128 if array.dtype.kind == "c" else np.float64) for array in (ours, theirs))
    odd = ~np.isfinite(theirs)
    if not np.array_equal(ours[odd], theirs[odd], equal_nan=True) or not np.isfinite(ours[~odd]).all():
        raise Failed(f"{name}: infinities or NaN in other places")
    difference = np.abs(ours[~odd] - theirs[~odd]).max(initial=0)
    share = float(difference / max(np.abs(theirs[~odd]).max(initial=0), 1e-6))
    if share > tolerance:
        raise Failed(f"{name}: largest difference {difference:.3g}, {share:.2g} of the largest value")
    return share


def is_quantised(model):
    return any(node.op_type in ("QuantizeLinear", "DynamicQuantizeLinear") for node in model.graph.node)


def largest_share(ours, theirs):
    if theirs.size == 0 or theirs.dtype.kind != "f":
        return 0.0
    return float(np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).max() / max(np.abs(theirs).max(), 1e-6))


def quantisation_noise(path, model, feeds, theirs):
    """How far onnxruntime is from itself without its fusions: a rounding that tips over moves everything behind it, in any engine."""
    plain = run_onnxruntime(path, model, feeds, optimised=False)
    return max((largest_share(plain[name], theirs[name]) for name in theirs), default=0.0)


def pieces(outputs):
    """Outputs by name as arrays by name: sequences and maps in parts."""
    return {part: array for name, value in outputs.items() for part, array in flattened(name, value)}


def compare_model(path, arguments):
    model = read_model(path)
    try:
        feeds = random_inputs(model, arguments.seed, arguments.dims)
    except NotSupported as reason:
        raise Skipped(str(reason)) from reason
    theirs = run_onnxruntime(path, model, feeds)
    ours = run_cutaway(path, model, feeds, arguments)
    if set(ours) != set(theirs):
        raise Failed(f"outputs {sorted(ours)}, expected {sorted(theirs)}")
    ours, theirs = pieces(ours), pieces(theirs)
    if set(ours) != set(theirs):
        raise Failed(f"pieces {sorted(ours)[:9]}, expected {sorted(theirs)[:9]}")
    half = any(value.dtype == np.float16 for value in theirs.values())
    tolerance = max(arguments.tolerance, 1e-2) if half else arguments.tolerance
    if is_quantised(model):
        tolerance = max(tolerance, 2 * quantisation_noise(path, model, feeds, theirs))
    return max((compare_arrays(name, ours[name], theirs[name], tolerance) for name in theirs), default=0.0)


def verdict(path, arguments):
    try:
        return "passed", f"differs by {compare_model(path, arguments):.1e} at most"
    except Skipped as reason:
        return "skipped", str(reason)
    except Failed as reason:
        return "failed", str(reason)


def compare_all(paths, arguments):
    """Prints a line a model and the sums; gives the number of failures, or 1 when nothing passed."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda path: verdict(path, arguments), paths)
        for path, (word, why) in zip(paths, results):
            counts[word] += 1
            print(f"{word:8}{path}: {why}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return counts["failed"] or (0 if counts["passed"] else 1)


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("paths", nargs="+", type=pathlib.Path, metavar="MODEL")
    made.add_argument("--cli", type=pathlib.Path, default=default_cli(), help="the program to test")
    made.add_argument("--seed", type=int, default=7)
    made.add_argument("--dim", action="append", default=[], metavar="NAME=VALUE")
    made.add_argument("--opt-level", type=int, metavar="N")
    made.add_argument("--threads", type=int, metavar="N")
    made.add_argument("--tolerance", type=float, default=1e-3, help="allowed difference, as a share of the largest value")
    made.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    made.add_argument("--jobs", type=int, default=2)
    made.add_argument("--strict", action="store_true", help="a missing operator is a failure too")
    return made


def main():
    arguments = parser().parse_args()
    arguments.dims = {name: int(value) for name, _, value in (setting.partition("=") for setting in arguments.dim)}
    arguments.passed_on = [word for option, value in (("--opt-level", arguments.opt_level), ("--threads", arguments.threads))
                           if value is not None for word in (option, value)]
    return 1 if compare_all(find_models(arguments.paths), arguments) else 0


if __name__ == "__main__":
    sys.exit(main())
