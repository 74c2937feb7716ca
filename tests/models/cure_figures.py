#!/usr/bin/env python3
"""What `cutaway-cli cure` finds for real models that Qualcomm's plug-in refuses in part: changes tried, proved, nodes freed.

    cure_figures.py                   the twelve models of plugin_partition.py, as their files have them, and all others
    cure_figures.py dtln-1 gtcrn      only models whose folder begins with one of these
    cure_figures.py --rows FILE       keeps each model's figures there, and takes those that are there: it goes on where it was stopped
    cure_figures.py --markdown FILE   the table; cure_figures.md is made by --rows FILE --markdown

The plug-in is asked, and nothing is compiled. Sizes of open dimensions are those of plugin_partition.py. "Tried" are changed models about which it was asked; "proposed" are those that freed a
node or merged groups; "agree" are those whose outputs, on the provider that takes the rest, are the original's within the tolerance of the command. Nodes are those after the walk's
optimisation, which folds more of some changed models: there are fewer then. Seconds are those of the search on this machine, whatever else it did. A search that does not end in LONGEST seconds is said so.
Exit code 1 when a change stands among the steps whose outputs differ.
"""

import argparse
import datetime
import importlib.metadata
import json
import pathlib
import sys

import plugin_partition as plugin
from cutaway_cli import DONE, default_cli, run_cli

QNN = "qnn{backend_type=htp,soc_model=69},cpu"
LONGEST = 300
COLUMNS = ("model", "taken before", "taken after", "groups before", "groups after", "tried", "proposed", "agree", "steps", "largest difference", "s")


def figures(share):
    return f"{share['taken']} of {share['nodes']}"


def row_of(cli, name, path):
    sizes = [word for dim, size in plugin.DIMENSIONS.get(name, {}).items() for word in ("--dim", f"{dim}={size}")]
    done = run_cli(cli, "cure", path, "--providers", QNN, "--no-compile", "--log", "off", "--json", *sizes, timeout=LONGEST)
    if done.code is None:
        return {"model": name, "remark": f"the search does not end in {LONGEST} s"}
    if done.code != DONE:
        return {"model": name, "remark": plugin.without_folders(done.reason)[:100]}
    report = json.loads(done.stdout)
    steps, proposals = report["steps"], report["proposals"]
    proofs = [step["proof"] for step in steps]
    return {"model": name, "before": report["before"], "after": report["after"], "tried": report["askings"], "proposed": len(proposals),
            "agree": sum(each["proof"]["agrees"] for each in proposals), "steps": [step["title"] for step in steps],
            "wrong": [proof["note"] for proof in proofs if proof["ran"] and not proof["agrees"]],
            "worst": max((proof["max_absolute"] for proof in proofs), default=0.0), "seconds": report["time_ns"] / 1e9}


def line(row):
    if "before" not in row:
        return f"| {row['model']} | {row['remark']} |{' |' * (len(COLUMNS) - 2)}"
    before, after = row["before"], row["after"]
    cells = (row["model"], figures(before), figures(after), before["groups"], after["groups"], row["tried"], row["proposed"], row["agree"],
             "; ".join(row["steps"]), f"{row['worst']:.2g}" if row["steps"] else "", f"{row['seconds']:.1f}")
    return f"| {' | '.join(map(str, cells))} |"


def sums(rows):
    asked = [row for row in rows if "before" in row]
    open_ones = [row for row in asked if row["before"]["left"]]
    freed = [row for row in open_ones if row["after"]["left"] < row["before"]["left"] or row["after"]["groups"] < row["before"]["groups"]]
    whole = sum(not row["after"]["left"] for row in freed)
    return (f"{len(asked)} models, of which {len(open_ones)} have nodes that the plug-in leaves; {len(freed)} of these have a cure, and {whole} are taken whole then. "
            f"{sum(row['tried'] for row in asked)} changed models were asked about, {sum(row['proposed'] for row in asked)} proposed, of which {sum(row['agree'] for row in asked)} agree; "
            f"nodes left: {sum(row['before']['left'] for row in asked)} before, {sum(row['after']['left'] for row in asked)} after.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    arguments = parser.parse_args()
    arguments.twelve = False
    if plugin.library() is None:
        print(f"{plugin.PACKAGE} is not installed here (packaging/setup.sh --providers): nothing was asked")
        return 0
    kept, rows = plugin.kept_rows(arguments.rows), []
    head = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
    print(head)
    for name, path in plugin.shared(arguments):
        if name not in kept:
            kept[name] = row_of(arguments.cli, name, path)
            if arguments.rows:
                with arguments.rows.open("a") as file:
                    file.write(json.dumps(kept[name]) + "\n")
        rows.append(kept[name])
        print(line(rows[-1]), flush=True)
    print("\n" + sums(rows))
    if arguments.markdown:
        name = plugin.PACKAGE.replace("_", "-")
        text = (f"# Cures that Qualcomm's plug-in accepts\n\nWritten by `tests/models/cure_figures.py`, which says what was asked: {name} {importlib.metadata.version(name)}, "
                f"soc_model {plugin.OPTIONS['soc_model']}, {datetime.date.today()}.\n\n{sums(rows)}\n\n{head}\n" + "".join(line(row) + "\n" for row in rows))
        arguments.markdown.write_text(text)
    return 1 if any(row.get("wrong") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
