#!/usr/bin/env python3
"""`cutaway-cli context` and `ep_weight_sharing_ctx_gen` as a user calls them: exit codes, files, what is printed.

Scenarios: preview writes nothing; export, show, verify; embedded; existing target; external initializers; a model with nothing to compile; several models with one binary, by both programs; the reference tool's
options; damaged and missing binaries; Ctrl-C. Needs numpy and onnx only; models are made here.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from checks import Checks
from cutaway_cli import BAD_MODEL, CHECK_FAILED, DONE, NOT_WRITTEN, REFUSED, USAGE, default_cli, run_cli
from plugin_partition import library

CLI = default_cli()
TOOL = CLI.with_name("ep_weight_sharing_ctx_gen")
PROVIDERS = ("--providers", "onednn", "--threads", "1")


def make_model(path, seed=0, channels=16, outside=True):
    """Convolutions for the provider, and a node that it does not take between them."""
    random = np.random.default_rng(seed)

    def weight(name, *shape):
        return numpy_helper.from_array(random.standard_normal(shape).astype(np.float32) * 0.2, name)

    weights = [weight("w1", channels, 3, 3, 3), weight("w2", channels, channels, 3, 3), weight("w3", 8, channels, 1, 1)]
    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], name="conv1", pads=[1, 1, 1, 1]),
             helper.make_node("Relu", ["a"], ["b"], name="relu1")]
    middle = "b"
    if outside:
        nodes += [helper.make_node("NonZero", ["b"], ["nz"], name="nonzero"), helper.make_node("Shape", ["nz"], ["count"], name="count")]
    nodes += [helper.make_node("Conv", [middle, "w2"], ["c"], name="conv2", pads=[1, 1, 1, 1]),
              helper.make_node("Relu", ["c"], ["d"], name="relu2"),
              helper.make_node("Conv", ["d", "w3"], ["y"], name="conv3")]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 24, 24])]
    if outside:
        outputs.append(helper.make_tensor_value_info("count", TensorProto.INT64, [2]))
    graph = helper.make_graph(nodes, "main", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 24, 24])], outputs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def run_tool(*arguments):
    done = subprocess.run([str(TOOL), *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, done.stdout, done.stderr


def context_nodes(path):
    return [node for node in onnx.load(path, load_external_data=False).graph.node if node.op_type == "EPContext"]


def attribute(node, name):
    found = [each for each in node.attribute if each.name == name]
    return helper.get_attribute_value(found[0]) if found else None


def names(folder):
    return sorted(each.name for each in folder.iterdir())


def check_export(checks, folder):
    model = make_model(folder / "m.onnx")
    before = names(folder)
    seen = run_cli(CLI, "context", model, "--preview", *PROVIDERS)
    checks.that(seen.code == DONE and "onednn" in seen.stdout, "preview says what would be kept", seen)
    seen = run_cli(CLI, "context", model, "--preview", "--json", *PROVIDERS)
    groups = json.loads(seen.stdout)["context"]["groups"] if seen.code == DONE else []
    checks.that(any(group["can_save"] for group in groups) and all(group["can_save"] or group["reason"] for group in groups), "preview as JSON: every group has an answer", groups)
    checks.that(names(folder) == before, "preview writes nothing")

    done = run_cli(CLI, "context", model, "-o", folder / "c.onnx", "--verify", *PROVIDERS)
    checks.that(done.code == DONE and "SAME" in done.stdout, "export and verify", done)
    nodes = context_nodes(folder / "c.onnx")
    checks.that(len(nodes) >= 1 and all(attribute(node, "source") == b"onednn" for node in nodes), "context nodes with their source", nodes)
    checks.that(sum(attribute(node, "main_context") == 1 for node in nodes) == 1, "one main node")
    checks.that(len([name for name in names(folder) if name.endswith(".bin")]) == 1, "one binary", names(folder))
    shown = run_cli(CLI, "context", "--show", folder / "c.onnx")
    checks.that(shown.code == DONE and "onednn" in shown.stdout and "Conv" in shown.stdout, "show says who made it and what is inside", shown)
    verified = run_cli(CLI, "context", "--verify", folder / "c.onnx", "--threads", "1")
    checks.that(verified.code == DONE and "SAME" in verified.stdout, "verify finds the original by itself", verified)
    original = run_cli(CLI, "run", model, "--random", 5, *PROVIDERS, "--save-outputs", folder / "a")
    loaded = run_cli(CLI, "run", folder / "c.onnx", "--random", 5, *PROVIDERS, "--save-outputs", folder / "b")
    checks.that(original.code == DONE and loaded.code == DONE, "both run", loaded)
    for name in names(folder / "a"):
        checks.that((folder / "a" / name).read_bytes() == (folder / "b" / name).read_bytes(), f"{name}: the same bits in another process")

    again = run_cli(CLI, "context", model, "-o", folder / "c.onnx", *PROVIDERS)
    checks.that(again.code == REFUSED and "--force" in again.stderr, "an existing file is refused", again)
    forced = run_cli(CLI, "context", model, "-o", folder / "c.onnx", "--force", "--embed", "--verify", *PROVIDERS)
    checks.that(forced.code == DONE and "SAME" in forced.stdout, "--force --embed", forced)
    checks.that(not any(name.endswith(".bin") for name in names(folder)), "the old binary is taken away", names(folder))

    other = make_model(folder / "other.onnx", seed=1)
    differs = run_cli(CLI, "context", "--verify", folder / "c.onnx", "--original", other, "--threads", "1")
    checks.that(differs.code == CHECK_FAILED and "differs" in differs.stdout, "another original differs", differs)
    external = run_cli(CLI, "context", model, "-o", folder / "e.onnx", "--external-initializers", "e.weights", "--verify", *PROVIDERS)
    checks.that(external.code == DONE and "SAME" in external.stdout, "external initializers", external)


def check_refusals(checks, folder):
    model = make_model(folder / "m.onnx")
    for arguments, code, what in (
            ((model,), USAGE, "nothing to do is said"),
            (("--preview",), USAGE, "no model"),
            ((model, model, "-o", folder / "c.onnx"), USAGE, "several models without a group"),
            ((model, "-o", folder), USAGE, "a folder as target"),
            ((model, "-o", folder / "c"), USAGE, "a target without extension"),
            ((model, "-o", folder / "nowhere" / "c.onnx"), NOT_WRITTEN, "a folder that is not there"),
            ((folder / "nothing.onnx", "-o", folder / "c.onnx"), BAD_MODEL, "a model that is not there"),
            ((model, "-o", folder / "c.onnx", "--embed", "--share-group", "g"), USAGE, "embedded and shared"),
            ((model, "--show", model), USAGE, "a model and --show"),
            (("--verify", model), BAD_MODEL, "--verify without an original"),
            ((model, "-o", folder / "c.onnx", "--set", "ep.enable_weightless=1"), BAD_MODEL, "weightless"),
            ((model, "-o", folder / "c.onnx", "--providers", "nobody"), USAGE, "an unknown provider")):
        seen = run_cli(CLI, "context", *arguments, *(() if "--providers" in arguments else PROVIDERS))
        checks.that(seen.code == code and seen.stderr, f"{what}: exit code {code}", seen)
    checks.that(names(folder) == ["m.onnx"], "refusals write nothing", names(folder))
    plain = run_cli(CLI, "context", model, "-o", folder / "plain.onnx", "--providers", "cpu")
    checks.that(plain.code == DONE and "as it is" in plain.stdout and not context_nodes(folder / "plain.onnx"), "nothing compiled: the plain model, and a warning", plain)
    shown = run_cli(CLI, "context", "--show", folder / "plain.onnx")
    checks.that(shown.code == DONE and "no EPContext" in shown.stdout, "show of a plain model", shown)


def check_damage(checks, folder):
    model = make_model(folder / "m.onnx")
    run_cli(CLI, "context", model, "-o", folder / "c.onnx", *PROVIDERS)
    binary = next(folder.glob("*.bin"))
    good = binary.read_bytes()
    binary.write_bytes(good[:200] + bytes([good[200] ^ 1]) + good[201:])
    for verb, code in (("run", BAD_MODEL), ("inspect", DONE)):
        seen = run_cli(CLI, verb, folder / "c.onnx", *PROVIDERS)
        checks.that(seen.code == code, f"{verb} of a changed binary: exit code {code}", seen)
    seen = run_cli(CLI, "run", folder / "c.onnx", *PROVIDERS)
    checks.that("EP_FAIL" in seen.stderr and "ep.context_recompile" in seen.stderr, "says what can be done", seen)
    seen = run_cli(CLI, "run", folder / "c.onnx", *PROVIDERS, "--set", "ep.context_recompile=1")
    checks.that(seen.code == DONE, "recompiled from the original", seen)
    seen = run_cli(CLI, "context", "--verify", folder / "c.onnx", "--threads", "1")
    checks.that(seen.code == CHECK_FAILED and "DOES NOT LOAD" in seen.stdout, "verify of a changed binary", seen)
    seen = run_cli(CLI, "context", "--show", folder / "c.onnx")
    checks.that(seen.code == DONE and "failed" in seen.stdout, "show of a changed binary says so", seen)
    binary.unlink()
    seen = run_cli(CLI, "run", folder / "c.onnx", *PROVIDERS)
    checks.that(seen.code == BAD_MODEL and "INVALID_GRAPH" in seen.stderr, "a binary that is gone", seen)


def check_outside_weights(checks, folder):
    """Weights in files of their own stay out of the context model's file, and the model runs as before."""
    model = onnx.load(make_model(folder / "plain.onnx"))
    table = np.random.default_rng(3).standard_normal((1000, 32)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(table, "table"))
    model.graph.node.append(helper.make_node("Gather", ["table", "ids"], ["rows"], name="lookup"))
    model.graph.input.append(helper.make_tensor_value_info("ids", TensorProto.INT64, [2]))
    model.graph.output.append(helper.make_tensor_value_info("rows", TensorProto.FLOAT, [2, 32]))
    (folder / "plain.onnx").unlink()
    onnx.save_model(model, folder / "m.onnx", save_as_external_data=True, location="m.weights", size_threshold=1024)
    done = run_cli(CLI, "context", folder / "m.onnx", "-o", folder / "c.onnx", "--verify", *PROVIDERS)
    checks.that(done.code == DONE and "SAME" in done.stdout, "export and verify", done)
    checks.that("c.onnx.data" in names(folder) and (folder / "c.onnx.data").read_bytes() == table.tobytes(), "the table has a file of its own", names(folder))
    checks.that((folder / "c.onnx").stat().st_size < table.nbytes, "the model's file does not have it")
    done = run_cli(CLI, "context", folder / "m.onnx", "-o", folder / "e.onnx", "--embed", "--verify", *PROVIDERS)
    checks.that(done.code == DONE and "SAME" in done.stdout and "e.onnx.data" not in names(folder), "embedded: one file", names(folder))


def check_changed_numbers(checks, folder):
    """Large weights are checked when the first run reads them, unless the session is to compile the original instead."""
    model = make_model(folder / "m.onnx", channels=96)
    run_cli(CLI, "context", model, "-o", folder / "c.onnx", *PROVIDERS)
    good = run_cli(CLI, "run", folder / "c.onnx", "--random", 5, *PROVIDERS, "--save-outputs", folder / "good")
    checks.that(good.code == DONE, "a whole binary runs", good)
    binary = next(folder.glob("*.bin"))
    content = binary.read_bytes()
    middle = len(content) // 2  # inside the numbers of w2
    binary.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1:])
    opened = run_cli(CLI, "partition", folder / "c.onnx", *PROVIDERS)
    checks.that(opened.code == DONE, "partition looks at it", opened)
    seen = run_cli(CLI, "run", folder / "c.onnx", *PROVIDERS)
    checks.that(seen.code not in (DONE, CHECK_FAILED) and "was changed" in seen.stderr and "ep.context_recompile" in seen.stderr, "the first run refuses", seen)
    seen = run_cli(CLI, "run", folder / "c.onnx", "--random", 5, *PROVIDERS, "--set", "ep.context_recompile=1", "--save-outputs", folder / "again")
    checks.that(seen.code == DONE, "recompiled from the original", seen)
    for name in names(folder / "good"):
        checks.that((folder / "good" / name).read_bytes() == (folder / "again" / name).read_bytes(), f"{name}: the same bits from the original")
    seen = run_cli(CLI, "context", "--show", folder / "c.onnx")
    checks.that(seen.code == DONE and "failed" in seen.stdout, "show checks everything", seen)
    seen = run_cli(CLI, "context", "--verify", folder / "c.onnx", "--threads", "1")
    checks.that(seen.code == CHECK_FAILED, "verify of changed numbers", seen)


def check_sharing(checks, folder):
    models = [make_model(folder / f"{name}.onnx", channels=64) for name in ("prefill", "decode")]
    out = folder / "out"
    done = run_cli(CLI, "context", *models, "--share-group", "llm", "-o", out, "--verify", *PROVIDERS)
    checks.that(done.code == DONE and done.stdout.count("SAME") == 2 and "saved" in done.stdout, "two models, one binary", done)
    checks.that(len(list(out.glob("*.bin"))) == 1 and len(list(out.glob("*_ctx.onnx"))) == 2, "files of a share group", names(out))

    plain = folder / "plain.onnx"
    x, y = (helper.make_tensor_value_info(name, TensorProto.INT64, [2, None] if name == "y" else [2, 2]) for name in ("x", "y"))
    onnx.save(helper.make_model(helper.make_graph([helper.make_node("NonZero", ["x"], ["y"])], "main", [x], [y]),
                                opset_imports=[helper.make_opsetid("", 17)], ir_version=8), plain)
    code, said, problems = run_tool("-e", "onednn", plain)
    checks.that(code == DONE and (said + problems).count("is written as it is") == 1, "a warning is said once", said + problems)
    for file in folder.glob("plain*"):
        file.unlink()

    code, said, problems = run_tool("-e", "onednn", "-C", "ep.context_enable|0 session.intra_op_num_threads|1", "-v", ",".join(map(str, models)))
    checks.that(code == DONE and "saved" in said, "ep_weight_sharing_ctx_gen", said + problems)
    checks.that("ep.context_enable|0 has no effect" in problems, "a forced key is said", problems)
    binaries = list(folder.glob("*.bin"))
    checks.that(len(binaries) == 1, "one binary beside the models", names(folder))
    for model in models:
        file = folder / f"{model.stem}_ctx.onnx"
        nodes = context_nodes(file)
        checks.that(all(node.name.startswith(model.stem + "_") for node in nodes) and nodes, f"{file.name}: names have a prefix", [node.name for node in nodes])
        mains = [node for node in nodes if attribute(node, "main_context") == 1]
        checks.that(mains and all(attribute(node, "max_size") == binaries[0].stat().st_size and attribute(node, "ep_cache_context").decode() == binaries[0].name for node in mains), f"{file.name}: max_size and binary")
        verified = run_cli(CLI, "context", "--verify", file, "--threads", "1")
        checks.that(verified.code == DONE, f"{file.name}: verified in another process", verified)


def check_tool_options(checks, folder):
    model = make_model(folder / "m.onnx")
    plugin = folder / "plugin.json"
    checks.that(run_tool("-h")[0] == DONE, "-h")
    for arguments, code, word in (
            ((), USAGE, "models"),
            (("-C", "ep.context_file_path|x.onnx", model), USAGE, "ep.context_file_path"),
            (("-C", "nonsense", model), USAGE, "key|value"),
            (("-i", "nobody|1", model), USAGE, "nobody"),
            (("-e", "nobody", model), USAGE, "nobody"),
            (("-e", "cpu", model), USAGE, "compiles nothing"),
            ((f"{model},{model}",), USAGE, "twice"),
            (("-p", folder / "nothing.json", model), BAD_MODEL, "nothing.json")):
        seen = run_tool(*arguments)
        checks.that(seen[0] == code and word in seen[2] + seen[1], f"{arguments}: exit code {code}", seen)
    for content, code, word in (
            ({"ep_library_path": "libevil.so", "selected_ep_name": "onednn"}, USAGE, "no library is loaded"),
            ({"selected_ep_device_indices": [0]}, USAGE, "selected_ep_name"),
            ({"surprise": 1}, USAGE, "surprise"),
            ({"ep_library_registration_name": "dnnl", "selected_ep_name": "DnnlExecutionProvider", "default_ep_options": {"fuse": "1"}}, DONE, "'onednn'")):
        plugin.write_text(json.dumps(content))
        seen = run_tool("-p", plugin, model)
        checks.that(seen[0] == code and word in seen[2], f"plugin file {content}: exit code {code}", seen)
    checks.that((folder / "m_ctx.onnx").exists(), "written beside the model", names(folder))
    seen = run_tool("-e", "onednn", model)
    checks.that(seen[0] == REFUSED, "an existing context model is refused", seen)
    seen = run_tool("-e", "qnn", "-f", model)
    if library() is None:
        checks.that(seen[0] == DONE and "placeholder" in seen[2], "-e qnn: described hardware, and that is said", seen)
    else:
        checks.that(seen[0] == USAGE and "soc_model" in seen[2], "-e qnn: the plug-in that is here wants to know its chip", seen)
    seen = run_tool("-e", "vitisai", "-f", model)
    checks.that(seen[0] == DONE and "placeholder" in seen[2], "-e vitisai: described hardware, and that is said", seen)
    source = (folder / "m.onnx").read_bytes()
    (folder / "n_ctx.onnx").write_bytes(source)
    (folder / "n.onnx").symlink_to("n_ctx.onnx")
    seen = run_tool("-e", "onednn", "-f", folder / "n.onnx")
    checks.that(seen[0] == USAGE and (folder / "n_ctx.onnx").read_bytes() == source, "--force never replaces the source", seen)


def check_interrupt(checks, folder):
    """Ctrl-C at any moment: nothing but the model is left, or the whole context model."""
    model = make_model(folder / "m.onnx", channels=192)
    ended = 0
    for delay in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
        started = subprocess.Popen([str(CLI), "context", str(model), "-o", str(folder / "c.onnx"), "--force", *PROVIDERS], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        time.sleep(delay)
        started.send_signal(signal.SIGINT)
        code = started.wait(60)
        ended += code == 130
        left = [name for name in names(folder) if name != "m.onnx"]
        if code == DONE:
            checks.that("c.onnx" in left, "what ended well is there", left)
        elif code == 130:
            checks.that(not left or "c.onnx" in left, f"Ctrl-C after {delay} s leaves nothing behind", left)
        for name in left:
            (folder / name).unlink()
    print(f"{ended} of 6 exports were interrupted")


def check_foreign(checks, _):
    """Files of others, where the shared corpora lie beside the repository."""
    corpus = pathlib.Path(os.environ.get("CUTAWAY_SHARED", pathlib.Path(__file__).resolve().parents[3] / "shared")) / "corpora" / "models"
    found = [path for path in sorted(corpus.glob("epcontext-*/*.onnx")) if context_nodes(path)]
    if not found:
        print("left out: no context models of others beside the repository")
    for path in found:
        shown = run_cli(CLI, "context", "--show", path)
        checks.that(shown.code == DONE and "QNN" in shown.stdout and "ep_cache" not in shown.stderr, f"{path.name} is explained", shown)
        ran = run_cli(CLI, "run", path, "--providers", "onednn")
        checks.that(ran.code == BAD_MODEL and ("NOT_IMPLEMENTED" in ran.stderr or "INVALID_GRAPH" in ran.stderr), f"{path.name} does not run here", ran)


def main():
    checks = Checks()
    for part in (check_export, check_refusals, check_damage, check_outside_weights, check_changed_numbers, check_sharing, check_tool_options, check_interrupt, check_foreign):
        if sys.argv[1:] and part.__name__.removeprefix("check_") not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            part(checks, pathlib.Path(folder))
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
