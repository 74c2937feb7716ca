#!/usr/bin/env python3
"""All campaigns of a night, one after the other, with fresh seeds, and their counts in one table.

    nightly.py [--hours 8] [--seed N] [--only NAME] [--build build/release]

Each campaign gets its share of the time; those that cannot be bounded by time come last, with counts for eight hours or, with
fewer, in proportion. A seed is that of the day unless it is given, so that a finding is repeated. What each said lies in build/nightly/DATE/NAME.txt, with the findings
that it keeps. Prints a line for each: what ran, how many, findings; the exit status is 1 when one failed.
"""

import argparse
import dataclasses
import datetime
import os
import pathlib
import re
import subprocess
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PYTHON = REPOSITORY / "build" / "env" / "bin" / "python"
TESTS = REPOSITORY / "tests"
CONTEXTS, ORT_MODELS = TESTS / "fuzz" / "context" / "corpus", TESTS / "unit" / "engine" / "stages" / "load" / "ort_format"
WHOLE = 0  # shares of those that run as long as they do
NIGHT = 8  # hours that the counts below are for


@dataclasses.dataclass
class Campaign:
    name: str
    share: float  # of the hours
    command: object  # (build, seed, seconds, folder, part of a night) -> list


def fuzzer(name, corpus):
    return lambda build, seed, seconds, folder, part: [build / "tests" / name, "--seconds", seconds, "--seed", seed, "--corpus", corpus]


def script(path, *options):
    """Options are formatted with what the campaign knows; {count}: models in the time, at twenty a second (two cores). A number is of a night."""
    def command(build, seed, seconds, folder, part):
        known = {"seed": seed, "seconds": seconds, "minutes": seconds / 60, "folder": folder, "build": build, "count": max(1, 20 * seconds), "every": max(1, round(0.25 / part))}
        return [PYTHON, "-B", TESTS / path, *(max(1, round(option * part)) if isinstance(option, int) else option.format(**known) for option in options)]

    return command


CAMPAIGNS = (
    Campaign("libFuzzer", 0.15, script("fuzz/readers/fuzz_readers.py", "--minutes", "{minutes}")),
    Campaign("readers", 0.1, script("fuzz/readers/fuzz_files.py", "{build}/tests/fuzz_files", "--seconds", "{seconds}", "--seed", "{seed}")),
    Campaign("contexts", 0.08, fuzzer("fuzz_context", CONTEXTS)),
    Campaign("context models", 0.06, fuzzer("fuzz_context_model", CONTEXTS)),
    Campaign("context sessions", 0.06, fuzzer("fuzz_context_session", CONTEXTS)),
    Campaign("restored groups", 0.05, fuzzer("fuzz_restore", CONTEXTS)),
    Campaign("ort models", 0.05, fuzzer("fuzz_ort_format", ORT_MODELS)),
    Campaign("random models", 0.2, script("fuzz/models/fuzz_models.py", "--seed", "{seed}", "--count", "{count}", "--keep", "{folder}/models")),
    Campaign("window", 0.2, lambda build, seed, seconds, folder, part: [build / "tests" / "soak_window", "--seconds", seconds, "--seed", seed]),
    Campaign("damaged operators", WHOLE, script("conformance/check_mutations.py", "--rounds", 2, "--every", "{every}", "--seed", "{seed}")),
    Campaign("sizes at run time", WHOLE, script("conformance/check_run_time_sizes.py")),
    Campaign("failed allocations", WHOLE, script("fuzz/allocations/failed_allocations.py", "{build}/tests/fuzz/allocations/libfail_allocation.so", "--sites", 400)),
    Campaign("write faults", WHOLE, script("models/check_writing.py", "--kills", 20, "--seed", "{seed}")),
    Campaign("killed exports", WHOLE, script("models/kill_export.py", "--times", 60, "--seed", "{seed}")),
    Campaign("bombs", WHOLE, script("models/check_bombs.py")),
    Campaign("hostile names", WHOLE, script("models/check_hostile_names.py")),
    Campaign("Ctrl-C", WHOLE, script("models/check_ctrl_c.py", "--moments", 40)),
    Campaign("Ctrl-C in a node", WHOLE, script("models/check_long_nodes.py")),
    Campaign("messages", WHOLE, script("models/check_messages.py")),
)


def run(campaign, build, seed, hours, folder):
    seconds = max(1, round(campaign.share * hours * 3600))
    command = [str(part) for part in campaign.command(build, seed, seconds, folder, min(1, hours / NIGHT))]
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", CUTAWAY_BIN_DIR=str(build / "bin"))
    output = folder / f"{campaign.name.replace(' ', '_')}.txt"
    began = time.monotonic()
    with open(output, "w", encoding="utf-8") as said:
        said.write(" ".join(command) + "\n")
        said.flush()
        code = subprocess.run(command, stdout=said, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, check=False).returncode
    lines = [line for line in output.read_text(errors="replace").splitlines()[1:] if line.strip()]
    counted = [line for line in lines if re.match(r"\d+ (cases|passed|actions)", line)] or lines or ["said nothing"]
    return code, time.monotonic() - began, counted[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=NIGHT)
    parser.add_argument("--seed", type=int, default=int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--only", default="", help="a part of a campaign's name")
    parser.add_argument("--build", type=pathlib.Path, default=REPOSITORY / "build" / "release")
    arguments = parser.parse_args()
    folder = REPOSITORY / "build" / "nightly" / datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    folder.mkdir(parents=True)
    failed = 0
    for campaign in CAMPAIGNS:
        if arguments.only not in campaign.name:
            continue
        code, seconds, counted = run(campaign, arguments.build.resolve(), arguments.seed, arguments.hours, folder)
        failed += code not in (0, 77)
        verdict = {0: "ok", 77: "left out"}.get(code, f"FAILED ({code})")
        print(f"{campaign.name:20} {verdict:12} {seconds:8.0f} s  {counted}", flush=True)
    print(f"seed {arguments.seed}; what they said: {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
