#!/usr/bin/env python3
"""Random models on every provider and on onnxruntime: any difference is shrunk to the smallest model that has it.

    fuzz_models.py --seed 1 --count 200 [--providers "onednn{claim_all=1},cpu"] [--keep FOLDER]

Model N of seed S is always the same one (--only N makes that alone). A difference that explained.tsv names is counted and
not told. Last line: `N passed, N failed, N explained`. Exit code 77: onnxruntime is not installed.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

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
from graph_maker import GraphMaker, Part, read_names  # noqa: E402

PROVIDERS = ("cpu", "onednn{claim_all=1},cpu", "openvino{minimum_nodes=1},cpu", "cuda{backend=emulator},cpu")
ROWS = (*elementwise_rows.ROWS, *indexing_rows.ROWS, *network_rows.ROWS, *picture_rows.ROWS, *contrib_rows.ROWS, *learned_rows.ROWS)


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


def failing(cli, providers, folder, jobs=2):
    """Folder name -> what was wrong, of the cases below `folder`."""
    report = folder / "report.json"
    command = [cli, "check", folder, "--providers", providers, "--rtol", "2e-3", "--atol", "2e-3", "--jobs", str(jobs), "--timeout", "60", "--json", report]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not report.exists():
        raise SystemExit(f"{providers}: exit code {done.returncode}: {done.stderr.strip()[-500:]}")
    said = json.loads(report.read_text())
    report.unlink()
    return {pathlib.Path(failure["case"]).name: failure["message"] for failure in said["failures"]}


def still_fails(cli, providers, part):
    with tempfile.TemporaryDirectory() as place:
        part.write(pathlib.Path(place) / "case")
        return failing(cli, providers, pathlib.Path(place), 1).get("case")


def shrunk(cli, providers, part, message):
    """Fewer outputs, fewer nodes, known sizes, as long as it fails; and what the smallest one says."""
    for name in part.outputs if len(part.outputs) > 1 else ():
        smaller = Part(part.maker, needed(part.nodes, [name]), [name], part.is_open)
        if said := still_fails(cli, providers, smaller):
            part, message = smaller, said
            break
    changed = True
    while changed:
        changed = False
        for smaller in smaller_parts(part):
            if said := still_fails(cli, providers, smaller):
                part, message, changed = smaller, said, True
                break
    return part, message


def smaller_parts(part):
    """The halves first, then every node away from either end."""
    half = len(part.nodes) // 2
    for nodes in (part.nodes[half:], part.nodes[:half]) if half else ():
        yield Part(part.maker, nodes, loose_ends(nodes, part.outputs), part.is_open)
    for place in range(len(part.nodes)) if len(part.nodes) > 1 else ():
        nodes = part.nodes[:place] + part.nodes[place + 1:]
        yield Part(part.maker, nodes, loose_ends(nodes, part.outputs), part.is_open)
    if part.is_open:
        yield Part(part.maker, part.nodes, part.outputs)


def loose_ends(nodes, outputs):
    read = {name for node in nodes for name in read_names(node)}
    return [name for node in nodes for name in node.output if name not in read or name in outputs]


def needed(nodes, outputs):
    """The nodes that the outputs come from, in order."""
    wanted, kept = set(outputs), []
    for node in reversed(nodes):
        if wanted & set(node.output):
            kept.insert(0, node)
            wanted |= set(read_names(node))
    return kept


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


def compare(arguments, providers, parts, rows, counts, folder):
    provider = first_name(providers)
    for name, message in sorted(failing(arguments.cli, providers, folder, arguments.jobs).items()):
        part, message = shrunk(arguments.cli, providers, parts[name], message)
        operators = " ".join(map(signature, part.nodes))
        faults = list(message_faults(message, 1))
        reason = None if faults else reason_for(rows, provider, operators, message)
        counts["explained" if reason else "failed"] += 1
        counts["passed"] -= 1
        if reason is None:
            print(f"FAIL model {name.removeprefix('model_')}, {providers}: {operators}: {message}{''.join(f' [{fault}]' for fault in faults)}", flush=True)
        if reason is None and arguments.keep:
            target = arguments.keep / f"{provider}_{'_'.join(node.op_type for node in part.nodes)[:60]}_{name}"
            shutil.rmtree(target, ignore_errors=True)
            part.write(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", type=int, help="the model of this number")
    parser.add_argument("--nodes", type=int, default=12, help="at most, in a model")
    parser.add_argument("--providers", action="append", help=f"default: {'; '.join(PROVIDERS)}")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the smallest models that differ")
    arguments = parser.parse_args()
    usable = [each for each in arguments.providers or PROVIDERS if is_emulated(each) or not why_not_usable(arguments.cli, first_name(each))]
    numbers = [arguments.only] if arguments.only is not None else range(arguments.count)
    counts, operators, rows = collections.Counter(passed=0, failed=0, explained=0), collections.Counter(), explanations()
    for first in range(0, len(numbers), 200):
        with tempfile.TemporaryDirectory() as place:
            folder, parts = pathlib.Path(place), {}
            for number in numbers[first:first + 200]:
                part = made_model(arguments.seed, number, arguments.nodes)
                if part is not None:
                    parts[f"model_{number}"] = part
                    part.write(folder / f"model_{number}")
                    operators.update(node.op_type for node in part.nodes)
            for providers in usable:
                counts["passed"] += len(parts)
                compare(arguments, providers, parts, rows, counts, folder)
    print(f"{operators.total()} nodes of {len(operators)} operators on {', '.join(usable)}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['explained']} explained")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
