#!/usr/bin/env python3
"""Cutaway, onnxruntime and OpenVINO side by side, in one run on one machine.

    compare_peers.py                               the light models of the ONNX backend set, 1 and 2 threads
    compare_peers.py model.onnx ... --threads 1    any models
    compare_peers.py model.onnx ... --memory       peak resident memory beside onnxruntime only: one thread, one round
    compare_peers.py model.onnx --dim batch=8      with open dimensions bound before the model is loaded
    compare_peers.py --busy 0 1 2 4                the same with so many endless loops beside each engine
    compare_peers.py --before OTHER/cutaway-cli    another build of ours in the same rounds

Every engine runs in a process of its own, the engines in turn and in several rounds, so that a busy moment of the machine
hits all of them; a figure is the median over the rounds. Prints markdown tables with ratios (ours / theirs: below 1, ours
is faster or smaller) and their geometric means, and writes everything as JSON. No figure is an expectation.
"""

import argparse
import contextlib
import dataclasses
import itertools
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
LIGHT = REPOSITORY / "build" / "test-data" / "backend" / "light"
OURS, BEFORE, PEERS = "cutaway", "cutaway before", ("onnxruntime", "openvino")
MEBIBYTE = 1 << 20


@dataclasses.dataclass(frozen=True)
class Figure:
    key: str
    title: str
    divisor: float = 1


FIGURES = (Figure("load_ms", "load, ms"), Figure("median_ms", "median, ms"), Figure("p90_ms", "p90, ms"),
           Figure("peak_rss_bytes", "peak memory, MiB", MEBIBYTE))
RATED = ("load_ms", "median_ms", "peak_rss_bytes")


def command_of(engine, model, threads, arguments):
    common = ["--threads", str(threads), "--seconds", str(arguments.seconds), "--warmup", str(arguments.warmup)]
    common += [word for dim in arguments.dim for word in ("--dim", dim)]
    if engine in (OURS, BEFORE):
        providers = ["--providers", arguments.providers] if arguments.providers else []
        cli = arguments.cli if engine == OURS else arguments.before
        return [str(cli), "bench", str(model), "--json", "--log", "error", *common, *providers]
    return [sys.executable, str(HERE / "peer.py"), engine, str(model), *common]


def measure(engine, model, threads, arguments):
    """The engine's figures, or {"error": why}."""
    try:
        done = subprocess.run(command_of(engine, model, threads, arguments), capture_output=True, text=True,
                              timeout=arguments.timeout, stdin=subprocess.DEVNULL)
    except (subprocess.TimeoutExpired, OSError) as error:
        return {"error": str(error)}
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["nothing said"]
        return {"error": f"exit code {done.returncode}: {said[-1][:200]}"}
    report = json.loads(done.stdout)
    return report.get("bench", report)


@contextlib.contextmanager
def busy_processes(number):
    """Endless loops that want a core each, as other programs of a user's desk do."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"], stdin=subprocess.DEVNULL) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()


def over_rounds(results):
    """One result of several: the median of every number; the first error when there is one."""
    for result in results:
        if "error" in result:
            return result
    return {key: statistics.median(result[key] for result in results)
            for key, value in results[0].items()
            if isinstance(value, (int, float)) and all(key in result for result in results)}


def engines_of(arguments):
    return (OURS, BEFORE, *PEERS) if arguments.before else (OURS, *PEERS)


def measure_model(model, threads, busy, arguments):
    rounds = {engine: [] for engine in engines_of(arguments)}
    for _ in range(arguments.rounds):
        for engine, results in rounds.items():
            with busy_processes(busy):
                results.append(measure(engine, model, threads, arguments))
    return {engine: over_rounds(results) for engine, results in rounds.items()}


def name_of(model):
    return model.parent.name if model.stem == "model" else model.stem


def number(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def row(name, results):
    cells = [name]
    for figure in FIGURES:
        for engine in results:
            value = results[engine].get(figure.key)
            cells.append("failed" if "error" in results[engine] else "-" if value is None else number(value / figure.divisor))
    return "| " + " | ".join(cells) + " |"


def ratios(rows, key, peer):
    """Ours over theirs, for every model that both ran."""
    return {name: results[OURS][key] / results[peer][key] for name, results in rows.items()
            if key in results[OURS] and key in results[peer]}


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def better_ratios(rows, key):
    """Ours over the better peer's."""
    columns = [ratios(rows, key, peer) for peer in PEERS]
    return {name: max(column[name] for column in columns if name in column)
            for name in rows if any(name in column for column in columns)}


def cell(column, name):
    return f"{column[name]:.2f}" if name in column else "-"


def table(threads, busy, rows):
    engines = list(next(iter(rows.values())))
    others = engines[1:]
    titles = ["model"] + [f"{figure.title}: {engine}" for figure in FIGURES for engine in engines]
    beside = f", {busy} busy process{'es' if busy > 1 else ''} beside" if busy else ""
    lines = [f"### {threads} thread{'s' if threads > 1 else ''}{beside}", "", "| " + " | ".join(titles) + " |",
             "|" + "---|" * len(titles)]
    lines += [row(name, results) for name, results in rows.items()]
    lines += ["", "Ours over theirs (below 1: ours is faster or smaller):", ""]
    columns = [(f"{figure.title.split(',')[0]} / {other}", ratios(rows, figure.key, other))
               for figure in FIGURES if figure.key in RATED for other in others]
    columns.append(("median / better peer", better_ratios(rows, "median_ms")))
    lines += ["| model | " + " | ".join(title for title, _ in columns) + " |", "|" + "---|" * (1 + len(columns))]
    lines += [f"| {name} | " + " | ".join(cell(column, name) for _, column in columns) + " |" for name in rows]
    means = [f"{geometric_mean(column.values()):.2f}" if column else "-" for _, column in columns]
    lines.append("| **geometric mean** | " + " | ".join(means) + " |")
    lines += [f"\n{name}, {engine}: {result['error']}" for name, results in rows.items()
              for engine, result in results.items() if "error" in result]
    return "\n".join(lines)


def memory_table(models, arguments):
    """Peak resident bytes of a process that loads and runs; what the peer held before it saw the model is taken off, ours counts whole."""
    lines = ["| model | file, MiB | cutaway, MiB | of which weights | planned peak | onnxruntime over its baseline, MiB | baseline | ratio |", "|" + "---|" * 8]
    found = []
    for model in models:
        ours, theirs = measure(OURS, model, 1, arguments), measure("onnxruntime", model, 1, arguments)
        if "error" in ours or "error" in theirs:
            lines.append(f"| {name_of(model)} | " + "failed: " + (ours.get("error") or theirs["error"]) + " |" * 7)
            continue
        over = theirs["peak_rss_bytes"] - theirs["baseline_rss_bytes"]
        found.append(ours["peak_rss_bytes"] / max(over, 1))
        shown = [model.stat().st_size, ours["peak_rss_bytes"], ours.get("weights_bytes", 0),
                 ours.get("planned_peak_bytes", 0), over, theirs["baseline_rss_bytes"]]
        lines.append(f"| {name_of(model)} | " + " | ".join(f"{value / MEBIBYTE:.1f}" for value in shown) + f" | {found[-1]:.2f} |")
    if found:
        lines.append(f"\ngeometric mean of the ratios: {geometric_mean(found):.2f} over {len(found)} models")
    return "\n".join(lines)


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return {"cpu": model, "cores": os.cpu_count(), "load_average": os.getloadavg()[0], "system": platform.platform()}


def baselines(results):
    """What a peer's process holds before it sees a model, to be read beside its peak."""
    known = {peer: [rows[peer]["baseline_rss_bytes"] for table in results.values() for rows in table.values()
                    if "baseline_rss_bytes" in rows[peer]] for peer in PEERS}
    return ", ".join(f"{peer} {statistics.median(values) / MEBIBYTE:.0f} MiB" for peer, values in known.items() if values)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path, help="default: the light models in build/test-data")
    parser.add_argument("--cli", type=pathlib.Path, default=pathlib.Path(
        os.environ.get("CUTAWAY_BIN_DIR", REPOSITORY / "build" / "release" / "bin")) / "cutaway-cli")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=SIZE", help="an open dimension, for all engines alike")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--busy", type=int, nargs="+", default=[0], help="endless loops beside each engine while it is measured")
    parser.add_argument("--providers", help="of ours, as cutaway-cli takes them")
    parser.add_argument("--before", type=pathlib.Path, help="another cutaway-cli, measured in the same rounds")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--memory", action="store_true", help="peak resident memory beside onnxruntime, and nothing else")
    parser.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "build" / "out" / "compare_peers.json")
    arguments = parser.parse_args()
    models = arguments.models or sorted(LIGHT.glob("*/model.onnx"))
    if not models:
        parser.error("no models: run tests/conformance/export_cases.py first, or name some")
    about, results = machine(), {}
    if arguments.memory:
        arguments.seconds, arguments.warmup = 0.01, 1
        print(f"{about['cpu']}, {about['cores']} cores; one thread\n")
        print(memory_table(models, arguments))
        return 0
    print(f"{about['cpu']}, {about['cores']} cores, load {about['load_average']:.1f}; "
          f"median of {arguments.rounds} rounds of {arguments.seconds:g} s\n", flush=True)
    for threads, busy in itertools.product(arguments.threads, arguments.busy):
        key = f"{threads} threads, {busy} busy"
        results[key] = {}
        for model in models:
            results[key][name_of(model)] = measure_model(model, threads, busy, arguments)
            print(f"measured {name_of(model)}, {key}", file=sys.stderr, flush=True)
        print(table(threads, busy, results[key]) + "\n", flush=True)
    print(f"Memory before a model is seen: {baselines(results)}; peaks include it.")
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps({"machine": about, "tables": results}, indent=1) + "\n")
    failed = any("error" in rows[OURS] for rows_of in results.values() for rows in rows_of.values())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
