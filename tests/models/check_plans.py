#!/usr/bin/env python3
"""check_plans.py PROGRAM [MODEL...]: runs cutaway-check-plans over every model at hand: all orders, both sets of rules, one worker
and two, and the edges of the dataflow executor.

Without models: the bundled samples, the generated models, the backend cases and, where they lie beside the repository, the
shared corpora. Of the backend cases, each order takes its own part, so that all together cover them all once; --all: every
order takes every case. Models go to the program in batches; one that ends it (a crash) fails by itself, found by trying one by one.
Last line: `N passed, N failed, N skipped`; a model counts as skipped when a stage refused it before there was a plan.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import generated_models
import shared_corpora
from cutaway_cli import REPOSITORY, TEST_DATA

SUMS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped\s*$")
ORDERS = ("default", "priority", "fifo", "memory", "onnxruntime")
MODES = ["--plan", "cutaway,onnxruntime,onnxruntime-counters", "--workers", "1,2", "--edges"]
BATCH = 64


def backend_cases():
    return sorted((TEST_DATA / "backend").glob("*/*/model.onnx"))


def models_at_hand(with_corpora):
    """Those that every order takes."""
    found = sorted((REPOSITORY / "resources" / "samples").glob("*/model.onnx"))
    found += [generated_models.make(name, settings) for name, settings in generated_models.MODELS.items()]
    if not with_corpora:
        return found
    if shared_corpora.CORPORA.is_dir():
        found += shared_corpora.all_models()
    else:
        print(f"no shared corpora beside the repository: left out {shared_corpora.USUAL_COUNTS['inspect']}")
    return found


def judge(program, order, models):
    """(passed, failed, skipped) and what was said of these models."""
    try:
        done = subprocess.run([program, "--order", order, *MODES, *map(str, models)], capture_output=True, timeout=120 + 6 * len(models))
        text, sums = done.stdout.decode(errors="replace"), None
        if done.returncode in (0, 1):
            sums = SUMS.search(text)
        why = f"exit code {done.returncode}"
    except subprocess.TimeoutExpired:
        text, sums, why = "", None, "did not end in time"
    if sums:
        return [int(group) for group in sums.groups()], text[:sums.start()]
    if len(models) == 1:
        return [0, 1, 0], f"{models[0]}: {why}\n"
    parts = [judge(program, order, [model]) for model in models]
    return [sum(column) for column in zip(*(counts for counts, _ in parts))], "".join(said for _, said in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--all", action="store_true", help="every order takes every backend case")
    parser.add_argument("--no-corpora", action="store_true", help="leave the shared corpora out")
    arguments = parser.parse_args()
    models = arguments.models or models_at_hand(not arguments.no_corpora)
    cases = [] if arguments.models else backend_cases()
    work = []
    for turn, order in enumerate(ORDERS):
        taken = models + (cases if arguments.all else cases[turn::len(ORDERS)])
        work += [(order, taken[start:start + BATCH]) for start in range(0, len(taken), BATCH)]
    totals = [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for counts, said in pool.map(lambda item: judge(arguments.program, *item), work):
            print(said, end="", flush=True)
            totals = [total + count for total, count in zip(totals, counts)]
    passed, failed, skipped = totals
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
