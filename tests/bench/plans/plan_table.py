#!/usr/bin/env python3
"""Planned peak, lower bound and what onnxruntime's rules would need, for every model at hand.

    plan_table.py [MODEL...] [--only TEXT] [--markdown FILE] [--cli PATH]

Without models: the bundled samples, the light backend models, models of make_models.py and, where they lie beside the
repository, the shared corpora. Open dimensions get values: a leading or batch-like one 1 and 8 (a row each), the others 16.
A model with values whose sizes stay unknown is listed with their number; its peak counts what is planned. Models that are
refused, and those in which nothing is placed, are counted below the table.
"""

import argparse
import json
import math
import os
import pathlib
import sys

import onnx

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "tests" / "models"))
import generated_models  # noqa: E402
from cutaway_cli import DONE, TEST_DATA, run_cli  # noqa: E402

SHARED = REPOSITORY.parent / "shared" / "corpora" / "models"
# Of real size, besides the small ones of generated_models.
LARGE = {"bert": "", "gpt2": "layers=12", "llama": "layers=4", "vit": "", "moe": "layers=2", "resnet50": "", "mobilenet_v2": "",
         "efficientnet_like": "", "unet": "", "qdq_cnn": "", "lstm_tagger": "", "gru_stream": "", "flat": "nodes=5000", "wide": "fan=500"}
OTHER_DIMENSION = 16


def symbols_of(path):
    """Names of the open dimensions of the inputs: those that look like a batch, and the others."""
    graph = onnx.load(path, load_external_data=False).graph
    weights = {each.name for each in graph.initializer}
    batch, others = set(), set()
    for value in graph.input:
        if value.name in weights:
            continue
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if dim.dim_param:
                looks = axis == 0 or "batch" in dim.dim_param.lower() or dim.dim_param in ("N", "n", "B", "b")
                (batch if looks else others).add(dim.dim_param)
    return sorted(batch), sorted(others - batch)


def pattern_of(cli, model, dims, *more):
    words = [word for name, value in dims.items() for word in ("--dim", f"{name}={value}")]
    done = run_cli(cli, "pattern", model, *words, *more, "--json", timeout=600)
    if done.code != DONE:
        return None, done.reason
    walk = json.loads(done.stdout)
    # With --json the verb prints the walk's report.
    return walk.get("pattern", walk), ""


def at_hand():
    yield from ((path, path.parent.name) for path in sorted((REPOSITORY / "resources" / "samples").glob("*/*.onnx")))
    yield from ((path, path.parent.name) for path in sorted((TEST_DATA / "backend" / "light").glob("*/model.onnx")))
    for name, settings in generated_models.MODELS.items():
        yield generated_models.make(name, settings), f"generated {name}"
    for name, settings in LARGE.items():
        yield generated_models.make(f"large_{name}", f"{name} {settings}"), f"generated {name} {settings}".strip()
    if SHARED.is_dir():
        for folder in sorted(SHARED.iterdir()):
            if folder.is_dir() and not folder.name.startswith(("_", "pack-", "bad-")):
                yield from ((path, f"{folder.name}/{path.name}") for path in sorted(folder.rglob("*.onnx")))


def size_text(size):
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.3g} {unit}"
        size /= 1000
    return ""


def mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios)) if ratios else 1.0


def rows_of(cli, path, name):
    """(row, ratio, saving) a batch size; (None, reason, None) where there is nothing to show."""
    try:
        batch, others = symbols_of(path)
    except Exception as problem:  # a file that the onnx package cannot read is the engine's to refuse
        batch, others = [], []
        del problem
    for size in (1, 8) if batch else (None,):
        dims = {**{each: size for each in batch}, **{each: OTHER_DIMENSION for each in others}}
        ours, reason = pattern_of(cli, path, dims)
        other, why = pattern_of(cli, path, dims, "--plan", "onnxruntime") if ours else (None, reason)
        if not ours or not other:
            yield None, reason or why, None
            continue
        peak, bound, theirs = ours["peak_bytes"], ours["lower_bound_bytes"], other["peak_bytes"]
        if not bound:
            yield None, "nothing to place", None
            continue
        unknown = sum(len(graph["unplanned"]) for graph in ours["graphs"] if graph["graph"] == ours["graphs"][0]["graph"])
        strategy = next((each["name"] for graph in ours["graphs"][:1] for each in graph["strategies"] if each["chosen"]), "")
        shown = name if size is None else f"{name}, batch {size}"
        cells = [shown, size_text(peak), size_text(bound), f"{peak / bound:.3f}", size_text(theirs), f"{theirs / bound:.3f}",
                 f"{100 * (1 - peak / theirs):.1f} %" if theirs else "", strategy, str(unknown) if unknown else ""]
        yield "| " + " | ".join(cells) + " |", peak / bound, (peak / theirs, theirs / max(other["lower_bound_bytes"], 1), unknown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the table there instead of printing it")
    folder = os.environ.get("CUTAWAY_BIN_DIR", REPOSITORY / "build" / "release" / "bin")
    parser.add_argument("--cli", type=pathlib.Path, default=pathlib.Path(folder) / "cutaway-cli")
    arguments = parser.parse_args()
    chosen = [(path, path.parent.name if path.stem == "model" else path.stem) for path in arguments.models] or at_hand()
    lines = ["| model | peak | lower bound | ratio | onnxruntime's rules | of our bound | saving | strategy | values of unknown size |",
             "|---|---|---|---|---|---|---|---|---|"]
    ratios, savings, theirs, refused = [], [], [], {}
    for path, name in chosen:
        if arguments.only not in name:
            continue
        for row, ratio, rest in rows_of(arguments.cli, path, name):
            if row is None:
                refused.setdefault(ratio, []).append(name)
                continue
            lines.append(row)
            ratios.append(ratio)
            savings.append(rest[0])
            theirs.append(rest[1])
            print(row, file=sys.stderr, flush=True)
    lines.append("")
    if ratios:
        lines.append(f"{len(ratios)} plans. Peak / lower bound: geometric mean {mean(ratios):.4f}, worst {max(ratios):.3f}, above 1.10: {sum(ratio > 1.10 for ratio in ratios)}.")
        lines.append(f"onnxruntime's rules: peak / their own lower bound {mean(theirs):.4f} (worst {max(theirs):.3f}). Our peak / theirs: geometric mean {mean(savings):.4f}, largest {max(savings):.3f}.")
    lines += [f"Left out, {reason}: {len(names)} ({', '.join(names[:4])}{', ...' if len(names) > 4 else ''})" for reason, names in sorted(refused.items())]
    text = "\n".join(lines) + "\n"
    if arguments.markdown:
        arguments.markdown.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    sys.exit(main())
