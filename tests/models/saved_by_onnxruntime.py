#!/usr/bin/env python3
"""Models that onnxruntime saved are run by cutaway-cli and must give what onnxruntime gives for the original.

    saved_by_onnxruntime.py [MODEL or FOLDER ...]

Without arguments: the samples of the repository and small members of families with convolutions. Each is saved in
onnxruntime's own format (.ort) without optimisation, at level "extended" and at level "all", and as .onnx at level "all", where
convolutions are in com.microsoft.nchwc. Prints a line a file and the sums.
"""

import argparse
import os
import pathlib
import sys
import tempfile

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

import compare_with_onnxruntime as peer
from cutaway_cli import REPOSITORY, default_cli
from generated_models import MODELS, make
from random_inputs import NotSupported, random_inputs

LEVELS = onnxruntime.GraphOptimizationLevel
FORMS = (("none", LEVELS.ORT_DISABLE_ALL, ".ort"), ("extended", LEVELS.ORT_ENABLE_EXTENDED, ".ort"),
         ("all", LEVELS.ORT_ENABLE_ALL, ".ort"), ("all", LEVELS.ORT_ENABLE_ALL, ".onnx"))
# Sample rates, states and loops; convolutions of many kinds, functions, bodies, quantised weights.
FAMILIES = ("resnet50", "mobilenet_v2", "efficientnet_like", "unet", "qdq_cnn", "gpt2", "lstm_tagger", "deep_subgraphs", "many_functions")


def save(source, target, level):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = level
    options.optimized_model_filepath = str(target)
    if target.suffix == ".ort":
        options.add_session_config_entry("session.save_model_format", "ORT")
    try:
        onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise peer.Skipped(f"onnxruntime does not save it: {peer.first_line(error)}") from error


def compare(path, folder, arguments):
    """(word, file, why) for each form of the model."""
    try:
        model = peer.read_model(path)
        feeds = random_inputs(model, arguments.seed, {})
        theirs = peer.run_onnxruntime(path, model, feeds)
    except (peer.Skipped, NotSupported) as reason:
        yield "skipped", path, str(reason)
        return
    tolerance = arguments.tolerance
    if peer.is_quantised(model):
        tolerance = max(tolerance, 2 * peer.quantisation_noise(path, model, feeds, theirs))
    source = str(path) if path.suffix == ".onnx" else model.SerializeToString()
    for level, number, ending in FORMS:
        saved = folder / f"{path.parent.name}-{path.stem}-{level}{ending}"
        try:
            save(source, saved, number)
            ours, expected = peer.pieces(peer.run_cutaway(saved, model, feeds, arguments)), peer.pieces(theirs)
            if set(ours) != set(expected):
                raise peer.Failed(f"outputs {sorted(ours)[:9]}, expected {sorted(expected)[:9]}")
            most = max((peer.compare_arrays(name, ours[name], expected[name], tolerance) for name in expected), default=0.0)
            yield "passed", saved.name, f"differs by {most:.1e} at most"
        except peer.Skipped as reason:
            yield "skipped", saved.name, str(reason)
        except peer.Failed as reason:
            yield "failed", saved.name, str(reason)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="MODEL")
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli(), help="the program to test")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tolerance", type=float, default=1e-3, help="allowed difference, as a share of the largest value")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    parser.set_defaults(passed_on=[], strict=True)
    arguments = parser.parse_args()
    paths = peer.find_models(arguments.paths or [REPOSITORY / "resources" / "samples"])
    paths += [] if arguments.paths else [make(name, MODELS[name]) for name in FAMILIES]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for word, name, why in compare(path, pathlib.Path(folder), arguments):
                counts[word] += 1
                print(f"{word:8}{name}: {why}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
