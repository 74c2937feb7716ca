#!/usr/bin/env python3
"""Stands in for cutaway-cli where a test wants jobs of a known length, figures of a known size, or bad behaviour.

A model is a JSON object: {"seconds": 0.1, "until": FILE, "does": "ok" | "hang" | "crash" | "rubbish" | "nothing" | "bad", "figures": {...}}.
Every start is a line in the file that SWEEP_STARTS names. SWEEP_VERSION is the version, SWEEP_PLANT a JSON object that
changes figures, SWEEP_NOISE the seed and share of noise on times.
"""

import contextlib
import json
import os
import pathlib
import random
import signal
import sys
import time


def figures_of(model):
    figures = {"median_ms": 10.0, "peak": 1000000, "cpu_nodes": 2, "groups": 1, "error": 1e-5, "context_bytes": 5000, "loads": True}
    figures.update(model.get("figures", {}))
    figures.update(json.loads(os.environ.get("SWEEP_PLANT", "{}")))
    if noise := os.environ.get("SWEEP_NOISE"):
        seed, share = noise.split(":")
        # The number of starts so far: jobs of one seed, done one after another, say the same every time.
        chance = random.Random(f"{seed} {pathlib.Path(os.environ['SWEEP_STARTS']).read_text().count(chr(10))}")
        figures["median_ms"] *= chance.lognormvariate(0, float(share)) * (1.5 if chance.random() < 0.1 else 1)
    return figures


def walk(figures):
    nodes = [{"name": f"n{i}"} for i in range(6)]
    provider = ["cpu" if i < figures["cpu_nodes"] else "npu" for i in range(6)]
    return {"optimized_graphs": [{"nodes": nodes}],
            "partition": {"nodes": [{"graph": 0, "node": i, "provider": provider[i]} for i in range(6)],
                          "groups": [{"provider": "npu"}] * figures["groups"], "copies": [], "unassigned_nodes": 0,
                          "providers": [{"name": "npu"}, {"name": "cpu"}], "refusals": []},
            "pattern": {"eligible": True, "peak_bytes": figures["peak"], "lower_bound_bytes": figures["peak"]}}


def bench(figures):
    median = figures["median_ms"]
    return {"median_ms": median, "median_low_ms": median, "median_high_ms": median, "runs": 9, "load_ms": 1, "first_run_ms": median,
            "p90_ms": median, "min_ms": median, "peak_rss_bytes": 1, "planned_peak_bytes": figures["peak"],
            "lower_bound_bytes": 1, "weights_bytes": 1, "simulated_providers": []}


def report(verb, arguments, figures):
    if verb == "bench":
        return bench(figures)
    if verb == "compare":
        return {"values": [{"is_output": True, "max_absolute": figures["error"], "max_relative": 0, "outside_tolerance": 0}]}
    if verb == "context" and "--verify" in arguments:
        return {"context": {"verified": {"loads": figures["loads"], "same_outputs": figures["loads"], "load_ns": 1000000, "outputs": []}}}
    if verb == "context":
        return {"context": {"written": {"files": [{"size_bytes": figures["context_bytes"]}], "context_nodes": 1}}}
    return walk(figures)


def main():
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print(f"stand-in {os.environ.get('SWEEP_VERSION', '1')}")
        return 0
    path = pathlib.Path(arguments[arguments.index("--original") + 1] if "--original" in arguments else arguments[1])
    model = json.loads(path.read_text())
    if starts := os.environ.get("SWEEP_STARTS"):
        with open(starts, "a", encoding="utf-8") as log:
            log.write(f"{arguments[0]} {path}\n")
    time.sleep(model.get("seconds", 0))
    while "until" in model and not pathlib.Path(model["until"]).exists():
        time.sleep(0.02)
    does = model.get("does", "ok")
    target = pathlib.Path(arguments[arguments.index("--json") + 1])
    figures = figures_of(model)
    if does == "hang":
        time.sleep(3600)
    if does == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if does == "bad":
        print("stand-in: INVALID_GRAPH: no such thing", file=sys.stderr)
        return 3
    try:
        if does == "rubbish":
            target.write_text('{"median_ms": "fast"')
        elif does != "nothing":
            target.write_text(json.dumps(report(arguments[0], arguments, figures)))
    except OSError as error:
        with contextlib.suppress(OSError):  # its errors lie on the same disk
            print(f"stand-in: {error}", file=sys.stderr)
        return 6
    return 1 if "--verify" in arguments and not figures["loads"] else 0


if __name__ == "__main__":
    sys.exit(main())
