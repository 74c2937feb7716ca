#!/usr/bin/env python3
"""Processor time of single runs, ours and both peers' in turn, for machines that do other things, too.

    in_turn.py model.onnx --dim batch=8            one model
    in_turn.py --shapes                            all rows of shapes.py
    in_turn.py --shapes vit bert                   rows of these models
    in_turn.py model.onnx --before libcutaway.so   another build of ours in the same turns

Each engine loads the model in a process of its own and waits. Then they run it one after the other, run by run, and every
run is timed by the processor time that its process took: what other programs do counts only so far as they share caches
and memory. A ratio is the median over the turns of ours / theirs; below 1, ours is faster. Ours runs through the Python
package of this build, which needs what tests/python/requirements.txt names. One thread unless --threads says
more. Prints a markdown table. No figure is an expectation.
"""

import argparse
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "models")]

from compare_peers import OURS, PEERS, machine, name_of, number  # noqa: E402
from shapes import ROWS, made  # noqa: E402

BEFORE = "before"


def package():
    """The package `cutaway` out of the sources, with the module of this build."""
    module = REPOSITORY / "build" / "release" / "python" / "cutaway" / "_engine.abi3.so"
    sources = REPOSITORY / "app" / "python" / "cutaway"
    spec = importlib.util.spec_from_file_location("cutaway", sources / "__init__.py", submodule_search_locations=[str(sources), str(module.parent)])
    cutaway = sys.modules["cutaway"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cutaway)
    return cutaway


def serve(arguments):
    """Loads the model, and answers every line on standard input with the milliseconds of one run."""
    import onnx
    import peer
    from random_inputs import random_inputs
    dims = {name: int(size) for name, size in (each.split("=") for each in arguments.dim)}
    feeds = random_inputs(onnx.load(arguments.model, load_external_data=False), 0, dims)
    if arguments.serve in (OURS, BEFORE):
        session = package().Session(str(arguments.model), threads=arguments.threads, dims=dims or None)
        run = lambda: session.run(feeds)  # noqa: E731
    else:
        engine = peer.PEERS[arguments.serve]()
        engine.load(str(arguments.model), arguments.threads, dims, feeds)
        engine.feed(feeds)
        run = engine.run
    run()
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        run()
        print((time.process_time() - start) * 1e3, flush=True)


def started(engine, model, dims, arguments):
    command = [sys.executable, __file__, str(model), "--serve", engine, "--threads", str(arguments.threads), *(word for dim in dims for word in ("--dim", dim))]
    environment = dict(os.environ)
    if engine == BEFORE:
        environment["LD_PRELOAD"] = str(arguments.before.resolve())
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def ask(process):
    print(file=process.stdin, flush=True)
    return float(process.stdout.readline())


def measure(model, dims, arguments):
    """Milliseconds of all runs by engine; engines that cannot load the model are left out."""
    engines = [OURS, *([BEFORE] if arguments.before else []), *PEERS]
    processes = {engine: started(engine, model, dims, arguments) for engine in engines}
    times = {engine: [] for engine, process in processes.items() if process.stdout.readline().strip() == "ready"}
    end = time.perf_counter() + arguments.seconds
    while time.perf_counter() < end or len(next(iter(times.values()))) < arguments.turns:
        for engine in list(times) if len(next(iter(times.values()))) % 2 else list(times)[::-1]:
            times[engine].append(ask(processes[engine]))
    for process in processes.values():
        process.communicate()
    return times


def line(title, dims, times):
    engines = [OURS, *PEERS, BEFORE]
    cells = [number(statistics.median(times[engine])) if engine in times else "failed" for engine in (OURS, *PEERS)]
    pairs = {engine: statistics.median(ours / theirs for ours, theirs in zip(times[OURS], times[engine])) for engine in engines[1:] if engine in times}
    better = max((pairs[peer] for peer in PEERS if peer in pairs), default=None)
    cells += [f"{pairs[engine]:.2f}" if engine in pairs else "-" for engine in engines[1:]]
    return f"| {title} | {' '.join(dims)} | " + " | ".join(cells) + f" | {1 / better:.2f} |" if better else f"| {title} | failed |"


def models(arguments):
    for model in arguments.models:
        yield name_of(model), model, arguments.dim
    for row in ROWS if arguments.shapes is not None else ():
        if not arguments.shapes or row.family in arguments.shapes:
            yield f"{row.family} {row.made}".strip(), made(row), row.dims.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--shapes", nargs="*", help="rows of shapes.py, all or those of these models")
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=SIZE", help="an open dimension, known when the model is loaded")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5, help="of turns, at least --turns of them")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--before", type=pathlib.Path, help="libcutaway.so of another build")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        arguments.model = arguments.models[0]
        return serve(arguments)
    about = machine()
    print(f"{about['cpu']}, {about['cores']} cores, load {about['load_average']:.1f}; {arguments.threads} thread{'s' if arguments.threads > 1 else ''}\n")
    titles = ["model", "sizes", *(f"{engine}, ms" for engine in (OURS, *PEERS)), *(f"ours / {engine}" for engine in (*PEERS, BEFORE)), "throughput / better peer"]
    print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles), flush=True)
    for title, model, dims in models(arguments):
        print(line(title, dims, measure(model, dims, arguments)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
