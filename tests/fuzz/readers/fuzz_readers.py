#!/usr/bin/env python3
"""Runs the libFuzzer targets, one after the other.

    cmake --preset fuzz && cmake --build build/fuzz --target fuzz_readers
    build/env/bin/python tests/fuzz/readers/fuzz_readers.py --seconds 3600        # a night: all targets, an hour each

Corpora lie in build/fuzz/corpus/<target> and grow from run to run. An input that ends a target is kept in build/fuzz/found,
and goes into a row of a unit test when it is mended. Prints executions and covered edges of each target, and last
`N passed, N failed`: targets.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from seeds import REPOSITORY, SEEDS, write_seeds

LONGEST = 65_536  # bytes of an input


def targets_of(program):
    """Those that the program was built with: it names them when it is given none."""
    said = subprocess.run([program], env={"PATH": "/usr/bin"}, capture_output=True, text=True, check=False).stderr
    return [name for name in said.partition("is one of:")[2].split() if name in SEEDS]


def run_target(program, target, seconds, runs, folder):
    """Executions, edges, and what was said when the target ended early."""
    corpus, found = folder / "corpus" / target, folder / "found"
    write_seeds(target, corpus)
    found.mkdir(parents=True, exist_ok=True)
    limits = [f"-runs={runs}"] if runs else [f"-max_total_time={seconds}"]
    command = [str(program), str(corpus), *limits, f"-max_len={LONGEST}", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", f"-artifact_prefix={found}/{target}_"]
    done = subprocess.run(command, env={"CUTAWAY_FUZZ_TARGET": target, "PATH": "/usr/bin", "ASAN_OPTIONS": "allocator_may_return_null=1"}, capture_output=True, text=True, errors="replace", check=False)
    executions = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    edges = re.findall(r"cov: (\d+)", done.stderr)
    return int(executions[1]) if executions else 0, int(edges[-1]) if edges else 0, "" if done.returncode == 0 else done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=REPOSITORY / "build" / "fuzz" / "tests" / "fuzz_readers")
    parser.add_argument("--folder", type=pathlib.Path, default=REPOSITORY / "build" / "fuzz", help="of corpora and findings")
    parser.add_argument("--targets", nargs="+", choices=SEEDS, help="default: all that the program has")
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--runs", type=int, default=0, help="executions of each target, instead of seconds")
    arguments = parser.parse_args()
    failed = total = 0
    targets = arguments.targets or targets_of(arguments.program)
    for target in targets:
        executions, edges, said = run_target(arguments.program, target, arguments.seconds, arguments.runs, arguments.folder)
        total += executions
        print(f"{target}: {executions} executions, {edges} edges", flush=True)
        if said or not executions:
            failed += 1
            print(f"FAIL {target}: {said[-3000:]}", flush=True)
    print(f"{total} executions\n{len(targets) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
