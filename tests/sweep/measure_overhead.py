#!/usr/bin/env python3
"""measure_overhead.py [--jobs N]: what a local job costs beside its own time, and how fast results of many are read.

Jobs of 1 s (the stand-in sleeps) one after another; beside them the same command without a sweep.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import sweep_program as p


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        plan = pathlib.Path(scratch) / "s.toml"
        p.write_models(plan.parent, arguments.jobs, seconds=1)
        plan.write_text('[[models]]\nfiles = ["*.onnx"]\n[[measures]]\nkind = "inspect"\n')
        start = time.monotonic()
        for model in sorted(plan.parent.glob("*.onnx")):
            subprocess.run([str(p.STAND_IN), "inspect", str(model), "--json", str(plan.parent / "report.json")], check=True, env=os.environ)
        alone = time.monotonic() - start
        start = time.monotonic()
        done = p.sweep("sweep run", plan, "--cores", "1", timeout=3600)
        swept = time.monotonic() - start
        print(done.stdout.strip())
        walls = [cell["wall_s"] for cell in p.status(plan)["cells"]]
        print(json.dumps({"jobs": arguments.jobs, "commands_alone_s": round(alone, 3), "sweep_s": round(swept, 3),
                          "overhead_per_job_ms": round((swept - alone) / arguments.jobs * 1000, 1),
                          "overhead_share": round((swept - alone) / alone, 4), "mean_wall_s": round(sum(walls) / len(walls), 4)}))


if __name__ == "__main__":
    main()
