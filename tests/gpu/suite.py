#!/usr/bin/env python3
"""Everything that wants a GPU, one step after another, into one JSON that is written after each step.

    suite.py --root DIR [--steps conformance,models,sanitizer,benchmark] [--providers "cuda,cpu"] [--out FILE]

Without a GPU: --providers "cuda{backend=emulator},cpu" runs conformance and models with the device code on the CPU, which proves the scripts and the bundle; sanitizer and benchmark are left out, and said so.
Exit code: 0 everything that could be done is good, 1 something is not, 3 nothing could be done.
"""

import argparse
import json
import os
import pathlib
import sys
import time

from benchmark import benchmark
from conformance import conformance
from device_facts import device_facts
from models import models
from place import find_place
from sanitizer import sanitizer

STEPS = {"conformance": conformance, "models": models, "sanitizer": sanitizer, "benchmark": benchmark}
NEED_DEVICE = ("sanitizer", "benchmark")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, required=True, help="a bundle, or a checkout with build/release")
    parser.add_argument("--steps", default=",".join(STEPS), help="which, in order")
    parser.add_argument("--providers", default="cuda,cpu")
    parser.add_argument("--jobs", type=int, default=min(16, os.cpu_count() or 1), help="backend cases at a time")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="conformance: only every so many-th case")
    parser.add_argument("--limit", type=int, default=540, metavar="SECONDS", help="of one command")
    parser.add_argument("--seconds", type=float, default=3.0, help="each measurement of the benchmark lasts about so long")
    parser.add_argument("--budget", type=int, default=0, metavar="SECONDS", help="benchmark: begin no workload after so long (0: measure all)")
    parser.add_argument("--only", default="", help="benchmark: only models with this in their name")
    parser.add_argument("--no-torch", action="store_true", help="benchmark: this program alone")
    parser.add_argument("--work", type=pathlib.Path, help="folder for models and reports (default: work/ in --root)")
    parser.add_argument("--out", type=pathlib.Path, help="the results (default: results.json in --root)")
    return parser.parse_args()


def why_not(name, options, facts):
    emulated = "backend=emulator" in options.providers
    if not emulated and not facts["cuda_provider"].get("usable"):
        return f"cuda cannot run here: {facts['cuda_provider'].get('reason', '')}"
    if emulated and name in NEED_DEVICE:
        return "it means nothing on the emulator (cuda{backend=emulator}): it wants a GPU"
    return ""


def print_end(results):
    for name, result in results["steps"].items():
        state = "NOT DONE: " + result.get("why", "") if not result.get("done") else "good" if result.get("good") else "NOT GOOD"
        figures = ", ".join(f"{key} {result[key]}" for key in ("passed", "failed", "listed", "skipped", "agree", "of", "ahead_of_compile") if key in result)
        print(f"[gpu] {name}: {state}{' (' + figures + ')' if figures else ''}")


def main():
    options = arguments()
    root = options.root.resolve()
    place = find_place(root, (options.work or root / "work").resolve())
    out = (options.out or root / "results.json").resolve()
    if not place.cli.exists():
        print(f"suite.py: there is no {place.cli}", file=sys.stderr)
        return 2
    facts = device_facts(place)
    results = {"schema_version": 1, "began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "providers": options.providers, "command": sys.argv, "machine": facts, "steps": {}}
    print(f"[gpu] {', '.join(device['name'] for device in facts['devices']) or 'no GPU'}; cuda: {'usable' if facts['cuda_provider'].get('usable') else facts['cuda_provider'].get('reason', '')}", flush=True)
    for name in filter(None, options.steps.split(",")):
        if name not in STEPS:
            print(f"suite.py: there is no step '{name}'; there are {', '.join(STEPS)}", file=sys.stderr)
            return 2
        print(f"[gpu] {name}", flush=True)
        began, refused = time.monotonic(), why_not(name, options, facts)
        try:
            results["steps"][name] = {"done": False, "why": refused} if refused else STEPS[name](place, options)
        except Exception as error:  # one step that breaks takes no other with it
            results["steps"][name] = {"done": False, "why": f"{type(error).__name__}: {error}"}
        results["steps"][name]["seconds"] = round(time.monotonic() - began, 1)
        out.write_text(json.dumps(results, indent=1) + "\n")
    print_end(results)
    print(f"[gpu] results: {out}")
    ran = [result for result in results["steps"].values() if result.get("done")]
    return 3 if not ran else 0 if all(result.get("good") for result in ran) else 1


if __name__ == "__main__":
    sys.exit(main())
