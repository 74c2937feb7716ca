#!/usr/bin/env python3
"""EPContext models of a plug-in provider (Qualcomm's QNN, in its simulator), as a device's tools expect them.

Scenarios: export beside and embedded, loaded by onnxruntime itself and by us, the same outputs; bytes that were flipped, cut or
are for another chip; `ep_weight_sharing_ctx_gen` with the options that its users write; times of the simulator, which are called
that and never compared; how often a model with bodies is asked about. Exit code 77 where onnxruntime or the plug-in is not installed.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from checks import Checks
from cutaway_cli import BAD_MODEL, CHECK_FAILED, DONE, REFUSED, USAGE, default_cli, run_cli
from plugin_partition import PACKAGE, PROVIDER, library

CLI = default_cli()
TOOL = CLI.with_name("ep_weight_sharing_ctx_gen")
TARGET = ("--providers", "qnn{backend_type=htp,soc_model=69},cpu")
OTHER_TARGET = ("--providers", "qnn{backend_type=htp,soc_model=60},cpu")
SEVERAL_CHIPS = ("--providers", "qnn{backend_type=htp,soc_model=43+69,htp_arch=73+79},cpu")
SKIPPED = 77

# In a process of its own: the provider keeps its target for the process, and may crash.
THEIRS = r"""
import json, sys
import numpy, onnxruntime as ort
path, library, provider, inputs, outputs = sys.argv[1:]
ort.set_default_logger_severity(3)
ort.register_execution_provider_library(provider, library)
settings = ort.SessionOptions()
settings.add_provider_for_devices([device for device in ort.get_ep_devices() if device.ep_name == provider],
                                  {"backend_type": "htp", "soc_model": "69"})
session = ort.InferenceSession(path, sess_options=settings)
results = session.run(None, {"x": numpy.load(inputs)})
numpy.savez(outputs, **{value.name: result for value, result in zip(session.get_outputs(), results)})
print(json.dumps([value.name for value in session.get_outputs()]))
"""


def make_model(path, groups=2, seed=0):
    """`groups` parts for the provider with an operator between them that it does not take."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(seed)

    def weight(name, *shape):
        return numpy_helper.from_array(random.standard_normal(shape).astype(np.float32) * 0.2, name)

    weights, nodes, value, channels = [], [], "x", 3
    for group in range(groups):
        if group:
            nodes.append(helper.make_node("Erf", [value], [f"e{group}"], name=f"erf{group}"))
            value = f"e{group}"
        weights.append(weight(f"w{group}", 4, channels, 3, 3))
        last = group == groups - 1
        nodes += [helper.make_node("Conv", [value, f"w{group}"], [f"c{group}"], name=f"conv{group}", pads=[1, 1, 1, 1]),
                  helper.make_node("Relu", [f"c{group}"], ["y" if last else f"r{group}"], name=f"relu{group}")]
        value, channels = f"r{group}", 4
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 8, 8])], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def context_nodes(path):
    import onnx

    return [node for node in onnx.load(path, load_external_data=False).graph.node if node.op_type == "EPContext"]


def attributes(node):
    from onnx import helper

    return {each.name: helper.get_attribute_value(each) for each in node.attribute}


def names(folder):
    return sorted(each.name for each in folder.iterdir() if each.is_file())


def in_onnxruntime(path, folder):
    """(outputs, "") of onnxruntime's own session over the file, or (None, its words)."""
    import numpy as np

    inputs, outputs = folder / "x.npy", folder / "theirs.npz"
    np.save(inputs, np.random.default_rng(7).standard_normal((1, 3, 8, 8)).astype(np.float32))
    done = subprocess.run([sys.executable, "-c", THEIRS, str(path), str(library()), PROVIDER, str(inputs), str(outputs)],
                          capture_output=True, text=True, timeout=300, env=environment())
    if done.returncode != 0:
        return None, done.stderr[-600:]
    return dict(np.load(outputs)), ""


def in_cutaway(path, folder, *options):
    import numpy as np

    inputs, outputs = folder / "x.npy", folder / f"ours-{path.stem}"
    if not inputs.exists():
        np.save(inputs, np.random.default_rng(7).standard_normal((1, 3, 8, 8)).astype(np.float32))
    done = run_cli(CLI, "run", path, "--input", f"x={inputs}", "--save-outputs", outputs, *options, timeout=300)
    if done.code != DONE:
        return None, done
    return {file.stem: np.load(file) for file in outputs.glob("*.npy")}, done


def environment():
    import os

    return {**os.environ, "ORT_DISABLE_TELEMETRY": "1"}


def same(left, right):
    import numpy as np

    return left is not None and right is not None and left.keys() == right.keys() and all(
        np.array_equal(left[name], right[name]) for name in left)


def ports_of(binary):
    """Names of what goes into the graph of a binary, and comes out."""
    graph, = binary["graphs"]
    return [sorted(tensor["name"] for tensor in graph[side]) for side in ("inputs", "outputs")]


def check_export(checks, folder):
    for groups in (1, 2):
        model = make_model(folder / f"m{groups}.onnx", groups)
        expected, ran = in_cutaway(model, folder, *TARGET)
        checks.that(expected is not None, f"{groups} groups: the original runs in the simulator", ran)
        for embedded in (False, True):
            what = f"{groups} groups, {'embedded' if embedded else 'beside'}"
            file = folder / f"m{groups}_ctx.onnx"
            done = run_cli(CLI, "context", model, "-o", file, "--force", *TARGET, *(("--embed",) if embedded else ()), timeout=300)
            checks.that(done.code == DONE, f"{what}: export", done)
            if done.code != DONE:
                continue
            nodes = context_nodes(file)
            checks.that(len(nodes) == groups and all(attributes(node)["source"] == PROVIDER.encode() for node in nodes), f"{what}: nodes are the provider's", nodes and attributes(nodes[0]).keys())
            binaries = [] if embedded else [f"m{groups}_qnn.bin"] + [f"m{groups}_qnn_{number}.bin" for number in range(2, groups + 1)]
            checks.that([name for name in names(folder) if name.startswith(f"m{groups}") and name.endswith(".bin")] == sorted(binaries), f"{what}: files", names(folder))
            theirs, words = in_onnxruntime(file, folder)
            checks.that(theirs is not None, f"{what}: onnxruntime loads it", words)
            again, ran = in_cutaway(file, folder, *TARGET)
            checks.that(again is not None, f"{what}: loaded again", ran)
            checks.that(same(again, expected), f"{what}: the outputs of the original")
            if theirs is not None:
                checks.that(same(theirs, expected), f"{what}: onnxruntime's outputs are ours")
            verified = run_cli(CLI, "context", "--verify", file, *TARGET, timeout=300)
            checks.that(verified.code == DONE and "SAME" in verified.stdout, f"{what}: verify", verified)
            shown = run_cli(CLI, "context", "--show", file, *TARGET, timeout=300)
            checks.that(shown.code == DONE and "checksum" in shown.stdout and "restored" in shown.stdout, f"{what}: show", shown)
            told = json.loads(run_cli(CLI, "context", "--show", file, *TARGET, "--json", timeout=300).stdout)["context"]["nodes"]
            checks.that(all(ports_of(entry["binary"]) == [sorted(node.input), sorted(node.output)] for entry, node in zip(told, nodes)), f"{what}: the binary's tensors are the node's", told)
            checks.that(all("soc_model 69" in entry["binary"]["facts"]["chip"] for entry in told), f"{what}: the binary's chip", told)


def check_several_chips(checks, folder):
    """One binary for two chips: written here, loaded on a device alone."""
    import onnx

    model = make_model(folder / "m.onnx", 2)
    file = folder / "m_ctx.onnx"
    done = run_cli(CLI, "context", model, "-o", file, *SEVERAL_CHIPS, timeout=300)
    checks.that(done.code == DONE, "several chips: export", done)
    nodes = context_nodes(file)
    checks.that(len(nodes) == 2 and all(attributes(node).get("is_multi_soc_ep_context") == 1 for node in nodes), "several chips: the nodes say so", [attributes(node) for node in nodes])
    told = {each.key: each.value for each in onnx.load(file, load_external_data=False).metadata_props}
    checks.that(":73,79:43,69:" in told.get(f"ep_compatibility_info.{PROVIDER}", ""), "several chips: the model says for which it is", told)
    shown = run_cli(CLI, "context", "--show", file, timeout=300)
    checks.that(shown.code == DONE and "soc_model 43 (SM8550) and 69 (SM8750)" in shown.stdout, "several chips: shown", shown)
    for what, target, words in (("one of them", TARGET, "one binary for 2 chips, soc_model 43 (SM8550) and 69 (SM8750)"), ("another chip", OTHER_TARGET, "was compiled for soc_model 43 (SM8550) and 69 (SM8750)")):
        seen = run_cli(CLI, "run", file, "--random", "1", *target, timeout=300)
        checks.that(seen.code == BAD_MODEL and words in seen.stderr, f"several chips: {what} here is refused with the reason", seen)
    seen = run_cli(CLI, "run", file, "--random", "1", *TARGET, "--set", "ep.context_recompile=1", timeout=300)
    checks.that(seen.code == DONE, "several chips: compiled again for one of them", seen)
    seen = run_cli(CLI, "partition", model, "--json", *SEVERAL_CHIPS, timeout=300)
    checks.that(seen.code == DONE and "a context for them, and no session here" in seen.stdout, "several chips: no session", seen)
    theirs, words = in_onnxruntime(file, folder)
    checks.that(theirs is None, "several chips: onnxruntime loads it here: then so can we", words)


def check_group(checks, folder):
    models = [make_model(folder / f"{name}.onnx", 1) for name in ("prefill", "decode")]
    done = run_cli(CLI, "context", *models, "--share-group", "llm", "-o", folder / "out", *TARGET, timeout=300)
    checks.that(done.code == DONE and "ep_weight_sharing_ctx_gen" in done.stdout + done.stderr, "a share group says that plug-ins share nothing", done)
    for name in ("prefill", "decode"):
        theirs, words = in_onnxruntime(folder / "out" / f"{name}_ctx.onnx", folder)
        checks.that(theirs is not None, f"{name}: onnxruntime loads it", words)


def check_damage(checks, folder):
    model = make_model(folder / "m.onnx", 1)
    file = folder / "m_ctx.onnx"
    done = run_cli(CLI, "context", model, "-o", file, *TARGET, timeout=300)
    checks.that(done.code == DONE, "export", done)
    binary = folder / "m_qnn.bin"
    good = binary.read_bytes()
    middle = len(good) // 2
    for what, bytes_, word in (("a flipped byte", good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:], "was changed"),
                               ("cut short", good[:middle], "was changed"), ("cut to a few bytes", good[:8], "was changed")):
        binary.write_bytes(bytes_)
        seen = run_cli(CLI, "run", file, *TARGET, timeout=300)
        checks.that(seen.code == BAD_MODEL and word in seen.stderr and "m_qnn.bin" in seen.stderr, f"{what}: refused with the reason", seen)
        seen = run_cli(CLI, "run", file, *TARGET, "--set", "ep.context_recompile=1", timeout=300)
        checks.that(seen.code == DONE, f"{what}: compiled again from the original", seen)
        seen = run_cli(CLI, "context", "--show", file, *TARGET, timeout=300)
        checks.that(seen.code == DONE and "checksum" in seen.stdout and "failed" in seen.stdout, f"{what}: shown", seen)
        seen = run_cli(CLI, "context", "--verify", file, *TARGET, timeout=300)
        checks.that(seen.code == CHECK_FAILED and "DOES NOT LOAD" in seen.stdout, f"{what}: verified", seen)
    # Without our checksum the library decides; whatever it does, this program lives.
    import onnx

    plain = onnx.load(file)
    for node in plain.graph.node:
        del node.metadata_props[:]
    onnx.save(plain, folder / "plain_ctx.onnx")
    for what, bytes_ in (("cut short", good[:middle]), ("zeros", bytes(len(good))), ("a few bytes", good[:8])):
        binary.write_bytes(bytes_)
        seen = run_cli(CLI, "run", folder / "plain_ctx.onnx", *TARGET, timeout=300)
        checks.that(seen.code == BAD_MODEL and "INVALID_GRAPH" in seen.stderr, f"{what}, no checksum: refused", seen)
    binary.write_bytes(good)
    seen = run_cli(CLI, "run", file, *OTHER_TARGET, timeout=300)
    checks.that(seen.code == BAD_MODEL and "soc_model 69" in seen.stderr and "60" in seen.stderr, "a context of another chip", seen)
    seen = run_cli(CLI, "run", file, *TARGET, timeout=300)
    checks.that(seen.code == DONE, "whole again", seen)
    binary.unlink()
    seen = run_cli(CLI, "run", file, *TARGET, timeout=300)
    checks.that(seen.code == BAD_MODEL and "m_qnn.bin" in seen.stderr, "a binary that is gone", seen)


def run_tool(folder, *arguments):
    return subprocess.run([str(TOOL), *arguments], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)


def check_tool(checks, folder):
    """The command lines that onnxruntime's users write."""
    for number in (1, 2):
        make_model(folder / f"model{number}.onnx", 1, seed=0)
    done = run_tool(folder, "-e", "qnn", "-i", "soc_model|60 htp_performance_mode|burst", "model1.onnx,model2.onnx")
    checks.that(done.returncode == DONE, "two models", done)
    checks.that(names(folder) == ["model1.onnx", "model1_ctx.onnx", "model1_qnn.bin", "model2.onnx", "model2_ctx.onnx"], "two models, one binary", names(folder))
    if done.returncode != DONE:
        return
    shared = (folder / "model1_qnn.bin").read_bytes()
    partitions = set()
    for number in (1, 2):
        for node in context_nodes(folder / f"model{number}_ctx.onnx"):
            seen = attributes(node)
            partitions.add(seen["partition_name"])
            checks.that(seen["ep_cache_context"] == b"model1_qnn.bin" and seen["source"] == PROVIDER.encode(), f"model{number}: names the binary", seen)
            checks.that(seen["partition_name"] in shared, f"model{number}: its graph is in the binary")
            checks.that(any(entry.key == "cutaway.context_checksum" for entry in node.metadata_props), f"model{number}: checksum", node.metadata_props)
    checks.that(len(partitions) == 2, "a graph for each model", partitions)
    again = run_tool(folder, "-e", "qnn", "-i", "soc_model|60", "model1.onnx,model2.onnx")
    checks.that(again.returncode == REFUSED and "--force" in again.stderr, "existing files are refused", again)
    forced = run_tool(folder, "-f", "-e", "qnn", "-i", "soc_model|69", "model1.onnx")
    checks.that(forced.returncode == DONE, "a single model", forced)
    ran, outcome = in_cutaway(folder / "model1_ctx.onnx", folder, *TARGET)
    checks.that(ran is not None, "the context of a single model runs in the simulator", outcome)
    for arguments, word in ((("-e", "qnn", "model1.onnx"), "soc_model"), (("-e", "qnn", "-i", "soc_model|60 nobody|1", "model1.onnx"), "nobody")):
        seen = run_tool(folder, "-f", *arguments)
        checks.that(seen.returncode == USAGE and word in seen.stderr, f"{arguments}: said before anything runs", seen)
    source = (folder / "model1.onnx").read_bytes()
    (folder / "model3_ctx.onnx").write_bytes(source)
    (folder / "model3.onnx").symlink_to("model3_ctx.onnx")
    seen = run_tool(folder, "-f", "-e", "qnn", "-i", "soc_model|60", "model3.onnx")
    checks.that(seen.returncode == USAGE and (folder / "model3_ctx.onnx").read_bytes() == source, "--force never replaces the source", seen)


def check_simulated(checks, folder):
    """Times of the simulator are called that, and are compared with nobody's."""
    model = make_model(folder / "m.onnx", 1)
    for verb in (("run", model), ("bench", model, "--seconds", "0.2"), ("profile", model, "--runs", "2")):
        seen = run_cli(CLI, *verb, *TARGET, timeout=300)
        checks.that(seen.code == DONE and "simulated: qnn" in seen.stdout, f"{verb[0]} says so", seen)
        seen = run_cli(CLI, *verb, *TARGET, "--json", timeout=300)
        checks.that(seen.code == DONE and json.loads(seen.stdout)["simulated_providers"] == ["qnn"], f"{verb[0]} says so as JSON", seen.stderr)
        seen = run_cli(CLI, *verb, "--providers", "cpu", timeout=300)
        checks.that(seen.code == DONE and "simulated" not in seen.stdout, f"{verb[0]} on the CPU does not", seen)
    detailed = ("--providers", TARGET[1].replace("}", ",profiling_level=detailed}"))
    seen = run_cli(CLI, "profile", model, "--runs", "2", *detailed, timeout=300)
    checks.that(seen.code == DONE and "Graph Optimizations" in seen.stdout and "say nothing about the chip" in seen.stdout and "conv0" in seen.stdout, "the plug-in's own figures", seen)
    seen = run_cli(CLI, "profile", model, "--runs", "2", *detailed, "--json", timeout=300)
    profiles = json.loads(seen.stdout)["own_profiles"]
    relu = [figure for figure in profiles[0]["figures"] if figure["of"] == "node" and figure["name"] == "relu0"]
    checks.that(len(profiles) == 1 and profiles[0]["simulated"] and len(relu) == 1 and relu[0]["op_type"] == "Relu" and relu[0]["unit"] == "cycles" and relu[0]["times"] == 3, "of each node, as JSON", profiles)
    # None of them is among the times of the run.
    checks.that(all(not node["sub_steps"] for node in json.loads(seen.stdout)["run"]["nodes"]), "and not among measured times", json.loads(seen.stdout)["run"]["nodes"])
    kept = folder / "kept.csv"
    kept.write_text("mine\n")
    seen = run_cli(CLI, "profile", model, "--runs", "1", "--providers", detailed[1].replace("}", f",profiling_file_path={kept}}}"), timeout=300)
    checks.that(seen.code == DONE and kept.read_text().startswith("mine\n") and "its first line is" in seen.stdout, "a file of the user's is added to, never replaced", seen)
    for name, providers in (("a", TARGET[1]), ("b", "cpu")):
        seen = run_cli(CLI, "profile", model, "--runs", "6", "--providers", providers, "--save", folder / f"{name}.json", timeout=300)
        checks.that(seen.code == DONE, f"profile {name}", seen)
    seen = run_cli(CLI, "profile", "--compare", folder / "a.json", folder / "b.json")
    checks.that(seen.code == DONE and "no verdict" in seen.stdout and "the runs differ" not in seen.stdout, "profiles are not compared", seen)
    seen = run_cli(CLI, "profile", "--compare", folder / "a.json", folder / "b.json", "--json")
    comparison = json.loads(seen.stdout)["comparison"]
    checks.that(not comparison["significant"] and not any(node["significant"] for node in comparison["nodes"]), "nor as JSON", comparison)
    seen = run_cli(CLI, "context", model, "-o", folder / "c.onnx", "--verify", *TARGET, timeout=300)
    checks.that(seen.code == DONE and "simulated: qnn" in seen.stdout and "fast" not in seen.stdout, "verify with an export", seen)
    seen = run_cli(CLI, "context", "--verify", folder / "c.onnx", *TARGET, timeout=300)
    checks.that(seen.code == DONE and "simulated: qnn" in seen.stdout and "fast" not in seen.stdout, "verify", seen)
    seen = run_cli(CLI, "context", "--verify", folder / "c.onnx", *TARGET, "--json", timeout=300)
    checks.that(seen.code == DONE and json.loads(seen.stdout)["simulated_providers"] == ["qnn"], "verify as JSON", seen)


def check_questions(checks, folder):
    """A model with bodies is asked about once as a whole, although its bodies come first."""
    import onnx

    text = """<ir_version: 9, opset_import: ["" : 17]>
    main (float[1,4] x, bool c) => (float[1,4] y)
    { a = Relu (x)
      b = If (c) <then_branch = t () => (float[1,4] p) { p = Neg (a) }, else_branch = e () => (float[1,4] q) { q = Erf (a) }>
      y = Relu (b) }"""
    model = folder / "m.onnx"
    onnx.save(onnx.parser.parse_model(text), model)
    record = folder / "m.record"
    done = run_cli(CLI, "partition", model, "--opt-level", "0", "--record", record, *TARGET, timeout=300)
    checks.that(done.code == DONE, "a model with bodies", done)
    asked = [line["question"]["graph_hash"] for line in map(json.loads, record.read_text().splitlines()) if "question" in line]
    checks.that(asked and len(set(asked)) == len(asked), "no question is put twice", asked)


def main():
    if library() is None:
        print(f"{PACKAGE} is not installed here (packaging/setup.sh --providers): nothing was checked")
        return SKIPPED
    checks = Checks()
    wanted = sys.argv[1:]
    for scenario in (check_export, check_several_chips, check_group, check_damage, check_tool, check_simulated, check_questions):
        if wanted and scenario.__name__.removeprefix("check_") not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            scenario(checks, pathlib.Path(folder))
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
