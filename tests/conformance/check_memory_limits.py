#!/usr/bin/env python3
"""Every backend case under memory limits of every size: it runs, or says that the limit is reached. Nobody dies of one.

    check_memory_limits.py [--limits 1 64 1000 30000] [--providers LIST ...]

A limit can be reached at any place that takes memory - a list that becomes a constant, what folding computes, inputs, scratch, outputs, results
that are kept - and each must hear of it. A case that fails has to name the limit, and how much was asked for. Prints what failed otherwise, and last
`N passed, N failed, N refused`.
"""

import argparse
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from cutaway_cli import TEST_DATA, default_cli  # noqa: E402

KINDS = ("node", "own", "simple", "pytorch-operator", "pytorch-converted", "light")
LIMITS = (1, 64, 1000, 30_000)
LISTS = ("cpu", "onednn{claim_all=1},cpu", "cuda{backend=emulator},cpu")
REFUSED = re.compile(r"memory limit (is|of) \d+ bytes")
TOLD = 20
COUNTS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")


def outcome(limit, providers):
    """Counts of what passed and what the limit refused, and lines that say something else."""
    folders = [str(TEST_DATA / "backend" / kind) for kind in KINDS]
    command = [str(default_cli()), "check", *folders, "--memory-limit", str(limit), "--providers", providers, "--jobs", "2", "--cases-per-process", "50", "--timeout", "120"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    lines = [line for line in done.stdout.splitlines() if line]
    counts = COUNTS.fullmatch(lines[-1]) if lines else None
    if counts is None:
        return 0, 0, [f"exit code {done.returncode} without counts: {done.stderr.strip()[-300:]}"]
    failures = lines[:-1]
    wrong = [line for line in failures if not REFUSED.search(line)]
    if len(failures) != int(counts[2]):
        wrong.append(f"{counts[2]} failures, and {len(failures)} lines about them")
    return int(counts[1]), len(failures) - len(wrong), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limits", type=int, nargs="+", default=LIMITS)
    parser.add_argument("--providers", nargs="+", default=LISTS)
    options = parser.parse_args()
    passed = failed = refused = 0
    for providers in options.providers:
        for limit in options.limits:
            here, by_limit, wrong = outcome(limit, providers)
            passed, refused, failed = passed + here, refused + by_limit, failed + len(wrong)
            print(f"{providers}, {limit} bytes: {here} passed, {by_limit} refused, {len(wrong)} otherwise", flush=True)
            for line in wrong[:TOLD]:
                print(f"  {line[:400]}")
    print(f"{passed} passed, {failed} failed, {refused} refused")
    return failed > 0 or passed == 0 or refused == 0


if __name__ == "__main__":
    sys.exit(main())
