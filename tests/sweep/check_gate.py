#!/usr/bin/env python3
"""check_gate.py [--noise N]: the gate finds each of six planted regressions, and passes on noise.

A stand-in for the program has figures of a known size; what it says once is the baseline, and what it says with one of
them changed is caught for that reason and no other. Then N gates on times that are noise alone (2 %, and one run in ten
disturbed) pass. The manual's commands for CI systems run. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

import sweep_program as p

PLAN = """
[[models]]
files = ["*.onnx"]
[[configurations]]
name = "a"
[[configurations]]
name = "b"
opt_level = 0
[[measures]]
kind = "inspect"
[[measures]]
kind = "context"
repeats = 3
[[measures]]
kind = "compare"
reference = "b"
[[measures]]
kind = "bench"
repeats = 5
limits = { exclusive = false }
"""
# What is planted, and the one reason that the gate gives.
PLANTS = {"nodes on the last provider": ({"cpu_nodes": 3}, "nodes fell to the last provider"),
          "a group in two": ({"groups": 2}, "groups were split"),
          "15 % slower": ({"median_ms": 11.5}, "slower"),
          "2 % more memory": ({"peak": 1020000}, "more memory"),
          "twice the error": ({"error": 2e-5}, "less accurate"),
          "a context that no longer loads": ({"loads": False}, "context is worse")}


def gate(plan, baseline, version, *options, **environment):
    starts = plan.parent / f"starts of {version}"
    done = p.sweep("gate", plan, "--baseline", baseline, "--cores", "1", *options,
                   environment={"SWEEP_VERSION": version, "SWEEP_STARTS": str(starts), **environment})
    return done, json.loads(done.stdout) if "--json" in options and done.stdout else {}


def check_manual(tally, scratch):
    """The command of each of the two files for CI systems in the manual, as it stands there, on the program itself."""
    section = (p.REPOSITORY / "resources" / "manual" / "sweep.md").read_text().partition("## In continuous integration")[2]
    commands = re.findall(r"(?m)^ +- (?:run: )?(cutaway-cli .*)$", section)
    tally.check(len(commands) == 2, "the manual's files for CI systems", str(commands))
    folder = scratch / "ci"
    shutil.copytree(p.REPOSITORY / "resources" / "samples" / "digits_mlp", folder)
    plan = folder / "sweep.toml"
    plan.write_text('[[models]]\nfiles = ["model.onnx"]\n[[measures]]\nkind = "inspect"\n[[measures]]\nkind = "check"\n')
    first = p.sweep("sweep run", plan, program=None)
    tally.check(first.returncode == 0, "baseline of a sample", first.stderr)
    shutil.copy(plan.with_suffix(".sweep") / "results.sqlite", folder / "base.sqlite")
    for command in commands:
        report = scratch / "gate.xml"
        report.unlink(missing_ok=True)
        done = subprocess.run(["bash", "-c", command], cwd=scratch, env={**os.environ, "PATH": f"{p.default_cli().parent}:{os.environ['PATH']}"},
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        suite = xml.etree.ElementTree.parse(report).getroot() if report.exists() else None
        tally.check(done.returncode == 0 and suite is not None and suite.get("tests") == "2" and suite.get("failures") == "0", command, done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--noise", type=int, default=20)
    arguments = parser.parse_args()
    tally = p.Tally()
    with tempfile.TemporaryDirectory() as scratch:
        plan = pathlib.Path(scratch) / "s.toml"
        plan.write_text(PLAN)
        p.write_models(plan.parent, 1)
        baseline = plan.parent / "base.sqlite"
        first = p.sweep("sweep run", plan, "--cores", "1", environment={"SWEEP_VERSION": "base", "SWEEP_NOISE": "1:0.01", "SWEEP_STARTS": str(plan.parent / "starts")})
        tally.check(first.returncode == 0, "baseline", first.stderr)
        shutil.copy(plan.with_suffix(".sweep") / "results.sqlite", baseline)
        for name, (plant, reason) in PLANTS.items():
            done, report = gate(plan, baseline, name, "--json", SWEEP_PLANT=json.dumps(plant), SWEEP_NOISE="2:0.01")
            kinds = {finding["kind"] for finding in report.get("worse", [])}
            tally.check(done.returncode == 1 and kinds == {reason}, name, f"{done.returncode} {kinds} {done.stderr}")
        for number in range(arguments.noise):
            done, report = gate(plan, baseline, f"noise {number}", "--json", SWEEP_NOISE=f"{number}:0.02")
            tally.check(done.returncode == 0 and report["compared"] == 7, f"noise {number}", f"{done.returncode} {report.get('worse')} {done.stderr}")
        junit = plan.parent / "gate.xml"
        done, _ = gate(plan, baseline, "a group in two", "--junit", junit, "--github", SWEEP_PLANT='{"groups": 2}')
        suite = xml.etree.ElementTree.parse(junit).getroot()
        tally.check(int(suite.get("tests")) == 7 and len(suite.findall("testcase/failure")) == int(suite.get("failures")) == 2, "JUnit")
        tally.check(done.stdout.count("::error file=") == 2, "GitHub's annotations", done.stdout)
        check_manual(tally, plan.parent)
        absent = p.sweep("gate", plan, "--baseline", plan.parent / "none.sqlite", environment={"SWEEP_VERSION": "noise 0"})
        tally.check(absent.returncode not in (0, 1) and "none.sqlite" in absent.stderr, "no baseline", absent.stderr)
    return tally.end()


if __name__ == "__main__":
    raise SystemExit(main())
