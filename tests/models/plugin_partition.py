#!/usr/bin/env python3
"""Does our partition through a plug-in provider agree with ONNX Runtime's own, node by node? And what does it cost?

    plugin_partition.py                       QNN over the twelve models of the notes on hosting, and all shared models
    plugin_partition.py dtln-1 rl-go1-policy  only models whose folder begins with one of these
    plugin_partition.py --as-is               the models as their files have them, without the walk's optimisation
    plugin_partition.py --twelve --export     the twelve; also their contexts: exported by both, their size, loaded again
    plugin_partition.py --repeat 3            the shortest times of three
    plugin_partition.py --rows FILE           keeps each model's figures there, and takes those that are there: it goes on where it was stopped
    plugin_partition.py --markdown FILE       also writes the tables; plugin_partition.md is made by --export --repeat 3 --rows FILE --markdown,
                                              and again with more rounds for what was taken out of the rows
    plugin_partition.py --generated           a small model that is made here, for machines without the shared ones

Each model gets fixed dimensions, is optimised by the walk, and gets a name of its own for every node. That file is given to
both sides: ONNX Runtime from Python, a session at level "disable all" whose assignment is recorded (at "basic" where QNN wants
constants folded first), and `cutaway-cli partition --opt-level 0` with the same level. Sets of names are compared. Where ONNX
Runtime's layout change has put other nodes in the place of ours, the graph of its last question to the provider, which QNN writes
down itself (dump_qnn_ep_input_graph), says which: they feed what ours fed. Such nodes are "written anew", and compared by the
nodes that stand for them; in the place of those that are "put away" stands none of their kind (Transposes that cancel each other,
functions that are written out), so that there is nothing to compare. Times
are wall-clock seconds, theirs of creating the session, ours of asking and compiling; and, because machines are shared, seconds
of CPU: theirs of the same and of releasing the session, ours of the whole command, its host process included, less those of the
same command with the CPU provider alone, and less the start: a process, ONNX Runtime opened in it, the library registered, which
is paid once for each target, measured with a model that nobody is asked about, and printed. Theirs begin likewise when that is
done. Those of QNN are of its simulator. Contexts (--export) are those of every model of which the provider has a group. Before the last line the geometric means
of ours to theirs, and what takes more than 1.2 times as long; last line: the sums. Exit code 1 when a set differs that both sides have; 0, saying so, where the provider's package is missing.
"""

import argparse
import collections
import datetime
import importlib.metadata
import importlib.util
import json
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

from cutaway_cli import default_cli, run_cli

MODELS = pathlib.Path(os.environ.get("CUTAWAY_CORPORA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "corpora")) / "models"
TWELVE = ("mobilenetv2-qdq-int8", "ad01-int8-qdq", "mlperf-tiny-resnet8", "ultraface-rfb-320", "yolox-nano", "squeezenet-fp16",
          "gtcrn-stream", "dtln-1", "tinybert-tribuo", "basic-pitch", "yolo-postprocess-nms", "rl-go1-policy")
DIMENSIONS = {"tinybert-tribuo": {"sequence": 16}}  # every other free dimension: 1
OPTIONS = {"backend_type": "htp", "soc_model": "69"}
PACKAGE, PROVIDER, LIBRARY, NAME = "onnxruntime_qnn", "QNNExecutionProvider", "libonnxruntime_providers_qnn.so", "qnn"
LARGEST = 300 << 20  # bytes of a model; larger ones take minutes in the simulator

# In a process of its own: the provider keeps its target for the process, and may crash.
THEIRS = r"""
import gc, json, os, sys, time
import onnxruntime as ort
path, library, provider, options, level, target, dump = sys.argv[1:]
ort.set_default_logger_severity(3)
ort.register_execution_provider_library(provider, library)
devices = [device for device in ort.get_ep_devices() if device.ep_name == provider]
settings = ort.SessionOptions()
settings.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
more = {"dump_qnn_ep_input_graph": "1", "dump_qnn_ep_input_graph_dir": dump} if dump else {}
settings.add_provider_for_devices(devices, json.loads(options) | more)
answer = {}
start, cpu = time.perf_counter(), time.process_time()
if dump:
    settings.add_session_config_entry("session.disable_model_compile", "1")
    try:
        ort.InferenceSession(path, sess_options=settings)
    except Exception:
        pass  # it ends with what would have to be compiled
elif target:
    compiler = ort.ModelCompiler(settings, path, embed_compiled_data_into_model=False,
                                 graph_optimization_level=settings.graph_optimization_level)
    compiler.compile_to_file(target)
else:
    settings.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    session = ort.InferenceSession(path, sess_options=settings)
    parts = session.get_provider_graph_assignment_info()
    answer["groups"] = [[node.name for node in group.get_nodes()] for group in parts if group.ep_name == provider]
    answer["every"] = [node.name for group in parts for node in group.get_nodes()]
answer["seconds"] = time.perf_counter() - start
session = None
gc.collect()
answer["cpu"] = time.process_time() - cpu
print(json.dumps(answer))
"""


def without_folders(message):
    """A remark for a table that others read: files of one machine by their names alone."""
    return re.sub(r"/(?:[^\s/'\"]+/)+", "", message)


def library():
    """The provider's library in the Python environment that this runs in; None: it is not installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    path = pathlib.Path(list(found.submodule_search_locations)[0]) / LIBRARY
    return path if path.exists() else None


def fixed(value, sizes):
    """Sizes for the dimensions of a graph's output that have a name of its inputs; the whole shape goes where others are open."""
    shape = value.type.tensor_type.shape
    for dim in shape.dim:
        if not dim.HasField("dim_value"):
            if dim.dim_param not in sizes:
                value.type.tensor_type.ClearField("shape")
                return
            dim.dim_value = sizes[dim.dim_param]


def prepared(source, target, dimensions, cli=None):
    """The model with fixed dimensions, optimised by the walk where `cli` is given, and a name of its own for every node."""
    import onnx

    model = onnx.load(source)
    sizes = {}
    for value in model.graph.input:
        for dim in value.type.tensor_type.shape.dim if value.type.HasField("tensor_type") else ():
            if not dim.HasField("dim_value") or dim.dim_value < 1:
                name = dim.dim_param
                dim.dim_value = dimensions.get(name, 1)
                if name:
                    sizes[name] = dim.dim_value
    # What was inferred with free dimensions does not hold any more.
    del model.graph.value_info[:]
    for value in model.graph.output:
        if value.type.HasField("tensor_type"):
            fixed(value, sizes)
    onnx.save(model, target)
    if cli is not None:
        done = run_cli(cli, "optimize", target, "--save", target.with_name("optimised.onnx"), "--log", "off", timeout=300)
        if done.code != 0:
            raise ValueError(done.reason)
        model = onnx.load(target.with_name("optimised.onnx"))
        del model.graph.value_info[:]
    for number, node in enumerate(model.graph.node):
        node.name = f"node{number}_"
    onnx.save(model, target)
    return len(model.graph.node)


def plain(name):
    """The name that a node had before ONNX Runtime's layout change or copies; None: a node that it made."""
    found = re.search(r"node(\d+)_", name)
    return int(found[1]) if found else None


def theirs(path, level="ORT_DISABLE_ALL", target="", dump=""):
    command = [sys.executable, "-c", THEIRS, str(path), str(library()), PROVIDER, json.dumps(OPTIONS), level, str(target), str(dump)]
    environment = {**os.environ, "ORT_DISABLE_TELEMETRY": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    except subprocess.TimeoutExpired:
        return None, "did not end in 300 s"
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        return None, said[-1][:160]
    return json.loads(done.stdout.splitlines()[-1]), ""


def last_graph(folder):
    """Nodes of the graph that the provider was asked about last, of those that it wrote down: name -> what it says of it."""
    last = {}
    for file in folder.glob("*_qnn_ep_input_graph.json"):
        name, number = file.name.removesuffix("_qnn_ep_input_graph.json").rsplit(".", 1)
        last[name] = max(last.get(name, 0), int(number))
    graphs = [json.loads((folder / f"{name}.{number}_qnn_ep_input_graph.json").read_text())["graph"]["nodes"] for name, number in last.items()]
    # The others are bodies, whose nodes have names of their own.
    return max(graphs, key=lambda nodes: sum(plain(name) is not None for name in nodes), default={})


def stand_ins(path, nodes, gone):
    """For each of these nodes of the model, by number: the names of nodes of the last graph that stand in its place, none of them ours."""
    import onnx

    model = onnx.load(path).graph
    maker = {value: name for name, node in nodes.items() for value in node["output_names"]}
    places = collections.defaultdict(list)
    for name in nodes:
        if plain(name) is not None:
            places[plain(name)].append(name)
    readers = collections.defaultdict(list)
    for number, node in enumerate(model.node):
        for slot, value in enumerate(node.input):
            readers[value].append((number, slot))
    found = {}
    for number in sorted(gone, reverse=True):  # consumers first: what stands for them leads on
        kind, names = model.node[number].op_type, set()
        for value in model.node[number].output:
            makers = [maker.get(value)] + [maker.get(nodes[place]["input_names"][slot]) for reader, slot in readers[value] for place in places[reader]
                                           if slot < len(nodes[place]["input_names"])]
            for name in makers:
                while name is not None and plain(name) is None and nodes[name]["type"] != kind:
                    name = maker.get(nodes[name]["input_names"][0]) if nodes[name]["input_names"] else None
                if name is not None and plain(name) is None:
                    names.add(name)
        if names:
            found[number] = names
            places[number] += names
    return found


def timed(cli, *arguments):
    """The command's outcome, and the seconds and seconds of CPU that it and the processes it started took."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run_cli(cli, *arguments, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def providers(level):
    return f"{NAME}{{{','.join(f'{key}={value}' for key, value in {**OPTIONS, 'level': level}.items())}}},cpu"


def start_of(cli):
    """Seconds of CPU until a provider can be asked: of a model whose only node is refused before that."""
    import onnx
    from onnx import TensorProto, helper

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "unasked.onnx"
        graph = helper.make_graph([helper.make_node("RandomNormal", [], ["y"], shape=[1])], "unasked", [],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
        shared = ("partition", path, "--opt-level", "0", "--log", "off", "--json", "--providers")
        least = {}
        for names in ("cpu", providers("none")):
            least[names] = min(timed(cli, *shared, names)[2] for _ in range(5))
    return least[providers("none")] - least["cpu"]


def ours(cli, path, level, start):
    shared = ("partition", path, "--opt-level", "0", "--log", "off", "--json", "--providers")
    _, _, own = timed(cli, *shared, "cpu")
    done, _, cpu = timed(cli, *shared, providers(level))
    if done.code != 0:
        return None, done.reason
    report = json.loads(done.stdout)
    names = [node["name"] for node in report["optimized_graphs"][0]["nodes"]]
    partition = report["partition"]
    taken, failed = set(), set()
    for node in partition["nodes"]:
        if node["graph"] != 0:
            continue
        number = plain(names[node["node"]])
        if number is None:  # of a function's body, which both sides have put in its place
            continue
        if node["provider"] == NAME:
            taken.add(number)
        elif any(answer["provider"] == NAME and answer["verdict"] == "compile failed" for answer in node["answers"]):
            failed.add(number)
    groups = sum(group["provider"] == NAME and group["compiled"] and group["graph"] == 0 for group in partition["groups"])
    summary = next(row for row in partition["providers"] if row["name"] == NAME)
    seconds = (summary["ask_time_ns"] + summary["compile_time_ns"]) / 1e9
    return {"taken": taken, "failed": failed, "groups": groups, "copies": len(partition["copies"]), "seconds": seconds,
            "cpu": max(cpu - own - start, 0.0)}, ""


def contexts(cli, path, level, folder, start):
    """Both write a context model; ours is loaded again by both."""
    row = {}
    their_level = "ORT_ENABLE_BASIC" if level == "basic" else "ORT_DISABLE_ALL"
    peer, why = theirs(path, their_level, folder / "theirs_ctx.onnx")
    if peer is None:
        row["context"] = f"ONNX Runtime itself does not export it: {without_folders(why)}"
    else:
        row["their_export"] = peer["cpu"]
    file = folder / "model_ctx.onnx"
    arguments = ("--opt-level", "0", "--log", "off", "--providers", providers(level))
    _, _, own = timed(cli, "partition", path, *arguments[:-1], "cpu", "--json")
    done, _, cpu = timed(cli, "context", path, "-o", file, *arguments)
    if done.code != 0:
        row["context"] = done.reason
        return row
    row["our_export"] = max(cpu - own - start, 0.0)
    row["bytes"] = sum(each.stat().st_size for each in folder.glob("model*.bin"))
    row["container"] = "container that ONNX Runtime does not read" in done.stdout + done.stderr
    done, _, cpu = timed(cli, "partition", file, *arguments, "--json")
    if done.code != 0:
        row["context"] = f"does not load: {done.reason}"
        return row
    row["our_load"] = max(cpu - own - start, 0.0)
    peer, why = theirs(file, "ORT_ENABLE_BASIC")
    if peer is None and not row["container"]:
        row["context"] = f"ONNX Runtime does not load it: {why}"
    if peer is not None:
        row["their_load"] = peer["cpu"]
    return row


def shortest(answers):
    """The first answer, with the shortest times of all."""
    best = dict(answers[0])
    for key in ("seconds", "cpu"):
        best[key] = min(each[key] for each in answers)
    return best


def row_of(arguments, name, source, folder):
    cli, path = arguments.cli, folder / "model.onnx"
    try:
        count = prepared(source, path, DIMENSIONS.get(name, {}), None if arguments.as_is else cli)
    except Exception as why:  # a file that onnx itself does not read is none of ours
        return {"model": name, "verdict": "left out", "remark": f"not read: {without_folders(str(why).splitlines()[0])[:80]}"}
    level = "none"
    peer, why = theirs(path)
    if peer is None:
        peer, second = theirs(path, "ORT_ENABLE_BASIC")
        level = "basic"
        if peer is None:
            return {"model": name, "verdict": "left out", "remark": f"ONNX Runtime itself: {without_folders(str(second or why))}"}
    peers, mines = [peer], []
    # In turns, so that what else the machine does meets both.
    for turn in range(arguments.repeat):
        mine, why = ours(cli, path, level, arguments.start)
        if mine is None:
            return {"model": name, "verdict": "failed", "remark": why}
        mines.append(mine)
        if turn + 1 < arguments.repeat:
            again, _ = theirs(path, "ORT_ENABLE_BASIC" if level == "basic" else "ORT_DISABLE_ALL")
            peers += [again] if again is not None else []
    peer, mine = shortest(peers), shortest(mines)
    split = collections.Counter(plain(name) for group in peer["groups"] for name in group)
    every = collections.Counter(plain(name) for name in peer["every"])
    # A node counts where all its copies are the provider's.
    wanted = {number for number in split if number is not None and split[number] == every[number]}
    claimed = mine["taken"] | mine["failed"]
    gone = set(range(count)) - set(every)
    anew = {}
    if gone and peer["groups"]:
        dump = folder / "graphs"
        dump.mkdir()
        theirs(path, "ORT_ENABLE_BASIC" if level == "basic" else "ORT_DISABLE_ALL", dump=dump)
        anew = stand_ins(path, last_graph(dump), gone)
        has = {name for group in peer["groups"] for name in group}
        wanted |= {number for number, names in anew.items() if names <= has}
        gone -= set(anew)
    difference = (wanted ^ claimed) - gone
    verdict = "same" if not difference else "differs"
    remark = f"nodes {sorted(difference)[:6]}" if difference else ""
    if mine["failed"]:
        remark = f"{remark}; {len(mine['failed'])} claimed nodes do not compile in groups of their own".lstrip("; ")
    row = {"model": name, "verdict": verdict, "nodes": count, "anew": len(anew), "gone": len(gone), "theirs": len(wanted), "ours": len(claimed - gone), "kept": len(mine["taken"] - gone),
           "groups": f"{len(peer['groups'])}/{mine['groups']}", "copies": mine["copies"], "level": level,
           "their_seconds": peer["seconds"], "our_seconds": mine["seconds"], "their_cpu": peer["cpu"], "our_cpu": mine["cpu"],
           "rounds": arguments.repeat, "share": mine["seconds"] / max(peer["seconds"], 1e-3), "ratio": mine["cpu"] / max(peer["cpu"], 1e-3), "remark": remark}
    if arguments.export and mine["groups"]:
        row.update(contexts(cli, path, level, folder, arguments.start))
        if row.get("context"):
            row["remark"] = f"{remark}; {row['context']}".lstrip("; ")
    return row


def generated(folder):
    """A convolution with its activation, and a sum over an axis that the provider takes as well."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights = numpy_helper.from_array(numpy.ones((4, 3, 3, 3), numpy.float32), "w")
    nodes = [helper.make_node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Erf", ["b"], ["c"]), helper.make_node("Softmax", ["c"], ["y"], axis=1)]
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 8, 8])], [weights])
    path = folder / "small.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return [("small", path)]


def shared(arguments):
    if not MODELS.is_dir():
        return []
    wanted = arguments.models or (TWELVE if arguments.twelve else None)
    found = []
    for folder in sorted(MODELS.iterdir()):
        if folder.name.startswith(("bad-", "_")) or (wanted and not folder.name.startswith(tuple(wanted))):
            continue
        files = [path for path in sorted(folder.glob("*.onnx")) if path.stat().st_size < LARGEST]
        found += [(folder.name if len(files) == 1 else f"{folder.name}/{path.stem}", path) for path in files]
    return found


COLUMNS = (("model", "model", "{}"), ("sets", "verdict", "{}"), ("nodes", "nodes", "{}"), ("written anew", "anew", "{}"), ("put away", "gone", "{}"), ("theirs", "theirs", "{}"), ("ours", "ours", "{}"),
           ("kept", "kept", "{}"), ("groups theirs/ours", "groups", "{}"), ("copies", "copies", "{}"), ("level", "level", "{}"),
           ("their session, s", "their_seconds", "{:.2f}"), ("ours, s", "our_seconds", "{:.2f}"), ("ours/theirs", "share", "{:.2f}"),
           ("their session, CPU s", "their_cpu", "{:.2f}"),
           ("ours, CPU s", "our_cpu", "{:.2f}"), ("ours/theirs", "ratio", "{:.2f}"), ("rounds", "rounds", "{}"), ("remark", "remark", "{}"))
EXPORT = (("model", "model", "{}"), ("binaries, bytes", "bytes", "{}"), ("their export, CPU s", "their_export", "{:.2f}"),
          ("ours, CPU s", "our_export", "{:.2f}"), ("they load ours, CPU s", "their_load", "{:.2f}"), ("we load it, CPU s", "our_load", "{:.2f}"),
          ("container", "container", "{}"), ("remark", "context", "{}"))


def head(columns):
    return f"| {' | '.join(title for title, _, _ in columns)} |\n|{'---|' * len(columns)}"


def line(row, columns):
    return f"| {' | '.join(form.format(row[key]) if key in row else '' for _, key, form in columns)} |"


def ratios(rows):
    """How much longer ours takes, in words: in the mean, and where it is more than 1.2 times."""
    rows = [row for row in rows if "ratio" in row]
    words = []
    for key, what in (("share", "wall-clock time"), ("ratio", "time of CPU")):
        if not rows:
            break
        mean = math.exp(sum(math.log(max(row[key], 1e-3)) for row in rows) / len(rows))
        slow = [f"{row['model']} {row[key]:.2f}" for row in rows if row[key] > 1.2]
        words.append(f"Session time, ours to theirs, {what}: {mean:.2f} in geometric mean; more than 1.2 times as long: {len(slow)} of {len(rows)}{': ' if slow else ''}{', '.join(slow)}.")
    return words


def write(arguments, rows, sums):
    import onnxruntime

    name = PACKAGE.replace("_", "-")
    words = "\n\n".join(ratios(rows))
    text = (f"# Partitions through Qualcomm's plug-in beside ONNX Runtime's own\n\nWritten by `tests/models/plugin_partition.py`, which says "
            f"what was asked and how times are taken: {name} {importlib.metadata.version(name)} with onnxruntime {onnxruntime.__version__}, "
            f"soc_model {OPTIONS['soc_model']}, {datetime.date.today()}, models "
            f"{'as their files have them' if arguments.as_is else 'as the walk has optimised them'}, shortest times of each model's rounds. The start takes {arguments.start:.2f} s of CPU. "
            f"Load of the machine over the last 15 minutes: {os.getloadavg()[2]:.1f} on {os.cpu_count()} cores.\n\n{sums}. "
            f"{sum(row.get('anew', 0) for row in rows)} nodes that the layout change wrote anew are compared by what stands for them; in the place of "
            f"{sum(row.get('gone', 0) for row in rows)} stands none.\n\n{words}\n\n{head(COLUMNS)}\n")
    text += "".join(line(row, COLUMNS) + "\n" for row in rows)
    if arguments.export:
        text += f"\n## Contexts\n\n{head(EXPORT)}\n" + "".join(line(row, EXPORT) + "\n" for row in rows if "container" in row or "context" in row)
    arguments.markdown.write_text(text)


def kept_rows(file):
    """Figures of models that an earlier call has measured, by name."""
    if file is None or not file.exists():
        return {}
    return {row["model"]: row for row in map(json.loads, file.read_text().splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--twelve", action="store_true")
    parser.add_argument("--generated", action="store_true")
    parser.add_argument("--as-is", action="store_true")
    parser.add_argument("--export", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    arguments = parser.parse_args()
    if library() is None:
        print(f"{PACKAGE} is not installed here (packaging/setup.sh --providers): nothing was compared")
        return 0
    rows, kept, columns = [], kept_rows(arguments.rows), COLUMNS + (EXPORT[1:-1] if arguments.export else ())
    arguments.start = start_of(arguments.cli)
    print(f"start: {arguments.start:.2f} s of CPU\n\n{head(columns)}")
    with tempfile.TemporaryDirectory() as made:
        models = generated(pathlib.Path(made)) if arguments.generated else shared(arguments)
        for name, source in models:
            if name not in kept:
                with tempfile.TemporaryDirectory() as folder:
                    kept[name] = row_of(arguments, name, source, pathlib.Path(folder))
                if arguments.rows:
                    with arguments.rows.open("a") as file:
                        file.write(json.dumps(kept[name]) + "\n")
            rows.append(kept[name])
            print(line(rows[-1], columns), flush=True)
    verdicts = {word: sum(row["verdict"] == word for row in rows) for word in ("same", "differs", "failed", "left out")}
    sums = ", ".join(f"{count} {word}" for word, count in verdicts.items())
    print("\n" + "\n".join(ratios(rows)))
    print("\n" + sums)
    if arguments.markdown:
        write(arguments, rows, sums)
    return 1 if verdicts["differs"] or verdicts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
