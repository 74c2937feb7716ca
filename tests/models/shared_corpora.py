#!/usr/bin/env python3
"""What cutaway-cli makes of the shared corpora, where they lie beside the repository (../shared/corpora).

    shared_corpora.py inspect     every model and every file of the packs: a report or a clear refusal, never a crash
    shared_corpora.py bad         each bad-* model: exit code 3 and a message of its own
    shared_corpora.py check       every case with test data: no wrong number (data in .npz is rewritten first)
    shared_corpora.py compare     the models named in COMPARED agree with onnxruntime on random inputs

Packs are unpacked to, and test data is written to, build/test-data/shared. Without the corpora it says how many cases it
leaves out and passes. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

from cutaway_cli import BAD_MODEL, DONE, REFUSED, REPOSITORY, TEST_DATA, default_cli, run_cli

CORPORA = REPOSITORY.parent / "shared" / "corpora" / "models"
SCRATCH = TEST_DATA / "shared"
ENDINGS = (".onnx", ".textproto", ".onnxtxt", ".pbtxt", ".ort")
# What there is to try in the corpora that the project was built with; said when they are not there.
USUAL_COUNTS = {"inspect": "1589 models", "bad": "8 models", "check": "6 cases", "compare": "7 models", "table": "82 models"}
COMPARED = ("mlperf-tiny-resnet8", "cifar-pytorch-tutorial", "mnist-external", "ultraface-rfb-320", "yolox-nano",
            "rl-go1-policy", "squeezenet-fp16")
# Bad for some inputs only: inspecting it is fine, running it with these must end as a bad model.
BAD_WHEN_RUN = {"bad-conditionally-invalid": {"cond": np.array([False])}}


def unpacked(pack):
    """The folder of a pack's files, unpacked once."""
    archive, target = pack / "pack.tar.xz", SCRATCH / "packs" / pack.name
    key = f"{archive.stat().st_size} {hashlib.sha256(archive.read_bytes()).hexdigest()}"
    stamp = target / ".stamp"
    if not (stamp.exists() and stamp.read_text() == key):
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        with tarfile.open(archive) as files:
            files.extractall(target, [member for member in files if member.isfile() and ".." not in member.name])
        stamp.write_text(key)
    return target


def model_folders():
    return sorted(path for path in CORPORA.iterdir() if path.is_dir() and not path.name.startswith("_"))


def all_models(folders=None):
    found = []
    for folder in model_folders() if folders is None else folders:
        root = unpacked(folder) if folder.name.startswith("pack-") else folder
        found += sorted(path for path in root.rglob("*") if path.suffix in ENDINGS)
    return found


def short(path):
    for root in (CORPORA, SCRATCH / "packs", SCRATCH):
        if path.is_relative_to(root):
            return str(path.relative_to(root))
    return str(path)


class Tally:
    """Counts verdicts, prints those worth reading, and closes with the sums."""

    def __init__(self, verbose):
        self.verbose, self.counts = verbose, {"passed": 0, "failed": 0, "skipped": 0}

    def add(self, word, name, why=""):
        self.counts[word] += 1
        if word == "failed" or self.verbose:
            print(f"{word:8}{name}: {why}", flush=True)

    def close(self):
        print(", ".join(f"{count} {word}" for word, count in self.counts.items()))
        return 1 if self.counts["failed"] or not self.counts["passed"] else 0


def inspect_verdict(cli, path, timeout):
    outcome = run_cli(cli, "inspect", path, "--json", "--log", "off", timeout=timeout)
    if outcome.code == DONE:
        try:
            report = json.loads(outcome.stdout)
        except json.JSONDecodeError as error:
            return "failed", f"no JSON: {error}"
        return ("passed", "a report") if "schema_version" in report else ("failed", "a report without schema_version")
    if outcome.code in (BAD_MODEL, REFUSED):
        return ("passed", outcome.reason) if outcome.stderr.strip() else ("failed", f"{outcome.code} without a word")
    return "failed", outcome.reason


def inspect_all(arguments):
    tally, models = Tally(arguments.verbose), all_models()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        verdicts = pool.map(lambda path: inspect_verdict(arguments.cli, path, arguments.timeout), models)
        for path, (word, why) in zip(models, verdicts):
            tally.add(word, short(path), why)
    return tally.close()


def message_of(outcome, path):
    """What was said, without what differs from file to file anyway."""
    said = outcome.stderr.replace(str(path), "").replace(str(path.parent), "").replace(path.name, "")
    return " ".join(said.split())


def run_bad(arguments, path, feeds):
    if feeds is None:
        return run_cli(arguments.cli, "inspect", path, timeout=arguments.timeout)
    command = ["run", path]
    for name, array in feeds.items():
        file = SCRATCH / "feeds" / f"{path.stem}_{name}.npy"
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, array)
        command += ["--input", f"{name}={file}"]
    return run_cli(arguments.cli, *command, timeout=arguments.timeout)


def check_bad(arguments):
    tally, said = Tally(arguments.verbose), {}
    for folder in model_folders():
        if not folder.name.startswith("bad-"):
            continue
        path = next(iter(sorted(file for file in folder.iterdir() if file.suffix in ENDINGS)))
        outcome = run_bad(arguments, path, BAD_WHEN_RUN.get(folder.name))
        message = message_of(outcome, path)
        if outcome.code != BAD_MODEL:
            tally.add("failed", folder.name, f"expected exit code {BAD_MODEL}; {outcome.reason}")
        elif not message or message in said:
            tally.add("failed", folder.name, f"says the same as {said.get(message, 'nobody: nothing')}")
        else:
            tally.add("passed", folder.name, outcome.reason)
        said.setdefault(message, folder.name)
    return tally.close()


def fits(array, info):
    """Whether `array` can be the value that `info` describes."""
    tensor = info.type.tensor_type
    shape = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
    return (helper.np_dtype_to_tensor_dtype(array.dtype) == tensor.elem_type and len(shape) == array.ndim
            and all(size in (None, given) for size, given in zip(shape, array.shape)))


def assign(arrays, infos, complete):
    """The arrays for `infos`, by name or, when only one fits, by type and shape; None when an input stays without."""
    chosen = []
    for info in infos:
        fitting = [array for name, array in arrays.items() if name == info.name] or \
                  [array for array in arrays.values() if fits(array, info)]
        if len(fitting) == 1 and fits(fitting[0], info):
            chosen.append(fitting[0])
        elif complete:
            return None
        else:
            chosen.append(None)
    return chosen


def rewrite_npz(path, model_path):
    """A case folder for `cutaway-cli check` made of a model and its .npz, or None when they do not fit each other."""
    arrays = load_npz(path)
    if any(array.dtype == object for array in arrays.values()):
        return None
    target = SCRATCH / "cases" / short(path).removesuffix(".npz").replace("/", "__")
    graph = onnx.load(model_path, load_external_data=False).graph
    held = {initializer.name for initializer in graph.initializer}
    infos = [info for info in graph.input if info.name not in held]
    inputs = assign(arrays, infos, complete=True)
    outputs = assign(arrays, graph.output, complete=False)
    if inputs is None or all(output is None for output in outputs):
        return None
    data = target / "test_data_set_0"
    shutil.rmtree(target, ignore_errors=True)
    data.mkdir(parents=True)
    shutil.copyfile(model_path, target / "model.onnx")
    for index, (info, array) in enumerate(zip(infos, inputs)):
        (data / f"input_{index}.pb").write_bytes(numpy_helper.from_array(array, info.name).SerializeToString())
    for index, (info, array) in enumerate(zip(graph.output, outputs)):
        if array is not None:
            (data / f"output_{index}.pb").write_bytes(numpy_helper.from_array(array, info.name).SerializeToString())
    return target


def load_npz(path):
    with np.load(path, allow_pickle=False) as arrays:
        try:
            return {name: arrays[name] for name in arrays.files}
        except ValueError:  # holds pickled objects
            return {"": np.array(None, dtype=object)}


def check_cases(arguments):
    cases, left_out = [], []
    for folder in model_folders():
        root = unpacked(folder) if folder.name.startswith("pack-") else folder
        cases += sorted(path.parent for path in root.rglob("test_data_set_0") if (path.parent / "model.onnx").exists())
        for npz in sorted(root.rglob("*.npz")):
            models = sorted(npz.parent.glob("*.onnx"))
            case = rewrite_npz(npz, models[0]) if models else None
            (cases if case else left_out).append(case or npz)
    for path in left_out:
        print(f"left out: {short(path)}: its arrays do not fit the model's inputs and outputs")
    tally = Tally(arguments.verbose)
    for case in cases:
        tally.add(*case_verdict(arguments, case))
    return tally.close()


def is_quantised(path):
    return any(node.op_type == "QuantizeLinear" for node in onnx.load(path, load_external_data=False).graph.node)


def case_verdict(arguments, case):
    """Word, name and reason. Recorded outputs of quantised models hold the rounding of the engine that made them: `compare` judges those."""
    if is_quantised(case / "model.onnx"):
        return "skipped", short(case), "quantised: its recorded outputs are one engine's rounding"
    outcome = run_cli(arguments.cli, "check", case, "--timeout", "60", timeout=arguments.timeout)
    said = " ".join(outcome.stdout.split())
    if outcome.code == DONE:
        return "passed", short(case), said
    return ("skipped" if "NOT_IMPLEMENTED" in said and not outcome.crashed else "failed"), short(case), said


def compare(arguments):
    script = pathlib.Path(__file__).with_name("compare_with_onnxruntime.py")
    models = [CORPORA / name for name in COMPARED if (CORPORA / name).exists()]
    return subprocess.run([sys.executable, script, *models, "--cli", arguments.cli]).returncode


ACTIONS = {"inspect": inspect_all, "bad": check_bad, "check": check_cases, "compare": compare}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli(), help="the program to test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--verbose", action="store_true", help="a line for what passes too")
    arguments = parser.parse_args()
    if not CORPORA.is_dir():
        print(f"no shared corpora beside the repository: left out {USUAL_COUNTS[arguments.action]}")
        return 0
    return ACTIONS[arguments.action](arguments)


if __name__ == "__main__":
    sys.exit(main())
