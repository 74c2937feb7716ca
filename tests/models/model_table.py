#!/usr/bin/env python3
"""The table of all shared models: whether each runs, what its outputs were compared against, the largest error, the time.

    model_table.py                      every model and every file of the packs; writes tests/models/results.md
    model_table.py silero-vad pack-ort  only models whose path begins with one of these; prints the table

A model with test data beside it is compared with that; any other gets seeded random inputs and is compared with onnxruntime
where onnxruntime runs it. The error is the largest difference as a share of the largest expected value. Time is that of the
whole process: load, walk and one run. Last line: the sums. Exit code 1 when a model that onnxruntime runs, or that has
test data, does not run here or differs.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import platform
import sys
import tempfile
import time

import numpy as np
import onnx
from onnx import numpy_helper

import compare_with_onnxruntime as peer
import shared_corpora as corpora
from cutaway_cli import BAD_MODEL, DONE, default_cli, run_cli
from random_inputs import NotSupported, random_inputs

DOCUMENT = pathlib.Path(__file__).resolve().parent / "results.md"
# Sizes for open dimensions that random_inputs' rules do not suit, by the beginning of the model's path.
DIMS = {
    "ppocr": {"DynamicDimension.0": 1, "DynamicDimension.1": 96, "DynamicDimension.2": 96},
}


@dataclasses.dataclass
class Row:
    model: str
    verdict: str  # agrees, differs, ran, refused, invalid, failed, no inputs
    against: str = ""
    error: float | None = None
    seconds: float | None = None
    remark: str = ""


def dims_of(name):
    return next((dims for start, dims in DIMS.items() if name.startswith(start)), {})


def run_ours(path, feeds, arguments):
    """Outcome, outputs by name, seconds."""
    with tempfile.TemporaryDirectory() as scratch:
        outputs = pathlib.Path(scratch) / "outputs"
        command = ["run", path, "--save-outputs", outputs, "--format", "pb", "--log", "error"]
        for index, (name, value) in enumerate(feeds.items()):
            file = pathlib.Path(scratch) / f"feed_{index}.pb"
            file.write_bytes(value if isinstance(value, bytes) else numpy_helper.from_array(value, name).SerializeToString())
            command += ["--input", f"{name}={file}"]
        start = time.perf_counter()
        outcome = run_cli(arguments.cli, *command, timeout=arguments.timeout)
        seconds = time.perf_counter() - start
        protos = [onnx.TensorProto.FromString(file.read_bytes()) for file in sorted(outputs.glob("*.pb"))] if outcome.code == DONE else []
        return outcome, {proto.name: numpy_helper.to_array(proto) for proto in protos if proto.data_type}, seconds


def largest_error(ours, expected, tolerance):
    return max((peer.compare_arrays(name, ours[name], value, tolerance) for name, value in expected.items() if name in ours), default=0.0)


def test_data(path):
    """Feeds and expected outputs recorded beside the model, or None."""
    folder = next((each for each in sorted(path.parent.glob("test_data_set_*")) if path.name == "model.onnx" or len(list(path.parent.glob("*.onnx"))) == 1), None)
    if folder is None:
        npz = sorted(path.parent.glob("*.npz"))
        case = corpora.rewrite_npz(npz[0], path) if npz and path.suffix == ".onnx" and len(list(path.parent.glob("*.onnx"))) == 1 else None
        if case is None:
            return None
        folder = case / "test_data_set_0"
    graph = onnx.load(path, load_external_data=False).graph
    held = {initializer.name for initializer in graph.initializer}

    def read(kind, infos):
        return {info.name: onnx.TensorProto.FromString((folder / f"{kind}_{index}.pb").read_bytes()) for index, info in enumerate(infos)
                if (folder / f"{kind}_{index}.pb").exists() and info.type.WhichOneof("value") == "tensor_type"}
    feeds = read("input", [info for info in graph.input if info.name not in held])
    return {name: numpy_helper.to_array(each) for name, each in feeds.items()}, {name: numpy_helper.to_array(each) for name, each in read("output", graph.output).items()}


def refusal(row, outcome):
    row.remark = outcome.reason.split(": ", 1)[-1][:220]
    row.verdict = "failed" if outcome.crashed else "invalid" if outcome.code == BAD_MODEL and "NOT_IMPLEMENTED" not in outcome.stderr else "refused"
    return row


def tolerance_for(path, model, feeds, expected):
    half = any(value.dtype.itemsize == 2 for value in expected.values())
    tolerance = 1e-2 if half else 1e-3
    return max(tolerance, 2 * peer.quantisation_noise(path, model, feeds, expected)) if peer.is_quantised(model) else tolerance


def reference(path, model, feeds, row):
    """Expected outputs: recorded ones, or onnxruntime's; None with the reason in the row."""
    try:
        expected = peer.run_onnxruntime(path, model, feeds)
    except peer.Skipped as why:
        row.remark = str(why)
        return None
    row.against = "onnxruntime"
    return {name: value for name, value in expected.items() if isinstance(value, np.ndarray)}


def judge(row, ours, expected, tolerance):
    try:
        row.error, row.verdict = largest_error(ours, expected, tolerance), "agrees"
        if not expected:
            row.verdict, row.against = "ran", ""
    except peer.Failed as why:
        row.verdict, row.remark = "differs", str(why)
    return row


def row_of(path, arguments):
    row = Row(corpora.short(path), "ran")
    try:
        model = peer.read_model(path)
    except peer.Skipped as why:
        outcome, _, row.seconds = run_ours(path, {}, arguments)
        return refusal(row, outcome) if outcome.code != DONE else dataclasses.replace(row, remark=str(why))
    recorded = test_data(path)
    try:
        feeds = recorded[0] if recorded else random_inputs(model, 7, dims_of(row.model))
    except (NotSupported, ValueError, TypeError, MemoryError) as why:
        return dataclasses.replace(row, verdict="no inputs", remark=str(why)[:160])
    expected = recorded[1] if recorded else reference(path, model, feeds, row)
    if recorded:
        row.against = "test data"
    outcome, ours, row.seconds = run_ours(path, feeds, arguments)
    if outcome.code != DONE:
        peer_said = row.remark
        refusal(row, outcome)
        if expected is None and row.verdict == "refused":
            row.remark += f" [{peer_said}]"
        if expected is not None and row.verdict == "invalid":
            row.verdict = "failed"
        return row
    if expected is None:
        return row
    try:
        return judge(row, ours, expected, tolerance_for(path, model, feeds, expected))
    except peer.Skipped:
        return judge(row, ours, expected, 1e-2)


def safe_row(path, arguments):
    try:
        return row_of(path, arguments)
    except Exception as error:  # a defect of this script or of a peer must not end the table
        return Row(corpora.short(path), "failed", remark=f"{type(error).__name__}: {error}"[:200])


def line(row):
    error = "" if row.error is None else f"{row.error:.1e}"
    seconds = "" if row.seconds is None else f"{row.seconds:.2f}"
    remark = row.remark.replace("|", "\\|").replace("\n", " ")
    return f"| {row.model} | {row.verdict} | {row.against} | {error} | {seconds} | {remark} |"


def counts(rows):
    words = sorted({row.verdict for row in rows})
    return ", ".join(f"{sum(row.verdict == word for row in rows)} {word}" for word in words)


def processor():
    return next((text.split(":")[1].strip() for text in open("/proc/cpuinfo") if text.startswith("model name")), "?")


def document(rows):
    groups = {}
    for row in rows:
        groups.setdefault(row.model.split("/")[0], []).append(row)
    lines = ["# The shared models, one by one", "", "Written by `tests/models/model_table.py`; run it again to remake this file (it needs the shared corpora beside the repository).", "",
             f"Machine: {processor()}, {os.cpu_count()} cores, {platform.system()}. {len(rows)} files: {counts(rows)}.", "",
             "agrees: outputs meet the test data, or onnxruntime's on the same random inputs; ran: nothing to compare with (the remark says why);",
             "refused: an operator or feature that is not ours, with the reason; invalid: the file breaks the standard, and the message says how; no inputs: none can be made up.",
             "Error: largest difference as a share of the largest expected value. Time: the whole process, seconds.", ""]
    for group, members in groups.items():
        if len(groups) > 1 and len(members) > 3:
            lines += [f"## {group}: {counts(members)}", ""]
    lines += ["| model | verdict | against | error | time | remark |", "|---|---|---|---|---|---|", *map(line, rows)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="beginnings of model paths; default: all, and the document is written")
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    if not corpora.CORPORA.is_dir():
        print("no shared corpora beside the repository: nothing to do")
        return 0
    models = [path for path in corpora.all_models() if path.suffix != ".ort"]
    if arguments.models:
        models = [path for path in models if corpora.short(path).startswith(tuple(arguments.models))]
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(safe_row, models, [arguments] * len(models)))
    target = arguments.out or (None if arguments.models else DOCUMENT)
    if target:
        target.write_text(document(rows))
    else:
        print("\n".join(map(line, rows)))
    print(counts(rows))
    return 1 if any(row.verdict in ("differs", "failed") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
