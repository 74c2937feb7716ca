#!/usr/bin/env python3
"""NaN and infinities through everything that takes the larger or smaller of numbers, against numpy, on each provider.

numpy's maximum and minimum give NaN where there is one, and so does the standard, whose operators are described by them;
ONNX Runtime 1.31 does so in some shapes only (a window that begins with NaN) and is no judge here.
Last line: `N passed, N failed`.
"""

import pathlib
import sys
import tempfile

import numpy as np
from onnx import TensorProto, helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))
from cutaway_cli import DONE, default_cli, run_cli  # noqa: E402

CLI = default_cli()
PROVIDERS = ("cpu", "onednn,cpu")
NAN, INFINITY = np.nan, np.inf


def numbers(*shape, kind=np.float32):
    """Values between -2 and 2 with a NaN in the second half, and a first plane of minus infinities where there are planes."""
    values = np.random.default_rng(len(shape)).uniform(-2, 2, shape).astype(kind)
    if len(shape) > 2:
        values[:, 0] = -INFINITY
    values.flat[values.size * 3 // 4] = NAN
    return values


def pooled(x, kernel, strides, pads):
    """Maxima of windows over all axes behind the first two; pads on both sides."""
    spatial = x.ndim - 2
    padded = np.pad(x, [(0, 0)] * 2 + [(pads, pads)] * spatial, constant_values=-INFINITY)
    windows = np.lib.stride_tricks.sliding_window_view(padded, [kernel] * spatial, axis=tuple(range(2, x.ndim)))
    windows = windows[(slice(None),) * 2 + (slice(None, None, strides),) * spatial]
    return windows.max(axis=tuple(range(x.ndim, 2 * x.ndim - 2)))


def cases():
    """Name, operator, inputs, expected outputs, attributes, opset."""
    for kind in (np.float32, np.float64, np.float16):
        for shape in ((1, 3, 17), (2, 3, 9, 9), (2, 20, 9, 9), (1, 3, 5, 5, 5)):
            for kernel, strides, pads in ((2, 2, 0), (3, 1, 1), (3, 2, 1)):
                x, spatial = numbers(*shape, kind=kind), len(shape) - 2
                attributes = {"kernel_shape": [kernel] * spatial, "strides": [strides] * spatial, "pads": [pads] * 2 * spatial}
                yield f"MaxPool {kernel}/{strides} {list(shape)} {kind.__name__}", "MaxPool", [x], pooled(x, kernel, strides, pads), attributes, 17
            yield f"GlobalMaxPool {list(shape)} {kind.__name__}", "GlobalMaxPool", [x], x.max(axis=tuple(range(2, x.ndim)), keepdims=True), {}, 17
        x, y = numbers(4, 37, kind=kind), np.roll(numbers(4, 37, kind=kind), 5)
        for axis in (0, 1):
            yield f"ReduceMax {axis} {kind.__name__}", "ReduceMax", [x], x.max(axis=axis, keepdims=True), {"axes": [axis]}, 17
            yield f"ReduceMin {axis} {kind.__name__}", "ReduceMin", [x], x.min(axis=axis, keepdims=True), {"axes": [axis]}, 17
        yield f"Max {kind.__name__}", "Max", [x, y, y[:1]], np.maximum(np.maximum(x, y), y[:1]), {}, 17
        yield f"Min {kind.__name__}", "Min", [x, y, y[:1]], np.minimum(np.minimum(x, y), y[:1]), {}, 17
        yield f"Relu {kind.__name__}", "Relu", [x], np.maximum(x, kind(0)), {}, 17
        yield f"Clip {kind.__name__}", "Clip", [x, np.array(-0.5, kind), np.array(0.5, kind)], np.clip(x, kind(-0.5), kind(0.5)), {}, 17


def fault(operator, inputs, expected, attributes, opset, providers):
    names = [f"in{i}" for i in range(len(inputs))]
    info = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape) for name, value in zip(names, inputs)]
    result = helper.make_tensor_value_info("out", helper.np_dtype_to_tensor_dtype(expected.dtype), None)
    graph = helper.make_graph([helper.make_node(operator, names, ["out"], **attributes)], "g", info, [result])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        command = ["run", folder / "model.onnx", "--providers", providers, "--log", "error", "--save-outputs", folder / "made", "--format", "npy"]
        for name, value in zip(names, inputs):
            np.save(folder / f"{name}.npy", value)
            command += ["--input", f"{name}={folder / name}.npy"]
        outcome = run_cli(CLI, *command)
        if outcome.code != DONE:
            return outcome.reason
        (file,) = (folder / "made").rglob("*.npy")
        made = np.load(file)
    if made.shape != expected.shape:
        return f"{made.shape} is not {expected.shape}"
    if not np.array_equal(made, expected, equal_nan=True):
        at = tuple(int(i[0]) for i in np.nonzero(~((made == expected) | (np.isnan(made) & np.isnan(expected)))))
        return f"{np.sum(~((made == expected) | (np.isnan(made) & np.isnan(expected))))} elements differ, first at {at}: {made[at]}, not {expected[at]}"
    return None


def main():
    passed = failed = 0
    for name, operator, inputs, expected, attributes, opset in cases():
        for providers in PROVIDERS:
            found = fault(operator, inputs, expected, attributes, opset, providers)
            passed, failed = passed + (found is None), failed + (found is not None)
            if found:
                print(f"FAIL {name} on {providers}: {found}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
