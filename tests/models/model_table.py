#!/usr/bin/env python3
"""The table of all shared models: whether each runs, what its outputs were compared against, the largest error, the time.

    model_table.py                      every model and every file of the packs; writes tests/models/results.md
    model_table.py silero-vad pack-ort  only models whose path begins with one of these; prints the table
    model_table.py --folders            every model that is not in a pack; prints what is not as it should be

judged_model.py says how a model is judged. The error is the largest difference as a share of the largest expected value. Time
is that of the whole process: load, walk and one run. Last line: the sums. Exit code 1 when a model that a peer runs, or that
has test data, does not run here or differs.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import platform
import sys

import shared_corpora as corpora
from cutaway_cli import default_cli
from judged_model import VERDICTS, Row, row_of
from own_process import Died, in_own_process

DOCUMENT = pathlib.Path(__file__).resolve().parent / "results.md"
BAD = ("differs", "failed")


def safe_row(path, arguments):
    """A defect of this script or a crash of a peer must not end the table."""
    limit = 4 * arguments.timeout
    try:
        try:
            return in_own_process(row_of, (path, arguments), limit)
        except Died as why:
            alone = argparse.Namespace(**{**vars(arguments), "without": ("onnxruntime",)})
            row = in_own_process(row_of, (path, alone), limit)
            return dataclasses.replace(row, remark=f"{row.remark}; its process {why}" if row.remark else f"its process {why}")
    except Died as why:
        return Row(corpora.short(path), "failed", remark=f"the script's process {why}")


def line(row):
    error = "" if row.error is None else f"{row.error:.1e}"
    seconds = "" if row.seconds is None else f"{row.seconds:.2f}"
    remark = row.remark.replace("|", "\\|").replace("\n", " ")
    return f"| {row.model} | {row.verdict} | {row.against} | {error} | {seconds} | {remark} |"


def counts(rows):
    return ", ".join(f"{count} {word}" for word in VERDICTS if (count := sum(row.verdict == word for row in rows)))


def processor():
    return next((text.split(":")[1].strip() for text in open("/proc/cpuinfo") if text.startswith("model name")), "?")


def table(rows):
    return ["| model | verdict | against | error | time | remark |", "|---|---|---|---|---|---|", *map(line, rows)]


def document(rows):
    packs = {}
    for row in rows:
        if row.model.startswith("pack-"):
            packs.setdefault(row.model.split("/")[0], []).append(row)
    folders = [row for row in rows if not row.model.startswith("pack-")]
    lines = ["# The shared models, one by one", "", "Written by `tests/models/model_table.py`; run it again to remake this file (it needs the shared corpora beside the repository).", "",
             f"Machine: {processor()}, {os.cpu_count()} cores, {platform.system()}. {len(rows)} files: {counts(rows)}.", "",
             *(f"- {word}: {meaning}" for word, meaning in VERDICTS.items()), "",
             "Error: largest difference as a share of the largest expected value. Time: the whole process, seconds. In brackets: what onnxruntime says.", "",
             "## Counts", "", "| where | files | " + " | ".join(VERDICTS) + " |", "|---" * (2 + len(VERDICTS)) + "|"]
    for name, members in (("models in folders", folders), *packs.items()):
        lines.append(f"| {name} | {len(members)} | " + " | ".join(str(sum(row.verdict == word for row in members) or "") for word in VERDICTS) + " |")
    lines += ["", "## Models in folders", "", *table(folders)]
    for name, members in packs.items():
        lines += ["", f"## {name}", "", *table(members)]
    return "\n".join(lines) + "\n"


def chosen_models(arguments):
    folders = None
    if arguments.folders:
        folders = [folder for folder in corpora.model_folders() if not folder.name.startswith("pack-")]
    models = [path for path in corpora.all_models(folders) if path.suffix != ".ort"]
    if arguments.models:
        models = [path for path in models if corpora.short(path).startswith(tuple(arguments.models))]
    return models


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="beginnings of model paths; default: all, and the document is written")
    parser.add_argument("--folders", action="store_true", help="only models that are not in packs")
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.without = arguments.options = ()
    if not corpora.CORPORA.is_dir():
        print(f"no shared corpora beside the repository: left out {corpora.USUAL_COUNTS['table']}")
        return 0
    models = chosen_models(arguments)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda path: safe_row(path, arguments), models))
    target = arguments.out or (None if arguments.models or arguments.folders else DOCUMENT)
    if target:
        target.write_text(document(rows))
    else:
        print("\n".join(line(row) for row in rows if not arguments.folders or row.verdict in BAD))
    print(counts(rows))
    return 1 if not rows or any(row.verdict in BAD for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
