#!/usr/bin/env python3
"""round_trips.py [MODEL...]: a model, exported as an EPContext model and opened by a fresh process, gives the same bits.

Each model runs with each list of providers, is exported with the same (the binary beside the model, and inside it), and the
export runs in a process of its own; outputs must be equal byte by byte. What an export consists of is read with onnx, not
with the program under test: context nodes, their sources, and that none of the compiled weights is left in the model.
A model that none of the providers compiles is skipped. Last line: `N passed, N failed, N skipped`.

    round_trips.py             samples and generated models; --light: those of the ONNX backend set, too
    round_trips.py --shared    every model file of the shared corpora, where they lie beside the repository; --packs: packs too
"""

import argparse
import collections
import concurrent.futures
import pathlib
import sys
import tempfile

import onnx

import same_bits
import shared_corpora
from cutaway_cli import BAD_MODEL, REFUSED, default_cli, run_cli

PROVIDERS = ("onednn,cpu", "openvino,cpu", "declared(TensorRT),cpu", "onednn,declared(QNN-HTP),openvino,cpu")
MODES = {"beside": (), "embedded": ("--embed",)}
OPTIONS = ("--threads", "1", "--log", "error")


def context_nodes(graph):
    for node in graph.node:
        if node.op_type == "EPContext":
            yield {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
        for attribute in node.attribute:
            for body in ([attribute.g] if attribute.HasField("g") else list(attribute.graphs)):
                yield from context_nodes(body)


def complaint_about(model, mode):
    """What is wrong with the form of an export, or its context nodes by source."""
    sources = collections.Counter()
    mains = collections.Counter()
    for node in context_nodes(model.graph):
        source = node.get("source", b"").decode()
        sources[source] += 1
        mains[source] += node.get("main_context", 1)
        if node.get("embed_mode", 1) != (mode == "embedded"):
            return f"a context node of {source} has embed_mode {node.get('embed_mode', 1)}", sources
    for source, count in sources.items():
        wanted = count if mode == "embedded" else 1
        if mains[source] != wanted:
            return f"{mains[source]} main contexts of {source} instead of {wanted}", sources
    return "", sources


def try_mode(cli, model, providers, mode, plain, folder):
    """(skipped because, complaint, sources)."""
    target = folder / f"{mode}_ctx.onnx"
    wanted = ("--providers", providers, *OPTIONS)
    done = run_cli(cli, "context", model, "-o", target, *MODES[mode], *wanted, timeout=600)
    if done.code != 0:
        return "", f"export: {done.reason}", {}
    exported = onnx.load(target, load_external_data=False)
    complaint, sources = complaint_about(exported, mode)
    if complaint or not sources:
        return "" if complaint else "nothing compiled", complaint, sources
    # Recompiling would hide a context that cannot be restored: only a restored node may answer.
    found = same_bits.outputs_of(cli, target, folder / f"{mode}_outputs", wanted)
    return "", same_bits.difference(plain, found), sources


def check(cli, model):
    """[(providers, mode, word, why)]."""
    lines = []
    for providers in PROVIDERS:
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            plain = same_bits.outputs_of(cli, model, scratch / "plain", ("--providers", providers, *OPTIONS))
            if isinstance(plain, str):
                lines.append((providers, "", "skipped", f"does not run: {plain}"))
                continue
            for mode in MODES:
                skipped, complaint, sources = try_mode(cli, model, providers, mode, plain, scratch)
                word = "failed" if complaint else "skipped" if skipped else "passed"
                lines.append((providers, mode, word, complaint or skipped or ", ".join(f"{count} of {source}" for source, count in sorted(sources.items()))))
                if skipped:
                    break
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--packs", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    models = arguments.models
    if not models and (arguments.shared or arguments.packs):
        if not shared_corpora.CORPORA.is_dir():
            print("the shared corpora are not here\n0 passed, 0 failed, 82 skipped")
            return 0
        folders = [folder for folder in shared_corpora.model_folders() if arguments.packs or not folder.name.startswith("pack-")]
        models = shared_corpora.all_models(folders)
    if not models:
        models = [model for model in same_bits.models_at_hand() if arguments.light or "light_" not in str(model)]
    counts, by_providers = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for model, lines in zip(models, pool.map(lambda each: check(arguments.cli, each), models)):
            for providers, mode, word, why in lines:
                counts[word] += 1
                by_providers[providers, word] += 1
                if word == "failed" or arguments.verbose:
                    print(f"{word:8}{shared_corpora.short(model)} [{providers}{' ' + mode if mode else ''}]: {why}", flush=True)
    for providers in PROVIDERS:
        print(f"{providers}: " + ", ".join(f"{by_providers[providers, word]} {word}" for word in ("passed", "failed", "skipped")))
    print(", ".join(f"{counts[word]} {word}" for word in ("passed", "failed", "skipped")))
    return 0 if counts["passed"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
