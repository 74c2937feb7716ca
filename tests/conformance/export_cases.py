#!/usr/bin/env python3
"""Writes the ONNX backend test cases of the pinned onnx package into the build folder.

Every case becomes a folder that `cutaway-cli check` understands:

    build/test-data/backend/<kind>/<case>/model.onnx
    build/test-data/backend/<kind>/<case>/test_data_set_0/{input_0.pb,output_0.pb}

Kinds: node (made by running the package's case functions), simple, pytorch-converted and pytorch-operator (files of
the package), light (models of the package whose inputs its runner makes as it goes; made here by the same rule), own (the families of own_cases/, a folder each).
A case with a tolerance of its own keeps it in data.json, with {"compare": "shape"} where the outputs are random draws (known_bad.tsv names those of the package). Nothing is written when the folder is up to date.
"""

import argparse
import hashlib
import importlib
import json
import pathlib
import shutil
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PACKAGE_DATA = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
OWN_CASES = pathlib.Path(__file__).resolve().parent / "own_cases"
FILE_KINDS = ("simple", "pytorch-converted", "pytorch-operator")
USUAL_TOLERANCE = {"rtol": 1e-3, "atol": 1e-7}


def map_proto(values, info):
    """A dict as the package's to_dict reads it; its from_dict knows no strings as values."""
    declared = info.type.map_type
    proto = onnx.MapProto(name=info.name, key_type=declared.key_type)
    if declared.key_type == TensorProto.STRING:
        proto.string_keys.extend(key.encode() for key in values)
    else:
        proto.keys.extend(values)
    proto.values.elem_type = onnx.SequenceProto.TENSOR
    proto.values.tensor_values.extend(helper.make_tensor("", declared.value_type.tensor_type.elem_type, [], [value]) for value in values.values())
    return proto


def to_proto(value, info):
    """The message that holds `value`, an input or output described by the ValueInfoProto `info`."""
    if isinstance(value, TensorProto):
        return value
    kind = info.type.WhichOneof("value")
    if kind == "map_type":
        return map_proto(value, info)
    if kind == "sequence_type" and info.type.sequence_type.elem_type.HasField("map_type"):
        element = onnx.ValueInfoProto(type=info.type.sequence_type.elem_type)
        return onnx.SequenceProto(name=info.name, elem_type=onnx.SequenceProto.MAP, map_values=[map_proto(each, element) for each in value])
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    return numpy_helper.from_array(np.asarray(value), info.name)


def write_values(folder, prefix, values, infos):
    for index, value in enumerate(values):
        (folder / f"{prefix}_{index}.pb").write_bytes(to_proto(value, infos[index]).SerializeToString())


def random_cases():
    """Names of package cases whose expected values are random draws, from known_bad.tsv."""
    lines = (pathlib.Path(__file__).resolve().parent / "known_bad.tsv").read_text().splitlines()
    return {line.split("\t")[0] for line in lines if line and not line.startswith("#")}


def write_tolerance(folder, rtol, atol, compare="values"):
    tolerance = {"rtol": rtol, "atol": atol}
    if compare != "values":
        tolerance["compare"] = compare
    if tolerance != USUAL_TOLERANCE:
        (folder / "data.json").write_text(json.dumps(tolerance, sort_keys=True) + "\n")


def export_node_cases(target):
    """The operator cases; the package makes them in memory, with numpy as the reference."""
    from onnx.backend.test.case.node import collect_testcases

    with np.errstate(all="ignore"):  # some cases are about overflow and division by zero
        cases = collect_testcases(None)
    random = random_cases()
    for case in cases:
        folder = target / case.name
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(case.model.SerializeToString())
        write_tolerance(folder, case.rtol, case.atol, "shape" if case.name in random else "values")
        for number, (inputs, outputs) in enumerate(case.data_sets):
            data = folder / f"test_data_set_{number}"
            data.mkdir()
            write_values(data, "input", inputs, case.model.graph.input)
            write_values(data, "output", outputs, case.model.graph.output)
    return len(cases)


def export_file_cases(kind, target):
    """Cases that lie in the package as finished folders."""
    folders = sorted(path.parent for path in (PACKAGE_DATA / kind).glob("*/model.onnx"))
    for folder in folders:
        shutil.copytree(folder, target / folder.name)
    return len(folders)


def ramp(info):
    """The input that the package's runner feeds its light models: 0, 1/n, 2/n ... in the declared shape."""
    shape = [dim.dim_value if dim.HasField("dim_value") else 1 for dim in info.type.tensor_type.shape.dim]
    count = int(np.prod(shape))
    return (np.arange(count).reshape(shape) / count).astype(np.float32)


def export_light_cases(target):
    """The zoo's classics with constant weights; expected outputs are files of the package."""
    tolerances = {}
    for path in (PACKAGE_DATA / "real").glob("*/data.json"):
        data = json.loads(path.read_text())
        tolerances[pathlib.PurePath(data["url"]).stem] = data
    models = sorted(path for path in (PACKAGE_DATA / "light").glob("*.onnx"))
    for path in models:
        folder = target / path.stem
        data = folder / "test_data_set_0"
        data.mkdir(parents=True)
        shutil.copyfile(path, folder / "model.onnx")
        tolerance = tolerances.get(path.stem, {})
        write_tolerance(folder, *(tolerance.get(key, usual) for key, usual in USUAL_TOLERANCE.items()))
        graph = onnx.load(path).graph
        held = {initializer.name for initializer in graph.initializer}
        feeds = [info for info in graph.input if info.name not in held]
        write_values(data, "input", [ramp(info) for info in feeds], feeds)
        for index in range(len(graph.output)):
            shutil.copyfile(path.with_name(f"{path.stem}_output_{index}.pb"), data / f"output_{index}.pb")
    return len(models)


def family_modules():
    return sorted(path for path in OWN_CASES.glob("*.py") if "\ndef cases(" in path.read_text())


def export_own_cases(target):
    """The families of own_cases/: what the package has no case for."""
    sys.path.insert(0, str(OWN_CASES))
    count = 0
    for path in family_modules():
        for case in importlib.import_module(path.stem).cases():
            folder = target / path.stem / case.name
            data = folder / "test_data_set_0"
            data.mkdir(parents=True)
            (folder / "model.onnx").write_bytes(case.model.SerializeToString())
            write_tolerance(folder, case.rtol, case.atol, case.compare)
            held = {initializer.name for initializer in case.model.graph.initializer}
            feeds = [info for info in case.model.graph.input if info.name not in held or info.name in case.inputs]
            write_values(data, "input", [case.inputs[info.name] for info in feeds], feeds)
            write_values(data, "output", [case.outputs[info.name] for info in case.model.graph.output], case.model.graph.output)
            count += 1
    return count


def export_all(target):
    counts = {"node": export_node_cases(target / "node"), "own": export_own_cases(target / "own")}
    for kind in FILE_KINDS:
        counts[kind] = export_file_cases(kind, target / kind)
    counts["light"] = export_light_cases(target / "light")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "build" / "test-data" / "backend")
    arguments = parser.parse_args()
    stamp = arguments.out / ".stamp"
    sources = b"".join(path.read_bytes() for path in [pathlib.Path(__file__).resolve(), pathlib.Path(__file__).resolve().parent / "known_bad.tsv", *sorted(OWN_CASES.glob("*.py"))])
    key = f"{onnx.__version__} {hashlib.sha256(sources).hexdigest()}"
    if stamp.exists() and stamp.read_text() == key:
        return 0
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=arguments.out.parent) as scratch:
        fresh = pathlib.Path(scratch) / "backend"
        counts = export_all(fresh)
        (fresh / ".stamp").write_text(key)
        if arguments.out.exists():
            shutil.rmtree(arguments.out)
        fresh.rename(arguments.out)
    print(f"{arguments.out}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
