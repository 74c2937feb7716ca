#!/usr/bin/env python3
"""Runs the libFuzzer targets, one after the other.

    packaging/setup.sh --fuzzing && cmake --preset release && cmake --build build/release --target fuzz_readers
    build/env/bin/python tests/fuzz/readers/fuzz_readers.py --minutes 10          # before a merge: all targets together
    build/env/bin/python tests/fuzz/readers/fuzz_readers.py --minutes 480         # a night
    build/env/bin/python tests/fuzz/readers/fuzz_readers.py --coverage            # only what the corpora cover, no new inputs

Corpora lie in build/fuzz/corpus/<target> and grow from run to run; they begin with the seeds of seeds.py and the files in
corpus/. An input that ends a target is kept in build/fuzz/found; when it is mended it goes into corpus/, which fuzz_files
replays in CTest. Prints executions and covered edges of each target, how many regions of the readers' sources all corpora
together cover (llvm-cov), and last `N passed, N failed, N executions`: targets. Exit code 77: the program is not built.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

from seeds import REPOSITORY, SEEDS, write_seeds, write_words

LONGEST = 65_536  # bytes of an input
COVERAGE, PROFDATA = "llvm-cov-19", "llvm-profdata-19"


def targets_of(program):
    """Those that the program was built with: it names them when it is given none."""
    said = subprocess.run([program], env={"PATH": "/usr/bin", "LLVM_PROFILE_FILE": os.devnull}, capture_output=True, text=True, check=False).stderr
    return [name for name in said.partition("is one of:")[2].split() if name in SEEDS]


def run_program(program, target, folder, *options):
    environment = {"CUTAWAY_FUZZ_TARGET": target, "PATH": "/usr/bin", "ASAN_OPTIONS": "allocator_may_return_null=1", "UBSAN_OPTIONS": "print_stacktrace=1",
                   "LLVM_PROFILE_FILE": str(folder / "covered" / f"{target}.profraw")}
    command = [str(program), str(folder / "corpus" / target), *options, f"-max_len={LONGEST}", "-timeout=20", "-rss_limit_mb=2048", f"-artifact_prefix={folder}/found/{target}_"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)


def run_target(program, target, limit, folder):
    """Executions, edges, and what was said when the target ended early."""
    words = folder / f"{target}.words"
    dictionary = [f"-dict={words}"] if write_words(target, words) else []
    done = run_program(program, target, folder, limit, "-print_final_stats=1", *dictionary)
    executions = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    edges = re.findall(r"cov: (\d+)", done.stderr)
    return int(executions[1]) if executions else 0, int(edges[-1]) if edges else 0, "" if done.returncode == 0 else done.stderr


def tell_coverage(program, targets, folder):
    """Regions of our instrumented sources that the corpora reach: each of them, and their sum. Headers are left out. How many
    targets ended on the way: what those reach is not in it."""
    failed = 0
    for target in targets:
        done = run_program(program, target, folder, "-runs=0")
        if done.returncode:
            failed += 1
            print(f"FAIL {target}: {done.stderr[-3000:]}", flush=True)
    merged = folder / "covered" / "all.profdata"
    profiles = [str(path) for target in targets if (path := folder / "covered" / f"{target}.profraw").exists()]
    subprocess.run([PROFDATA, "merge", "-sparse", *profiles, "-o", str(merged)], check=True)
    table = subprocess.run([COVERAGE, "report", str(program), f"-instr-profile={merged}"], capture_output=True, text=True, check=True).stdout
    all_regions = all_missed = 0
    for line in table.splitlines():
        columns = line.split()
        if len(columns) > 3 and columns[0].endswith(".cpp"):
            regions, missed = int(columns[1]), int(columns[2])
            all_regions, all_missed = all_regions + regions, all_missed + missed
            print(f"{columns[0]}: {share_of(regions - missed, regions)}")
    print(f"together: {share_of(all_regions - all_missed, all_regions)}")
    return failed


def share_of(covered, regions):
    return f"{covered} of {regions} regions, {100 * covered / max(1, regions):.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=REPOSITORY / "build" / "release" / "tests" / "fuzz_readers")
    parser.add_argument("--folder", type=pathlib.Path, default=REPOSITORY / "build" / "fuzz", help="of corpora and findings")
    parser.add_argument("--targets", nargs="+", choices=SEEDS, help="default: all that the program has")
    parser.add_argument("--minutes", type=float, default=10, help="for all targets together")
    parser.add_argument("--runs", type=int, default=0, help="executions of each target, instead of minutes")
    parser.add_argument("--coverage", action="store_true", help="only tell what the corpora cover")
    arguments = parser.parse_args()
    if not arguments.program.exists():
        print(f"left out: {arguments.program} is not built")
        return 77
    targets = arguments.targets or targets_of(arguments.program)
    for target in targets:
        write_seeds(target, arguments.folder / "corpus" / target)
    for name in ("found", "covered"):
        (arguments.folder / name).mkdir(parents=True, exist_ok=True)
    limit = f"-runs={arguments.runs}" if arguments.runs else f"-max_total_time={max(1, round(60 * arguments.minutes / max(1, len(targets))))}"
    failed = total = 0
    for target in () if arguments.coverage else targets:
        executions, edges, said = run_target(arguments.program, target, limit, arguments.folder)
        total += executions
        print(f"{target}: {executions} executions, {edges} edges", flush=True)
        if said or not executions:
            failed += 1
            print(f"FAIL {target}: {said[-3000:]}", flush=True)
    if shutil.which(COVERAGE):
        failed = max(failed, tell_coverage(arguments.program, targets, arguments.folder))
    print(f"{len(targets) - failed} passed, {failed} failed, {total} executions")
    return 1 if failed or not targets else 0


if __name__ == "__main__":
    sys.exit(main())
