#!/usr/bin/env python3
"""check_local.py [--kills N] [--seed N]: sweeps on this machine, whatever happens to them.

A runner that is killed (SIGKILL) at random moments loses no record and does no job twice; jobs that hang, crash or write
rubbish are told as such and not tried again; two runners at once, a full disk, models that change, programs for other processors, packs. And
the sample models through the program itself. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

import sweep_program as p

INSPECT = '[[models]]\nfiles = ["*.onnx"]\n[[measures]]\nkind = "inspect"\n'


def folder_of(scratch, name, count, plan=INSPECT, **members):
    folder = scratch / name
    folder.mkdir()
    p.write_models(folder, count, **members)
    (folder / "s.toml").write_text(plan)
    return folder / "s.toml"


def check_kills(tally, scratch, kills, chance):
    jobs = 40
    plan = folder_of(scratch, "kills", jobs, seconds=0.15)
    starts = scratch / "starts"
    environment = {**os.environ, "SWEEP_STARTS": str(starts)}
    before, killed = {}, 0
    for _ in range(kills):
        begun = starts.stat().st_size if starts.exists() else 0
        process = subprocess.Popen(p.sweep_command("sweep run", plan), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # On a busy machine a runner may take seconds to its first job; a moment after that is what is wanted here.
        while process.poll() is None and (starts.stat().st_size if starts.exists() else 0) == begun:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.8))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        now = p.records(plan)
        tally.check(all(now.get(key) == text for key, text in before.items()), "a record is gone or another one after a kill")
        for text in now.values():
            json.loads(text)  # whole, at any moment
        before = now
    done = p.sweep("sweep resume", plan, environment=environment)
    tally.check(done.returncode == 0, "resume after kills", done.stderr + done.stdout)
    after = p.records(plan)
    tally.check(len(after) == jobs and all(after[key] == text for key, text in before.items()), "records after resume", f"{len(after)} of {jobs}")
    counts = collections.Counter(starts.read_text().split("\n")[:-1])
    again = sum(counts.values()) - jobs
    # A job that ran when its runner was killed has no record and is begun again: at most as many a kill as ran at once.
    tally.check(len(counts) == jobs and again <= killed * os.cpu_count(), "jobs begun again", f"{again} of {jobs} after {killed} kills")
    shown = p.status(plan)
    tally.check(shown.get("open") == 0 and shown.get("outcomes") == {"ok": jobs}, "status after resume", str(shown)[:300])
    tally.check(not list((plan.with_suffix(".sweep") / "scratch").iterdir()), "scratch is empty")
    (plan.with_suffix(".sweep") / "results.sqlite").unlink()
    tally.check(p.sweep("sweep resume", plan, environment=environment).returncode == 0 and p.status(plan).get("outcomes") == {"ok": jobs},
                "results made anew from records")
    tally.check(len(starts.read_text().split("\n")) - 1 == sum(counts.values()), "nothing is done again for that")
    print(f"{killed} kills, {again} jobs begun again")


def check_bad_jobs(tally, scratch):
    plan = folder_of(scratch, "bad", 0, INSPECT + "[limits]\ntimeout = 6\n")
    for number, does in enumerate(("ok", "hang", "crash", "rubbish", "nothing", "bad")):
        (plan.parent / f"{does}.onnx").write_text(json.dumps({"number": number, "does": does}))
    starts = scratch / "bad_starts"
    environment = {"SWEEP_STARTS": str(starts)}
    done = p.sweep("sweep run", plan, environment=environment)
    tally.check(done.returncode == 0, "bad jobs are results, too", done.stderr)
    found = {cell["model"].split(".")[0]: cell["outcome"] for cell in p.status(plan)["cells"]}
    expected = {"ok": "ok", "hang": "timeout", "crash": "crashed", "rubbish": "rubbish", "nothing": "rubbish", "bad": "bad model"}
    tally.check(found == expected, "outcomes", str(found))
    p.sweep("sweep resume", plan, environment=environment)
    tally.check(starts.read_text().count("\n") == 6, "they are not tried again")
    p.sweep("sweep resume", plan, "--retry", "crashed", environment=environment)
    tally.check(starts.read_text().count("\n") == 7, "--retry tries one again", starts.read_text())


def check_two_runners(tally, scratch):
    go = scratch / "go"
    plan = folder_of(scratch, "two", 6, until=str(go))
    with subprocess.Popen(p.sweep_command("sweep run", plan), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        while "worked_on_by" not in (shown := p.status(plan)) or not shown["worked_on_by"]:
            time.sleep(0.1)
        second = p.sweep("sweep run", plan)
        tally.check(second.returncode != 0 and f"process {first.pid}" in second.stderr, "a second runner is refused", second.stderr)
        cancelled = p.sweep("sweep cancel", plan)
        tally.check(cancelled.returncode == 0 and first.wait(30) == 130, "cancel", cancelled.stderr)
    go.touch()
    tally.check(p.sweep("sweep resume", plan).returncode == 0 and p.status(plan)["open"] == 0, "resume after cancel")


def check_changes(tally, scratch):
    plan = folder_of(scratch, "changes", 3)
    p.sweep("sweep run", plan)
    (plan.parent / "m0000.onnx").write_text('{"number": 99}')
    (plan.parent / "m0001.onnx").unlink()
    tally.check(p.sweep("sweep run", plan).returncode == 0 and p.status(plan)["jobs"] == 2 and len(p.records(plan)) == 4, "a model changed, one vanished")
    # Between the list of jobs and the job itself.
    p.sweep("sweep export", plan, "--format", "make")
    key = p.status(plan)["cells"][0]["key"]
    record = plan.with_suffix(".sweep") / "records" / f"{key}.json"
    record.unlink()
    (plan.parent / "m0000.onnx").write_text('{"number": 100}')
    late = p.sweep("sweep work", plan, "--job", key)
    tally.check(late.returncode == 1 and "has changed" in late.stderr and not record.exists(), "a model changed before its job", late.stderr)


def check_other_architecture(tally, scratch):
    """A program for other processors, at first or in the middle of a sweep, makes no results."""
    plan = folder_of(scratch, "other", 3)
    # An ELF header of 64 bits with the machine number of AArch64, or that of x86-64 where this is one.
    machine = 62 if os.uname().machine == "aarch64" else 183
    program = plan.parent / "program"
    program.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00" + machine.to_bytes(2, "little") + b"\x01\x00\x00\x00" + bytes(40))
    program.chmod(0o755)
    done = p.sweep("sweep run", plan, program=program)
    tally.check(done.returncode not in (0, 1) and "Exec format error" in done.stderr and not p.records(plan), "a program for other processors", f"{done.returncode} {done.stderr}")
    p.sweep("sweep export", plan, "--format", "make")
    key = p.status(plan)["cells"][0]["key"]
    late = p.sweep("sweep work", plan, "--job", key, program=program)
    tally.check(late.returncode != 0 and "Exec format error" in late.stderr and not p.records(plan), "on a node of other processors", late.stderr)


def check_packs(tally, scratch):
    plan = folder_of(scratch, "packs", 4, INSPECT.replace("*.onnx", "zoo.tar.gz"))
    subprocess.run(["tar", "-C", str(plan.parent), "-czf", str(plan.parent / "zoo.tar.gz"), "m0000.onnx", "m0003.onnx"], check=True)
    done = p.sweep("sweep run", plan)
    models = [cell["model"] for cell in p.status(plan).get("cells", [])]
    tally.check(done.returncode == 0 and models == ["zoo.tar.gz/m0000.onnx", "zoo.tar.gz/m0003.onnx"], "a pack", f"{models} {done.stderr}")
    tally.check(p.status(plan)["outcomes"] == {"ok": 2}, "its models are swept", str(p.status(plan))[:300])


def check_full_disk(tally, scratch):
    place = scratch / "full"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)], capture_output=True).returncode != 0:
        return 1
    try:
        plan = folder_of(place, "s", 60)
        done = p.sweep("sweep run", plan)
        tally.check(done.returncode == 6, "a full disk ends with code 6", f"{done.returncode} {done.stderr[-300:]}")
        for text in p.records(plan).values():
            json.loads(text)
        subprocess.run(["mount", "-o", "remount,size=40m", str(place)], check=True)
        done = p.sweep("sweep resume", plan)
        outcomes = p.status(plan)["outcomes"]
        tally.check(done.returncode == 0 and outcomes == {"ok": 60}, "resume once there is room", f"{outcomes} {done.stderr[-300:]}")
    finally:
        subprocess.run(["umount", str(place)], check=False)
    return 0


def check_make(tally, scratch):
    if shutil.which("make") is None:
        return 1
    plan = folder_of(scratch, "make it's", 5)
    p.sweep("sweep export", plan, "--format", "make", "-o", plan.parent / "Makefile")
    made = subprocess.run(["make", "-j", "2", "-C", str(plan.with_suffix(".sweep")), "-f", str(plan.parent / "Makefile")], capture_output=True,
                          text=True, env={**os.environ, "PATH": f"{p.STAND_IN.parent}:{os.environ['PATH']}"})
    tally.check(made.returncode == 0 and len(p.records(plan)) == 5, "make does the jobs", made.stderr[-500:])
    return 0


def check_samples(tally, scratch):
    folder = scratch / "samples"
    shutil.copytree(p.REPOSITORY / "resources" / "samples", folder)
    plan = folder / "s.toml"
    plan.write_text('[[models]]\nfiles = ["**/*.onnx"]\n[[configurations]]\nname = "cpu"\nopt_level = [0, 3]\n'
                    '[[configurations]]\nname = "onednn"\nproviders = ["onednn", "cpu"]\n'
                    '[[measures]]\nkind = "inspect"\n[[measures]]\nkind = "check"\n[[measures]]\nkind = "bench"\nseconds = 0.01\n')
    done = p.sweep("sweep run", plan, program=None)
    shown = p.status(plan)
    tally.check(done.returncode == 0 and shown.get("outcomes") == {"ok": 45}, "the samples", done.stderr + str(shown)[:500])
    page = folder / "page.html"
    tally.check(p.sweep("sweep export", plan, "--format", "html", "-o", page, program=None).returncode == 0 and "digits_cnn" in page.read_text(), "page")
    table = p.sweep("sweep export", plan, "--format", "csv", program=None).stdout
    tally.check("median_ms" in table and "planned_peak_bytes" in table, "csv", table[:200])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally = p.Tally()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        check_kills(tally, scratch, arguments.kills, random.Random(arguments.seed))
        check_bad_jobs(tally, scratch)
        check_two_runners(tally, scratch)
        check_changes(tally, scratch)
        check_other_architecture(tally, scratch)
        check_packs(tally, scratch)
        skipped = check_full_disk(tally, scratch) + check_make(tally, scratch)
        check_samples(tally, scratch)
    return tally.end(skipped)


if __name__ == "__main__":
    raise SystemExit(main())
