#!/usr/bin/env python3
"""Writes resources/manual/operators.md: every version of every operator, how it runs, in which types, tested by which cases.

Needs a build and the conformance cases (packaging/test.sh makes both). The table itself is `cutaway-cli providers --operators`.
"""

import json
import os
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(__file__).with_name("operators.md")
CASES = REPOSITORY / "build" / "test-data" / "backend"
SHOWN_CASES = 3


def coverage(cli):
    command = [cli, "providers", "--operators", "--json", "--cases", CASES]
    return json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)["operators"]


def versions(row):
    last = row["last_version"]
    return f"{row['first_version']}+" if last is None else str(last) if last == row["first_version"] else f"{row['first_version']}-{last}"


def tested_by(row):
    cases = row.get("cases", [])
    shown = ", ".join(cases[:SHOWN_CASES])
    return f"{len(cases)}: {shown}{' ...' if len(cases) > SHOWN_CASES else ''}" if cases else "-"


def hints(row):
    words = row["in_place"] + [f"host {slot}" for slot in row["host_inputs"]] + [f"shape only {slot}" for slot in row["shape_only_inputs"]]
    return ", ".join(words) or "-"


def line(row):
    types = " ".join(row["types"]) + (f" (not: {' '.join(row['left_out_types'])})" if row["left_out_types"] else "")
    how = row["how"] if row["how"] != "kernel" else f"kernel, {row['fast_path']}" if row["fast_path"] else "kernel, reference"
    return f"| {row['operator']} | {versions(row)} | {how} | {types} | {hints(row)} | {tested_by(row)} |"


def document(rows):
    lines = ["# Operators of the CPU provider", "",
             "Written by `resources/manual/make_operators.py` from `cutaway-cli providers --operators`. Types are those of the first input. Hints: outputs that may be",
             "written over an input, inputs that must lie in host memory, inputs of which only the shape is read. Tested by: number of conformance cases, and the first of them.", ""]
    for domain in sorted({row["domain"] for row in rows}):
        own = [row for row in rows if row["domain"] == domain]
        covered = sum(row["how"] != "none" for row in own)
        lines += [f"## {domain or 'ai.onnx'}: {len({row['operator'] for row in own})} operators, {covered} of {len(own)} version spans", "",
                  "| operator | versions | runs by | types | hints | tested by |", "|---|---|---|---|---|---|", *map(line, own), ""]
    return "\n".join(lines)


def main():
    folder = pathlib.Path(os.environ.get("CUTAWAY_BIN_DIR", REPOSITORY / "build" / "release" / "bin"))
    TARGET.write_text(document(coverage(folder / "cutaway-cli")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
