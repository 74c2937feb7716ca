#!/usr/bin/env python3
"""compare_builds.py OLD_CLI NEW_CLI [MODEL...]: a restructured program gives what the one before it gave.

Both programs run each model with the same random inputs, on one thread and with `onednn,cpu`; outputs must be equal byte by
byte. Then both report the walk (`inspect`), a run and `bench` as JSON: a field that the old report has and the new one has not
is named (values are not compared: times differ, and so do texts that were improved). Models are by default those of the shared
corpora that the old program runs, and the samples. Last line: `N passed, N failed, N skipped`. --table prints a row a model.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import sys
import tempfile

import shared_corpora
from cutaway_cli import DONE, REPOSITORY, run_cli

WAYS = {"cpu": ("--threads", "1"), "onednn": ("--threads", "1", "--providers", "onednn,cpu")}
REPORTS = {"inspect": ("inspect", "--json"), "run": ("run", "--random", "7", "--threads", "1", "--json"),
           "bench": ("bench", "--runs", "2", "--threads", "1", "--json")}


def fields(value, path=""):
    """Paths of all fields, positions in lists left out. Names that are values of the model (dims, weights) count as one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key}"
            yield from fields(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from fields(inner, f"{path}[]")


def outputs_of(cli, model, options):
    """Digest of every output's bytes, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        done = run_cli(cli, "run", model, "--random", "7", "--save-outputs", folder, "--format", "npy", *options, timeout=300)
        if done.code != DONE:
            return done.reason
        return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()[:16]
                for path in sorted(pathlib.Path(folder).rglob("*.npy"))}


def report_of(cli, model, verb):
    done = run_cli(cli, verb[0], model, *verb[1:], "--log", "off", timeout=300)
    return set(fields(json.loads(done.stdout))) if done.code == DONE else None


def compare(old, new, model):
    """(outputs of each way that the old program runs, complaints); None and why: it does not run the model at all."""
    counts, complaints = {}, []
    for way, options in WAYS.items():
        before = outputs_of(old, model, options)
        if isinstance(before, str):
            if way == "cpu":
                return None, [before]
            continue
        after = outputs_of(new, model, options)
        counts[way] = len(before)
        if isinstance(after, str):
            complaints.append(f"{way}: {after}")
        elif before != after:
            changed = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
            complaints.append(f"{way}: {len(changed)} of {len(before)} outputs differ, such as {sorted(changed)[0]}")
    for name, verb in REPORTS.items():
        before, after = report_of(old, model, verb), report_of(new, model, verb)
        if before is None or after is None:
            complaints += [] if before is None else [f"{name}: no report"]
        elif before - after:
            complaints.append(f"{name}: fields lost: {', '.join(sorted(before - after)[:8])}")
    return counts, complaints


def models_at_hand():
    found = sorted((REPOSITORY / "resources" / "samples").glob("*/model.onnx"))
    if shared_corpora.CORPORA.is_dir():
        folders = [folder for folder in shared_corpora.model_folders() if not folder.name.startswith(("pack-", "bad-"))]
        found += [model for model in shared_corpora.all_models(folders) if model.suffix != ".ort"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    passed = failed = skipped = 0
    models = arguments.models or models_at_hand()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for model, (counts, complaints) in zip(models, pool.map(lambda model: compare(arguments.old, arguments.new, model), models)):
            name = shared_corpora.short(model)
            if counts is None:
                skipped += 1
                print(f"skipped {name}: {complaints[0]}")
            elif complaints:
                failed += 1
                print(f"failed  {name}: {'; '.join(complaints)}", flush=True)
            else:
                passed += 1
                if arguments.table:
                    print(f"same    {name}: " + ", ".join(f"{count} outputs on {way}" for way, count in counts.items()), flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
