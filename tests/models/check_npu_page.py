#!/usr/bin/env python3
"""Runs every command of the manual's page "Your NPU on your desk", in their order, and sees that what the page says of them is true.

`packaging/setup.sh --providers` installs packages and is not run: its option is looked for in the script. Exit code 77 where onnxruntime or the plug-in is not installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from check_npu_contexts import SKIPPED
from cutaway_cli import REPOSITORY, default_cli
from plugin_partition import PACKAGE, library

PAGE = REPOSITORY / "resources" / "manual" / "npu.md"
SAMPLE = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
INSTALL = "packaging/setup.sh --providers"
# What the page says of a command's output, by the command's beginning.
SAID = (("cutaway-cli providers", "simulates it here"), ("cutaway-cli partition model.onnx --providers", "Cannot get shape"),
        ("cutaway-cli partition model.onnx --dim", "compiled, simulated"), ("cutaway-cli partition digits.onnx --providers", "compiled, simulated"),
        ("cutaway-cli partition digits.onnx --nodes", "Transpose inserted"),
        ("cutaway-cli partition digits.onnx --replay", "15    100.0%"), ("cutaway-cli cure model.onnx", "15 of 15"), ("cutaway-cli run digits.onnx", "simulated: qnn"),
        ("cutaway-cli compare", "values compared"), ("cutaway-cli profile", "Graph Optimizations"), ("cutaway-cli context digits.onnx -o digits_ctx", "digits_qnn.bin"),
        ("cutaway-cli context digits.onnx -o both_ctx", "both_qnn.bin"), ("cutaway-cli context --show digits_ctx", "checksum"), ("cutaway-cli context --show both_ctx", "43 (SM8550) and 69 (SM8750)"),
        ("cutaway-cli context --verify", "SAME"), ("cutaway-cli run digits_ctx.onnx", "simulated: qnn"), ("ep_weight_sharing_ctx_gen", "model1_qnn.bin"))
# A comparison that finds a difference ends with 1.
MAY_DIFFER = "cutaway-cli compare"


def commands():
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def main():
    if library() is None:
        print(f"{PACKAGE} is not installed here ({INSTALL}): no command was run")
        return SKIPPED
    environment = {**os.environ, "PATH": f"{default_cli().parent}:{os.environ['PATH']}"}
    failed, found = 0, commands()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copyfile(SAMPLE, folder / "model.onnx")
        for command in found:
            if command == INSTALL:
                good, seen = "--providers)" in (REPOSITORY / "packaging" / "setup.sh").read_text(), "no such option"
            else:
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
                seen = f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
                wanted = [word for start, word in SAID if command.startswith(start)]
                good = done.returncode in ((0, 1) if command.startswith(MAY_DIFFER) else (0,)) and all(word in seen for word in wanted)
            if not good:
                failed += 1
                print(f"FAILED: {command}\n  {seen}", flush=True)
        files = {each.name for each in folder.iterdir()}
        for file in ("digits.record", "digits_ctx.onnx", "digits_qnn.bin", "model1_ctx.onnx", "model2_ctx.onnx", "model1_qnn.bin"):
            if file not in files:
                failed += 1
                print(f"FAILED: {file} is not there: {sorted(files)}")
    for start, _ in SAID:
        if not any(command.startswith(start) for command in found):
            failed += 1
            print(f"FAILED: the page has no command '{start}'")
    print(f"{len(found)} commands, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
