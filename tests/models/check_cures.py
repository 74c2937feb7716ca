#!/usr/bin/env python3
"""`cutaway-cli cure`: proposals for refused nodes, the copy that --apply writes, exit codes; then real models asked of Qualcomm's plug-in.

    check_cures.py            everything that is here: the plug-in and the shared models where they are, said where they are not
    check_cures.py --compile  the changed models are compiled as well, which takes minutes

Figures of a row are the plug-in's own answers (onnxruntime-qnn 2.7.0, soc_model 69): nodes that it takes of how many, and in how many groups.
"""

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import onnx

from checks import Checks
from cutaway_cli import CHECK_FAILED, DONE, REFUSED, REPOSITORY, USAGE, default_cli, run_cli
from plugin_partition import MODELS, PACKAGE, library

SAMPLE = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
DECLARED, QNN = "declared(QNN-HTP),cpu", "qnn{backend_type=htp,soc_model=69},cpu"
CANCELLED = 130
# model, sizes, taken and nodes before, groups before; taken and nodes after all steps, groups after; steps
ROWS = (("ultraface-rfb-320/version-RFB-320.onnx", (), 125, 160, 29, 160, 160, 1, ("make constant",)),
        ("gtcrn-stream/gtcrn.onnx", (), 399, 422, 10, 422, 422, 1, ("lower rank", "stuff dilation")),
        ("tinybert-tribuo/tinybert.onnx", ("sequence=16",), 20, 100, 3, 59, 59, 1, ("fix dimensions",)))
# made here: tolerance; nodes left before and after, groups after; steps
MADE = (("spelled_gelu", (), (1, 0, 1), ("spelled gelu",)), ("quantised_border", ("--atol", "0.001"), (1, 0, 1), ("quantise border",)))


class CureChecks(Checks):
    def __init__(self):
        super().__init__()
        self.cli = default_cli()

    def cure(self, *arguments, code=DONE):
        outcome = run_cli(self.cli, "cure", *arguments, timeout=600)
        self.that(outcome.code == code, f"cure {' '.join(map(str, arguments))} ends with {code}", f"{outcome.code}\n{outcome.stdout[-400:]}{outcome.stderr[-400:]}")
        return outcome

    def report(self, *arguments):
        outcome = self.cure(*arguments, "--json")
        return json.loads(outcome.stdout) if outcome.code == DONE else None

    def sample(self, folder):
        """The sample's batch is open, and the profile wants sizes: one change frees all."""
        report = self.report(SAMPLE, "--providers", DECLARED)
        if report is None:
            return
        steps = [step["title"] for step in report["steps"]]
        self.that(report["before"]["taken"] == 0 and report["after"]["left"] == 0 and steps == ["batch = 1"], "one step frees the sample", json.dumps(report["steps"])[:600])
        self.that(all(step["proof"]["agrees"] and step["proof"]["elements"] > 0 for step in report["steps"]), "it is proved", report["steps"])
        self.that(report["refused"] and all(node["proposals"] for node in report["refused"]), "every refused node has a cure", report["refused"][:3])
        copy = folder / "cured.onnx"
        before = SAMPLE.read_bytes()
        self.cure(SAMPLE, "--providers", DECLARED, "--dim", "batch=3", "--apply", "all", "-o", copy)
        self.that(SAMPLE.read_bytes() == before, "the original is untouched", SAMPLE)
        again = self.report(copy, "--providers", DECLARED)
        self.that(again is not None and again["before"]["left"] == 0 and not again["proposals"], "the copy is taken whole", again and again["before"])
        shown = run_cli(self.cli, "inputs", copy).stdout
        self.that("[3," in shown, "the copy has the size that was asked for", shown)
        ran = run_cli(self.cli, "run", copy, "--random", "1")
        self.that(ran.code == DONE, "the copy runs", ran.reason)
        self.cure(SAMPLE, "--providers", DECLARED, "--apply", "all", "-o", copy, code=REFUSED)
        self.cure(SAMPLE, "--providers", DECLARED, "--apply", "all", "-o", copy, "--force")
        self.cure(SAMPLE, "--providers", DECLARED, "--apply", "99", "-o", folder / "none.onnx", code=CHECK_FAILED)
        self.cure(SAMPLE, "--providers", DECLARED, "--apply", "all", code=USAGE)
        self.cure(SAMPLE, "--providers", "cpu", code=USAGE)
        self.cure(SAMPLE, "--providers", DECLARED, "--provider", "nobody", code=USAGE)

    def real(self, compiles):
        for name, sizes, *figures, variants in ROWS:
            model = MODELS / name
            if not model.is_file():
                print(f"{name} is not here: not asked about")
                continue
            arguments = [model, "--providers", QNN, *(word for size in sizes for word in ("--dim", size)), *(() if compiles else ("--no-compile",))]
            start = time.monotonic()
            report = self.report(*arguments)
            if report is None:
                continue
            before, after = report["before"], report["after"]
            seen = [before["taken"], before["nodes"], before["groups"], after["taken"], after["nodes"], after["groups"]]
            self.that(seen == figures, f"{name}: figures", f"{seen}, expected {figures}")
            self.that(tuple(step["variant"] for step in report["steps"]) == variants, f"{name}: steps", report["steps"])
            self.that(all(step["proof"]["agrees"] for step in report["steps"]), f"{name}: proved", report["steps"])
            worst = max((step["proof"]["max_absolute"] for step in report["steps"]), default=0)
            compiled = report["after_compile"]
            print(f"{name}: {before['taken']} of {before['nodes']} -> {after['taken']} of {after['nodes']} nodes, {before['groups']} -> {after['groups']} groups, largest difference {worst:.3g}, "
                  f"{report['askings']} questions, {report['proofs']} comparisons, {time.monotonic() - start:.1f} s" + (f", compiled {compiled['taken']}" if compiled else ""), flush=True)
        self.interrupt()

    def made(self, folder):
        """Small models of what no shared one has: a Gelu whose spelling the plug-in does not know, and an operator that it takes quantised alone."""
        for name, tolerance, figures, variants in MADE:
            model = folder / f"{name}.onnx"
            getattr(self, f"make_{name}")(model)
            report = self.report(model, "--providers", QNN, *tolerance)
            if report is None:
                continue
            before, after = report["before"], report["after"]
            seen = (before["left"], after["left"], after["groups"])
            self.that(seen == figures, f"{name}: figures", f"{seen}, expected {figures}\n{json.dumps(report['proposals'])[:800]}")
            self.that(tuple(step["variant"] for step in report["steps"]) == variants, f"{name}: steps", report["steps"])
            self.that(report["steps"] and all(step["proof"]["agrees"] for step in report["steps"]), f"{name}: proved", report["steps"])
            self.that(report["after_compile"] and report["after_compile"]["left"] == after["left"], f"{name}: compiled", report["after_compile"])
            print(f"{name}: {before['left']} left -> {after['left']}, {after['groups']} group, {report['steps'][0]['title'] if report['steps'] else 'nothing'}", flush=True)

    @staticmethod
    def make_spelled_gelu(path):
        text = """<ir_version: 9, opset_import: ["" : 17]>
        main (float[1,8,16] x) => (float[1,8,16] y) <float r = {1.4142135}, float one = {1}, float two = {2}>
        { d = Div (x, r)  e = Erf (d)  a = Add (e, one)  m = Mul (x, a)  y = Div (m, two) }"""
        onnx.save(onnx.parser.parse_model(text), path)

    @staticmethod
    def make_quantised_border(path):
        text = """<ir_version: 10, opset_import: ["" : 21]>
        main (float[1,4,8] x) => (float[1,4,8] y) <float t = {0.0001}, uint16 u = {32768}>
        { a = Sin (x)  b = QuantizeLinear (a, t, u)  c = DequantizeLinear (b, t, u)  f = Asin (c)  g = Relu (f)
          h = QuantizeLinear (g, t, u)  i = DequantizeLinear (h, t, u)  y = Relu (i) }"""
        onnx.save(onnx.parser.parse_model(text), path)

    def interrupt(self):
        model = MODELS / ROWS[0][0]
        if not model.is_file():
            return
        process = subprocess.Popen([self.cli, "cure", model, "--providers", QNN], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.that(process.wait(timeout=120) == CANCELLED, "Ctrl-C ends the search", process.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    checks = CureChecks()
    with tempfile.TemporaryDirectory() as name:
        checks.sample(pathlib.Path(name))
        if library() is not None:
            checks.made(pathlib.Path(name))
    if library() is None:
        print(f"{PACKAGE} is not installed here (packaging/setup.sh --providers): no real provider was asked")
    else:
        checks.real(options.compile)
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
