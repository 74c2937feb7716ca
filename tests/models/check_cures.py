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

from cutaway_cli import CHECK_FAILED, DONE, REFUSED, REPOSITORY, USAGE, default_cli, run_cli
from plugin_partition import MODELS, PACKAGE, library

SAMPLE = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
DECLARED, QNN = "declared(QNN-HTP),cpu", "qnn{backend_type=htp,soc_model=69},cpu"
CANCELLED = 130
# model, sizes, taken and nodes before, groups before; taken and nodes after all steps, groups after; steps
ROWS = (("ultraface-rfb-320/version-RFB-320.onnx", (), 125, 160, 29, 160, 160, 1, ("make constant",)),
        ("gtcrn-stream/gtcrn.onnx", (), 435, 458, 10, 458, 458, 1, ("lower rank", "stuff dilation")),
        ("tinybert-tribuo/tinybert.onnx", ("sequence=16",), 20, 100, 3, 59, 59, 1, ("fix dimensions",)))
# made here: tolerance; nodes left before and after, groups after; steps
MADE = (("spelled_gelu", (), (1, 0, 1), ("spelled gelu",)), ("quantised_border", ("--atol", "0.001"), (1, 0, 1), ("quantise border",)))


class Checks:
    def __init__(self):
        self.cli, self.done, self.failed = default_cli(), 0, 0

    def expect(self, what, good, seen):
        self.done += 1
        if not good:
            self.failed += 1
            print(f"FAILED: {what}\n  {seen}", flush=True)

    def cure(self, *arguments, code=DONE):
        outcome = run_cli(self.cli, "cure", *arguments, timeout=600)
        self.expect(f"cure {' '.join(map(str, arguments))} ends with {code}", outcome.code == code, f"{outcome.code}\n{outcome.stdout[-400:]}{outcome.stderr[-400:]}")
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
        self.expect("one step frees the sample", report["before"]["taken"] == 0 and report["after"]["left"] == 0 and steps == ["batch = 1"], json.dumps(report["steps"])[:600])
        self.expect("it is proved", all(step["proof"]["agrees"] and step["proof"]["elements"] > 0 for step in report["steps"]), report["steps"])
        self.expect("every refused node has a cure", report["refused"] and all(node["proposals"] for node in report["refused"]), report["refused"][:3])
        copy = folder / "cured.onnx"
        before = SAMPLE.read_bytes()
        self.cure(SAMPLE, "--providers", DECLARED, "--dim", "batch=3", "--apply", "all", "-o", copy)
        self.expect("the original is untouched", SAMPLE.read_bytes() == before, SAMPLE)
        again = self.report(copy, "--providers", DECLARED)
        self.expect("the copy is taken whole", again is not None and again["before"]["left"] == 0 and not again["proposals"], again and again["before"])
        shown = run_cli(self.cli, "inputs", copy).stdout
        self.expect("the copy has the size that was asked for", "[3," in shown, shown)
        ran = run_cli(self.cli, "run", copy, "--random", "1")
        self.expect("the copy runs", ran.code == DONE, ran.reason)
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
            self.expect(f"{name}: figures", seen == figures, f"{seen}, expected {figures}")
            self.expect(f"{name}: steps", tuple(step["variant"] for step in report["steps"]) == variants, report["steps"])
            self.expect(f"{name}: proved", all(step["proof"]["agrees"] for step in report["steps"]), report["steps"])
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
            self.expect(f"{name}: figures", seen == figures, f"{seen}, expected {figures}\n{json.dumps(report['proposals'])[:800]}")
            self.expect(f"{name}: steps", tuple(step["variant"] for step in report["steps"]) == variants, report["steps"])
            self.expect(f"{name}: proved", report["steps"] and all(step["proof"]["agrees"] for step in report["steps"]), report["steps"])
            self.expect(f"{name}: compiled", report["after_compile"] and report["after_compile"]["left"] == after["left"], report["after_compile"])
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
        self.expect("Ctrl-C ends the search", process.wait(timeout=120) == CANCELLED, process.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        checks.sample(pathlib.Path(name))
        if library() is not None:
            checks.made(pathlib.Path(name))
    if library() is None:
        print(f"{PACKAGE} is not installed here (packaging/setup.sh --providers): no real provider was asked")
    else:
        checks.real(options.compile)
    print(f"{checks.done} checks, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
