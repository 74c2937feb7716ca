#!/usr/bin/env python3
"""Damaged operator cases through `cutaway-cli check`: whatever is broken, there is an answer and never a crash.

Each conformance case is copied with one thing changed, chosen by a seed: an input's dims, its values (extremes, NaN,
infinities, indices out of range), or an attribute (extremes, a list too long or too short, another text); the declared shapes
are taken out, so that kernels see the damage and not only inference. A result or a refusal passes, right or wrong; a signal,
an exception, an INTERNAL error or silence fails. Meant for the asan preset above all (CUTAWAY_BIN_DIR=build/asan/bin).
Last line: `N passed, N failed, N skipped`.
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, TensorProto, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))
from cutaway_cli import TEST_DATA, default_cli  # noqa: E402
from message_rules import message_faults  # noqa: E402

# Nothing between small and absurd: a plausible number of elements or iterations tests the machine's memory and patience, not the rules.
INTEGERS = (-(2**63), -(2**31), -7, -2, -1, 0, 1, 2, 3, 9, 2**62, 2**63 - 1)
PLAUSIBLE = 2**40
FLOATS = (float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 1e30, -1e30, 0.5, 7.0)
TEXTS = ("", "x", "VALID", "SAME_UPPER", "linear", "(", "ij->ji")
CRASH = re.compile(r"crashed|no result after|exception|ended with code|INTERNAL|AddressSanitizer|runtime error")


def damaged_attribute(rng, attribute):
    if attribute.type == AttributeProto.INT:
        attribute.i = rng.choice(INTEGERS)
    elif attribute.type == AttributeProto.FLOAT:
        attribute.f = rng.choice(FLOATS)
    elif attribute.type == AttributeProto.STRING:
        attribute.s = rng.choice(TEXTS).encode()
    elif attribute.type in (AttributeProto.INTS, AttributeProto.FLOATS, AttributeProto.STRINGS):
        held, pool = {AttributeProto.INTS: (attribute.ints, INTEGERS), AttributeProto.FLOATS: (attribute.floats, FLOATS),
                      AttributeProto.STRINGS: (attribute.strings, [text.encode() for text in TEXTS])}[attribute.type]
        values = list(held)
        how = rng.randrange(3)
        if how == 0 and values:
            values[rng.randrange(len(values))] = rng.choice(pool)
        elif how == 1 and values:
            values.pop()
        else:
            values.append(rng.choice(pool))
        del held[:]
        held.extend(values)
    else:
        return False
    return True


def damaged_values(rng, array):
    array = array.copy()
    flat = array.reshape(-1)
    places = [rng.randrange(flat.size) for _ in range(min(3, flat.size))]
    if array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        fitting = [number for number in INTEGERS if limits.min <= number <= limits.max and (number < 10 or number > PLAUSIBLE)]
        for place in places:
            flat[place] = rng.choice(fitting)
    elif array.dtype.kind == "f":
        for place in places:
            flat[place] = np.float64(rng.choice(FLOATS))
    else:
        return None
    return array


def damaged_dims(rng, array):
    dims, how = list(array.shape), rng.randrange(5)
    if how == 0 and dims:
        dims[rng.randrange(len(dims))] = rng.choice((0, 1, 2, 5))
    elif how == 1 and dims:
        dims.pop(rng.randrange(len(dims)))
    elif how == 2 and len(dims) > 1:
        rng.shuffle(dims)
    else:
        dims.insert(rng.randrange(len(dims) + 1), rng.choice((0, 1, 2)))
    if array.size == 0:
        return np.zeros(dims, array.dtype)
    return np.resize(array, dims) if 0 not in dims else np.zeros(dims, array.dtype)


def read_tensor(path):
    """The input's array, when it is one that numpy has a type for."""
    try:
        tensor = TensorProto.FromString(path.read_bytes())
    except DecodeError:  # a sequence or a map
        return None, ""
    if not tensor.data_type or tensor.data_type in (TensorProto.STRING, TensorProto.BFLOAT16) or tensor.data_type > TensorProto.BFLOAT16:
        return None, tensor.name
    try:
        return numpy_helper.to_array(tensor), tensor.name
    except Exception:  # a sequence or a map
        return None, ""


def without_shapes(model):
    for info in model.graph.input:
        if info.type.HasField("tensor_type"):
            info.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    for info in model.graph.output:
        if info.type.HasField("tensor_type"):
            info.type.tensor_type.ClearField("shape")


def damage(rng, model, files):
    """Changes one thing; gives the files to write instead, or None when this draw changed nothing."""
    attributes = [attribute for node in model.graph.node for attribute in node.attribute]
    if attributes and (not files or rng.random() < 0.4):
        return {} if damaged_attribute(rng, rng.choice(attributes)) else None
    if not files:
        return None
    path = rng.choice(files)
    array, name = read_tensor(path)
    if array is None or any(node.op_type == "Loop" for node in model.graph.node):  # a trip count is a promise to run so long
        return None
    changed = damaged_values(rng, array) if rng.random() < 0.5 and array.size else damaged_dims(rng, array)
    return None if changed is None else {path.name: numpy_helper.from_array(changed, name).SerializeToString()}


def write_mutant(case, target, rng):
    model = onnx.load(case / "model.onnx")
    without_shapes(model)
    data = case / "test_data_set_0"
    instead = damage(rng, model, sorted(data.glob("input_*.pb")))
    if instead is None:
        return False
    (target / "test_data_set_0").mkdir(parents=True)
    (target / "model.onnx").write_bytes(model.SerializeToString())
    for file in data.iterdir():
        (target / "test_data_set_0" / file.name).write_bytes(instead.get(file.name, file.read_bytes()))
    return True


def write_mutants(cases, folder, rounds, seed):
    written = 0
    for case in cases:
        for number in range(rounds):
            rng = random.Random(f"{seed} {case.name} {number}")
            written += write_mutant(case, folder / f"{case.parent.name}-{case.name}-{number}", rng)
    return written


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--rounds", type=int, default=1, help="mutants of each case")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth case")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="only cases whose path holds this")
    parser.add_argument("--keep", type=pathlib.Path, help="write the mutants here and leave them there")
    arguments = parser.parse_args()
    roots = [TEST_DATA / "backend" / kind for kind in ("node", "own")]
    cases = sorted(path.parent for root in roots for path in root.rglob("model.onnx") if (path.parent / "test_data_set_0").is_dir() and arguments.only in str(path))[:: arguments.every]
    np.seterr(all="ignore")  # 1e30 as a half is an infinity, which is what we want
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or pathlib.Path(scratch) / "mutants"
        written = write_mutants(cases, folder, arguments.rounds, arguments.seed)
        report = pathlib.Path(scratch) / "report.json"
        environment = {**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")}
        subprocess.run([arguments.cli, "check", folder, "--jobs", str(arguments.jobs), "--timeout", "60", "--json", report], stdout=subprocess.DEVNULL, check=False, env=environment)
        failures = [failure for failure in json.loads(report.read_text())["failures"] if CRASH.search(failure["message"]) or any(message_faults(failure["message"], 1))]
    for failure in failures:
        print(f"{pathlib.Path(failure['case']).name}: {failure['message'][:400]}")
    print(f"{written - len(failures)} passed, {len(failures)} failed, {len(cases) * arguments.rounds - written} skipped")
    return 1 if failures or not written else 0


if __name__ == "__main__":
    sys.exit(main())
