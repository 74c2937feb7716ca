#!/usr/bin/env python3
"""The log of the command line: what is written at which level, in which form, and that neither foreign paths nor the model itself are harmed by it."""

import json
import pathlib
import re
import shutil
import sys
import tempfile

from checks import Checks
from cutaway_cli import DONE, REPOSITORY, USAGE, default_cli, run_cli

CLI = default_cli()
SAMPLE = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
LINE = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d (trace|debug|info|warning|error) (program|stages|providers|kernels|files|hosts) (.+)$")


def lines_of(file, checks):
    first, *rest = file.read_text().splitlines()
    checks.that(first.startswith("# log of cutaway"), "the first line", first)
    bad = [line for line in rest if not LINE.match(line)]
    checks.that(not bad, "the form of the lines", bad)
    return [LINE.match(line).groups() for line in rest if LINE.match(line)]


def check_levels(checks, folder):
    model = folder / "mine" / "model.onnx"
    model.parent.mkdir()
    shutil.copyfile(SAMPLE, model)
    log, out = folder / "run.log", folder / "other" / "graph.svg"
    out.parent.mkdir()
    done = run_cli(CLI, "run", model, "--random", "1", "--log-file", log)
    checks.that(done.code == DONE and not done.stderr.count("info"), "a run with a log", done)
    said = lines_of(log, checks)
    stages = [text for level, category, text in said if (level, category) == ("info", "stages")]
    for stage in ("load", "resolve", "optimize", "partition", "schedule", "allocate", "pattern"):
        checks.that(any(re.match(rf"done stage={stage} ms=\d", text) for text in stages), f"stage {stage}", stages)
    files = [text for _, category, text in said if category == "files"]
    checks.that(any(text.startswith("read file=model.onnx format=onnx") for text in files), "the model is named from its folder on", files)
    checks.that(any("claims provider=cpu nodes=" in text for _, _, text in said), "what providers claim", said)
    checks.that(all(category != "kernels" for _, category, _ in said), "no kernels at info", said)
    done = run_cli(CLI, "run", model, "--random", "1", "--log-file", log, "--log", "debug")
    more = lines_of(log, checks)
    checks.that(done.code == DONE and more[:len(said)] == said, "the log is continued", more[:3])
    checks.that(any(level == "debug" and text.startswith("chosen node=") for level, _, text in more), "kernels at debug", more[len(said):])
    done = run_cli(CLI, "render", model, "-o", out, "--log-file", log)
    checks.that(done.code == DONE and "written file=\u2026/graph.svg" in log.read_text(), "a file elsewhere", log.read_text()[-400:])
    checks.that(str(folder) not in log.read_text(), "no folder of the machine", log.read_text())
    quiet = folder / "quiet.log"
    run_cli(CLI, "run", model, "--random", "1", "--log-file", quiet, "--log", "error")
    checks.that(not lines_of(quiet, checks), "nothing below errors", quiet.read_text())


def check_hosts(checks, folder):
    """Processes that run foreign libraries: when they start, end, and are lost."""
    rows = json.loads(run_cli(CLI, "providers", "--json").stdout)["providers"]
    if not any(row["name"] == "onnxruntime" and row["usable"] for row in rows):
        print("onnxruntime is not installed: its process was not looked at")
        return
    log = folder / "hosts.log"
    done = run_cli(CLI, "run", SAMPLE, "--random", "1", "--providers", "onnxruntime,cpu", "--log-file", log)
    checks.that(done.code == DONE, "a run in another process", done)
    hosts = [(level, text) for level, category, text in lines_of(log, checks) if category == "hosts"]
    process = re.compile(r"^(started|ended) process=(\d+) ")
    said = [process.match(text).groups() for _, text in hosts if process.match(text)]
    checks.that(len(said) == len(hosts) >= 2 and said[0][0] == "started", "what processes do", hosts)
    comes, goes = ([number for word, number in said if word == each] for each in ("started", "ended"))
    checks.that(comes == goes and len(set(comes)) == len(comes), "each comes and goes once", hosts)
    checks.that(all("cutaway-ort-host" in text for _, text in hosts if text.startswith("started")), "which program", hosts)
    checks.that(all("/" not in text.replace("\u2026/", "") for _, text in hosts), "no folder of the machine", hosts)


def check_refusals(checks, folder):
    model = folder / "model.onnx"
    shutil.copyfile(SAMPLE, model)
    before = model.read_bytes()
    for file in (model, folder, folder / "nowhere" / "x.log"):
        done = run_cli(CLI, "inspect", model, "--log-file", file)
        checks.that(done.code == USAGE and file.name in done.stderr, f"--log-file {file.name}", done)
    checks.that(model.read_bytes() == before and not (folder / "nowhere").exists(), "nothing was written", None)


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        check_levels(checks, pathlib.Path(name))
        check_hosts(checks, pathlib.Path(name))
        check_refusals(checks, pathlib.Path(name))
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
