#!/usr/bin/env python3
"""load_context.py [MODEL...]: how long a model takes to be ready to run, compiled here against restored from its context.

    load_context.py                                      the light models, BERT (12 layers) and ViT of make_models.py
    load_context.py MODEL --providers onednn,cpu

Every figure is the median over rounds of processes of their own (bench_load.cpp), compiled and restored in turn, files in
the page cache. A process opens a tiny model first, so that what a process pays once (schemas, libraries) is in none of them.
`touch` is the time to map the context's binary and look at one byte of each page, `read` the time to read every byte, on one
thread: no load can beat the first, and none that checks its weights the second. Memory is the peak of the process after two
runs. Prints a markdown table. No figure is an expectation.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "models"))
sys.path.insert(0, str(REPOSITORY / "tests" / "bench"))

import generated_models  # noqa: E402
from compare_peers import LIGHT, number  # noqa: E402
from cutaway_cli import default_cli, run_cli  # noqa: E402

PROVIDERS = ("onednn,cpu", "openvino,cpu", "declared(TensorRT),cpu")
MEBIBYTE = 1 << 20
WARM = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
GENERATED = {"bert_12": "bert layers=12", "vit": "vit"}


def bench(tool, *arguments):
    """What bench_load says."""
    done = subprocess.run([str(tool), *map(str, arguments)], capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
    if not done.stdout.strip():
        return {"error": done.stderr.strip()[-200:] or f"exit code {done.returncode}"}
    return json.loads(done.stdout)


def median_of(results, key):
    values = [result[key] for result in results if key in result]
    return statistics.median(values) if values else float("nan")


def measure(arguments, model, providers, folder):
    target = folder / f"{model.parent.name}_ctx.onnx"
    threads = arguments.threads
    done = run_cli(arguments.cli, "context", model, "-o", target, "--force", "--providers", providers, "--threads", threads, "--log", "error", timeout=600)
    if done.code != 0:
        return {"error": done.reason}
    files = [path for path in folder.iterdir() if path.name.startswith(target.stem) and path != target]
    if not files:
        return {"error": "nothing compiled"}
    results = {"compiled": [], "restored": [], "map": []}
    for _ in range(arguments.rounds):
        results["compiled"].append(bench(arguments.tool, "open", WARM, model, providers, threads))
        results["restored"].append(bench(arguments.tool, "open", WARM, target, providers, threads))
        results["map"].append(bench(arguments.tool, "map", *files))
        for result in (each[-1] for each in results.values()):
            if "error" in result:
                return result
    seen = {f"{kind}_{key}": median_of(results[kind], key) for kind in results for key in results[kind][0]}
    return seen | {"binary": sum(path.stat().st_size for path in files), "model": target.stat().st_size, "weights": weight_bytes(arguments.cli, model)}


def weight_bytes(cli, model):
    """Of all initializers after optimising, as the program counts them."""
    done = run_cli(cli, "bench", model, "--seconds", "0.01", "--warmup", "0", "--json", "--log", "error", timeout=600)
    report = json.loads(done.stdout) if done.code == 0 else {}
    return report.get("bench", report).get("weights_bytes", 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--providers", action="append")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    arguments.tool = arguments.cli.parent.parent / "tests" / "bench_load"
    models = arguments.models or sorted(LIGHT.glob("*/model.onnx")) + [generated_models.make(name, settings) for name, settings in GENERATED.items()]
    print("| model | providers | ready, ms: compiled | restored | ratio | ready and first run: compiled | restored | ratio | touch | read | restored / touch | / read | run, ms: compiled | restored "
          "| weights, MiB | binary | model, KiB | peak MiB: compiled | restored |")
    print("|" + "---|" * 19)
    for model in models:
        for providers in arguments.providers or PROVIDERS:
            with tempfile.TemporaryDirectory() as folder:
                seen = measure(arguments, model, providers, pathlib.Path(folder))
            name = model.parent.name.removeprefix("light_")
            if "error" in seen:
                print(f"| {name} | {providers} | {seen['error']} |" + " |" * 16, flush=True)
                continue
            ready = [seen[f"{kind}_ready_ms"] for kind in ("compiled", "restored")]
            whole = [time + seen[f"{kind}_first_run_ms"] for kind, time in zip(("compiled", "restored"), ready)]
            cells = [number(ready[0]), number(ready[1]), f"{ready[0] / ready[1]:.1f}", number(whole[0]), number(whole[1]), f"{whole[0] / whole[1]:.1f}", number(seen["map_touch_ms"]), number(seen["map_read_ms"]),
                     f"{ready[1] / seen['map_touch_ms']:.1f}", f"{ready[1] / seen['map_read_ms']:.1f}", number(seen["compiled_run_ms"]), number(seen["restored_run_ms"]), number(seen["weights"] / MEBIBYTE),
                     number(seen["binary"] / MEBIBYTE), number(seen["model"] / 1024), number(seen["compiled_peak_mib"]), number(seen["restored_peak_mib"])]
            print(f"| {name} | {providers} | " + " | ".join(cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
