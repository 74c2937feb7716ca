#!/usr/bin/env python3
"""`--plan onnxruntime` beside onnxruntime itself: the order of the nodes, and the block that the memory pattern plans.

    plans_beside_onnxruntime.py                   samples, generated and random models, and the shared ones where they are
    plans_beside_onnxruntime.py --packs           the packs of the shared corpora, too
    plans_beside_onnxruntime.py --only gtcrn      models whose name holds this
    plans_beside_onnxruntime.py --verbose         a line a model

Each model is prepared by onnxruntime, without optimisation and with its extended one; its nodes are named and shuffled, and
both open that file as it is. Order and block must be the same, or differ for a reason that RULES names and that is seen in the
run itself; in parallel mode there must be no block in either. Prints what differs, the table of shares, and last `N passed, N failed, N skipped`.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import generated_models
import model_inputs
import onnxruntime_rules as rules
import onnxruntime_run as theirs
import shared_corpora as corpora
from cutaway_cli import DONE, REPOSITORY, default_cli, run_cli
from own_process import Died, in_own_process, time_limit

SAMPLES = REPOSITORY / "resources" / "samples"
RANDOM_MODELS = 40
RULES = {
    "other nodes": "onnxruntime replaces, inserts or drops nodes when it opens the file, at DISABLE_ALL too",
    "sizes": "shape inference of one of the two finds a size that the other's does not; with what each knows, the same rules give both blocks",
}
SECONDS = 120


@dataclasses.dataclass
class Ours:
    order: list
    bodies: dict
    block: int  # 0: none is used
    eligible: bool
    allocated: dict  # node name -> bytes of the buffers and outputs that it opens; -1: not known
    open_sizes: int  # buffers without a size before running
    known: dict  # value of the main graph -> its dimensions as shape inference found them (numbers, symbols, None)


@dataclasses.dataclass
class Verdict:
    name: str
    skipped: str = ""  # why there is nothing to compare
    order_same: bool = False
    block_same: bool = False
    parallel_same: bool = False
    rule: str = ""  # of RULES: why it differs
    told: str = ""

    @property
    def failed(self):
        return not self.skipped and not (self.parallel_same and (self.rule or (self.order_same and self.block_same)))


def random_model(seed):
    """Elementwise chains, views, joins and splits over one size, with values that nothing reads; always the same for a seed."""
    rng = random.Random(seed)
    size = rng.choice((256, 300, 1000))
    values, nodes = ["x"], []
    for index in range(rng.randint(4, 30)):
        one, other, made = rng.choice(values[-6:]), rng.choice(values), f"v{index}"
        kind = rng.choice(("Relu", "Relu", "Mul", "Mul", "Mul", "Identity", "Exp", "Split", "Slice"))
        if kind in ("Split", "Slice"):
            nodes.append(helper.make_node("Concat", [one, other], [f"c{index}"], axis=0))
        if kind == "Split":
            nodes.append(helper.make_node("Split", [f"c{index}"], [made, f"w{index}"], axis=0))
            values += [f"w{index}"] if rng.random() < 0.6 else []
        elif kind == "Slice":
            nodes.append(helper.make_node("Slice", [f"c{index}", "from", "to"], [made]))
        else:
            nodes.append(helper.make_node(kind, [one, other] if kind == "Mul" else [one], [made]))
        values.append(made)
    read = {value for node in nodes for value in node.input}
    ends = [value for node in nodes for value in node.output if value not in read]
    kept = [value for value in ends if rng.random() < 0.8] or ends[:1]
    limits = [numpy_helper.from_array(np.array([number]), name) for name, number in (("from", 0), ("to", size))]
    graph = helper.make_graph(nodes, "random", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [size])],
                              [helper.make_tensor_value_info(value, TensorProto.FLOAT, [size]) for value in kept],
                              [limit for limit in limits if limit.name in read])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def shuffled(path, seed=7):
    """The nodes of the main graph in another order: what the file's order decides must not hide behind a sorted one."""
    model = onnx.load(path, load_external_data=False)
    nodes = list(model.graph.node)
    random.Random(seed).shuffle(nodes)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, path)


def attempts(source, model, name):
    if source is None:
        return [{"x": np.ones([dim.dim_value for dim in model.graph.input[0].type.tensor_type.shape.dim], np.float32)}]
    recorded = model_inputs.recorded(source, model)
    return ([recorded[0]] if recorded else []) + [model_inputs.made_up(model, name)]


def run_theirs(source, seed, name, level, path):
    """Observed, the feeds and the block in parallel mode, or why not. In a process of its own: onnxruntime may crash."""
    try:
        with time_limit(SECONDS):
            model = random_model(seed) if source is None else \
                onnx.load(source, format=None if source.suffix == ".onnx" else "textproto")
            for feeds in attempts(source, model, name):
                try:
                    made = theirs.prepared(model, feeds, level, path)
                    shuffled(path)
                    wanted = {info.name for info in made.graph.input}
                    feeds = {key: value for key, value in feeds.items() if key in wanted}
                    return theirs.observed(path, feeds), feeds, theirs.observed(path, feeds, parallel=True).block
                except Exception as error:
                    why = f"onnxruntime: {(str(error).strip().splitlines() or [type(error).__name__])[0][:160]}"
            return why, None, 0
    except Exception as error:  # the script must say something about every model
        return f"{type(error).__name__}: {str(error).strip()[:160]}", None, 0


def label(graph, node):
    return graph["nodes"][node]["name"]


def opened_bytes(report):
    """Node name -> bytes of buffers and outputs that it opens."""
    opened = {}
    for allocation in report["allocate"]["graphs"]:
        graph = report["partitioned_graphs"][allocation["graph"]]
        for value in allocation["values"]:
            producer = graph["values"][value["value"]]["producer"]
            if producer < 0:
                continue
            name, size = label(graph, producer), value.get("size_bytes", -1)
            if value["kind"] in ("Allocate", "AllocateOutput"):
                opened[name] = -1 if size < 0 or opened.get(name, 0) < 0 else opened.get(name, 0) + size
            else:
                opened.setdefault(name, 0)
    return opened


def run_ours(cli, path, feeds, folder, *options):
    """Ours, or why not."""
    done = run_cli(cli, "pattern", path, "--opt-level", "0", "--plan", "onnxruntime", "--log", "off", "--json", *options, timeout=SECONDS)
    if done.code != DONE:
        return f"cutaway: {done.reason}"
    report = json.loads(done.stdout)
    graphs = report["partitioned_graphs"]
    orders = {each["graph"]: [label(graphs[each["graph"]], step["node"]) for step in each["steps"]] for each in report["schedule"]["graphs"]}
    bodies = {graphs[index]["nodes"][0]["name"]: order for index, order in orders.items() if index != 0 and order}
    main = [each for each in report["pattern"]["graphs"] if each["graph"] == 0]
    ours = Ours(order=orders[0], bodies=bodies, block=sum(each["peak_bytes"] for each in main) if report["pattern"]["eligible"] else 0,
                eligible=report["pattern"]["eligible"],
                allocated=opened_bytes(report), open_sizes=sum(len(each["unplanned"]) for each in main),
                known={value["name"]: dims_in(value["type"]) for value in graphs[0]["values"]})
    if ours.open_sizes and feeds:
        ours.block = block_of_a_run(cli, path, feeds, folder) or ours.block
    return ours


def dims_in(text):
    """The dimensions in a type such as float[2,batch,?]; None where it tells no rank."""
    told = re.fullmatch(r"[\w.]+\[(.*)\]", text)
    if told is None:
        return None
    return tuple(int(dim) if dim.isdigit() else None if dim == "?" else dim for dim in told[1].split(",") if dim)


def block_of_a_run(cli, path, feeds, folder):
    """The block for sizes that only a run knows; None when it does not run."""
    inputs = []
    for index, (name, value) in enumerate(feeds.items()):
        if not isinstance(value, np.ndarray):
            return None
        file = folder / f"input_{index}.pb"
        file.write_bytes(numpy_helper.from_array(value, name).SerializeToString())
        inputs += ["--input", f"{name}={file}"]
    done = run_cli(cli, "bench", path, "--opt-level", "0", "--plan", "onnxruntime", "--threads", "1", "--seconds", "0.01", "--warmup", "2",
                   "--log", "off", "--json", *inputs, timeout=SECONDS)
    return json.loads(done.stdout)["planned_peak_bytes"] if done.code == DONE else None


def first_difference(one, other):
    return next((index for index, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def order_differs(ours, observed, verdict):
    verdict.order_same = ours.order == observed.order and all(ours.bodies.get(body) == order for body, order in observed.bodies.items())
    if verdict.order_same:
        return
    if set(ours.order) != set(observed.order) or \
            any(set(ours.bodies.get(body, ())) != set(order) for body, order in observed.bodies.items()):
        verdict.rule = "other nodes"
        return
    where, one, other = next((where, one, other) for where, one, other in
                             [("", ours.order, observed.order), *((f" of the body of {body}", ours.bodies[body], order)
                                                                 for body, order in observed.bodies.items())] if one != other)
    at = first_difference(one, other)
    verdict.told = f"order{where}: at step {at} {one[at:at + 4]}, onnxruntime {other[at:at + 4]}"


def block_differs(path, ours, observed, verdict):
    verdict.block_same = ours.block == observed.block
    if verdict.block_same:
        return
    graph = onnx.load(path, load_external_data=False).graph
    try:
        by_ours, by_theirs = (rules.planned_block(graph, observed.order, known, observed.actual) for known in (ours.known, observed.known))
    except (rules.NotKnown, KeyError) as why:
        verdict.told = f"{why} is not told; "
    else:
        if (by_ours, by_theirs) == (ours.block, observed.block):
            verdict.rule = "sizes"
            return
        verdict.told = f"the rules give {by_ours} for our sizes and {by_theirs} for those of onnxruntime; "
    operators = {node.name: node.op_type for node in graph.node}
    for name in observed.order:
        planned, real = ours.allocated.get(name, 0), observed.allocated[name]
        if planned != real:
            verdict.told += f"block: {ours.block} bytes, onnxruntime {observed.block}; {name} ({operators.get(name)}) opens {planned}, there {real}"
            return
    verdict.told += f"block: {ours.block} bytes, onnxruntime {observed.block}; every node opens what it opens there"


def parallel_differs(ours, block, verdict):
    """Neither makes a memory pattern for parallel execution."""
    verdict.parallel_same = not isinstance(ours, str) and ours.eligible == (block > 0) and ours.block == block
    if not verdict.parallel_same:
        verdict.told += "; parallel: " + (ours if isinstance(ours, str) else f"block {ours.block} bytes, onnxruntime {block}")


def judged(job):
    """One model at one level."""
    cli, source, seed, name, level = job
    verdict = Verdict(f"{name}, {level}")
    with tempfile.TemporaryDirectory(prefix="plans") as scratch:
        folder = pathlib.Path(scratch)
        path = folder / "model.onnx"
        try:
            observed, feeds, parallel = in_own_process(run_theirs, (source, seed, name, level, path), 2 * SECONDS)
        except Died as why:
            observed, feeds, parallel = f"onnxruntime: its process {why}", None, 0
        if isinstance(observed, str):
            verdict.skipped = observed
            return verdict
        if not observed.order:
            verdict.skipped = "no node is left to run"
            return verdict
        ours = run_ours(cli, path, feeds, folder)
        if isinstance(ours, str):
            verdict.skipped = ours
            return verdict
        order_differs(ours, observed, verdict)
        if not verdict.rule and verdict.order_same:
            block_differs(path, ours, observed, verdict)
        parallel_differs(run_ours(cli, path, None, folder, "--executor", "dataflow"), parallel, verdict)
    return verdict


def jobs_of(arguments):
    """Set -> jobs."""
    cli = arguments.cli
    found = {"samples": [(cli, path, 0, f"samples/{path.parent.name}") for path in sorted(SAMPLES.rglob("model.onnx"))],
             "generated": [(cli, generated_models.make(name, settings), 0, f"generated/{name}")
                           for name, settings in generated_models.MODELS.items()],
             "random": [(cli, None, seed, f"random/{seed}") for seed in range(RANDOM_MODELS)]}
    if corpora.CORPORA.is_dir():
        folders = corpora.model_folders()
        plain = [path for path in corpora.all_models([each for each in folders if not each.name.startswith("pack-")]) if path.suffix != ".ort"]
        found["shared"] = [(cli, path, 0, corpora.short(path)) for path in plain]
        if arguments.packs:
            packed = corpora.all_models([each for each in folders if each.name.startswith("pack-")])
            found["packs"] = [(cli, path, 0, corpora.short(path)) for path in packed if path.suffix != ".ort"]
    else:
        print(f"no shared corpora beside the repository: left out {corpora.USUAL_COUNTS['table']}")
    return {key: [(*job, level) for job in jobs if arguments.only in job[3] for level in theirs.LEVELS] for key, jobs in found.items()}


def share(count, total):
    return f"{count} ({100 * count / total:.1f} %)" if total else "-"


def row(name, verdicts):
    compared = [each for each in verdicts if not each.skipped]
    total = len(compared)
    return (f"| {name} | {total} | {share(sum(each.order_same for each in compared), total)} | "
            f"{share(sum(each.block_same for each in compared), total)} | {share(sum(each.parallel_same for each in compared), total)} | {sum(bool(each.rule) for each in compared)} | "
            f"{sum(each.failed for each in compared)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli(), help="the program to test")
    parser.add_argument("--packs", action="store_true")
    parser.add_argument("--only", default="", metavar="PART")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    by_set = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, jobs in jobs_of(arguments).items():
            by_set[name] = []
            for verdict in pool.map(judged, jobs):
                by_set[name].append(verdict)
                if verdict.failed:
                    print(f"failed  {verdict.name}: {verdict.told}", flush=True)
                elif arguments.verbose:
                    print(f"{'skipped' if verdict.skipped else 'passed '} {verdict.name}: {verdict.skipped or verdict.rule or 'the same'}", flush=True)
    every = [verdict for verdicts in by_set.values() for verdict in verdicts]
    print("| models | compared | order the same | block the same | no block in parallel | named difference | unexplained |\n|---|---|---|---|---|---|---|")
    for name, verdicts in (*by_set.items(), ("all", every)):
        print(row(name, verdicts))
    for rule, count in collections.Counter(verdict.rule for verdict in every if verdict.rule).items():
        print(f"{count} x {rule}: {RULES[rule]}")
    failed, skipped = sum(verdict.failed for verdict in every), sum(bool(verdict.skipped) for verdict in every)
    print(f"{len(every) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or len(every) == skipped else 0


if __name__ == "__main__":
    sys.exit(main())
