#!/usr/bin/env python3
"""WebGPU's plug-in on a driver that computes on the CPU (SwiftShader): it is found without a variable, marked simulated, and right.

A small model that is made here, and three shared ones where they lie: nodes and groups that the plug-in takes, outputs beside those
of the provider cpu. Exit code 77 where onnxruntime, the plug-in, the driver or the Vulkan loader is not installed.
"""

import ctypes.util
import importlib.util
import json
import os
import pathlib
import sys
import tempfile

from check_npu_contexts import SKIPPED
from checks import Checks
from cutaway_cli import DONE, REPOSITORY, default_cli, run_cli
from shared_corpora import CORPORA

CLI = default_cli()
PACKAGE = "onnxruntime_ep_webgpu"
DRIVERS = (REPOSITORY / "build" / "deps" / "swiftshader", pathlib.Path("/usr/lib/chromium"))
TOLERANCE = 1e-3  # of the largest value: the driver's exp and division are not the CPU's
# Nodes that it takes, all nodes, groups.
SHARED = {"mlperf-tiny-resnet8/resnet8.onnx": (24, 24, 1), "rl-go1-policy/go1_policy.onnx": (14, 14, 1),
          "ad01-int8-qdq/ad01_int8.onnx": (49, 59, 10)}


def missing():
    """What this machine lacks; empty: nothing."""
    for package in ("onnxruntime", PACKAGE):
        if importlib.util.find_spec(package) is None:
            return package
    if not any((folder / "vk_swiftshader_icd.json").exists() for folder in DRIVERS):
        return "SwiftShader's Vulkan driver"
    return "" if ctypes.util.find_library("vulkan") else "libvulkan.so.1"


def make_model(path):
    """A convolution, and an operator that the plug-in has no kernel for."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(0)
    weights = [numpy_helper.from_array(random.standard_normal((4, 3, 3, 3)).astype(np.float32) * 0.2, "w")]
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1, 1, 1, 1]),
             helper.make_node("Relu", ["c"], ["r"], name="relu"),
             helper.make_node("Sigmoid", ["r"], ["y"], name="sigmoid"),
             helper.make_node("Hardmax", ["y"], ["h"], name="hardmax")]
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 8, 8]),
                               helper.make_tensor_value_info("h", TensorProto.FLOAT, [1, 4, 8, 8])], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def outputs(checks, model, folder, providers, what):
    import numpy as np

    done = run_cli(CLI, "run", model, "--random", "1", "--save-outputs", folder, "--providers", providers, "--json", timeout=300)
    checks.that(done.code == DONE, f"{what} runs with {providers}", done)
    if done.code != DONE:
        return {}, []
    return {file.stem: np.load(file) for file in folder.glob("*.npy")}, json.loads(done.stdout)["simulated_providers"]


def check_model(checks, model, expected, folder):
    import numpy as np

    what = model.stem
    done = run_cli(CLI, "partition", model, "--providers", "webgpu,cpu", "--json", timeout=300)
    checks.that(done.code == DONE, f"{what}: partition", done)
    if done.code != DONE:
        return
    report = json.loads(done.stdout)["partition"]
    taken = [node for node in report["nodes"] if node["provider"] == "webgpu"]
    row = next(each for each in report["providers"] if each["name"] == "webgpu")
    seen = (len(taken), len(report["nodes"]), row["groups"])
    checks.that(seen == expected, f"{what}: nodes taken, all nodes, groups: {expected}", seen)
    checks.that(row["simulated"], f"{what}: the partition calls it simulated", row)
    ours, simulated = outputs(checks, model, folder / f"{what}-webgpu", "webgpu,cpu", what)
    checks.that(simulated == ["webgpu"], f"{what}: its times are called simulated", simulated)
    theirs, simulated = outputs(checks, model, folder / f"{what}-cpu", "cpu", what)
    checks.that(simulated == [], f"{what}: the CPU's are not", simulated)
    checks.that(ours and ours.keys() == theirs.keys(), f"{what}: the same outputs", (ours.keys(), theirs.keys()))
    for name in ours.keys() & theirs.keys():
        largest = max(1e-6, float(np.abs(theirs[name].astype(np.float64)).max()))
        error = float(np.abs(ours[name].astype(np.float64) - theirs[name].astype(np.float64)).max()) / largest
        checks.that(error <= TOLERANCE, f"{what}: output {name} beside the CPU's", error)


def check_list(checks):
    """`providers` finds the driver by itself, and says what it is; OpenVINO's plug-in says whom it is for."""
    done = run_cli(CLI, "providers", "--json", timeout=300)
    checks.that(done.code == DONE, "providers", done)
    providers = {row["name"]: row for row in json.loads(done.stdout)["providers"]}
    plugins = {name: row["plugin"] for name, row in providers.items() if "plugin" in row}
    offer = plugins["webgpu"]
    checks.that(offer["software_adapter"] and [device["kind"] for device in offer["devices"]] == ["cpu"], "a software adapter", offer)
    checks.that(not plugins["qnn"]["software_adapter"], "QNN's simulator is none", plugins["qnn"])
    other = plugins["openvino-plugin"]
    if other["library"] and not other["devices"]:
        checks.that("of Intel alone" in other["problem"], "why OpenVINO's plug-in has no device", other["problem"])
        checks.that(not providers["openvino-plugin"]["usable"], "without a device it is not usable", providers["openvino-plugin"])
    done = run_cli(CLI, "providers", timeout=300)
    checks.that(done.code == DONE and "software adapter on cpu" in done.stdout, "the list says so", done)
    checks.that(all(plugins[name]["licence"] in done.stdout for name in ("qnn", "webgpu")), "the list names licences", done)


def main():
    lacks = missing()
    if lacks:
        print(f"{lacks} is not installed here (packaging/setup.sh --providers): nothing was checked")
        return SKIPPED
    for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES", "ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER"):
        os.environ.pop(name, None)
    checks = Checks()
    check_list(checks)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_model(checks, make_model(folder / "small.onnx"), (3, 4, 1), folder)
        for path, expected in SHARED.items():
            if (CORPORA / path).exists():
                check_model(checks, CORPORA / path, expected, folder)
            else:
                checks.skip(f"{path} is not here")
    return checks.ended()


if __name__ == "__main__":
    sys.exit(main())
