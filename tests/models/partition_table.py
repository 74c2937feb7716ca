#!/usr/bin/env python3
"""Who takes what of real models: nodes, groups, copies and refusals by cause, for several lists of providers.

    partition_table.py MODEL... [--providers LIST]... [--markdown FILE]

One row a model and list of providers. Refusals count nodes by provider and cause.
"""

import argparse
import collections
import json
import pathlib
import sys

from cutaway_cli import DONE, default_cli, run_cli

LISTS = ["onednn,openvino,cpu", "declared(TensorRT),cpu", "declared(QNN-HTP),cpu"]
HEADER = "| model | providers | nodes by provider (groups) | copies | refusals by cause |\n|---|---|---|---|---|"


def size_text(size):
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.3g} {unit}"
        size /= 1000
    return ""


def nodes_text(partition):
    groups = collections.Counter(group["provider"] for group in partition["groups"])
    nodes = collections.Counter(node["provider"] or "nobody" for node in partition["nodes"])
    order = [provider["name"] for provider in partition["providers"]] + ["nobody"]
    return ", ".join(f"{name} {nodes[name]} ({groups[name]})" for name in order if nodes[name])


def copies_text(partition):
    kinds = collections.Counter(copy["kind"] for copy in partition["copies"])
    known = sum(copy["size_bytes"] for copy in partition["copies"] if copy["size_bytes"] > 0)
    unknown = sum(1 for copy in partition["copies"] if copy["size_bytes"] < 0)
    if not kinds:
        return "none"
    text = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) + f", {size_text(known)}"
    return text + (f" and {unknown} of unknown size" if unknown else "")


def refusals_text(partition):
    causes = collections.Counter()
    for node in partition["nodes"]:
        for answer in node["answers"]:
            if answer["verdict"] not in ("claimed", "already taken"):
                causes[answer["provider"], answer["cause"]] += 1
    providers = [provider["name"] for provider in partition["providers"]]
    parts = []
    for name in providers:
        own = [(count, cause) for (provider, cause), count in causes.items() if provider == name]
        if own:
            parts.append(f"{name}: " + ", ".join(f"{cause} {count}" for count, cause in sorted(own, reverse=True)))
    return "; ".join(parts) or "none"


def row(cli, model, providers):
    done = run_cli(cli, "partition", model, "--providers", providers, "--json", timeout=600)
    name = model.parent.name if model.stem in ("model", "nmp") else model.stem
    if done.code != DONE:
        return f"| {name} | {providers} | {done.reason} | | |"
    partition = json.loads(done.stdout)["partition"]
    return f"| {name} | {providers} | {nodes_text(partition)} | {copies_text(partition)} | {refusals_text(partition)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--providers", action="append", help=f"lists to try; default: {', '.join(LISTS)}")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the table there instead of printing it")
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    arguments = parser.parse_args()
    rows = [row(arguments.cli, model, providers) for model in arguments.models for providers in arguments.providers or LISTS]
    table = "\n".join([HEADER, *rows]) + "\n"
    if arguments.markdown:
        arguments.markdown.write_text(table)
    else:
        sys.stdout.write(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
