#!/usr/bin/env python3
"""load_context.py [MODEL...]: how long a model takes to be ready to run, compiled here against restored from its context.

    load_context.py                                      the light models, BERT (12 layers) and ViT of make_models.py
    load_context.py MODEL --providers onednn,cpu

Every figure is the median over rounds of processes of their own, compile and load in turn, files in the page cache.
`map` is the time to map the context's binary and to touch every page of it, which no load can beat that looks at its
weights. Memory is the peak of a process that opens the model and runs it. Prints a markdown table. No figure is an expectation.
"""

import argparse
import json
import mmap
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "models"))
sys.path.insert(0, str(REPOSITORY / "tests" / "bench"))

import generated_models  # noqa: E402
from compare_peers import LIGHT, number  # noqa: E402
from cutaway_cli import default_cli, run_cli  # noqa: E402

PROVIDERS = ("onednn,cpu", "openvino,cpu", "declared(TensorRT),cpu")
MEBIBYTE = 1 << 20
GENERATED = {"bert_12": "bert layers=12", "vit": "vit"}


def bench(cli, model, providers, threads):
    """load_ms, first_run_ms, median_ms, peak_rss_bytes, weights_bytes."""
    done = run_cli(cli, "bench", model, "--providers", providers, "--threads", threads, "--seconds", "0.2", "--json", "--log", "error", timeout=600)
    if done.code != 0:
        return {"error": done.reason}
    report = json.loads(done.stdout)
    return report.get("bench", report)


def map_ms(paths):
    """Mapping the files and touching every page."""
    start, total = time.perf_counter(), 0
    for path in paths:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
            total += sum(mapped[:: mmap.PAGESIZE])
    return (time.perf_counter() - start) * 1e3


def median_of(results, key):
    values = [result[key] for result in results if key in result]
    return statistics.median(values) if values else float("nan")


def measure(cli, model, providers, threads, rounds, folder):
    target = folder / f"{model.parent.name}_ctx.onnx"
    done = run_cli(cli, "context", model, "-o", target, "--force", "--providers", providers, "--threads", threads, "--log", "error", timeout=600)
    if done.code != 0:
        return {"error": done.reason}
    files = [path for path in folder.iterdir() if path.name.startswith(target.stem) and path != target]
    if not files:
        return {"error": "nothing compiled"}
    compiled, loaded, mapped = [], [], []
    for _ in range(rounds):
        compiled.append(bench(cli, model, providers, threads))
        loaded.append(bench(cli, target, providers, threads))
        mapped.append(map_ms(files))
        for result in (compiled[-1], loaded[-1]):
            if "error" in result:
                return result
    return {"compile": median_of(compiled, "load_ms"), "load": median_of(loaded, "load_ms"), "map": statistics.median(mapped),
            "first_compile": median_of(compiled, "first_run_ms"), "first_load": median_of(loaded, "first_run_ms"),
            "run_compile": median_of(compiled, "median_ms"), "run_load": median_of(loaded, "median_ms"),
            "weights": compiled[0].get("weights_bytes", 0), "binary": sum(path.stat().st_size for path in files), "model": target.stat().st_size,
            "rss_compile": median_of(compiled, "peak_rss_bytes"), "rss_load": median_of(loaded, "peak_rss_bytes")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--providers", action="append")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    models = arguments.models or sorted(LIGHT.glob("*/model.onnx")) + [generated_models.make(name, settings) for name, settings in GENERATED.items()]
    print("| model | providers | compile, ms | load, ms | ratio | map, ms | load / map | first run, ms: compiled / restored | run, ms | weights, MiB | binary, MiB | model, KiB | peak MiB: compiled / restored |")
    print("|" + "---|" * 13)
    for model in models:
        for providers in arguments.providers or PROVIDERS:
            with tempfile.TemporaryDirectory() as folder:
                seen = measure(arguments.cli, model, providers, arguments.threads, arguments.rounds, pathlib.Path(folder))
            name = model.parent.name.removeprefix("light_") if model.stem == "model" else model.parent.name
            if "error" in seen:
                print(f"| {name} | {providers} | {seen['error']} |" + " |" * 10, flush=True)
                continue
            print(f"| {name} | {providers} | {number(seen['compile'])} | {number(seen['load'])} | {seen['compile'] / seen['load']:.1f} | {number(seen['map'])} | {seen['load'] / seen['map']:.2f} "
                  f"| {number(seen['first_compile'])} / {number(seen['first_load'])} | {number(seen['run_compile'])} / {number(seen['run_load'])} | {number(seen['weights'] / MEBIBYTE)} "
                  f"| {number(seen['binary'] / MEBIBYTE)} | {number(seen['model'] / 1024)} | {number(seen['rss_compile'] / MEBIBYTE)} / {number(seen['rss_load'] / MEBIBYTE)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
