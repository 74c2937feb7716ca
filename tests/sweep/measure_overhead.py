#!/usr/bin/env python3
"""measure_overhead.py [--jobs N] [--slurm]: what a job costs beside its own time.

Jobs of 1 s (the stand-in sleeps) one after another; at the same time, so that whatever else the machine does meets both, the same commands without a sweep.
With --slurm on a virtual cluster instead, in packs of 30 s that run at once: a pack beside its commands alone, from its first job to its last record, and with
Slurm's own waiting from the command `sweep run` on.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile
import time

import sweep_program as p
import virtual_cluster

# A small model's job is assumed to take 0.5 s (sweep/plan/job.cpp): so many assumed seconds make packs of 30 jobs, which take 30 s.
PACK_SECONDS = 15


def seconds_alone(folder, models):
    """Of a command, the mean over these models one after another, without a sweep."""
    start = time.monotonic()
    for model in models:
        subprocess.run([str(p.STAND_IN), "inspect", str(model), "--json", str(folder / "report.json")], check=True, env=os.environ)
    return (time.monotonic() - start) / len(models)


def make_plan(folder, jobs):
    folder.mkdir()
    p.write_models(folder, jobs, seconds=1)
    plan = folder / "s.toml"
    plan.write_text(f'[[models]]\nfiles = ["*.onnx"]\n[[measures]]\nkind = "inspect"\n[limits]\nmemory = "20MB"\n[slurm]\npack_seconds = {PACK_SECONDS}\n')
    return plan


def measure_local(scratch, jobs):
    plan = make_plan(scratch / "local", jobs)
    with concurrent.futures.ThreadPoolExecutor() as beside:
        alone = beside.submit(seconds_alone, scratch, sorted(plan.parent.glob("*.onnx")))
        start = time.monotonic()
        done = p.sweep("sweep run", plan, "--cores", "1", timeout=3600)
        swept = (time.monotonic() - start) / jobs
        alone = alone.result()
    print(done.stdout.strip())
    return {"jobs": jobs, "command_alone_s": round(alone, 3), "job_s": round(swept, 3), "overhead_share": round(swept / alone - 1, 4)}


def measure_slurm(scratch, jobs):
    plan = make_plan(scratch / "cluster", jobs)
    with virtual_cluster.VirtualCluster(scratch / "slurm") as cluster, concurrent.futures.ThreadPoolExecutor() as beside:
        alone = beside.submit(seconds_alone, scratch, sorted(plan.parent.glob("*.onnx"))[:30])
        began = time.time()
        done = p.sweep("sweep run", plan, "--on", "slurm", environment=cluster.environment, timeout=3600)
        alone = alone.result()
    print(done.stdout.strip())
    records = {key: json.loads(text) for key, text in p.records(plan).items()}
    packs = [task for path in (plan.with_suffix(".sweep") / "tasks").glob("*.json") for task in json.loads(path.read_text())]
    longest = max(len(pack) for pack in packs)
    shares, ends = [], []
    for pack in packs:
        begins = [records[key]["started_ms"] / 1000 for key in pack]
        ends.append(max(begin + records[key]["wall_s"] for begin, key in zip(begins, pack)))
        shares.append((ends[-1] - min(begins)) / (alone * len(pack)) - 1)
    whole = max(ends) - began
    return {"jobs": jobs, "packs": len(packs), "jobs_in_a_pack": longest, "command_alone_s": round(alone, 3),
            "overhead_share_inside": round(sum(shares) / len(shares), 4), "from_sweep_run_to_last_record_s": round(whole, 3),
            "overhead_share_with_waiting": round(whole / (alone * longest) - 1, 4)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=20)
    parser.add_argument("--slurm", action="store_true", help="on a virtual cluster; needs slurm-wlm and root")
    arguments = parser.parse_args()
    if arguments.slurm and (reason := virtual_cluster.missing()):
        p.quiet_exit(reason)
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        measure = measure_slurm if arguments.slurm else measure_local
        print(json.dumps({**measure(pathlib.Path(scratch), arguments.jobs), "load": round(os.getloadavg()[0], 1)}))


if __name__ == "__main__":
    main()
