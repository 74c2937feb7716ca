#!/usr/bin/env python3
"""Ctrl-C in every verb, at moments all over its work: the program ends by itself, says 130 and leaves no half-written file.

    check_ctrl_c.py [--moments N] [--nodes N] [--longest S] [--only PART] [--most-ms MS]

Each call runs once to its end, which says how long it takes; then it is interrupted at N moments of that time. No time is
judged unless --most-ms is given; the slowest answer of each call is printed. The models are made here: one of many nodes
(what stages walk over), one whose single run takes long, one of large weights, one whose loop never ends. What a sweep
keeps is forgotten before each call. Then Ctrl-C twice, in the middle of a run: --record has what was asked until then. And
Ctrl-C behind the last stage of inspect --json, while it makes formulas of a model whose types lose its four dimensions.
Last line: `N passed, N failed, N skipped`.
"""

import argparse
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from cutaway_cli import CHECK_FAILED, DONE, default_cli

CLI = default_cli()
CANCELLED = 130
FLOAT = TensorProto.FLOAT


def tensor(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def save(path, nodes, inputs, outputs, weights=()):
    model = helper.make_model(helper.make_graph(nodes, "g", inputs, outputs, list(weights)), opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    if path.stem == "large":
        onnx.save(model, path, save_as_external_data=True, location="large.bin", size_threshold=1024)
    else:
        onnx.save(model, path)
    return path


def many_nodes(path, count, shift=0.0):
    """Blocks of five nodes, each with small weights of its own, and a second way around them."""
    random = numpy.random.default_rng(1)
    nodes, weights, value = [], [], "x"
    for i in range(count // 5):
        weights.append(numpy_helper.from_array((random.standard_normal((16, 16)) / 4 + shift).astype(numpy.float32), f"w{i}"))
        weights.append(numpy_helper.from_array(random.standard_normal(16).astype(numpy.float32), f"b{i}"))
        nodes += [helper.make_node("MatMul", [value, f"w{i}"], [f"m{i}"]), helper.make_node("Add", [f"m{i}", f"b{i}"], [f"a{i}"]),
                  helper.make_node("Sigmoid", [f"a{i}"], [f"s{i}"]), helper.make_node("Mul", [f"a{i}", f"s{i}"], [f"p{i}"]),
                  helper.make_node("Add", [f"p{i}", value], [f"v{i}"])]
        value = f"v{i}"
    return save(path, nodes, [tensor("x", ["n", 16])], [tensor(value, ["n", 16])], weights)


def long_run(path):
    random = numpy.random.default_rng(2)
    nodes, weights, value = [], [], "x"
    for i in range(6):
        weights.append(numpy_helper.from_array((random.standard_normal((96, 96, 3, 3)) / 40).astype(numpy.float32), f"w{i}"))
        nodes += [helper.make_node("Conv", [value, f"w{i}"], [f"c{i}"], pads=[1, 1, 1, 1]), helper.make_node("Relu", [f"c{i}"], [f"r{i}"])]
        value = f"r{i}"
    return save(path, nodes, [tensor("x", [1, 96, 320, 320])], [tensor(value, [1, 96, 320, 320])], weights)


def lost_dimensions(path, count):
    """Halvings, so that formulas come of some sixty typings."""
    nodes = [helper.make_node("MaxPool", ["x"], ["v0"], kernel_shape=[2, 2], strides=[2, 2])]
    nodes += [helper.make_node("MaxPool", [f"v{i}"], [f"v{i + 1}"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]) for i in range(count)]
    return save(path, nodes, [tensor("x", ["n", "c", "h", "w"])], [tensor(f"v{count}", ["n", "c", "a", "b"])])


def large_weights(path, megabytes):
    rows = megabytes * 256 // 1024 // 4
    weights = [numpy_helper.from_array(numpy.full((rows, 1024), i + 0.5, numpy.float32), f"w{i}") for i in range(4)]
    nodes = [helper.make_node("Mul", ["x", f"w{i}"], [f"m{i}"]) for i in range(4)]
    nodes += [helper.make_node("Sum", [f"m{i}" for i in range(4)], ["s"]), helper.make_node("ReduceMax", ["s"], ["y"], keepdims=0)]
    return save(path, nodes, [tensor("x", [1])], [tensor("y", [])], weights)


def endless(path):
    body = helper.make_graph([helper.make_node("Identity", ["goes"], ["on"]), helper.make_node("Add", ["v", "v"], ["w"])], "body",
                             [tensor("i", [], TensorProto.INT64), tensor("goes", [], TensorProto.BOOL), tensor("v", [1])],
                             [tensor("on", [], TensorProto.BOOL), tensor("w", [1])])
    nodes = [helper.make_node("Loop", ["", "true", "x"], ["y"], body=body)]
    return save(path, nodes, [tensor("x", [1])], [tensor("y", [1])], [numpy_helper.from_array(numpy.array(True), "true")])


def large_inputs(path):
    """Little to compute on much that has to be made up: numbers, and texts, which take longest."""
    nodes = [helper.make_node("ReduceSum", ["x"], ["y"], keepdims=0), helper.make_node("Shape", ["t"], ["z"])]
    return save(path, nodes, [tensor("x", ["n"]), tensor("t", ["m"], TensorProto.STRING)], [tensor("y", []), tensor("z", [1], TensorProto.INT64)])


def case_folders(folder, model, count):
    """For check: the model with an output that it does not give."""
    for number in range(count):
        data = folder / f"case{number}" / "test_data_set_0"
        data.mkdir(parents=True)
        (data.parent / "model.onnx").symlink_to(model)
        for kind in ("input", "output"):
            (data / f"{kind}_0.pb").write_bytes(numpy_helper.from_array(numpy.zeros((1, 96, 320, 320), numpy.float32)).SerializeToString())
    return folder


def sweep_plan(path, models):
    files = ", ".join(f'"{model}"' for model in models)
    path.write_text(f'[[models]]\nfiles = [{files}]\n[[configurations]]\nname = "c"\nopt_level = [0, 1, 3]\n[[measures]]\nkind = "bench"\nrepeats = 3\nseconds = 1\n')
    return path


def baseline(plan):
    """Results of an earlier sweep: what was done until it is interrupted."""
    kept = plan.with_name("baseline.sqlite")
    ended(("sweep", "run", plan), 8)
    shutil.copy(kept_by(plan) / "results.sqlite", kept)
    return kept


def kept_by(plan):
    return plan.with_suffix(".sweep")


def calls(folder, nodes):
    many, other = many_nodes(folder / "many.onnx", nodes), many_nodes(folder / "other.onnx", nodes, 0.01)
    heavy, large, loop = long_run(folder / "heavy.onnx"), large_weights(folder / "large.onnx", 400), endless(folder / "endless.onnx")
    last = f"v{nodes // 5 - 1}"
    out = folder / "out"
    yield "inspect", ("inspect", many)
    for providers in ("onednn,cpu", "openvino,cpu", "onnxruntime,cpu", "cuda{backend=emulator},cpu", "declared(QNN-HTP),cpu"):
        yield f"inspect {providers}", ("inspect", many, "--providers", providers)
    for verb in ("optimize", "partition", "order", "pattern", "allocate"):
        yield verb, (verb, many)
    yield "optimize --save", ("optimize", many, "--save", out / "optimized.onnx")
    yield "partition --what-if", ("partition", many, "--providers", "onednn,cpu", "--what-if", "providers=cpu")
    yield "inspect, large weights", ("inspect", large)
    yield "optimize --save, large weights", ("optimize", large, "--save", out / "large.onnx")
    for verb in ("run", "profile", "bench", "tune"):
        yield f"{verb}, many nodes", (verb, many)
        yield f"{verb}, a long run", (verb, heavy)
    yield "run, large weights", ("run", large)
    yield "run, a loop without an end", ("run", loop)
    yield "profile, a loop without an end", ("profile", loop)
    yield "bench, a loop without an end", ("bench", loop)
    yield "run --save-outputs --keep-values", ("run", heavy, "--save-outputs", out / "values", "--keep-values", "all")
    for name, model in (("many nodes", many), ("a long run", heavy)):
        yield f"compare, {name}", ("compare", model, "--a", "opt-level=0", "--b", "opt-level=3")
        yield f"report, {name}", ("report", model, "--runs", "3", "-o", out / "page.html")
        yield f"context, {name}", ("context", model, "-o", out / "context.onnx", "--force", "--providers", "onednn,cpu")
        yield f"context openvino, {name}", ("context", model, "-o", out / "context.onnx", "--force", "--providers", "openvino,cpu")
    fed = (large_inputs(folder / "fed.onnx"), "--dim", "n=100000000", "--dim", "m=5000000")
    for verb in ("run", "profile", "tune"):
        yield f"{verb}, large inputs", (verb, *fed)
    yield "compare, large inputs", ("compare", *fed, "--a", "opt-level=0", "--b", "opt-level=3")
    yield "context --verify, large inputs", ("context", "--verify", fed[0], "--original", *fed, "--providers", "cpu")
    yield "partition --what-if --measure, large inputs", ("partition", *fed, "--what-if", "providers=onednn,cpu", "--measure", "1")
    yield "cure, large inputs", ("cure", *fed, "--providers", "declared(QNN-HTP),cpu")
    yield "render svg", ("render", many, "-o", out / "picture.svg")
    yield "render png", ("render", many, "-o", out / "picture.png", "--scale", "0.2")
    yield "render dot", ("render", many, "-o", out / "picture.dot")
    yield "thumbnail", ("thumbnail", many, out / "small.png")
    yield "extract", ("extract", many, "--outputs", last, "-o", out / "part.onnx")
    yield "edit", ("edit", many, "--set-producer", "somebody", "-o", out / "edited.onnx", "--force")
    yield "edit, large weights", ("edit", large, "--set-producer", "somebody", "-o", out / "edited_large.onnx", "--force")
    yield "diff", ("diff", many, other)
    yield "advise", ("advise", many, "--providers", "declared(QNN-HTP),cpu")
    yield "cure", ("cure", many, "--providers", "declared(QNN-HTP),cpu")
    yield "inputs", ("inputs", many, "--all", "--trace")
    yield "inputs --derive", ("inputs", many, "--derive")
    yield "providers --learn", ("providers", "--learn", "onnxruntime", "--learn-name", "learned", "-o", out / "learned.json")
    yield "check", ("check", case_folders(folder / "cases", heavy, 4), "--jobs", "2")
    plan = sweep_plan(folder / "plan.toml", (many, heavy))
    yield "sweep plan", ("sweep", "plan", plan)
    yield "sweep run", ("sweep", "run", plan)
    yield "gate", ("gate", "--baseline", baseline(plan), plan)


class Answers:
    """What came of the interruptions of one call."""
    slowest, at, cancelled, done, early = 0.0, 0.0, 0, 0, 0


def ended(arguments, after):
    """Exit code and seconds to the end, from Ctrl-C on; None for the seconds: it was done before."""
    for argument in arguments:
        if pathlib.Path(argument).suffix == ".toml":
            shutil.rmtree(kept_by(argument), ignore_errors=True)
    with subprocess.Popen([str(CLI), *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        try:
            return process.wait(after), None
        except subprocess.TimeoutExpired:
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            return process.wait(), time.monotonic() - began


def faults(arguments, options, answers, out):
    began = time.monotonic()
    whole, _ = ended(arguments, options.longest)
    seconds = time.monotonic() - began
    if whole not in (DONE, CHECK_FAILED, CANCELLED):  # diff and compare found something
        yield f"without Ctrl-C: exit code {whole}"
        return
    for moment in range(options.moments):
        after = min(seconds, options.longest) * (moment + 0.5) / options.moments
        code, answer = ended(arguments, after)
        if code == -signal.SIGINT and answer is not None:  # that is how it ends before it listens
            answers.early += 1
        elif code == CANCELLED:
            answers.cancelled += 1
        elif code in (DONE, CHECK_FAILED):
            answers.done += 1
        else:
            yield f"Ctrl-C after {after:.2f} s: exit code {code}"
        if answer is not None and answer > answers.slowest:
            answers.slowest, answers.at = answer, after
        left = [path.name for path in out.iterdir() if path.name.startswith(".") or ".tmp" in path.name]
        if left:
            yield f"Ctrl-C after {after:.2f} s: left {left}"
    if options.most_ms and answers.slowest * 1000 > options.most_ms:
        yield f"Ctrl-C after {answers.at:.2f} s was answered in {answers.slowest * 1000:.0f} ms, at most {options.most_ms:.0f}"


def sessions_kept(folder, seconds):
    """Exit code, and how many sessions --record has, after a forced end in the middle of a loop without an end."""
    record = folder / "forced.record"
    command = [str(CLI), "run", str(folder / "endless.onnx"), "--providers", "onnxruntime,cpu", "--record", str(record)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)  # two of one kind may be taken for one
        code = process.wait()
    return code, sum(line.startswith('{"session"') for line in record.read_text().splitlines())


def forced_end_faults(folder):
    for seconds in (2, 4, 8, 16):  # a machine under load needs longer until something was asked
        code, kept = sessions_kept(folder, seconds)
        if code != CANCELLED:
            return [f"forced end: exit code {code}"]
        if kept > 0:
            return []
    return ["a forced end lost what --record had"]


def interrupted_formulas(model, log):
    """Exit code of inspect --json that is interrupted behind its last stage."""
    log.unlink(missing_ok=True)
    command = [str(CLI), "inspect", str(model), "--json", "--log-file", str(log)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        while process.poll() is None and not (log.is_file() and "done stage=pattern" in log.read_text()):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        return process.wait()


def formulas_faults(folder):
    model = lost_dimensions(folder / "lost.onnx", 3500)
    codes = [interrupted_formulas(model, folder / "formulas.log") for _ in range(8)]  # a look at the log may come late
    return [] if CANCELLED in codes and set(codes) <= {CANCELLED, DONE} else [f"Ctrl-C while formulas are made: exit codes {codes}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moments", type=int, default=6)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--longest", type=float, default=15, help="seconds of a call that are looked at")
    parser.add_argument("--only", default="")
    parser.add_argument("--most-ms", type=float, default=0)
    options = parser.parse_args()
    passed = failed = 0
    slowest = (0.0, "none")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "out").mkdir()
        for name, arguments in calls(folder, options.nodes):
            if options.only not in name:
                continue
            answers = Answers()
            found = list(faults(arguments, options, answers, folder / "out"))
            passed, failed = passed + (not found), failed + bool(found)
            for fault in found:
                print(f"{name}: {fault}")
            print(f"{name}: {answers.slowest * 1000:.0f} ms at the slowest (after {answers.at:.2f} s); {answers.cancelled} cancelled, {answers.done} done, {answers.early} before it listens", flush=True)
            slowest = max(slowest, (answers.slowest, name))
        if options.only in "formulas":
            found = formulas_faults(folder)
            passed, failed = passed + (not found), failed + bool(found)
            print("\n".join(found) or "formulas: cancelled")
        if options.only in "--record":
            found = forced_end_faults(folder)
            passed, failed = passed + (not found), failed + bool(found)
            print("\n".join(found) or "--record: kept at a forced end")
    print(f"slowest answer to Ctrl-C: {slowest[0] * 1000:.0f} ms ({slowest[1]})")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
