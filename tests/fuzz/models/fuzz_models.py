#!/usr/bin/env python3
"""Random models on every provider and on onnxruntime: any difference is shrunk to the smallest model that has it.

    fuzz_models.py --seed 1 --count 200 [--first 0] [--jobs 2] [--providers "onednn{claim_all=1},cpu"] [--keep FOLDER]

Model N of seed S is always the same one (--only N makes that alone), and what is found does not depend on the number of
jobs. A difference that explained.tsv names is counted and not told. --keep also writes seen.tsv: what each provider has seen
of every hundred models. Last line: `N passed, N failed, N explained`. Exit code 77: onnxruntime is not installed.
"""

import argparse
import collections
import dataclasses
import json
import multiprocessing
import multiprocessing.connection
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "models"))
sys.path.insert(0, str(HERE.parents[1] / "conformance"))

try:
    import numpy
    import onnx
    import onnxruntime  # noqa: F401
except ImportError as missing:
    print(f"left out: {missing}")
    sys.exit(77)

from check_providers import first_name, is_emulated, why_not_usable  # noqa: E402
from cutaway_cli import default_cli  # noqa: E402
from message_rules import message_faults  # noqa: E402

import contrib_rows  # noqa: E402
import elementwise_rows  # noqa: E402
import indexing_rows  # noqa: E402
import learned_rows  # noqa: E402
import network_rows  # noqa: E402
import picture_rows  # noqa: E402
import quantised_rows  # noqa: E402
import sequence_rows  # noqa: E402
import transformer_rows  # noqa: E402
from graph_maker import GraphMaker, Part, read_names  # noqa: E402
from shrinking import shrunk  # noqa: E402

PROVIDERS = ("cpu", "onednn{claim_all=1},cpu", "openvino{minimum_nodes=1},cpu", "cuda{backend=emulator},cpu")
ROW_FILES = (elementwise_rows, indexing_rows, network_rows, picture_rows, contrib_rows, learned_rows, sequence_rows, transformer_rows, quantised_rows)
ROWS = tuple(row for file in ROW_FILES for row in file.ROWS)
BATCH = 100  # models that are made and checked together
IN_MEMORY = pathlib.Path("/dev/shm")
SCRATCH = IN_MEMORY if IN_MEMORY.is_dir() else None  # a model is some dozen small files


def made_model(seed, number, most_nodes):
    """Nothing where the random choices made no node at all."""
    random = numpy.random.default_rng((seed, number))
    maker = GraphMaker(random)
    wanted = int(random.integers(1, most_nodes + 1))
    for _ in range(4 * wanted):
        if len(maker.nodes) < wanted:
            maker.one_of(ROWS)(maker)
    read = {name for node in maker.nodes for name in read_names(node)}
    made = [name for node in maker.nodes for name in node.output]
    outputs = [name for name in made if name not in read or maker.chance(0.1)]
    return Part(maker, maker.nodes, outputs, maker.chance(0.4)) if outputs else None


def failing(cli, providers, folder):
    """Folder name -> what was wrong, of the cases below `folder`."""
    report = folder / "report.json"
    tolerances = ("--rtol", "2e-3", "--atol", "2e-3")
    command = [cli, "check", folder, "--providers", providers, *tolerances, "--cases-per-process", str(BATCH), "--timeout", "60", "--json", report]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not report.exists():
        raise SystemExit(f"{providers}: exit code {done.returncode}: {done.stderr.strip()[-500:]}")
    said = json.loads(report.read_text())
    report.unlink()
    return {pathlib.Path(failure["case"]).name: failure["message"] for failure in said["failures"]}


def messages_of(cli, providers, parts):
    """What each part says on the providers; None where it passes."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as place:
        for number, part in enumerate(parts):
            part.write(pathlib.Path(place) / f"part_{number}")
        said = failing(cli, providers, pathlib.Path(place))
    return [said.get(f"part_{number}") for number in range(len(parts))]


def signature(node):
    """Resize{mode=cubic}: with the attributes that are words or numbers."""
    said = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    words = {name: value.decode() if isinstance(value, bytes) else value for name, value in said.items() if isinstance(value, (bytes, int, float))}
    return f"{node.op_type}{{{','.join(f'{name}={words[name]}' for name in sorted(words))}}}"


def explanations():
    """Provider, operators and message as expressions -> why; a line each in explained.tsv."""
    rows = [line.split("\t") for line in (HERE / "explained.tsv").read_text().splitlines() if line.strip() and not line.startswith("#")]
    wrong = [row for row in rows if len(row) != 4 or not row[3].strip()]
    if wrong:
        raise SystemExit(f"explained.tsv: a line is provider<TAB>operators<TAB>message<TAB>reason, not {wrong[0]}")
    return rows


def reason_for(rows, provider, operators, message):
    fits = (row[3] for row in rows if re.fullmatch(row[0], provider) and re.fullmatch(row[1], operators) and re.search(row[2], message))
    return next(fits, None)


@dataclasses.dataclass
class Found:
    """What a batch of models gave."""

    lines: list = dataclasses.field(default_factory=list)
    counts: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    operators: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    seen: list = dataclasses.field(default_factory=list)  # a line for each provider

    def add(self, other):
        self.counts.update(other.counts)
        self.operators.update(other.operators)


def judge(arguments, providers, name, part, message, rows, found):
    """One difference: shrunk, and told unless it is explained."""
    provider = first_name(providers)
    alone = messages_of(arguments.cli, providers, [part])[0]
    if alone is None and message.startswith("no result after"):
        return  # the machine was busy with something else
    if alone is None:
        message += " (beside other models; alone it passes)"
    else:
        part, message = shrunk(part, alone, lambda parts: messages_of(arguments.cli, providers, parts))
    operators = " ".join(map(signature, part.nodes))
    faults = list(message_faults(message, 1))
    reason = None if faults or alone is None else reason_for(rows, provider, operators, message)
    found.counts["explained" if reason else "failed"] += 1
    if reason:
        found.counts[f"because {reason}"] += 1
    found.counts["passed"] -= 1
    if reason is None:
        found.lines.append(f"FAIL model {name.removeprefix('model_')}, {providers}: {operators}: {message}{''.join(f' [{fault}]' for fault in faults)}")
    if reason is None and arguments.keep:
        target = arguments.keep / f"{provider}_{'_'.join(node.op_type for node in part.nodes)[:60]}_{name}"
        shutil.rmtree(target, ignore_errors=True)
        part.write(target)


def examined(arguments, usable, rows, numbers):
    found, parts = Found(), {}
    with tempfile.TemporaryDirectory(dir=SCRATCH) as place:
        for number in numbers:
            part = made_model(arguments.seed, number, arguments.nodes)
            if part is None:
                continue
            if refusal := part.refusal():
                found.counts["left out"] += 1
                found.seen.append(f"onnxruntime\t{number}\t{refusal}")
                continue
            parts[f"model_{number}"] = part
            part.write(pathlib.Path(place) / f"model_{number}")
            found.operators.update(node.op_type for node in part.nodes)
        for providers in usable if parts else ():
            before = collections.Counter(found.counts)
            found.counts["passed"] += len(parts)
            for name, message in sorted(failing(arguments.cli, providers, pathlib.Path(place)).items()):
                judge(arguments, providers, name, parts[name], message, rows, found)
            told = {name: found.counts[name] - before[name] for name in ("passed", "failed", "explained")}
            found.counts[f"on {first_name(providers)}"] += len(parts)
            found.seen.append(f"{first_name(providers)}\t{numbers[0]} to {numbers[-1]}\t{told['passed']} passed, {told['failed']} failed, {told['explained']} explained")
    return found


def examine_in_process(arguments, usable, rows, numbers, connection):
    try:
        connection.send(examined(arguments, usable, rows, numbers))
    except (Exception, SystemExit):
        connection.send(traceback.format_exc())


def batches_done(arguments, usable, rows, numbers):
    """What each batch gave, in their order, whoever is done first.

    A batch is made in a process of its own, because onnxruntime may end with it. Then its halves are tried, down to the model
    that nobody can make; it is told and left out."""
    waiting = [numbers[first:first + BATCH] for first in range(0, len(numbers), BATCH)]
    running, done, following = {}, {}, numbers[0]
    while waiting or running or done:
        while waiting and len(running) < arguments.jobs:
            receives, sends = multiprocessing.Pipe(False)
            batch = waiting.pop(0)
            process = multiprocessing.Process(target=examine_in_process, args=(arguments, usable, rows, batch, sends))
            process.start()
            sends.close()
            running[receives] = (process, batch)
        for receives in multiprocessing.connection.wait(list(running)) if running else ():
            process, batch = running.pop(receives)
            try:
                found = receives.recv()
            except EOFError:
                found = None
            process.join()
            if isinstance(found, str):
                raise SystemExit(found)
            half = len(batch) // 2
            if found is None and half:
                waiting[:0] = [batch[:half], batch[half:]]
            else:
                done[batch[0]] = (batch, found or Found([f"NOT MADE model {batch[0]}: the process ended with {process.exitcode}"], collections.Counter({"left out": 1})))
        while following in done:
            batch, found = done.pop(following)
            following = batch[-1] + 1
            yield found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first model")
    parser.add_argument("--only", type=int, help="the model of this number")
    parser.add_argument("--nodes", type=int, default=12, help="at most, in a model")
    parser.add_argument("--providers", action="append", help=f"default: {'; '.join(PROVIDERS)}")
    parser.add_argument("--jobs", type=int, default=2, help="batches at once")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the smallest models that differ, and for seen.tsv")
    arguments = parser.parse_args()
    usable = [each for each in arguments.providers or PROVIDERS if is_emulated(each) or not why_not_usable(arguments.cli, first_name(each))]
    numbers = [arguments.only] if arguments.only is not None else range(arguments.first, arguments.first + arguments.count)
    total = Found(counts=collections.Counter(passed=0, failed=0, explained=0))
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    for found in batches_done(arguments, usable, explanations(), numbers):
        total.add(found)
        for line in found.lines:
            print(line, flush=True)
        if arguments.keep:
            with open(arguments.keep / "seen.tsv", "a", encoding="utf-8") as seen:
                seen.writelines(f"{arguments.seed}\t{line}\n" for line in found.seen)
    counts = total.counts
    for reason, count in sorted((name.removeprefix("because "), count) for name, count in counts.items() if name.startswith("because ")):
        print(f"explained {count:5}: {reason}")
    models = ", ".join(f"{name} {counts[f'on {name}']}" for name in map(first_name, usable))
    print(f"{total.operators.total()} nodes of {len(total.operators)} operators; models on {models}; {counts['left out']} left out")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['explained']} explained")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
