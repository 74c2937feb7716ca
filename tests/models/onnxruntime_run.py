"""What onnxruntime does with a model, as its profile tells: the order of its nodes, and the block that its memory pattern plans.

    prepared(model, feeds, "extended", path)   # its optimised model, every node under a name of its own
    observed(path, feeds)                      # Observed: order, bodies, block, bytes that each node allocates

The profile's node events hold the arena's bytes in use behind a node and what the node added (onnxruntime 1.31). What was in
use before the first node of a run is the block, once that of the first run, which traces and has none, is taken away.
"""

import dataclasses
import json
import os
import pathlib

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library is loaded

import onnx
import onnxruntime

LEVELS = {"plain": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL, "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED}
EVENT = "_kernel_time"
RUNS = 3  # one that traces, one with the block, and one that must be as the second


@dataclasses.dataclass
class Observed:
    order: list  # names of the main graph's nodes
    bodies: dict  # name of a body's first node -> names of its nodes in the order of its first run; bodies that ran
    block: int  # bytes; 0: no memory pattern
    allocated: dict  # name -> bytes that the node added in the first run
    known: dict  # value of the main graph -> its dimensions as shape inference found them (numbers, symbols, None)
    actual: dict  # value of the main graph -> element and dimensions that the first run saw


def options_for(level, parallel=False):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = LEVELS[level]
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    if parallel:
        options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
        options.inter_op_num_threads = 2
    return options


def graphs_of(graph):
    """The graph, and all below it."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for body in ([attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs):
                yield from graphs_of(body)


def dims_of(model, feeds):
    """Symbol -> its size in the feeds, where that is one size."""
    sizes = {}
    for info in model.graph.input:
        if info.type.WhichOneof("value") == "tensor_type" and hasattr(feeds.get(info.name), "shape"):
            for dim, size in zip(info.type.tensor_type.shape.dim, feeds[info.name].shape):
                if dim.dim_param:
                    sizes.setdefault(dim.dim_param, set()).add(int(size))
    return {symbol: next(iter(found)) for symbol, found in sizes.items() if len(found) == 1}


def prepared(model, feeds, level, path):
    """Writes onnxruntime's own optimised form of `model` to `path`, for the sizes of the feeds; nodes are named n0, n1 ..."""
    options = options_for(level)
    dims = dims_of(model, feeds)
    for symbol, size in dims.items():
        options.add_free_dimension_override_by_name(symbol, size)
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    made = onnx.load(path)
    count = 0
    for graph in graphs_of(made.graph):
        for node in graph.node:
            node.name = f"n{count}"
            count += 1
        for info in (*graph.input, *graph.value_info, *graph.output):
            for dim in info.type.tensor_type.shape.dim:
                if dim.dim_param in dims:
                    dim.dim_value = dims[dim.dim_param]
    onnx.save(made, path)
    return made


def in_use_before(events):
    """Bytes of the arena in use before the first node of a run."""
    first = min(events, key=lambda event: event["ts"])["args"]
    return int(first["mem_bytes_requested_in_use"]) - int(first["mem_requested_in_use_delta"])


def runs_in(trace):
    """The node events of each run, as they ended."""
    runs = [[]]
    for event in trace:
        if event["name"] == "model_run":
            runs.append([])
        elif event.get("cat") == "Node" and event["name"].endswith(EVENT):
            runs[-1].append(event)
    return [run for run in runs if run]


def first_runs(names, graph):
    """Of the bodies below `graph`: name of the first node -> names as they ran for the first time."""
    found = {}
    for body in list(graphs_of(graph))[1:]:
        own = {node.name for node in body.node}
        ran = list(dict.fromkeys(name for name in names if name in own))
        if ran:
            found[body.node[0].name] = ran
    return found


def sizes_seen(run, graph):
    """Value -> (element, dimensions) of the outputs of the main graph's nodes."""
    nodes = {node.name: node for node in graph.node}
    found = {}
    for event in run:
        node, told = nodes.get(event["name"].removesuffix(EVENT)), event["args"].get("output_type_shape")
        outputs = [name for name in node.output if name] if node is not None else []
        if isinstance(told, list) and len(told) == len(outputs):
            found.update((name, next(iter(each.items()))) for name, each in zip(outputs, told))
    return found


def sizes_known(path, actual):
    """Value -> dimensions that onnxruntime finds before running: those of a session that gives every value out."""
    model = onnx.load(path)
    outputs = {info.name for info in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in outputs:
                outputs.add(name)
                model.graph.output.add(name=name)
    session = onnxruntime.InferenceSession(model.SerializeToString(), options_for("plain"), providers=["CPUExecutionProvider"])
    told = {info.name: tuple(info.shape) for info in (*session.get_inputs(), *session.get_outputs()) if info.type.startswith("tensor")}
    # Without a rank it says [], as for a scalar.
    return {name: dims for name, dims in told.items() if dims or name not in actual or not actual[name][1]}


def observed(path, feeds, parallel=False):
    """Runs the prepared model as it is."""
    path = pathlib.Path(path)
    options = options_for("plain", parallel)
    options.enable_profiling = True
    options.profile_file_prefix = str(path.with_suffix(""))
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    for _ in range(RUNS):
        session.run(None, feeds)
    profile = pathlib.Path(session.end_profiling())
    runs = runs_in(json.loads(profile.read_text()))
    profile.unlink()
    graph = onnx.load(path, load_external_data=False).graph
    inside = {node.name for body in list(graphs_of(graph))[1:] for node in body.node}
    names = [event["name"].removesuffix(EVENT) for event in runs[0]] if runs else []
    before = [in_use_before(run) for run in runs]
    if len(before) == RUNS and before[1] != before[2]:
        raise ValueError(f"the arena does not come to rest: {before} bytes in use before the runs")
    actual = sizes_seen(runs[0], graph) if runs else {}
    return Observed(known=sizes_known(path, actual), actual=actual, order=[name for name in names if name not in inside], bodies=first_runs(names, graph),
                    block=before[1] - before[0] if len(before) == RUNS else 0,
                    allocated={name: int(event["args"]["mem_requested_in_use_delta"])
                               for name, event in zip(names, runs[0])} if runs else {})
