#!/usr/bin/env python3
"""same_bits.py [MODEL...]: outputs are the same to the last bit, however a model is planned and run.

Each model runs once plainly (one thread) and then with each order, the dataflow executor, each switch of the planner, the
onnxruntime's rules, and once more as before; outputs must be equal byte by byte. Two threads are compared with one as
well: where they differ, the model is named with its largest difference, because some kernels split sums over threads, and
that is no failure; two runs on two threads must agree. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import tempfile

import numpy as np

import generated_models
from cutaway_cli import REPOSITORY, TEST_DATA, default_cli, run_cli

ONE_THREAD = ("--threads", "1")
VARIANTS = {
    "again": (),
    "fifo order": ("--order", "fifo"),
    "priority order": ("--order", "priority"),
    "memory order": ("--order", "memory"),
    "dataflow": ("--executor", "dataflow", "--inter-threads", "2"),
    "dataflow, memory order": ("--executor", "dataflow", "--inter-threads", "2", "--order", "memory"),
    "dataflow, pattern off": ("--executor", "dataflow", "--inter-threads", "2", "--set", "session.enable_mem_pattern=0"),
    "onnxruntime's rules": ("--plan", "onnxruntime"),
    "not in place": ("--no-in-place",),
    "no reuse": ("--set", "session.enable_mem_reuse=0"),
    "pattern off": ("--set", "session.enable_mem_pattern=0"),
}


def outputs_of(cli, model, folder, options):
    """Name -> array, or why there is none."""
    folder.mkdir(parents=True)
    done = run_cli(cli, "run", model, "--random", "7", "--save-outputs", folder, "--format", "npy", *options, timeout=300)
    if done.code != 0:
        return done.reason
    return {path.name: np.load(path, allow_pickle=True) for path in sorted(folder.rglob("*.npy"))}


def equal(one, other):
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def difference(plain, found):
    """Empty when equal; else the first that differs, and by how much."""
    if isinstance(found, str):
        return found
    if plain.keys() != found.keys():
        return f"outputs {sorted(found)} instead of {sorted(plain)}"
    for name, array in plain.items():
        if not equal(array, found[name]):
            if array.shape != found[name].shape or not np.issubdtype(array.dtype, np.number):
                return f"{name} differs"
            return f"{name} differs by up to {np.abs(array.astype(np.float64) - found[name].astype(np.float64)).max():.3g}"
    return ""


def check(cli, model):
    """(skipped, complaints, note)."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        plain = outputs_of(cli, model, scratch / "plain", ONE_THREAD)
        if isinstance(plain, str):
            return plain, [], ""
        complaints = []
        for number, (name, options) in enumerate(VARIANTS.items()):
            # Workers share the threads of a run: two of them with one each.
            threads = ("--threads", "2") if "dataflow" in name else ONE_THREAD
            said = difference(plain, outputs_of(cli, model, scratch / str(number), (*threads, *options)))
            if said:
                complaints.append(f"{name}: {said}")
        two = outputs_of(cli, model, scratch / "two", ("--threads", "2"))
        if isinstance(two, str):
            return None, complaints + [f"two threads: {two}"], ""
        again = difference(two, outputs_of(cli, model, scratch / "two_again", ("--threads", "2")))
        if again:
            complaints.append(f"two threads, again: {again}")
        return None, complaints, difference(plain, two)


def models_at_hand():
    found = sorted((REPOSITORY / "resources" / "samples").glob("*/model.onnx"))
    found += [generated_models.make(name, settings) for name, settings in generated_models.MODELS.items()]
    return found + sorted((TEST_DATA / "backend" / "light").glob("*/model.onnx"))


def name_of(model):
    return model.parent.name if model.stem == "model" else model.stem


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    passed = failed = skipped = 0
    models = arguments.models or models_at_hand()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for model, (refused, complaints, note) in zip(models, pool.map(lambda model: check(arguments.cli, model), models)):
            if refused:
                skipped += 1
                print(f"skipped {name_of(model)}: {refused}")
                continue
            for complaint in complaints:
                print(f"{name_of(model)}: {complaint}")
            if note:
                print(f"note: {name_of(model)}: two threads against one: {note}")
            print(f"{name_of(model)}: {'different' if complaints else 'the same'}", flush=True)
            failed += bool(complaints)
            passed += not complaints
            sys.stdout.flush()
    print(f"{len(VARIANTS)} ways to plan and run each model")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
