#!/usr/bin/env python3
"""What errors say, and with which exit code: the file, the node, and what to do next. Last line: `N passed, N failed`."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from cutaway_cli import BAD_MODEL, DONE, NOT_WRITTEN, REFUSED, REPOSITORY, USAGE, default_cli, run_cli
from message_rules import message_faults

CLI = default_cli()
FLOAT = TensorProto.FLOAT


def save(path, nodes, inputs, outputs, initializers=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def calling(path):
    """A function whose Reshape does not fit what the call gives it."""
    inner = [helper.make_node("Reshape", ["a", "s"], ["t"]), helper.make_node("Relu", ["t"], ["b"])]
    function = helper.make_function("own", "Shaped", ["a", "s"], ["b"], inner, [helper.make_opsetid("", 17)])
    call = helper.make_node("Shaped", ["x", "s"], ["y"], domain="own", name="caller")
    graph = helper.make_graph([call], "g", [value("x", [6]), value("s", [2], TensorProto.INT64)], [value("y", None)])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8), path)
    return path


def compiled(path):
    sample = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
    run_cli(CLI, "context", sample, "-o", path, "--force", "--providers", "onednn,cpu")
    return path


def value(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def models(folder):
    weights = numpy_helper.from_array(numpy.ones((4, 3, 7, 7), numpy.float32), "w")
    conv = [helper.make_node("Conv", ["x", "w"], ["y"], name="stem")]
    gather = [helper.make_node("Gather", ["x", "i"], ["y"], name="pick")]
    return {
        "open": save(folder / "open.onnx", conv, [value("x", ["N", 3, "H", "W"])], [value("y", None)], [weights]),
        "nameless": save(folder / "nameless.onnx", conv, [value("x", [1, 3, None, None])], [value("y", None)], [weights]),
        "summed": save(folder / "summed.onnx", [helper.make_node("Add", ["x", "c"], ["y"])], [value("x", [None, 3])], [value("y", None)],
                       [numpy_helper.from_array(numpy.ones((5, 3), numpy.float32), "c")]),
        "mute": save(folder / "mute.onnx", [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Abs", ["a"], ["y"]), helper.make_node("Neg", ["a"], ["z"])],
                     [value("x", [2])], []),
        "rankless": save(folder / "rankless.onnx", [helper.make_node("Relu", ["r"], ["y"])], [value("r", None)], [value("y", None)]),
        "gather": save(folder / "gather.onnx", gather, [value("x", [2, 3]), value("i", [1], TensorProto.INT64)], [value("y", None)]),
    }


def cases(folder):
    """Title, arguments, exit code, and expressions that standard error must match (a leading ! : must not)."""
    model = models(folder)
    numpy.save(folder / "x.npy", numpy.ones((2, 3), numpy.float32))
    numpy.save(folder / "i.npy", numpy.array([9], numpy.int64))
    (folder / "broken.json").write_text('{"schema": [1,\n 2')
    os.mkfifo(folder / "fifo.json")
    os.mkfifo(folder / "fifo.onnx")
    os.mkfifo(folder / "fifo.npy")
    ab = ("--a", "opt-level=0", "--b", "opt-level=3")
    fed = ("--input", f"x={folder / 'x.npy'}", "--input", f"i={folder / 'i.npy'}")
    opened = (r"window of 7", r"open dimensions 'H', 'N', 'W'", r"--dim NAME=VALUE", r"file '.*open\.onnx'")
    for provider in ("cpu", "onednn,cpu"):
        yield f"open dimensions, {provider}", ("run", model["open"], "--providers", provider), BAD_MODEL, opened
    yield "no outputs", ("inspect", model["mute"]), DONE, (r"lists no outputs", r"2 values .*\(y, z\)", r"--add-output y")
    yield "open dimensions, bench", ("bench", model["open"], "--seconds", "0.1"), BAD_MODEL, opened
    yield "open dimensions, compare", ("compare", model["open"], *ab), BAD_MODEL, opened
    yield "open dimensions that are given", ("run", model["open"], "--dim", "N=1", "--dim", "H=3", "--dim", "W=3"), BAD_MODEL, (r"window of 7", r"!--dim")
    yield "open dimensions that fit", ("run", model["open"], "--dim", "N=1", "--dim", "H=9", "--dim", "W=9"), DONE, ()
    yield "sizes that ONNX Runtime has put in", ("compare", model["open"], "--with", "onnxruntime", "--dim", "N=1", "--dim", "H=9", "--dim", "W=9"), DONE, (r"!no dimension",)
    yield "nameless dimensions", ("run", model["nameless"]), BAD_MODEL, (r"have no name: give inputs from files",)
    yield "a kernel's refusal", ("run", model["gather"], *fed), BAD_MODEL, (r"'pick'", r"index 9", r"file '.*gather\.onnx'", r"!--dim")
    yield "a kernel's refusal in compare", ("compare", model["gather"], *ab, *fed), BAD_MODEL, (r"'pick'", r"file '.*gather\.onnx'")
    yield "a node inside of a function", ("run", calling(folder / "calling.onnx"), "--random", "1"), BAD_MODEL, (r"Reshape inside of Shaped 'caller'", r"node 'caller'", r"!_inlfunc_")
    yield "a context of another provider", ("run", compiled(folder / "compiled.onnx"), "--providers", "cpu"), BAD_MODEL, (r"none of them can restore it", r"put onednn before cpu among the session's providers")
    yield "a dimension that nobody has", ("inspect", model["open"], "--dim", "NOSUCH=5"), DONE, (r"'NOSUCH'", r"N")
    for form in ((), ("--json",)):
        yield " ".join(("a size that only formulas use", *form)), ("inspect", model["summed"], "--dim", "x[0]=4", *form), DONE, (r"warning: no costs by the open dimensions: .*x float\[4,3\]",)
    yield "an input that nobody has", ("run", model["gather"], "--input", f"nosuch={folder / 'x.npy'}"), USAGE, (r"'nosuch'", r"x, i")
    yield "a picture without a desktop", ("render", model["gather"], "-o", folder / "gather.svg"), DONE, (r"!QStandardPaths",)
    yield "a run above the memory limit", ("run", model["gather"], *fed, "--memory-limit", "8"), REFUSED, (r"memory limit (is|of) 8 bytes", r"raise it")
    yield "scratch above the memory limit", ("run", REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx", "--random", "1", "--memory-limit", "30000"), REFUSED, (r"memory limit (is|of) 30000 bytes", r"raise it")
    yield from limits(folder)
    yield "an edit of what is not there", ("edit", model["gather"], "-o", folder / "edited.onnx", "--rename-value", "nosuch=r"), BAD_MODEL, (r"'nosuch'", r"file '.*gather\.onnx'")
    yield "a part of what is not there", ("extract", model["gather"], "-o", folder / "part.onnx", "--outputs", "nosuch"), BAD_MODEL, (r"'nosuch'", r"file '.*gather\.onnx'")
    for option, words in (("--set-shape", "set shape of"), ("--set-type", "set type of"), ("--set-dim", "set dimension"), ("--rename-value", "rename")):
        edited = "nosuch=float16" if option == "--set-type" else "nosuch=2"
        yield f"what an edit cannot do, {option}", ("edit", model["gather"], "-o", folder / "edited.onnx", option, edited), BAD_MODEL, (rf"cannot {words} '?nosuch",)
    yield "an output that cannot be one", ("edit", model["gather"], "-o", folder / "edited.onnx", "--add-output", "nosuch"), BAD_MODEL, (r"cannot make 'nosuch' an output",)
    yield "an output that is none", ("edit", model["gather"], "-o", folder / "edited.onnx", "--remove-output", "nosuch"), BAD_MODEL, (r"cannot take 'nosuch' from the outputs",)
    yield "an input without a shape", ("run", model["rankless"]), BAD_MODEL, (r"how many dimensions", r"--input NAME=FILE", r"--set-shape", r"value 'r'")
    yield "verifying against nothing", ("context", "--verify", model["gather"]), BAD_MODEL, (r"--original MODEL", r"file '.*gather\.onnx'")
    yield "a name inside of a function", ("run", loose(folder / "loose.onnx"), "--providers", "openvino,cpu"), BAD_MODEL, (r"its output 1 ", r"!_inlfunc_")
    yield "a record over a model", ("run", model["gather"], *fed, "--record", model["gather"]), USAGE, (r"gather\.onnx' is there and is no record",)
    yield "a record over another model", ("run", model["gather"], *fed, "--record", model["open"]), USAGE, (r"open\.onnx' is there and is no record",)
    yield "what is not written is not asked for", ("providers", "--learn", "onnxruntime", "--json", folder / "none.json"), USAGE, (r"--json excludes --learn",)
    yield from usage(folder, model)
    for option in ("--replay", "--plugin"):
        yield f"a long name with escapes, {option}", ("inspect", model["gather"], option, "\x1b[31m" + "n" * 4000), USAGE, (re.escape(option), r"\\x1b")
    yield "settings cut off", ("inspect", model["open"], "--config", folder / "broken.json"), USAGE, (r"broken\.json", r"line 2, column", r"!json\.exception")
    (folder / "profiles").mkdir()
    (folder / "profiles" / "X.json").write_text('{"name": "X",\n "age": 1e99999}')
    yield "a profile with a number beyond all", ("partition", model["gather"], "--profile-dir", folder / "profiles", "--providers", "declared(X),cpu"), USAGE, (r"X\.json", r"line 2: number overflow",)
    yield "settings from a pipe", ("inspect", model["open"], "--config", folder / "fifo.json"), USAGE, (r"not a regular file",)
    yield "a model from a pipe", ("inspect", folder / "fifo.onnx"), BAD_MODEL, (r"not a regular file",)
    yield "an input from a pipe", ("run", model["gather"], "--input", f"x={folder / 'fifo.npy'}"), USAGE, (r"not a regular file",)


def loose(path):
    """A function with a node that nobody has, whose output has no type."""
    inner = [helper.make_node("Loose", ["a"], ["t"], domain="nobody"), helper.make_node("Relu", ["t"], ["b"])]
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("nobody", 1)]
    function = helper.make_function("own", "Outer", ["a"], ["b"], inner, imports)
    graph = helper.make_graph([helper.make_node("Outer", ["x"], ["y"], domain="own", name="caller")], "g", [value("x", [2])], [value("y", [2])])
    onnx.save(helper.make_model(graph, opset_imports=[*imports, helper.make_opsetid("own", 1)], functions=[function], ir_version=8), path)
    return path


def usage(folder, model):
    """Wrong options are told in our words, with where to read on; files that are named by nothing are no files."""
    for title, arguments, wanted in (("an option that is not", ("inspect", model["gather"], "--nosuch"), (r"^cutaway-cli: .*--nosuch", r"cutaway-cli inspect --help", r"!(ERROR|Error):")),
                                     ("a verb that is not", ("nosuch", model["gather"]), (r"^cutaway-cli: 'nosuch' is no verb", r"cutaway-cli --help")),
                                     ("no verb", (), (r"^cutaway-cli: a verb is missing", r"cutaway-cli --help")),
                                     ("a value that is none", ("inspect", model["gather"], "--log-file", model["gather"]), (r"^cutaway-cli: --log-file: ", r"!(ERROR|Error):"))):
        yield title, arguments, USAGE, wanted
    for verb, *arguments in (("bench", model["gather"], "--seconds", "nan"), ("compare", model["gather"], "--a", "cpu", "--b", "cpu", "--rtol", "inf"), ("render", model["gather"], "-o", folder / "nan.svg", "--scale", "NaN"), ("check", folder, "--timeout", "-inf")):
        yield f"a number that is none, {arguments[-2]}", (verb, *arguments), USAGE, (rf"{arguments[-2]}:", r"finite|not in range|positive|less|greater|than")
    for name in ("\x1b[2Jn", "n" * 5000, b"\xff".decode(errors="surrogateescape")):
        yield f"a warning of a name, {ascii(name)[:12]}", ("inspect", model["open"], "--dim", f"{name}=1"), DONE, (r"no dimension",)
    for verb, *arguments in (("inspect", ""), ("optimize", model["gather"], "--save", ""), ("partition", model["gather"], "--save-config", ""), ("profile", model["gather"], "--trace", ""), ("profile", model["gather"], "--save", ""),
                             ("check", folder, "--json", ""), ("inspect", model["gather"], "--config", ""), ("run", model["gather"], "--save-outputs", ""), ("run", model["gather"], "--record", "")):
        yield " ".join(("a file without a name", verb, *map(str, arguments[1:2]))), (verb, *arguments), USAGE, (r"is given without a name",)


def limits(folder):
    """The memory limit where inputs are made, in every verb that makes some: how large, which input, what the limit is."""
    plain = save(folder / "plain.onnx", [helper.make_node("Relu", ["x"], ["y"])], [value("x", ["n"])], [value("y", None)])
    scale, zero = numpy_helper.from_array(numpy.array(0.5, numpy.float32), "s"), numpy_helper.from_array(numpy.array(3, numpy.uint8), "z")
    rounded = save(folder / "rounded.onnx", [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]), helper.make_node("Relu", ["d"], ["y"])],
                   [value("x", ["n"])], [value("y", None)], [scale, zero])
    limit = ("--dim", "n=1000000", "--memory-limit", "3MB")
    said = (r"!--force", r"no memory for float\[1000000\] \(4000000 bytes\)", r"memory limit is 3145728 bytes; raise it", r"value 'x'")
    for title, arguments in (("run", ("run", plain)), ("bench", ("bench", plain, "--seconds", "0.1")), ("profile", ("profile", plain)), ("tune", ("tune", plain, "--seconds", "0.1", "--dry-run")),
                             ("compare", ("compare", plain, "--a", "opt-level=0", "--b", "opt-level=3")), ("compare --other", ("compare", plain, "--other", rounded)),
                             ("compare --keep-float", ("compare", plain, "--other", rounded, "--keep-float", folder / "mixed.onnx")),
                             ("context --verify", ("context", "--verify", plain, "--original", plain, "--providers", "onednn,cpu")), ("report", ("report", plain, "--runs", "1", "-o", folder / "page.html"))):
        yield f"inputs above the memory limit, {title}", (*arguments, *limit), REFUSED, said
    numpy.save(folder / "many.npy", numpy.ones(1000000, numpy.float32))
    yield "an input from a file above the memory limit", ("run", plain, "--input", f"x={folder / 'many.npy'}", *limit), REFUSED, (r"memory limit is 3145728 bytes; raise it",)
    yield "inputs within the memory limit", ("run", plain, "--dim", "n=1000000", "--memory-limit", "9MB"), DONE, ()


def faults(arguments, code, wanted):
    outcome = run_cli(CLI, *arguments, timeout=120)
    if outcome.code != code:
        yield f"not exit code {code}: {outcome.reason}"
    yield from message_faults(outcome.stderr, outcome.code)
    for expression in wanted:
        if bool(re.search(expression.removeprefix("!"), outcome.stderr)) == expression.startswith("!"):
            yield f"standard error against {expression}: {outcome.stderr.strip()[-400:]}"


def window_faults(folder):
    """The window's wrong options, in the same words."""
    window = CLI.parent / "cutaway"
    if not window.exists():
        print("the window is not built: its options are left out")
        return
    for arguments, wanted in ((["--nosuch\x1b[31m"], r"^cutaway: .*--nosuch\\x1b"), (["--theme", "red"], r"^cutaway: --theme: red"), (["--providers", "cpu{" + "x" * 4000], r"^cutaway: --providers: "),
                              (["--tour", ""], r"^cutaway: --tour: is given without a name")):
        outcome = run_cli(window, *arguments)
        yield from message_faults(outcome.stderr, outcome.code)
        if outcome.code != USAGE or not re.search(wanted, outcome.stderr) or "cutaway --help" not in outcome.stderr:
            yield f"cutaway {arguments[0]}: {outcome.reason}"


def small_stack_faults(folder):
    """A shell that gives little stack, to the program and so to its threads."""
    model = save(folder / "stacked.onnx", [helper.make_node("Relu", ["x"], ["y"])], [value("x", [2])], [value("y", [2])])
    for arguments in (("run", model, "--providers", "openvino,cpu"), ("render", model, "-o", folder / "stacked.svg"), ("report", model, "-o", folder / "stacked.html")):
        outcome = run_cli("bash", "-c", 'ulimit -s 128; exec "$0" "$@"', CLI, *arguments)
        if outcome.code != DONE:
            yield f"{arguments[0]}: {outcome.reason}"


def unheard_children_faults(folder):
    """Started by a program that ignores SIGCHLD, as some supervisors do: children are heard of all the same, and need a place for what they say."""
    model = save(folder / "heard.onnx", [helper.make_node("Relu", ["x"], ["y"])], [value("x", [2])], [value("y", [2])])
    plan = folder / "heard.toml"
    plan.write_text(f'[[models]]\nfiles = ["{model}"]\n[[configurations]]\nname = "c"\n[[measures]]\nkind = "bench"\nrepeats = 1\nseconds = 0.05\n')
    lost = subprocess.run([CLI, "sweep", "run", plan], env={**os.environ, "TMPDIR": str(folder / "nosuch")}, capture_output=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
    if lost.returncode != NOT_WRITTEN or b"TMPDIR" not in lost.stderr:
        yield f"no temporary folder: exit code {lost.returncode}: {lost.stderr[-300:]!r}"
    for arguments in (("sweep", "run", plan), ("run", model, "--providers", "openvino,cpu")):
        done = subprocess.run([CLI, *arguments], preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), capture_output=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
        if done.returncode != DONE:
            yield f"{arguments[0]}: exit code {done.returncode}: {done.stderr[-300:]!r}"


def crash_faults(folder):
    """A fault that is sent from outside ends the program as ever, and it says so."""
    model, _ = shrinking(folder, "crashed", False)
    with subprocess.Popen([CLI, "bench", model, "--seconds", "600"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None and model.name not in pathlib.Path(f"/proc/{process.pid}/maps").read_text():
            time.sleep(0.01)
        process.send_signal(signal.SIGFPE)
        said = process.communicate()[1]
    yield from message_faults(said, process.returncode)
    if process.returncode != -signal.SIGFPE or b"crashed (SIGFPE)" not in said:
        yield f"exit code {process.returncode}: {said[-300:]!r}"


def shrinking(folder, name, external):
    """A model whose weights a long bench reads again and again, and the file that has them."""
    rows = 4096
    nodes = [helper.make_node("Mul", ["x", "w"], ["m"]), helper.make_node("ReduceMax", ["m"], ["y"], keepdims=0)]
    graph = helper.make_graph(nodes, "g", [value("x", [1])], [value("y", [])], [numpy_helper.from_array(numpy.ones((rows, 1024), numpy.float32), "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / f"{name}.onnx"
    if external:
        onnx.save(model, path, save_as_external_data=True, location=f"{name}.bin", size_threshold=1024)
    else:
        onnx.save(model, path)
    return path, path.with_suffix(".bin") if external else path


def shrunk_faults(folder):
    """A file that becomes shorter while it is read ends the program with its name, and with a record of what was asked."""
    for name, external, more in (("inside", False, ()), ("beside", True, ()), ("recorded", True, ("--record", folder / "shrunk.record"))):
        model, victim = shrinking(folder, name, external)
        with subprocess.Popen([CLI, "bench", model, "--seconds", "600", *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            while process.poll() is None and str(victim) not in pathlib.Path(f"/proc/{process.pid}/maps").read_text():
                time.sleep(0.01)
            os.truncate(victim, 4096)
            said = process.communicate()[1]
        yield from message_faults(said, process.returncode)
        if process.returncode != BAD_MODEL or victim.name not in said.decode(errors="replace"):
            yield f"{victim.name} became shorter: exit code {process.returncode}: {said[-300:]!r}"
        if more and not more[1].exists():
            yield "the record was not kept"


def interrupted(folder):
    """Ctrl-C is exit code 130 wherever it meets compare; once the program is done, it is not heard any more."""
    nodes = [helper.make_node("MatMul", [f"v{i}" if i else "x", "w"], [f"v{i + 1}"], name=f"n{i}") for i in range(60)]
    weights = numpy_helper.from_array(numpy.eye(700, dtype=numpy.float32), "w")
    model = save(folder / "long.onnx", nodes, [value("x", [700, 700])], [value("v60", None)], [weights])
    for delay in (0.2, 0.5, 1.0):
        process = subprocess.Popen([CLI, "compare", model, "--a", "opt-level=0", "--b", "providers=onednn,cpu"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
        # Before the program listens, the signal ends it as it ends any other; after a second it does.
        if process.returncode not in (DONE, 130) and not (delay < 1 and process.returncode == -signal.SIGINT):
            yield f"interrupted after {delay} s: exit code {process.returncode}: {said[-300:]!r}"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        results = [(title, list(faults(arguments, code, wanted))) for title, arguments, code, wanted in cases(folder)]
        results.append(("files that become shorter", list(shrunk_faults(folder))))
        results.append(("children that nobody listens to", list(unheard_children_faults(folder))))
        results.append(("a small stack", list(small_stack_faults(folder))))
        if not os.environ.get("CUTAWAY_SANITIZE"):  # which has words of its own
            results.append(("a crash", list(crash_faults(folder))))
        results.append(("the window's options", list(window_faults(folder))))
        results.append(("Ctrl-C in compare", list(interrupted(folder))))
    for title, found in results:
        passed, failed = passed + (not found), failed + bool(found)
        for fault in found:
            print(f"FAIL {title}: {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
