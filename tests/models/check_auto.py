#!/usr/bin/env python3
"""check_auto.py [--cli PATH]: --providers auto and tune, as a user meets them.

In a cache folder of its own: an unmeasured model runs on cpu alone and says why; tune measures it, remembers it and lists
it; auto then takes what tune took and gives the very bits of that list; damage is told and ignored; another setting is
not measured; --clear forgets. Lists are asked as they are written. Last line: `N passed, N failed, N skipped`.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

from checks import Checks
from cutaway_cli import DONE, REPOSITORY, USAGE, default_cli, run_cli

SAMPLES = REPOSITORY / "resources" / "samples"


def json_of(cli, *arguments):
    done = run_cli(cli, *arguments, "--json")
    return json.loads(done.stdout) if done.code == DONE else {"failed": done.reason}


def bits_of(cli, model, folder, *options):
    done = run_cli(cli, "run", model, "--random", "7", "--threads", "1", "--save-outputs", folder, "--format", "npy", *options)
    if done.code != DONE:
        return done.reason
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.npy"))}


def check_unmeasured(cli, model, checks):
    walk = json_of(cli, "partition", model, "--providers", "auto")
    choice = walk.get("choice", {})
    # A machine with a GPU weighs it; the last entry is cpu in any case.
    checks.that(choice.get("providers", [])[-1:] == ["cpu"], "an unmeasured model goes to cpu", walk.get("failed", choice))
    checks.that(choice.get("basis") in ("default", "modelled"), "nothing is called measured", choice)
    skipped = [each["name"] for each in choice.get("skipped", [])]
    checks.that("onednn" in skipped, "who was not asked is named", choice)
    text = run_cli(cli, "partition", model, "--providers", "auto").stdout
    checks.that("note: auto took " in text and "`tune` does" in text, "the note says what would tell more", text)


def check_measured(cli, model, checks, folder):
    options = ("--threads", "1")
    tuned = json_of(cli, "tune", model, *options, "--seconds", "1")
    plan = tuned.get("plan", {})
    lists = [each["providers"] for each in plan.get("measured", [])]
    checks.that(["cpu"] in lists and ["onednn", "cpu"] in lists, "tune measures cpu alone and beside onednn", tuned)
    checks.that(plan.get("providers") in lists, "what is taken was measured", plan)
    checks.that(pathlib.Path(tuned.get("file", "")).is_file(), "the file is there", tuned)
    if checks.failed:
        return
    walk = json_of(cli, "partition", model, "--providers", "auto", *options)
    checks.that(walk.get("choice", {}).get("basis") == "measured", "auto uses it", walk.get("choice"))
    checks.that(walk.get("choice", {}).get("providers") == plan["providers"], "auto takes what tune took", walk.get("choice"))
    chosen = bits_of(cli, model, folder / "auto", "--providers", "auto")
    named = bits_of(cli, model, folder / "named", "--providers", ",".join(plan["providers"]))
    checks.that(isinstance(chosen, dict) and chosen and chosen == named, "outputs are those of the list", chosen)
    other = json_of(cli, "partition", model, "--providers", "auto", "--threads", "2")
    checks.that(other.get("choice", {}).get("basis") != "measured", "two threads were not measured", other.get("choice"))
    listed = json_of(cli, "tune", "--list")
    checks.that(len(listed.get("plans", [])) == 1, "it is listed", listed)
    check_damage(cli, model, checks, pathlib.Path(tuned["file"]), options)


def check_damage(cli, model, checks, file, options):
    file.write_text(file.read_text()[:200])
    walk = json_of(cli, "partition", model, "--providers", "auto", *options)
    checks.that(walk.get("choice", {}).get("basis") != "measured", "a damaged file is not used", walk.get("choice"))
    warnings = walk.get("partition", {}).get("warnings", [])
    checks.that(any("is damaged" in each for each in warnings), "a damaged file is told", warnings)
    cleared = json_of(cli, "tune", "--clear")
    checks.that(cleared.get("removed") == 1 and not file.exists(), "--clear forgets it", cleared)


def check_lists(cli, model, checks):
    walk = json_of(cli, "partition", model, "--providers", "cpu,onednn")
    names = [each["name"] for each in walk.get("partition", {}).get("providers", [])]
    checks.that(names == ["cpu", "onednn"], "cpu,onednn stays in this order", names)
    nodes = walk.get("partition", {}).get("nodes", [])
    checks.that(nodes and all(node["provider"] == "cpu" for node in nodes), "cpu takes every node then", nodes[:2])
    reasons = [answer.get("reason", "") for node in nodes for answer in node["answers"]]
    checks.that(any("onednn would have taken it" in each for each in reasons), "contested nodes are shown", reasons[:4])
    text = run_cli(cli, "partition", model, "--providers", "onednn").stdout
    checks.that("note: cpu was added at the end of the list" in text, "that cpu was added is said", text)
    for wrong in ("auto,onednn", "auto{a=b}", "onednn,auto", "all,onednn", "all(x)"):
        done = run_cli(cli, "partition", model, "--providers", wrong)
        checks.that(done.code == USAGE and ("auto" in done.stderr or "'all'" in done.stderr), f"{wrong} is refused", done.stderr)


def check_all(cli, model, checks):
    """Every real provider that is here, in the order of `providers`; beside the default, one what-if shows the difference."""
    rows = json_of(cli, "providers")["providers"]
    here = {row["name"]: row["usable"] for row in rows}
    walk = json_of(cli, "partition", model, "--providers", "all")
    choice = walk.get("choice", {})
    taken = choice.get("providers", [])
    checks.that(choice.get("basis") == "all" and taken[-1:] == ["cpu"] and "onednn" in taken, "all takes what is here", walk.get("failed", choice))
    checks.that(taken == [row["name"] for row in rows if row["name"] in taken], "in the order of the table", taken)
    checks.that(all(here[name] for name in taken), "nothing that cannot be used here", taken)
    checks.that(not any(name in taken for name in ("declared", "skeleton", "onnxruntime")), "nothing simulated, nothing in other processes", taken)
    checks.that([each["name"] for each in walk["partition"]["providers"]] == taken, "all of them are asked", walk["partition"]["providers"])
    beside = json_of(cli, "partition", model, "--what-if", "providers=all").get("comparison", {})
    checks.that(bool(beside.get("moved")), "the what-if tells which nodes move", beside)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    cli = parser.parse_args().cli
    model = sorted(SAMPLES.rglob("*.onnx"))[0]
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        check_unmeasured(cli, model, checks)
        check_measured(cli, model, checks, pathlib.Path(folder))
        check_lists(cli, model, checks)
        check_all(cli, model, checks)
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
