#!/usr/bin/env python3
"""Every ONNX backend case of the operators through `cutaway-cli check`: no wrong number, no crash.

A case passes, or it is refused because an operator has no kernel (skipped, counted by operator), or it fails. Cases whose
expected outputs are random draws (known_bad.tsv) are compared by shape and element type only.
Last line: `N passed, N failed, N skipped`.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from cutaway_cli import TEST_DATA, default_cli  # noqa: E402

OPERATOR = re.compile(r"no provider runs operator (\S+)")


def failures_of(cli, folders, jobs):
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        subprocess.run([cli, "check", *folders, "--jobs", str(jobs), "--timeout", "60", "--json", report], stdout=subprocess.DEVNULL, check=False)
        return json.loads(report.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    report = failures_of(arguments.cli, [TEST_DATA / "backend" / kind for kind in ("node", "own", "simple", "pytorch-operator", "pytorch-converted")], arguments.jobs)
    missing, failed = collections.Counter(), []
    for failure in report["failures"]:
        name, message = pathlib.Path(failure["case"]).name, failure["message"]
        operator = OPERATOR.search(message)
        if operator:
            missing[operator.group(1)] += 1
        else:
            failed.append(f"{name}: {message}")
    print("\n".join(failed))
    for operator, count in sorted(missing.items()):
        print(f"no kernel: {operator} ({count} cases)")
    print(f"{report['passed']} passed, {len(failed)} failed, {sum(missing.values())} skipped")
    return 1 if failed or not report["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
