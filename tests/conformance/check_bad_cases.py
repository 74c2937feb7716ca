#!/usr/bin/env python3
"""Every row of bad_cases/table.py through `cutaway-cli run`: a message, never a crash and never a made-up result.

Each node is tried twice: with its shapes declared, so that inference sees the mistake, and without, so that the kernel
does. Both must end with exit code 3 and a message that names the operator or the node and matches the row's expression.
Last line: `N passed, N failed, N skipped`; skipped are operators without a kernel.
"""

import argparse
import concurrent.futures
import pathlib
import re
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "bad_cases"), str(HERE.parent / "models")]
from cutaway_cli import BAD_MODEL, default_cli, run_cli  # noqa: E402
from message_rules import message_faults  # noqa: E402
from table import ML, MS, cases  # noqa: E402


def element_type(array):
    return TensorProto.STRING if array.dtype == object else helper.np_dtype_to_tensor_dtype(array.dtype)


def model_of(case, declared):
    names = ["" if value is None else f"in{slot}" for slot, value in enumerate(case.inputs)]
    node = helper.make_node(case.operator, names, [f"out{slot}" for slot in range(case.outputs)], name="the_node", domain=case.domain, **case.attributes)
    given = [(name, value) for name, value in zip(names, case.inputs) if name]
    inputs = [helper.make_tensor_value_info(name, element_type(value), list(value.shape) if declared else None) for name, value in given]
    graph = helper.make_graph([node], "bad", inputs, [onnx.ValueInfoProto(name=name) for name in node.output])
    imports = [helper.make_opsetid("", case.opset), helper.make_opsetid(MS, 1), helper.make_opsetid(ML, 3)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10), dict(given)


def verdict(case, declared, arguments):
    model, feeds = model_of(case, declared)
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "model.onnx"
        path.write_bytes(model.SerializeToString())
        command = ["run", path, "--log", "error"]
        for name, value in feeds.items():
            file = path.with_name(f"{name}.pb")
            file.write_bytes(numpy_helper.from_array(value, name).SerializeToString())
            command += ["--input", f"{name}={file}"]
        outcome = run_cli(arguments.cli, *command, timeout=arguments.timeout)
    said = " ".join(outcome.stderr.replace(str(path), "MODEL").split())
    if "NOT_IMPLEMENTED" in said and "no kernel for operator" in said:
        return "skipped", said
    if outcome.code != BAD_MODEL:
        return "failed", outcome.reason
    if not re.search(case.says, said):
        return "failed", f"does not say {case.says!r}: {said}"
    for fault in message_faults(outcome.stderr, outcome.code):
        return "failed", fault
    if "the_node" not in said and case.operator not in said:
        return "failed", f"names neither node nor operator: {said}"
    return "passed", said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only rows whose family or name holds one of these")
    parser.add_argument("--cli", type=pathlib.Path, default=default_cli())
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    table = [case for case in cases() if not arguments.words or any(word in f"{case.family} {case.name}" for word in arguments.words)]
    jobs = [(case, declared) for case in table for declared in (True, False)]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (case, declared), (word, said) in zip(jobs, pool.map(lambda job: verdict(*job, arguments), jobs)):
            counts[word] += 1
            if word == "failed" or arguments.verbose:
                print(f"{word:8}{case.family}/{case.name} ({'declared' if declared else 'open'} shapes): {said}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
