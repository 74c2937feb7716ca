#!/usr/bin/env python3
"""Large batches, long inputs and large images: latency beside both peers, and how it grows.

    shapes.py                          all rows of ROWS, one thread
    shapes.py vit bert --threads 2     rows of these models

Models are made by make_models.py. A row's sizes are known to all engines when the model is loaded; each engine runs in a
process of its own, in turn and in several rounds (compare_peers.py). `growth` is a row's time for an item over that of its
model's first row: 1 where a larger batch or input costs what its share of the first would. `throughput / better peer` is
ours over theirs: above 1, ours is ahead. Prints a markdown table. No figure is an expectation.
"""

import argparse
import dataclasses
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
MADE = REPOSITORY / "build" / "test-data" / "shapes"
sys.path.insert(0, str(HERE))

from compare_peers import OURS, PEERS, geometric_mean, machine, measure_model, number  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Row:
    family: str
    made: str = ""  # settings of make_models.py
    dims: str = ""  # of open dimensions
    items: int = 1  # how many times the first row's work it is, where work grows with the size


ROWS = (
    Row("resnet50", dims="batch=1"), Row("resnet50", dims="batch=8", items=8), Row("resnet50", dims="batch=32", items=32),
    Row("resnet50", "image=640", "batch=1", items=8),
    Row("mobilenet_v2", dims="batch=1"), Row("mobilenet_v2", dims="batch=8", items=8), Row("mobilenet_v2", dims="batch=32", items=32),
    Row("mobilenet_v2", "image=640", "batch=1", items=8),
    Row("unet", dims="batch=1"), Row("unet", "image=640", "batch=1", items=6),
    Row("vit", dims="batch=1"), Row("vit", dims="batch=8", items=8), Row("vit", dims="batch=32", items=32),
    Row("bert", "layers=4 max_len=2048", "batch=1 sequence=128"), Row("bert", "layers=4 max_len=2048", "batch=8 sequence=128", items=8),
    Row("bert", "layers=4 max_len=2048", "batch=1 sequence=512", items=4), Row("bert", "layers=4 max_len=2048", "batch=1 sequence=2048", items=16),
    Row("llama", dims="batch=1 sequence=120 past_sequence=8 total_sequence=128"), Row("llama", dims="batch=1 sequence=504 past_sequence=8 total_sequence=512", items=4),
    Row("llama", dims="batch=1 sequence=2040 past_sequence=8 total_sequence=2048", items=16),
    Row("qdq_cnn", dims="batch=1"), Row("qdq_cnn", dims="batch=8", items=8),
)


def made(row):
    """The row's model, made unless it is there."""
    folder = MADE / "-".join([row.family, *row.made.split()])
    path = folder / f"{row.family}.onnx"
    if not path.exists():
        subprocess.run([sys.executable, REPOSITORY / "tests" / "models" / "make_models.py", row.family, *row.made.split(), "--out", folder], check=True, stdout=subprocess.DEVNULL)
    return path


def throughput_ratio(results):
    """Ours over the better peer's; None when ours or both of theirs failed."""
    peers = [results[peer]["median_ms"] for peer in PEERS if "median_ms" in results[peer]]
    return min(peers) / results[OURS]["median_ms"] if peers and "median_ms" in results[OURS] else None


def line(row, results, first):
    times = {engine: results[engine].get("median_ms", math.nan) for engine in results}
    growth = {engine: times[engine] / row.items / first[engine] for engine in times}
    ratio = throughput_ratio(results)
    return " | ".join([f"| {row.family}{' ' + row.made if row.made else ''}", row.dims, *(number(time) for time in times.values()),
                       *(f"{value:.2f}" for value in growth.values()), f"{ratio:.2f} |" if ratio else "- |"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", help="of make_models.py; default: all")
    parser.add_argument("--cli", type=pathlib.Path, default=pathlib.Path(
        os.environ.get("CUTAWAY_BIN_DIR", REPOSITORY / "build" / "release" / "bin")) / "cutaway-cli")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--warmup", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--providers", help="of ours, as cutaway-cli takes them")
    parser.add_argument("--timeout", type=float, default=300)
    arguments = parser.parse_args()
    arguments.before = None
    about, ratios, first = machine(), [], {}
    print(f"{about['cpu']}, {about['cores']} cores, load {about['load_average']:.1f}; {arguments.threads} thread{'s' if arguments.threads > 1 else ''}, "
          f"median of {arguments.rounds} rounds of {arguments.seconds:g} s\n")
    engines = (OURS, *PEERS)
    titles = ["model", "sizes", *(f"{engine}, ms" for engine in engines), *(f"growth: {engine}" for engine in engines), "throughput / better peer"]
    print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles), flush=True)
    for row in ROWS:
        if arguments.families and row.family not in arguments.families:
            continue
        arguments.dim = row.dims.split()
        results = measure_model(made(row), arguments.threads, 0, arguments)
        first.setdefault(row.family, {engine: results[engine].get("median_ms", math.nan) for engine in results})
        print(line(row, results, first[row.family]), flush=True)
        for engine, result in results.items():
            if "error" in result:
                print(f"{row.family}, {row.dims}, {engine}: {result['error']}", file=sys.stderr)
        if (ratio := throughput_ratio(results)) is not None:
            ratios.append(ratio)
    print(f"\ngeometric mean of the last column: {geometric_mean(ratios):.2f}; lowest {min(ratios):.2f}" if ratios else "\nnothing was measured")
    return 0


if __name__ == "__main__":
    sys.exit(main())
