#!/usr/bin/env python3
"""Whole models through the CUDA provider on the CPU (backend=emulator): the bundled samples give what their test data say, small generated models what cpu computes; streams late and memory protected, too."""

import pathlib
import sys
import tempfile

import numpy as np
from cutaway_cli import DONE, REPOSITORY, default_cli, run_cli

ORDERS = ("cuda{backend=emulator},cpu", "cuda{backend=emulator,strict=1},cpu")
# Model, its parameters, dims. The first has row chains whose constants come after the reduction (root mean square), the second convolutions.
MODELS = (
    ("llama", ["layers=1", "hidden=64", "heads=4", "kv_heads=2", "ffn=96", "vocab=100"], ["batch=2", "sequence=3", "past_sequence=5", "total_sequence=8"]),
    ("resnet50", ["image=32", "width=8", "classes=10"], ["batch=2"]),
)
RELATIVE, ABSOLUTE = 1e-3, 1e-4


def outputs(model, providers, dims, folder):
    flags = [word for dim in dims for word in ("--dim", dim)]
    done = run_cli(default_cli(), "run", model, "--providers", providers, "--random", "1", *flags, "--save-outputs", folder, "--format", "npy")
    if done.code != DONE:
        raise RuntimeError(f"{providers}: {done.reason}")
    return {path.stem: np.load(path).astype(np.float64) for path in sorted(folder.glob("*.npy"))}


def differences(wanted, seen):
    if not wanted or wanted.keys() != seen.keys():
        return [f"outputs {sorted(seen)} instead of {sorted(wanted)}"]
    wrong = []
    for name, expected in wanted.items():
        if seen[name].shape != expected.shape:
            wrong.append(f"{name}: shape {seen[name].shape} instead of {expected.shape}")
        elif not np.allclose(seen[name], expected, RELATIVE, ABSOLUTE, equal_nan=True):
            wrong.append(f"{name} differs by {np.nanmax(np.abs(seen[name] - expected)):.3g}")
    return wrong


def check_model(folder, name, parameters, dims):
    made = run_cli(sys.executable, REPOSITORY / "tests" / "models" / "make_models.py", "--out", folder, name, *parameters)
    if made.code != DONE:
        return [f"{name} cannot be made: {made.reason}"]
    model = folder / f"{name}.onnx"
    wrong = []
    try:
        wanted = outputs(model, "cpu", dims, folder / f"{name}-cpu")
        for number, providers in enumerate(ORDERS):
            wrong += [f"{providers}: {line}" for line in differences(wanted, outputs(model, providers, dims, folder / f"{name}-{number}"))]
    except RuntimeError as error:
        wrong.append(str(error))
    print(f"{name}: {'; '.join(wrong) or 'as cpu'}")
    return [f"{name}: {line}" for line in wrong]


def check_samples(providers):
    done = run_cli(default_cli(), "check", REPOSITORY / "resources" / "samples", "--providers", providers, "--jobs", "1")
    print(f"samples on {providers}: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.reason}")
    return [] if done.code == DONE else [f"samples on {providers}: {done.reason}"]


def main():
    wrong = [line for providers in ORDERS for line in check_samples(providers)]
    with tempfile.TemporaryDirectory() as folder:
        wrong += [line for row in MODELS for line in check_model(pathlib.Path(folder), *row)]
    for line in wrong:
        print("FAIL", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
