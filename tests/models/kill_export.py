#!/usr/bin/env python3
"""kill_export.py [MODEL]: an export that is killed leaves the old context model or the new one, never something between.

The program exports over an older context model and is killed (SIGKILL) at a random moment, N times; after each, what lies
under the target's name is opened by a fresh process and must give the bits of the old export or of the new one. In every
second round there is no older model: then nothing may lie there, or the new one. The old and the new export differ in every
file (other names of nodes, other optimisation level). At the end one export is left to finish: no temporary file and no
binary that nothing refers to may remain. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import onnx

import generated_models
import round_trips
import same_bits
from cutaway_cli import default_cli, run_cli

PROVIDERS = "onednn,openvino,cpu"
OLD = ("--prefix", "older_", "--opt-level", "1")
NEW = ("--prefix", "newer_", "--opt-level", "3", "--external-initializers", "weights.bin")
SHARED = ("--providers", PROVIDERS, "--threads", "1", "--log", "error")


def export(cli, model, target, options):
    return run_cli(cli, "context", model, "-o", target, "--force", *options, *SHARED, timeout=300)


def killed_export(cli, model, target, options, after):
    """True when the program was still running at that moment."""
    command = [str(cli), "context", str(model), "-o", str(target), "--force", *options, *SHARED]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def which(cli, target, outputs, scratch):
    """"old", "new", "none", or what is wrong."""
    if not target.exists():
        return "none"
    try:
        nodes = list(round_trips.context_nodes(onnx.load(target, load_external_data=False).graph))
    except Exception as error:  # the parser's own word for a damaged file
        return f"no model: {error}"
    prefixes = {node["partition_name"].decode().split("_")[0] for node in nodes}
    if len(prefixes) != 1:
        return f"context nodes of {prefixes or 'no export'}"
    word = {"older": "old", "newer": "new"}.get(prefixes.pop(), "other")
    found = same_bits.outputs_of(cli, target, scratch, ("--opt-level", "1" if word == "old" else "3", *SHARED))
    return same_bits.difference(outputs[word], found) or word


def referred(target):
    model = onnx.load(target, load_external_data=False)
    names = {node["ep_cache_context"].decode() for node in round_trips.context_nodes(model.graph) if node.get("main_context", 1)}
    for tensor in model.graph.initializer:
        names |= {entry.value for entry in tensor.external_data if entry.key == "location"}
    return names


def left_over(folder, target):
    return sorted({path.name for path in folder.iterdir()} - referred(target) - {target.name})


def fresh(folder, origin):
    shutil.rmtree(folder, ignore_errors=True)
    if origin is None:
        folder.mkdir()
    else:
        shutil.copytree(origin, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    arguments = parser.parse_args()
    cli, chance = arguments.cli, random.Random(arguments.seed)
    model = arguments.model or generated_models.make("resnet50", generated_models.MODELS["resnet50"])
    counts, seen = collections.Counter(), collections.Counter()
    print(f"seed {arguments.seed}")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "old").mkdir()
        (scratch / "new").mkdir()
        outputs = {}
        for word, options in (("old", OLD), ("new", NEW)):
            start = time.monotonic()
            done = export(cli, model, scratch / word / "m_ctx.onnx", options)
            taken = time.monotonic() - start
            if done.code != 0:
                print(f"export: {done.reason}\n0 passed, 1 failed, 0 skipped")
                return 1
            outputs[word] = same_bits.outputs_of(cli, model, scratch / f"{word}_outputs", (*options[2:4], *SHARED))
        folder = scratch / "target"
        target = folder / "m_ctx.onnx"
        for number in range(arguments.times):
            has_older = number % 2 == 0
            fresh(folder, scratch / "old" if has_older else None)
            # Half of the moments fall into the end, where files get their names.
            after = taken * (chance.uniform(0, 1.05) if number % 4 < 2 else chance.uniform(0.7, 1.05))
            was_killed = killed_export(cli, model, target, NEW, after)
            state = which(cli, target, outputs, scratch / f"outputs_{number}")
            good = state == "new" or was_killed and state == ("old" if has_older else "none")
            counts["passed" if good else "failed"] += 1
            seen[f"{'killed' if was_killed else 'finished'}, {state}, {len(left_over(folder, target)) if target.exists() else len(list(folder.iterdir()))} other files"] += 1
            if not good:
                print(f"after {after * 1000:.0f} ms, {'over an older model' if has_older else 'no older model'}: {state}", flush=True)
        done = export(cli, model, target, NEW)
        rest = left_over(folder, target) if done.code == 0 else [done.reason]
        counts["failed" if rest else "passed"] += 1
        if rest:
            print(f"a finished export leaves {rest}")
    for what, count in sorted(seen.items()):
        print(f"{count:4} {what}")
    print(", ".join(f"{counts[word]} {word}" for word in ("passed", "failed", "skipped")))
    return 0 if counts["passed"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
