#!/usr/bin/env python3
"""`partition --code python`: the program that it gives runs in onnxruntime, with the settings that were asked for."""

import os
import subprocess
import sys

from cutaway_cli import DONE, REPOSITORY, default_cli, run_cli

MODEL = REPOSITORY / "resources" / "samples" / "digits_cnn" / "model.onnx"
# Options, and what of the program's options must be so once it has run.
CASES = [
    ([], "options.graph_optimization_level == ort.GraphOptimizationLevel.ORT_ENABLE_ALL"),
    (["--opt-level", "1", "--threads", "2"], "options.graph_optimization_level == ort.GraphOptimizationLevel.ORT_ENABLE_BASIC and options.intra_op_num_threads == 2"),
    (["--executor", "dataflow", "--inter-threads", "3"], "options.execution_mode == ort.ExecutionMode.ORT_PARALLEL and options.inter_op_num_threads == 3"),
    (["--order", "priority"], "options.execution_order == ort.ExecutionOrder.PRIORITY_BASED"),
    (["--order", "memory"], "options.execution_order == ort.ExecutionOrder.DEFAULT"),
    (["--dim", "batch=4"], "session.get_inputs()[0].shape[0] == 4"),
    (["--set", "session.intra_op.allow_spinning=0"], "options.get_session_config_entry('session.intra_op.allow_spinning') == '0'"),
]


def fault(cli, options, must_be):
    outcome = run_cli(cli, "partition", MODEL, *options, "--code", "python")
    if outcome.code != DONE:
        return f"cutaway-cli: {outcome.reason}"
    program = outcome.stdout + f"\nassert {must_be}\n"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, env={**os.environ, "ORT_DISABLE_TELEMETRY": "1"})
    if ran.returncode != 0:
        return f"the program ends with {ran.returncode}: {ran.stderr.strip().splitlines()[-1:]}"
    return "" if "CPUExecutionProvider" in ran.stdout else f"it names no provider: {ran.stdout!r}"


def main():
    cli = default_cli()
    faults = [(options, found) for options, must_be in CASES if (found := fault(cli, options, must_be))]
    for options, found in faults:
        print(f"FAIL {' '.join(options) or 'as it is'}: {found}")
    print(f"{len(CASES) - len(faults)} passed, {len(faults)} failed, 0 skipped")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
