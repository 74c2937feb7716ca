#!/usr/bin/env python3
"""What `cutaway-cli compare MODEL --with onnxruntime` finds over many models.

    second_opinion.py                    samples and generated models, and the shared ones where they lie beside the repository
    second_opinion.py --samples          samples only
    second_opinion.py --only resnet      models whose name holds this
    second_opinion.py --verbose          a line a model
    second_opinion.py --providers LIST   ours with these; of Qualcomm's plug-in, the twelve models of plugin_partition.py with fixed sizes:
                                         --providers "qnn{backend_type=htp,soc_model=69},cpu" --fixed

Fails where the command crashes, says nothing, or leaves a difference unexplained that UNEXPLAINED does not list. Prints the shares of
models with the same assignment, order and planned block and with outputs in tolerance, and the differences by rule. Models that one of the
two does not run are skipped, with the reason. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys
import tempfile

import onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "conformance"))

import generated_models
import model_inputs
import shared_corpora as corpora
from cutaway_cli import CHECK_FAILED, DONE, REPOSITORY, TEST_DATA, default_cli, run_cli
from export_cases import to_proto

STAGES = {"model": "inputs and outputs", "partition": "assignment", "order": "order", "memory": "planned block", "outputs": "outputs in tolerance"}
# Known: model (part of its name) -> stages whose difference has no rule yet, and why that is so.
UNEXPLAINED = {}


def with_weights_beside(path):
    """The model with its weights in a file of their own."""
    made = TEST_DATA / "second-opinion" / path.parent.name / "beside.onnx"
    made.parent.mkdir(parents=True, exist_ok=True)
    made.with_suffix(".data").unlink(missing_ok=True)
    onnx.save(onnx.load(path), made, save_as_external_data=True, location="beside.data", size_threshold=0)
    return made


def models_at_hand(arguments):
    found = {path.parent.name: path for path in sorted((REPOSITORY / "resources" / "samples").glob("*/model.onnx"))}
    found["digits_cnn, weights beside"] = with_weights_beside(found["digits_cnn"])
    if arguments.samples:
        return found
    found |= {name: generated_models.make(name, settings) for name, settings in generated_models.MODELS.items()}
    if corpora.CORPORA.is_dir():
        folders = [folder for folder in corpora.model_folders() if not folder.name.startswith(("pack-", "bad-"))]
        found |= {corpora.short(path): path for path in corpora.all_models(folders)}
    else:
        print("no shared corpora beside the repository: left out")
    return found


def written_feeds(path, folder):
    """Options that hand over the inputs that fit the model, as the table of the shared models has them; [] where it needs none."""
    if path.suffix != ".onnx" or not path.is_relative_to(corpora.CORPORA):
        return []
    try:
        model = onnx.load(path)
        recorded = model_inputs.recorded(path, model)
        feeds = recorded[0] if recorded else model_inputs.made_up(model, corpora.short(path))
        declared = {info.name: info for info in model.graph.input}
        files = [(name, folder / f"input_{index}.pb", to_proto(value, declared[name])) for index, (name, value) in enumerate(feeds.items())]
    except Exception:  # a damaged model, or one that no inputs can be made for: what both engines say of it is told below
        return []
    for _, file, proto in files:
        file.write_bytes(proto.SerializeToString())
    return [word for name, file, _ in files for word in ("--input", f"{name}={file}")]


def with_fixed_sizes():
    """The twelve models of plugin_partition.py, their open dimensions fixed: compilers of NPUs want every size."""
    import plugin_partition as plugin

    found = {}
    for source in sorted(plugin.MODELS.glob("*/*.onnx")):
        folder = source.parent.name
        if folder not in plugin.TWELVE:
            continue
        path = TEST_DATA / "second-opinion" / folder / "fixed.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        plugin.prepared(source, path, plugin.DIMENSIONS.get(folder, {}))
        found[folder] = path
    return found


def ask(arguments, path):
    with tempfile.TemporaryDirectory(prefix="opinion") as folder:
        done = run_cli(arguments.cli, "compare", path, "--with", "onnxruntime", "--threads", "1", "--runs", arguments.runs, "--random", "7", "--log", "off", "--json",
                       *(("--providers", arguments.providers) if arguments.providers else ()), *written_feeds(path, pathlib.Path(folder)), timeout=600)
    if done.code not in (DONE, CHECK_FAILED):
        return done, None
    return done, json.loads(done.stdout)


def judged(name, opinion):
    """Unexplained differences that are not known: a line each."""
    known = {stage for part, stages in UNEXPLAINED.items() if part in name for stage in stages}
    return [f"{stage['stage']}: {one['what']}: {one['ours']} | {one['theirs']}" for stage in opinion["stages"] for one in stage["differences"]
            if not one["rule"] and stage["stage"] not in known]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--only", default="", metavar="PART")
    parser.add_argument("--samples", action="store_true")
    parser.add_argument("--providers", default="", metavar="LIST")
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    at_hand = with_fixed_sizes() if arguments.fixed else models_at_hand(arguments)
    models = {name: path for name, path in at_hand.items() if arguments.only in name}
    passed = failed = skipped = 0
    compared, same, rules = collections.Counter(), collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        asked = pool.map(lambda path: ask(arguments, path), models.values())
        for name, (done, opinion) in zip(models, asked):
            if opinion is None:
                # A model that we refuse is judged elsewhere; a crash or a missing message never is.
                bad = done.crashed or not done.stderr.strip()
                failed, skipped = failed + bad, skipped + (not bad)
                print(f"{'failed ' if bad else 'skipped'} {name}: {done.reason}", flush=True)
                continue
            if opinion["verdict"]:
                skipped += 1
                print(f"skipped {name}: onnxruntime: {opinion['verdict'][:160]}", flush=True)
                continue
            lines = judged(name, opinion)
            failed, passed = failed + bool(lines), passed + (not lines)
            for line in lines:
                print(f"failed  {name}: {line}", flush=True)
            for stage in opinion["stages"]:
                compared[stage["stage"]] += not stage["problem"]
                same[stage["stage"]] += stage["same"]
                if stage["problem"] and arguments.verbose:
                    print(f"note    {name}: {stage['stage']}: {stage['problem'][:160]}")
                for one in stage["differences"]:
                    rules[(stage["stage"], one["rule"] or "unexplained")] += 1
            if arguments.verbose and not lines:
                print(f"passed  {name}: {opinion['differences']} differences, all explained, {opinion['time_ns'] / 1e9:.1f} s", flush=True)
    for stage, words in STAGES.items():
        share = f" ({100 * same[stage] / compared[stage]:.1f} %)" if compared[stage] else ""
        print(f"{words}: the same for {same[stage]} of {compared[stage]} models{share}")
    for (stage, rule), count in sorted(rules.items()):
        print(f"  {count:4} x {stage}: {rule}")
    print(f"unexplained differences: {sum(count for (_, rule), count in rules.items() if rule == 'unexplained')}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
