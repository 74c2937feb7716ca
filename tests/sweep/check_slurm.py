#!/usr/bin/env python3
"""check_slurm.py [--jobs N] [--samples]: a sweep on a virtual cluster that is treated badly.

N jobs, some of which crash or hang. In the middle the runner is killed, a node is taken down and brought back, and the
controller is restarted; the sweep goes on, every job has one record, and none is lost. Then the same sweep locally: the
results are identical. Tasks that end without a result are told with the cluster's reason. With --samples, too, all samples in three configurations both ways. Exits with 77 where there is
no Slurm. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import sweep_program as p
import virtual_cluster

PLAN = """
[[models]]
files = ["*.onnx"]
[[measures]]
kind = "inspect"
[limits]
timeout = 5
memory = "20MB"
[slurm]
pack_seconds = {pack}
"""


def outcomes_of(plan):
    return {(cell["model"], cell["configuration"], cell["measure"], cell["repeat"]): cell["outcome"] for cell in p.status(plan)["cells"]}


def figures_of(plan, names):
    return {(cell["model"], cell["configuration"], cell["measure"]): {name: cell["figures"].get(name) for name in names}
            for cell in p.status(plan)["cells"]}


def make_sweep(folder, jobs, pack):
    folder.mkdir()
    p.write_models(folder, jobs - 3, seconds=0.02)
    for does in ("crash", "hang", "rubbish"):
        (folder / f"{does}.onnx").write_text(json.dumps({"does": does}))
    (folder / "s.toml").write_text(PLAN.format(pack=pack))
    return folder / "s.toml"


def check_trouble(tally, cluster, scratch, jobs, pack):
    plan = make_sweep(scratch / "cluster", jobs, pack)
    environment = {**cluster.environment, "SWEEP_STARTS": str(scratch / "starts")}
    command = p.sweep_command("sweep run", plan, "--on", "slurm")
    first = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    cluster.wait(lambda: len(p.records(plan)) > jobs // 20 or first.poll() is not None, "no job was done")
    first.send_signal(signal.SIGKILL)
    tally.check(first.wait() == -signal.SIGKILL, "the runner was still at work", first.stdout.read())
    kept = p.records(plan)
    second = subprocess.Popen(p.sweep_command("sweep resume", plan, "--on", "slurm"), env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    cluster.wait(lambda: len(p.records(plan)) > jobs // 5, "the cluster does not go on")
    # A node that is down: its tasks begin again on the other one.
    cluster.stop("virtual1")
    cluster.run("scontrol", "update", "NodeName=virtual1", "State=DOWN", "Reason=test")
    cluster.stop("controller")
    time.sleep(1)
    cluster.start_controller()
    cluster.wait(lambda: cluster.states().get("virtual2", "").strip("*") in ("idle", "mix", "alloc"), "the controller does not come back")
    cluster.start_node("virtual1")
    cluster.wait(lambda: cluster.run("scontrol", "update", "NodeName=virtual1", "State=RESUME").returncode == 0
                 or cluster.states().get("virtual1") in ("idle", "mix", "alloc"), "the node does not come back")
    said = second.communicate(timeout=1500)[0]
    tally.check(second.returncode == 0, "the sweep ends", said)
    after = p.records(plan)
    tally.check(len(after) == jobs, "every job has a record", f"{len(after)} of {jobs}: {said}")
    tally.check(all(after.get(key) == text for key, text in kept.items()), "what was done stays")
    found = outcomes_of(plan)
    tally.check(sorted(found.values()).count("ok") == jobs - 3 and
                [found[f"{does}.onnx", "default", "inspect", 0] for does in ("crash", "hang", "rubbish")] == ["crashed", "timeout", "rubbish"],
                "outcomes", str({value: list(found.values()).count(value) for value in set(found.values())}))
    begun = len((scratch / "starts").read_text().split("\n")) - 1
    print(f"{jobs} jobs on the cluster, {begun - jobs} begun again")
    local = make_sweep(scratch / "local", jobs, pack)
    p.sweep("sweep run", local, timeout=1500)
    tally.check(outcomes_of(local) == found and set(p.records(local)) == set(after), "the same results locally")


def check_cancel(tally, cluster, scratch):
    folder = scratch / "cancel"
    folder.mkdir()
    p.write_models(folder, 8, seconds=3)
    plan = folder / "s.toml"
    plan.write_text(PLAN.format(pack=0))
    given = p.sweep("sweep run", plan, "--on", "slurm", "--no-wait", environment=cluster.environment)
    # Of this sweep alone: tasks of the one before that its node lost may still wait to begin again, with nothing to do.
    names = ",".join(f"cutaway-{path.stem}" for path in (plan.with_suffix(".sweep") / "tasks").glob("*.json"))

    def queue():
        return cluster.run("squeue", "-h", "--array", f"--name={names}").stdout.count("\n")

    queued = queue()
    tally.check(given.returncode == 0 and queued == 8, "given out without waiting", f"{queued} {given.stderr}")
    cancelled = p.sweep("sweep cancel", plan, environment=cluster.environment)
    cluster.wait(lambda: queue() == 0, "scancel does nothing")
    tally.check(cancelled.returncode == 0, "cancel", cancelled.stderr)


# Says of every task that it ran out of memory, as Slurm 24 writes it.
ACCOUNTING = """#!/usr/bin/env python3
import json, sys
names = next(word for word in sys.argv if word.startswith("--name="))[7:].split(",")
print(json.dumps({"jobs": [{"name": name, "array": {"task_id": {"set": True, "infinite": False, "number": 0}},
                            "state": {"current": ["OUT_OF_MEMORY"], "reason": "None"}} for name in names]}))
"""


def check_lost(tally, cluster, scratch):
    """Tasks that leave no result are given out three times, and then told with how Slurm saw them end."""
    folder = scratch / "lost"
    folder.mkdir()
    p.write_models(folder, 2)
    plan = folder / "s.toml"
    plan.write_text(PLAN.format(pack=60))
    program = folder / "program"
    program.write_text(f'#!/bin/sh\n[ -z "$SLURM_ARRAY_TASK_ID" ] || exit 9\nexec {p.STAND_IN} "$@"\n')
    program.chmod(0o755)
    lost = p.sweep("sweep run", plan, "--on", "slurm", program=program, environment=cluster.environment)
    tally.check(lost.returncode == 1 and lost.stderr.count("no result after 3 tasks, the last one ended as FAILED") == 2, "the controller says how tasks ended", lost.stderr)
    (folder / "bin").mkdir()
    (folder / "bin" / "sacct").write_text(ACCOUNTING)
    (folder / "bin" / "sacct").chmod(0o755)
    told = p.sweep("sweep resume", plan, "--on", "slurm", program=program,
                   environment={**cluster.environment, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"})
    tally.check(told.returncode == 1 and told.stderr.count("the last one ended as OUT_OF_MEMORY;") == 2, "accounting says how tasks ended", told.stderr)


def check_samples(tally, cluster, scratch):
    plans = {}
    for where in ("local", "slurm"):
        folder = scratch / f"samples_{where}"
        shutil.copytree(p.REPOSITORY / "resources" / "samples", folder)
        plans[where] = folder / "s.toml"
        plans[where].write_text('[[models]]\nfiles = ["**/*.onnx"]\n[[configurations]]\nname = "cpu"\nopt_level = [0, 3]\n'
                                '[[configurations]]\nname = "onednn"\nproviders = ["onednn", "cpu"]\n'
                                '[[measures]]\nkind = "inspect"\n[[measures]]\nkind = "check"\n')
        done = p.sweep("sweep run", plans[where], "--on", where, program=None, environment=cluster.environment, timeout=900)
        tally.check(done.returncode == 0, f"samples, {where}", done.stderr)
    names = ("nodes", "groups", "fallback_nodes", "planned_peak_bytes", "cases_passed")
    tally.check(outcomes_of(plans["local"]) == outcomes_of(plans["slurm"]) and
                figures_of(plans["local"], names) == figures_of(plans["slurm"], names), "the samples: identical results")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=120)
    parser.add_argument("--pack", type=float, default=3)
    parser.add_argument("--samples", action="store_true")
    arguments = parser.parse_args()
    if reason := virtual_cluster.missing():
        p.quiet_exit(reason)
    tally = p.Tally()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        os.chmod(scratch, 0o755)
        with virtual_cluster.VirtualCluster(scratch / "slurm") as cluster:
            check_trouble(tally, cluster, scratch, arguments.jobs, arguments.pack)
            check_cancel(tally, cluster, scratch)
            check_lost(tally, cluster, scratch)
            if arguments.samples:
                check_samples(tally, cluster, scratch)
    return tally.end()


if __name__ == "__main__":
    raise SystemExit(main())
