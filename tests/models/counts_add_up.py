#!/usr/bin/env python3
"""The counts that the stages tell agree with each other, on the shared models (../shared/corpora) and the samples.

    counts_add_up.py              every model, on each list of providers: minutes
    counts_add_up.py --quick      a dozen models: seconds, for CTest

Nodes of load, of every optimiser pass, of partition, of its groups and providers, of the order; values of allocation and
buffers of the pattern; FLOPs before and after providers took their groups; times of one profile as text, as JSON and
from its series; memory that a run found live beside its plan and what was held. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics
import sys
import tempfile

from cutaway_cli import DONE, REPOSITORY, default_cli, run_cli

CORPORA = REPOSITORY.parent / "shared" / "corpora" / "models"
SAMPLES = REPOSITORY / "resources" / "samples"
ENDINGS = (".onnx", ".textproto", ".ort")
PROVIDERS = ("cpu", "onednn,cpu", "declared(QNN-HTP),cpu")
QUICK = ("bert-toy-optimized", "functions-nested", "gtcrn-stream", "mnist-cntk-2018", "mobilenetv2-qdq-int8",
         "nested-loops-30", "ppocr-v2-cls", "squeezenet-fp16", "textproto-resnet18-dynamo", "ultraface-rfb-320")


def models(quick):
    found = [path for folder in (SAMPLES, CORPORA) if folder.exists() for path in sorted(folder.glob("*/*"))
             if path.suffix in ENDINGS]
    return [path for path in found if not quick or path.parent.name in QUICK or SAMPLES in path.parents]


def passes(report):
    """What the passes took out is what the stage took out; a pass without rewrites took out nothing."""
    optimize = report["optimize"]
    ran = [each for each in optimize["passes"] if not each["skipped"]]
    for each in ran:
        if each["rewrites"] == 0 and each["nodes_before"] != each["nodes_after"]:
            yield f"{each['name']} rewrote nothing and changed {each['nodes_before']} nodes to {each['nodes_after']}"
    taken = sum(each["nodes_before"] - each["nodes_after"] for each in ran)
    if optimize["nodes_before"] - taken != optimize["nodes_after"]:
        yield f"{optimize['nodes_before']} nodes, passes took out {taken}, {optimize['nodes_after']} are left"


def of_functions(graphs):
    """Indexes of functions and of the bodies below them: what runs is what was inlined from them."""
    found = set()
    for index, graph in enumerate(graphs):  # parents come first
        if graph["is_function"] or graph["parent_graph"] in found:
            found.add(index)
    return found


def loaded(report):
    inside = sum(len(report["graphs"][index]["nodes"]) for index in of_functions(report["graphs"]))
    if report["load"]["nodes"] != report["optimize"]["nodes_before"] + inside:
        yield (f"load counts {report['load']['nodes']} nodes, the optimiser begins with "
               f"{report['optimize']['nodes_before']} and functions hold {inside}")


def asked(report):
    """Providers are asked about the nodes of the optimised graphs, and each belongs to one of them."""
    partition = report["partition"]
    functions = of_functions(report["optimized_graphs"])
    running = [graph for index, graph in enumerate(report["optimized_graphs"]) if index not in functions and not graph["is_inside"]]
    there = sum(len(graph["nodes"]) for graph in running)
    if there != len(partition["nodes"]):
        yield f"{there} nodes in the optimised graphs, {len(partition['nodes'])} were asked about"
    by_provider = collections.Counter(node["provider"] for node in partition["nodes"])
    for provider in partition["providers"]:
        if provider["claimed_nodes"] != by_provider[provider["name"]]:
            yield f"{provider['name']} claims {provider['claimed_nodes']} nodes, {by_provider[provider['name']]} name it"
    if by_provider[""] != partition["unassigned_nodes"]:
        yield f"{partition['unassigned_nodes']} nodes without provider are told, {by_provider['']} have none"
    text = next(each["headline"] for each in report["stages"] if each["stage"] == "partition")
    if len(partition["nodes"]) != report["optimize"]["nodes_after"] and f", {len(partition['nodes']):,} node" not in text:
        yield f"the optimiser leaves {report['optimize']['nodes_after']} nodes and {text!r} does not say that it is {len(partition['nodes'])}"


def groups(report):
    partition = report["partition"]
    places = {(node["graph"], node["node"]): node for node in partition["nodes"]}
    held = collections.Counter()
    for number, group in enumerate(partition["groups"]):
        for node in group["nodes"]:
            placed = places.get((group["graph"], node))
            held[(group["graph"], node)] += 1
            if placed is None or placed["group"] != number or placed["provider"] != group["provider"]:
                yield f"group {number} holds node {node}, which does not say so"
    for place, node in places.items():
        if node["group"] >= 0 and held[place] != 1:
            yield f"node {place} is in group {node['group']} and listed {held[place]} times"


def order(report):
    graphs = report["partitioned_graphs"]
    for plan in report["schedule"]["graphs"]:
        if len(plan["steps"]) != len(graphs[plan["graph"]]["nodes"]):
            yield f"{len(plan['steps'])} steps for {len(graphs[plan['graph']]['nodes'])} nodes of graph {plan['graph']}"


def memory(report):
    kinds = collections.Counter(value["kind"] for graph in report["allocate"]["graphs"] for value in graph["values"])
    for key, kind in (("allocated", "Allocate"), ("outputs", "AllocateOutput"), ("pre_existing", "PreExisting")):
        if key in report["allocate"] and report["allocate"][key] != kinds[kind]:
            yield f"{report['allocate'][key]} values are {key}, {kinds[kind]} are listed as {kind}"
    truth = next(each["truth"] for each in report["stages"] if each["stage"] == "pattern")
    planned = sum(len(graph["blocks"]) for graph in report["pattern"]["graphs"])
    unplanned = sum(len(graph["unplanned"]) for graph in report["pattern"]["graphs"])
    expected = f"partial: {planned:,} of {planned + unplanned:,} buffers have a size before running" if unplanned else "exact"
    if truth != expected:
        yield f"the pattern is called {truth!r}, it is {expected!r}"


def work(report):
    """FLOPs are neither lost nor counted twice when groups are compiled."""
    before, after = report["optimized_costs"][0], report["partitioned_costs"][0]
    if before["unknown_nodes"] == 0 and after["unknown_nodes"] == 0 and not report["partition"]["provider_rewrites"]:
        if before["total"]["flops"] != after["total"]["flops"]:
            yield f"{before['total']['flops']} FLOPs before partition, {after['total']['flops']} after"


RULES = (passes, loaded, asked, groups, order, memory, work)


def memory_of_run(run):
    """What a run found live is what its plan says is live, which is no more than the plan's peak and than what was held."""
    samples = run.get("memory") or []
    if not samples:
        return
    planned, measured, held = (max(sample[key] for sample in samples) for key in ("planned_bytes", "measured_bytes", "held_bytes"))
    if measured > held:
        yield f"{measured} bytes were live, and {held} held"
    if planned > run["planned_peak_bytes"] > 0:
        yield f"{planned} bytes are live by a plan whose peak is {run['planned_peak_bytes']}"
    if measured > planned > 0 and run["arena"]["peak_in_use_bytes"] == 0:
        yield f"{measured} bytes were live, {planned} by the plan"


def told(cli, model, folder):
    """One profile, told as JSON and by a comparison with itself: the same median, interval and runs, which are those of the series."""
    saved, file = folder / "profile.json", folder / "told.json"
    ran = run_cli(cli, "profile", model, "--providers", PROVIDERS[0], "--runs", "7", "--save", saved, "--json", file)
    if ran.code != DONE:
        return None  # it cannot run on random inputs: other tests look at that
    report = json.loads(file.read_text())
    run, stage = report["run"], next(each for each in report["stages"] if each["stage"] == "run")
    wrong = list(memory_of_run(run))
    if run["runs"] != 7 or not math.isclose(run["median_ms"], statistics.median(run["run_ms"]), rel_tol=1e-9):
        wrong.append(f"the median of {run['run_ms']} is told as {run['median_ms']} of {run['runs']} runs")
    ends = (min(run["run_ms"]), run["median_low_ms"], run["median_ms"], run["median_high_ms"], max(run["run_ms"]))
    if list(ends) != sorted(ends) or ends[0] != run["min_ms"] or ends[-1] != run["max_ms"]:
        wrong.append(f"median, interval and ends are not in order: {ends}")
    if "7 runs, median between" not in stage["truth"]:
        wrong.append(f"the run is called {stage['truth']!r}")
    text = run_cli(cli, "profile", "--compare", saved, saved).stdout
    if text.count(stage["headline"]) != 2:
        wrong.append(f"{stage['headline']!r} is not what a comparison of the profile with itself says: {text[:200]!r}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cli", default=default_cli())
    options = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.json"
        for model in models(options.quick):
            found = told(options.cli, model, pathlib.Path(folder))
            counts["skipped" if found is None else "failed" if found else "passed"] += 1
            for words in found or ():
                print(f"FAIL {model.parent.name}/{model.name}: {words}")
            for providers in PROVIDERS:
                outcome = run_cli(options.cli, "inspect", model, "--providers", providers, "--json", file)
                if outcome.code != DONE:
                    counts["skipped"] += 1  # a bad model, or one that this provider refuses: other tests look at that
                    continue
                report = json.loads(file.read_text())
                wrong = [f"{rule.__name__}: {words}" for rule in RULES for words in rule(report)]
                counts["failed" if wrong else "passed"] += 1
                for words in wrong[:5]:
                    print(f"FAIL {model.parent.name}/{model.name} on {providers}: {words}")
    if not CORPORA.exists():
        print("the shared corpora are not here: samples only")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
