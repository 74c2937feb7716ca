#!/usr/bin/env python3
"""How readable drawings are, as a table: this build, Graphviz's dot and, where its figures are at hand, another build.

    layout_table.py [MODEL...] [--before FILE.tsv] [--keep FILE.tsv] [--markdown FILE] [--bench PATH] [--seconds N]

Without models: up to 40 of the shared corpora of at least 30 nodes, else the bundled samples. `--keep` writes this
build's figures for a later `--before`. Crossings are those of lines of different values; "over" counts lines that run
over a card; area is in millions of square units (a unit is a pixel at 100 %), length per line from card to card; "fit"
is the scale at which all of it is in a window of 1440x850.
"""
import argparse
import csv
import math
import pathlib
import subprocess
import sys

import onnx

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
SHARED = REPOSITORY.parent / "shared" / "corpora" / "models"
SAMPLES = REPOSITORY / "resources" / "samples"
MOST_MODELS, FEWEST_NODES = 40, 30


def default_models():
    models = []
    for path in sorted(SHARED.glob("*/*.onnx")) if SHARED.is_dir() else []:
        if len(models) == MOST_MODELS:
            break
        if path.parent.name.startswith(("bad-", "pack-")) or any(path.parent == other.parent for other in models):
            continue
        if len(onnx.load(path, load_external_data=False).graph.node) >= FEWEST_NODES:
            models.append(path)
    return models or sorted(SAMPLES.glob("*/*.onnx"))


def read(rows):
    """(model, way) -> figures."""
    return {(row["model"], row["way"]): row for row in csv.DictReader(rows, delimiter="\t") if row["fit"]}


def mean(rows, figure):
    """Geometric, of figures that may be 0."""
    values = [math.log1p(figure(row)) for row in rows]
    return math.expm1(sum(values) / len(values)) if values else float("nan")


FIGURES = {
    "crossings": lambda row: float(row["crossings"]),
    "over": lambda row: float(row["over cards"]),
    "area": lambda row: float(row["width"]) * float(row["height"]) / 1e6,
    "length": lambda row: float(row["length"]),
    "fit %": lambda row: 100 * float(row["fit"]),
}


def table(columns):
    """columns: title -> figures by (model, way), way."""
    models = sorted({model for figures, way in columns.values() for model, w in figures if w == way})
    titles = [f"{title} {figure}" for figure in FIGURES for title in columns]
    lines = ["| model | cards | " + " | ".join(titles) + " |", "|---|---" + "|---" * len(titles) + "|"]
    whole = [model for model in models if all((model, way) in figures for figures, way in columns.values())]
    for model in models:
        rows = [figures.get((model, way)) for figures, way in columns.values()]
        cells = [f"{FIGURES[figure](row):.3g}" if row else "-" for figure in FIGURES for row in rows]
        cards = next(row["cards"] for row in reversed(rows) if row)
        lines.append(f"| {model} | {cards} | " + " | ".join(cells) + " |")
    means = [f"{mean([figures[model, way] for model in whole], FIGURES[figure]):.3g}" for figure in FIGURES
             for figures, way in columns.values()]
    lines.append(f"| **geometric mean of {len(whole)}** | | " + " | ".join(f"**{value}**" for value in means) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--bench", type=pathlib.Path, default=REPOSITORY / "build" / "release" / "tests" / "bench_layout")
    parser.add_argument("--seconds", type=int, default=20, help="that dot may take for one model")
    arguments = parser.parse_args()
    models = arguments.models or default_models()
    answer = subprocess.run([arguments.bench, "--dot", "--seconds", str(arguments.seconds), *models], stdout=subprocess.PIPE, text=True)
    if arguments.keep:
        arguments.keep.write_text(answer.stdout)
    now = read(answer.stdout.splitlines())
    before = read(arguments.before.read_text().splitlines()) if arguments.before else {}
    flat = {"before": (before, "flat")} if before else {}
    flat |= {"now": (now, "flat"), "dot": (now, "dot")}
    shown = {"before": (before, "automatic")} if before else {}
    text = "Every node a card:\n\n" + table(flat) + "\nAs the window shows it at first:\n\n" + table(shown | {"now": (now, "automatic")})
    if arguments.markdown:
        arguments.markdown.write_text(text)
    print(text)
    return 0 if now else 1


if __name__ == "__main__":
    sys.exit(main())
