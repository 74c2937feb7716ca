#!/usr/bin/env python3
"""The declared profile QNN-HTP beside Qualcomm's own plug-in: who takes which node of every shared model.

    profile_beside_plugin.py                     every shared model that is not in a pack: a row each, and the sums
    profile_beside_plugin.py dtln gtcrn          only models whose path begins with one of these
    profile_beside_plugin.py --packs             the models in the packs as well
    profile_beside_plugin.py --differences       each operator that they differ on, with the plug-in's reasons
    profile_beside_plugin.py --profile-dir DIR   the profile of that folder instead of the shipped one
    profile_beside_plugin.py --markdown FILE     the table for the manual

Both get the same file: the model as onnxruntime's own first level leaves it, with the sizes of one set of inputs and every
node named. The plug-in answers for the chip of SOC, by the assignment that onnxruntime recorded; where it does not compile
(it then takes nothing at all), by its verdicts before compiling. A node that a layout change removed counts by the verdict
before it. Needs packaging/setup.sh --providers; what the plug-in answered is kept in build/test-data/plugin_answers.
Exit code 1 when fewer than LEAST of the nodes agree, of all or of those outside bodies.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import importlib.metadata
import json
import os
import pathlib
import re
import sys
import tempfile

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library is loaded

import onnx
import onnxruntime

import model_inputs
import shared_corpora as corpora
from cutaway_cli import DONE, TEST_DATA, default_cli, run_cli
from onnxruntime_run import graphs_of
from own_process import Died, in_own_process

PACKAGE, PROVIDER, PROFILE = "onnxruntime-qnn", "QNNExecutionProvider", "declared(QNN-HTP)"
SOC = "69"  # SM8750
LEAST = 0.98
KEPT = TEST_DATA / "plugin_answers"
BASIC, PLAIN = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
VERDICT = re.compile(r"LogNodeSupport\] Validation (PASSED|FAILED)(.*?)(?=\n(?:\x1b\[[0-9;]*m)?\d{4}-\d\d-\d\d )", re.DOTALL)
NODE = re.compile(r"\tOperator type: \S+ Node name: (.*) Node index: \d+")


def options(level):
    made = onnxruntime.SessionOptions()
    made.graph_optimization_level = level
    made.log_severity_level = 4
    made.intra_op_num_threads = 1
    return made


def with_sizes(model, feeds):
    """The model with the sizes of its feeds for sizes; what was derived from open ones is forgotten."""
    fixed = onnx.ModelProto()
    fixed.CopyFrom(model)
    for info in fixed.graph.input:
        if info.type.WhichOneof("value") == "tensor_type" and hasattr(feeds.get(info.name), "shape"):
            del info.type.tensor_type.shape.dim[:]
            for size in feeds[info.name].shape:
                info.type.tensor_type.shape.dim.add(dim_value=int(size))
    del fixed.graph.value_info[:]
    for info in fixed.graph.output:
        if info.type.WhichOneof("value") == "tensor_type":
            info.type.tensor_type.ClearField("shape")
    return fixed


def prepared(path, name, target):
    """Writes what both are asked about to `target`; gives why not when onnxruntime itself has no use for the model."""
    model = onnx.load(path)
    data = model_inputs.recorded(path, model)
    attempts = [data[0]] if data else []
    reason = "no inputs"
    for feeds in (*attempts, model_inputs.made_up(model, name), *model_inputs.other_attempts(model, name)):
        try:
            fixed = with_sizes(model, feeds)
            made = options(BASIC)
            made.optimized_model_filepath = str(target)
            session = onnxruntime.InferenceSession(fixed.SerializeToString(), made, providers=["CPUExecutionProvider"])
            session.run(None, feeds)
        except Exception as why:  # onnxruntime's errors have many types
            reason = (str(why).splitlines() or [type(why).__name__])[0][:160]
            continue
        return name_nodes(target)
    return reason


def name_nodes(target):
    made = onnx.load(target)
    count = 0
    for graph in graphs_of(made.graph):
        for node in graph.node:
            node.name = f"n{count}"
            count += 1
    onnx.save(made, target)
    return ""


class CapturedLog:
    """What native code writes to the error output while it is open; Qualcomm's library writes to the other as well."""

    def __enter__(self):
        self.file, self.kept = tempfile.TemporaryFile(), (os.dup(1), os.dup(2))
        for number in (1, 2):
            os.dup2(self.file.fileno(), number)
        return self

    def __exit__(self, *_):
        for number, kept in zip((1, 2), self.kept):
            os.dup2(kept, number)
            os.close(kept)
        self.file.seek(0)
        self.text = self.file.read().decode(errors="replace") + "\n0000-00-00 "


def registered():
    import onnxruntime_qnn
    onnxruntime.register_execution_provider_library(PROVIDER, onnxruntime_qnn.get_library_path())
    return [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER]


def verdicts(text):
    """Of the first pass: name -> (taken, reason)."""
    first = text[text.find("GetCapability pass 1"):]
    second = first.find("GetCapability pass 2")
    found = {}
    for word, rest in VERDICT.findall(first[:second if second >= 0 else None] + "\n0000-00-00 "):
        nodes, _, reason = rest.partition("\tREASON : ")
        for name in NODE.findall(nodes):
            found[name] = (word == "PASSED", reason.strip())
    return found


def base(name):
    return re.sub(r"_token_\d+$", "", name)


def plugin_answer(target):
    """{"how": ..., "nodes": {name: [operator, taken, reason]}} of the plug-in."""
    devices = registered()
    made = options(PLAIN)
    made.log_severity_level = 0
    made.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    made.add_provider_for_devices(devices, {"backend_type": "htp", "soc_model": SOC})
    how, recorded = "assignment", {}
    with CapturedLog() as log:
        try:
            session = onnxruntime.InferenceSession(str(target), made, enable_fallback=False)
            for group in session.get_provider_graph_assignment_info():
                for node in group.get_nodes():
                    recorded[base(node.name)] = recorded.get(base(node.name), False) or group.ep_name == PROVIDER
        except Exception as why:
            how = "asked: " + str(why).splitlines()[0][:160]
    passed = verdicts(log.text)
    nodes = {}
    for graph in graphs_of(onnx.load(target, load_external_data=False).graph):
        for node in graph.node:
            said = passed.get(node.name, (None, ""))
            taken = recorded.get(node.name, said[0])
            if taken is not None:
                nodes[node.name] = [node.op_type, taken, said[1]]
    for graph in graphs_of(onnx.load(target, load_external_data=False).graph):
        for node in graph.node:
            if nodes.get(node.name, ["", False])[1]:  # what it takes, it takes with all bodies
                for attribute in node.attribute:
                    if attribute.type == onnx.AttributeProto.GRAPH:
                        for inner in (each for body in graphs_of(attribute.g) for each in body.node):
                            nodes[inner.name] = [inner.op_type, True, ""]
    return {"how": how, "nodes": nodes}


def asked(path, name, target):
    try:
        reason = prepared(path, name, target)
    except Exception as why:  # what onnx itself cannot read, or nobody has inputs for
        reason = (str(why).splitlines() or [type(why).__name__])[0][:160]
    return {"how": "left out: " + reason, "nodes": {}} if reason else plugin_answer(target)


def kept_answer(path, version):
    """The plug-in's answer on a model, asked once."""
    name = corpora.short(path)
    key = hashlib.sha256(f"{name} {path.stat().st_size} {version} {SOC}".encode()).hexdigest()[:16]
    target, answer = KEPT / f"{key}.onnx", KEPT / f"{key}.json"
    if not answer.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        try:
            said = in_own_process(asked, (path, name, target), 300)
        except Died as why:
            said = {"how": f"left out: its process {why}", "nodes": {}}
        answer.write_text(json.dumps(said))
    return target, json.loads(answer.read_text())


def profile_answer(cli, target, folder):
    """Name -> (taken, the rule that refuses) of the profile, or a text that says why not."""
    command = ["partition", target, "--providers", PROFILE + ",cpu", "--opt-level", "0", "--json", "--log", "off"]
    done = run_cli(cli, *command, *(["--profile-dir", folder] if folder else []), timeout=600)
    if done.code != DONE:
        return done.reason
    report = json.loads(done.stdout)
    graphs = report["optimized_graphs"]
    return {graphs[node["graph"]]["nodes"][node["node"]]["name"]: (node["provider"] == PROFILE, node["answers"][0].get("reason", ""))
            for node in report["partition"]["nodes"]}


@dataclasses.dataclass
class Row:
    name: str
    how: str
    counts: collections.Counter  # by (the plug-in takes it, the profile takes it)
    main: collections.Counter = dataclasses.field(default_factory=collections.Counter)  # of these, not in bodies
    differences: list = dataclasses.field(default_factory=list)


def row_of(path, arguments, version):
    name = corpora.short(path)
    target, real = kept_answer(path, version)
    row = Row(name, real["how"], collections.Counter())
    if not real["nodes"]:
        return row
    ours = profile_answer(arguments.cli, target, arguments.profile_dir)
    if isinstance(ours, str):
        row.how = "left out: " + ours
        return row
    outside = {node.name for node in onnx.load(target, load_external_data=False).graph.node}
    for node, (operator, taken, reason) in real["nodes"].items():
        if node not in ours:
            continue
        row.counts[taken, ours[node][0]] += 1
        if node in outside:
            row.main[taken, ours[node][0]] += 1
        if taken != ours[node][0]:
            row.differences.append((operator, taken, reason if not taken else ours[node][1], name, node))
    return row


def agreement(counts):
    total = sum(counts.values())
    return (counts[True, True] + counts[False, False]) / total if total else 1.0


def line(name, counts, how=""):
    return (f"| {name} | {sum(counts.values())} | {counts[True, True] + counts[True, False]} | {counts[True, True] + counts[False, True]} | "
            f"{counts[True, False]} | {counts[False, True]} | {100 * agreement(counts):.1f} % | {how} |")


def table(rows):
    lines = ["| model | nodes | the plug-in takes | the profile takes | the plug-in alone | the profile alone | agree | asked |", "|---|---|---|---|---|---|---|---|"]
    total, main = collections.Counter(), collections.Counter()
    for row in rows:
        if row.counts:
            lines.append(line(row.name, row.counts, "" if row.how == "assignment" else "before compiling"))
            total += row.counts
            main += row.main
    return [*lines, line("**all**", total), line("**without what is in bodies of If, Loop and Scan**", main)], total, main


def print_differences(rows):
    by_cause = collections.defaultdict(list)
    for row in rows:
        for operator, taken, reason, name, node in row.differences:
            by_cause[operator, "the plug-in alone" if taken else "the profile alone", re.sub(r"`[^`]*`|'[^']*'", "..", reason)[:200]].append((name, node))
    for (operator, side, reason), places in sorted(by_cause.items(), key=lambda each: -len(each[1])):
        print(f"{len(places):5} {operator}: {side}: {reason}; {places[0][0]} {places[0][1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="beginnings of models' paths")
    parser.add_argument("--packs", action="store_true")
    parser.add_argument("--differences", action="store_true")
    parser.add_argument("--profile-dir", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    try:
        version = importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        print(f"{PACKAGE} is not installed (packaging/setup.sh --providers): nothing was compared")
        return 0
    if not corpora.CORPORA.is_dir():
        print("no shared corpora beside the repository: nothing was compared")
        return 0
    folders = [folder for folder in corpora.model_folders() if arguments.packs or not folder.name.startswith("pack-")]
    models = [path for path in corpora.all_models(folders) if path.suffix == ".onnx"]
    models = [path for path in models if not arguments.models or corpora.short(path).startswith(tuple(arguments.models))]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda path: row_of(path, arguments, version), models))
    lines, total, main_total = table(rows)
    if arguments.markdown:
        arguments.markdown.write_text("\n".join(lines) + "\n")
    else:
        print("\n".join(lines))
    for row in rows:
        if not row.counts:
            print(f"{row.name}: {row.how}")
    if arguments.differences:
        print_differences(rows)
    agree = min(agreement(total), agreement(main_total))
    print(f"{PACKAGE} {version}, soc_model {SOC}: {sum(total.values())} nodes of {sum(bool(row.counts) for row in rows)} models, {100 * agreement(total):.2f} % agree; "
          f"{sum(main_total.values())} outside bodies, {100 * agreement(main_total):.2f} %")
    return 0 if agree >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
