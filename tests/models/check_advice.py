#!/usr/bin/env python3
"""`cutaway-cli advise`: every advice of settings does what it says, read from another verb's report, and --apply writes it.

    check_advice.py [--table FILE.md]

The samples, and of the shared corpora the models of MODELS that are here, each with the lists of PROVIDERS. For each advice the configuration is
written, and `inspect --config` must show the figures that the advice promised: counted here from the report's nodes, groups, copies and buffers.
--table leaves the samples out, also looks for changes of the model (minutes a model), applies the best of them and inspects what was written, and
writes all answers with the figures that were seen (tests/models/advice.md).
"""

import argparse
import json
import pathlib
import sys
import tempfile

from checks import Checks
from cutaway_cli import BAD_MODEL, CHECK_FAILED, DONE, REFUSED, REPOSITORY, USAGE, default_cli, run_cli

CORPORA = REPOSITORY.parent / "shared" / "corpora" / "models"
SAMPLES = sorted((REPOSITORY / "resources" / "samples").glob("*/model.onnx"))
MODELS = ("ultraface-rfb-320/version-RFB-320.onnx", "tinybert-tribuo/tinybert.onnx", "gtcrn-stream/gtcrn.onnx", "yolox-nano", "portrait-seg-msra",
          "ppocr-v2-cls", "nanotrack-v3-backbone", "mobilenetv2-qdq-int8", "silero-vad", "mlperf-tiny-resnet8")
PROVIDERS = ("cpu", "declared(QNN-HTP),cpu")
LAST = "cpu"


def counted(report):
    """The measures of the report of `inspect`, by the names that advice has."""
    partition, pattern = report["partition"], report["pattern"]
    unplanned = sum(len(graph["unplanned"]) for graph in pattern["graphs"])
    asked = len(partition["providers"]) > 1
    return {"nodes left to the last provider": sum(node["provider"] == LAST for node in partition["nodes"]) if asked else None,
            "planned peak": pattern["peak_bytes"] if unplanned == 0 else None,
            "buffers without a size": unplanned,
            "copies": len(partition["copies"]),
            "copied bytes": sum(max(0, copy["size_bytes"]) for copy in partition["copies"] if copy["size_bytes"] is not None),
            "groups": len(partition["groups"]),
            "nodes after optimisation": report["optimize"]["nodes_after"]}


def figure_text(figure):
    if figure["measure"] in ("copied bytes", "planned peak") and max(figure["before"], figure["after"]) >= 10_000:
        return f"{figure['measure']} {figure['before'] / 1000:,.0f} -> {figure['after'] / 1000:,.0f} KB"
    return f"{figure['measure']} {figure['before']:,} -> {figure['after']:,}"


class AdviceChecks(Checks):
    def __init__(self):
        super().__init__()
        self.cli = default_cli()
        self.rows = []  # model, providers, advice; None: there was none

    def run(self, *arguments, code=DONE):
        outcome = run_cli(self.cli, *arguments, timeout=600)
        self.that(outcome.code == code, f"{' '.join(map(str, arguments))} ends with {code}", f"{outcome.code}\n{outcome.stdout[-300:]}{outcome.stderr[-300:]}")
        return outcome

    def json(self, *arguments):
        outcome = self.run(*arguments, "--json")
        return json.loads(outcome.stdout) if outcome.code == DONE else None

    def figures(self, name, advice, seen):
        """Every figure that the advice names, as it was promised, is what was seen after applying it."""
        for figure in advice["gains"] + advice["costs"]:
            self.that(seen[figure["measure"]] == figure["after"], f"{name}: {advice['title']}: {figure['measure']}", f"{seen}, promised {figure}")
        self.that(all(figure["after"] < figure["before"] for figure in advice["gains"]), f"{name}: {advice['title']} gains", advice)

    def model(self, model, providers, folder):
        name = model.parent.name
        arguments = (model, "--providers", providers, "--no-cure")
        report = self.json("advise", *arguments)
        if report is None:
            return
        shares = [each["share"] for each in report["advice"]]
        self.that(shares == sorted(shares, reverse=True), f"{name}: the largest share first", shares)
        for number, advice in enumerate(report["advice"], 1):
            file = folder / "advised.json"
            self.run("advise", *arguments, "--apply", number, "-o", file, "--force")
            self.figures(name, advice, counted(self.json("inspect", model, "--config", file)))
            self.rows.append((name, providers, advice))
        best = report["advice"][0] if report["advice"] else None
        gain = f"{best['title']}: {figure_text(best['gains'][0])}" if best else "nothing"
        print(f"{name}, {providers}: {len(report['advice'])} of {len(report['advice']) + len(report['attempts'])} changes; {gain}", flush=True)
        if not report["advice"]:
            self.rows.append((name, providers, None))

    def change(self, model, providers, folder):
        """The best change of the model itself, written and inspected."""
        report = self.json("advise", model, "--providers", providers)
        changes = [(number, advice) for number, advice in enumerate(report["advice"], 1) if not advice["settings"]] if report else []
        if not changes:
            return
        number, advice = changes[0]
        file = folder / "changed.onnx"
        self.run("advise", model, "--providers", providers, "--apply", number, "-o", file, "--force")
        self.figures(model.parent.name, advice, counted(self.json("inspect", file, "--providers", providers)))
        self.rows.append((model.parent.name, providers, advice))
        print(f"{model.parent.name}, {providers}: {advice['title']}: {figure_text(advice['gains'][0])}", flush=True)

    def table(self, file):
        lines = ["# Advice on shared models, each applied", "",
                 "Printed by `tests/models/check_advice.py --table`: what `cutaway-cli advise` answers, and the figures that `inspect` counted after each "
                 "answer was written with `--apply` and used. Changes of the model are the best one of each model, written as a file and opened. "
                 "A list with `declared(QNN-HTP)` is simulated: its answers are those of a support profile.", "",
                 f"{sum(row[2] is not None for row in self.rows)} answers, {self.passed} of {self.passed + self.failed} checks passed.", "",
                 "| model | providers | advice | kind | gains, seen | costs, seen |", "|---|---|---|---|---|---|"]
        for name, providers, advice in self.rows:
            if advice is None:
                lines.append(f"| {name} | `{providers}` | nothing that was tried makes a figure smaller |  |  |  |")
                continue
            kind = ("settings" if advice["settings"] else "changed model") + (", a size is assumed" if advice["assumed"] else "")
            told = "; ".join(map(figure_text, advice["gains"])), "; ".join(map(figure_text, advice["costs"]))
            lines.append(f"| {name} | `{providers}` | {advice['title'].replace('|', '/')} | {kind} | {told[0]} | {told[1]} |")
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def support(self, model):
        report = self.json("advise", model, "--support")
        names = [row["provider"] for row in report["rows"]]
        self.that("declared(TensorRT)" in names and LAST not in names, "every profile is asked", names)
        for row in report["rows"]:
            good = row["problem"] and not row["usable"] if row["figures"] is None else row["figures"]["taken"] + row["figures"]["left"] == row["figures"]["nodes"]
            self.that(good, f"support of {row['provider']}", row)
        one = self.json("advise", model, "--against", "declared(QNN-HTP)")
        self.that([row["provider"] for row in one["rows"]] == ["declared(QNN-HTP)"], "--against asks that one alone", one)

    def refusals(self, model, folder):
        file = folder / "kept.json"
        file.write_text("mine")
        self.run("advise", model, "--order", "fifo", "--apply", "1", code=USAGE)
        self.run("advise", model, "--apply", "99", "-o", folder / "none.json", code=CHECK_FAILED)
        self.run("advise", model, "--providers", PROVIDERS[1], "--no-cure", "--apply", "1", "-o", file, code=REFUSED)
        self.that(file.read_text() == "mine", "the file is kept", file.read_text())
        broken = folder / "broken.onnx"
        broken.write_bytes(b"\x08\x07rubbish")
        self.run("advise", broken, code=BAD_MODEL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--table", type=pathlib.Path, help="Markdown file to write the answers to")
    table = parser.parse_args().table
    checks = AdviceChecks()
    models = [] if table else list(SAMPLES)
    for name in MODELS:
        path = CORPORA / name
        found = [path] if path.is_file() else sorted(path.glob("*.onnx"))[:1]
        models += found
        if not found:
            print(f"{name} is not here: not asked about")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in models:
            for providers in PROVIDERS:
                checks.model(model, providers, folder)
            if table:
                checks.change(model, PROVIDERS[1], folder)
                checks.table(table)
        checks.support(SAMPLES[0])
        checks.refusals(SAMPLES[0], folder)
    if table:
        checks.table(table)
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
