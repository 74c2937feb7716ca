#!/usr/bin/env python3
"""The kernel table: every operator family, ours against onnxruntime, on one thread and the same inputs.

    kernels.py                          every row
    kernels.py Conv 'Resize' recurrent  rows whose family or name holds one of these words
    kernels.py --models                 every distinct node of the light, generated and shared models (model_rows.py)
    kernels.py --models a.onnx b.onnx   of these; --minutes 10: a fixed random choice of the rows, as many as fit

A figure is the median latency of one run, the smallest of several rounds; engines take turns, each in a process of its own.
Prints a markdown table, slowest ratio first, and writes JSON. A row that one engine cannot run says why. No figure is an
expectation.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import onnx

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
PEER = HERE.parent / "peer.py"
sys.path.insert(0, str(HERE))
from model_rows import model_rows  # noqa: E402
from rows import rows  # noqa: E402

MODELS = (REPOSITORY / "build" / "test-data" / "backend" / "light", REPOSITORY / "build" / "test-data" / "generated", REPOSITORY.parent / "shared" / "corpora" / "models")


def measure(command, timeout):
    """Median latency in ms, or the reason there is none."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "took too long"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["nothing said"])[-1][:160]
    report = json.loads(done.stdout)
    return report.get("bench", report)["median_ms"]


def measure_row(model, arguments):
    common = ["--threads", "1", "--seconds", arguments.seconds, "--warmup", "3"]
    commands = {"ours": [arguments.cli, "bench", model, "--json", "--log", "error", *common], "theirs": [sys.executable, PEER, "onnxruntime", model, *common]}
    results = {}
    for _ in range(arguments.rounds):
        for engine, command in commands.items():
            result = measure(command, arguments.timeout)
            if isinstance(result, str):
                results[engine] = result
            elif not isinstance(results.get(engine), str):
                results[engine] = min(result, results.get(engine, result))
    return results


def cell(value):
    return f"{value * 1e3:.1f}" if isinstance(value, float) else "-"


def ratio(result):
    ours, theirs = result["ours"], result["theirs"]
    return ours / theirs if isinstance(ours, float) and isinstance(theirs, float) else None


def table(results):
    lines = ["| family | row | ours, µs | onnxruntime, µs | ratio |", "|---|---|---:|---:|---:|"]
    ordered = sorted(results, key=lambda result: -(ratio(result) or 0))
    for result in ordered:
        share = ratio(result)
        lines.append(f"| {result['family']} | {result['name']} | {cell(result['ours'])} | {cell(result['theirs'])} | {'-' if share is None else f'{share:.2f}'} |")
    shares = [ratio(result) for result in results if ratio(result) is not None]
    if shares:
        lines += ["", f"{len(shares)} rows on both: geometric mean {statistics.geometric_mean(shares):.2f}, above 3x: {sum(share > 3 for share in shares)}, above 1x: {sum(share > 1 for share in shares)}"]
    lines += [f"{result['name']}, {engine}: {result[engine]}" for result in results for engine in ("ours", "theirs") if isinstance(result[engine], str)]
    return "\n".join(lines)


def slower(results, over):
    """The rows that take more than `over` times as long as the peer's."""
    found = sorted((result for result in results if (ratio(result) or 0) > over), key=lambda result: result["theirs"] - result["ours"])
    lines = [f"\nSlower than {over:g}x, most lost time first: {len(found)} of {len(results)} rows"]
    return "\n".join(lines + [f"- {result['family']} {result['name']}: {cell(result['ours'])} µs, {ratio(result):.2f}x" for result in found])


def of_models(paths):
    files = paths or sorted(path for folder in MODELS for path in folder.rglob("*.onnx"))
    found, unknown = model_rows(files)
    print(f"{len(files)} files: {len(found)} distinct nodes; {unknown} nodes have shapes that only a run knows\n", flush=True)
    random.Random(0).shuffle(found)
    return found


def wanted(each, words):
    return not words or any(word.lower() in f"{each.family} {each.name}".lower() for word in words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only rows whose family or name holds one of these")
    parser.add_argument("--cli", type=pathlib.Path, default=pathlib.Path(os.environ.get("CUTAWAY_BIN_DIR", REPOSITORY / "build" / "release" / "bin")) / "cutaway-cli")
    parser.add_argument("--models", nargs="*", type=pathlib.Path, help="rows out of these models; of all that are here when none is named")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no row after so long")
    parser.add_argument("--over", type=float, default=1.2, help="list rows above this ratio once more")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "build" / "out" / "kernels.json")
    arguments = parser.parse_args()
    all_rows = rows() if arguments.models is None else of_models(arguments.models)
    chosen = [each for each in all_rows if wanted(each, arguments.words)]
    if not chosen:
        parser.error("no row matches")
    results, end = [], time.monotonic() + 60 * arguments.minutes
    with tempfile.TemporaryDirectory() as scratch:
        for each in chosen:
            if time.monotonic() > end:
                print(f"\nthe time was over after {len(results)} of {len(chosen)} rows")
                break
            model = pathlib.Path(scratch) / "model.onnx"
            onnx.save(each.model, model)
            results.append({"family": each.family, "name": each.name, **measure_row(model, arguments)})
            print(f"{each.family}: {each.name} {cell(results[-1]['ours'])} / {cell(results[-1]['theirs'])}", file=sys.stderr, flush=True)
    print(table(results))
    print(slower(results, arguments.over))
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(results, indent=1) + "\n")
    return 1 if any(isinstance(result["ours"], str) and not isinstance(result["theirs"], str) for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
