#!/usr/bin/env python3
"""check_shared.py [--packs [NAME...]] [--page FILE] [--results FILE]: every shared model in five configurations, on this machine and on a virtual cluster.

Both have the same jobs, and each job the same outcome and the same exact figures, providers, refusals and places of nodes. Models are those of the shared
corpora beside the repository (with --packs, those inside of packs, too: of all, or of those that are named), or else the bundled samples, which it says. Prints how long each took. Exits with
77 where there is no Slurm. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

import sweep_program as p
import virtual_cluster

sys.path.insert(0, str(p.REPOSITORY / "tests" / "models"))
import shared_corpora  # noqa: E402

PLAN = """
[[models]]
files = {files}
[[configurations]]
name = "as written"
opt_level = 0
[[configurations]]
name = "cpu"
[[configurations]]
name = "onednn"
providers = ["onednn", "cpu"]
[[configurations]]
name = "NPU, declared"
providers = ["declared(QNN-HTP)", "cpu"]
[[configurations]]
name = "GPU and CPU, declared"
providers = ["declared(TensorRT)", "onednn", "cpu"]
[[measures]]
kind = "inspect"
[[measures]]
kind = "compare"
reference = "as written"
[[exclude]]
configuration = "*declared"
measure = "compare"
[limits]
timeout = 300
memory = "700MB"
"""


FACTS = ("key", "outcome", "exit_code", "signal", "program", "model_hash", "providers", "refusals", "placements")


def exact(record):
    """What two machines of one kind have to agree on: all but times, resident memory, and who did it when."""
    figures = {name: value for name, (value, _, _, _, _, truth) in record["figures"].items() if truth != "measured"}
    return {**{name: record[name] for name in FACTS}, "figures": figures}


def swept(tally, plan, where, environment):
    start = time.monotonic()
    done = p.sweep("sweep run", plan, "--on", where, program=None, environment=environment, timeout=7200)
    seconds = time.monotonic() - start
    tally.check(done.returncode == 0, f"the sweep, {where}", done.stderr[-1500:])
    records = {key: json.loads(text) for key, text in p.records(plan).items()}
    outcomes = collections.Counter(record["outcome"] for record in records.values())
    print(f"{where}: {len(records)} jobs in {seconds:.0f} s: {', '.join(f'{count} {name}' for name, count in outcomes.most_common())}", flush=True)
    return records


def models_of(arguments):
    if not shared_corpora.CORPORA.is_dir():
        print("no shared corpora beside the repository: the bundled samples instead")
        return sorted((p.REPOSITORY / "resources" / "samples").glob("*/*.onnx"))
    def is_asked_for(folder):
        return not folder.name.startswith("pack-") or arguments.packs is not None and (not arguments.packs or folder.name in arguments.packs)

    folders = [folder for folder in shared_corpora.model_folders() if is_asked_for(folder)]
    return shared_corpora.all_models(folders)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packs", nargs="*", metavar="NAME", help="models inside of packs, too: some 1,500 more; of these packs alone where any is named")
    parser.add_argument("--page", type=pathlib.Path, help="write the local sweep's page")
    parser.add_argument("--results", type=pathlib.Path, help="keep the local sweep's file of results")
    arguments = parser.parse_args()
    if reason := virtual_cluster.missing():
        p.quiet_exit(reason)
    tally = p.Tally()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        os.chmod(scratch, 0o755)
        models = models_of(arguments)
        plans = {where: scratch / where / "shared.toml" for where in ("local", "slurm")}
        for plan in plans.values():
            plan.parent.mkdir()
            plan.write_text(PLAN.format(files=json.dumps([str(model) for model in models])))
        print(f"{len(models)} models", flush=True)
        local = swept(tally, plans["local"], "local", {})
        with virtual_cluster.VirtualCluster(scratch / "slurm-files") as cluster:
            cluster_records = swept(tally, plans["slurm"], "slurm", cluster.environment)
        tally.check(len(local) > len(models), "there are jobs", str(len(local)))
        tally.check(set(local) == set(cluster_records), "the same jobs")
        for key in sorted(set(local) & set(cluster_records)):
            here, there = exact(local[key]), exact(cluster_records[key])
            tally.check(here == there, f"job {key}", str({name: (here[name], there[name]) for name in here if here[name] != there[name]}))
        if arguments.page:
            tally.check(p.sweep("sweep export", plans["local"], "--format", "html", "-o", arguments.page, program=None).returncode == 0, "the page")
        if arguments.results:
            shutil.copy(plans["local"].with_suffix(".sweep") / "results.sqlite", arguments.results)
    return tally.end()


if __name__ == "__main__":
    raise SystemExit(main())
