#!/usr/bin/env python3
"""Without PyTorch and without a GPU: every network of torch_networks.py asks for weights that its ONNX file has, and for all of them; halved models are valid; every workload's inputs are the graph's.

Exit code 0: so it is.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest.mock

import numpy as np
import onnx

HERE = pathlib.Path(__file__).resolve().parent
SMALLER = {"bert": ("vocab=50",), "gpt2": ("vocab=50",), "vit": (), "resnet50": ("width=8", "classes=10"), "unet": ("base=4",)}


def networks_without_torch():
    stub = unittest.mock.MagicMock()
    with unittest.mock.patch.dict(sys.modules, {"torch": stub, "torch.nn": stub.nn, "torch.nn.functional": stub.nn.functional}):
        import torch_networks
    return torch_networks.NETWORKS


class Weights:
    """Gives stand-ins, and remembers what was asked for."""

    def __init__(self, known):
        self.known, self.asked = known, set()

    def __call__(self, name, how=""):
        if name not in self.known:
            raise KeyError(f"the file has no weight {name}")
        self.asked.add(name)
        stand_in = unittest.mock.MagicMock()
        stand_in.shape = self.known[name]
        return stand_in


def check(name, network, make_inputs, workload, folder):
    subprocess.run([sys.executable, "-B", HERE.parent / "models" / "make_models.py", name, *SMALLER[name], "--out", folder], check=True, stdout=subprocess.DEVNULL)
    path = folder / f"{name}.onnx"
    graph = onnx.load(path).graph
    weights = Weights({tensor.name: tuple(tensor.dims) for tensor in graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT})
    given = {key: unittest.mock.MagicMock(shape=(1, 12, 127, 64)) for key in (value.name for value in graph.input)}
    network(weights, given)
    problems = [f"{name}: weight {left} is never used" for left in sorted(set(weights.known) - weights.asked)]
    wanted = [value.name for value in graph.input]
    if sorted(make_inputs(workload, False)) != sorted(wanted):
        problems.append(f"{name}: the workload's inputs are not the graph's ({wanted})")
    halved = folder / f"{name}-half.onnx"
    subprocess.run([sys.executable, "-B", HERE / "halve.py", path, halved], check=True)
    model = onnx.load(halved)
    onnx.checker.check_model(model)
    onnx.shape_inference.infer_shapes(model, strict_mode=True)
    problems += [f"{name}: {tensor.name} is not halved" for tensor in model.graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT]
    for tensor in model.graph.initializer:
        array = onnx.numpy_helper.to_array(tensor)
        if array.dtype == np.float16 and not np.isfinite(array).all():
            problems.append(f"{name}: {tensor.name} has numbers beyond 16 bits")
    return problems


def main():
    sys.path.insert(0, str(HERE))
    from workloads import WORKLOADS, make_inputs

    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, network in networks_without_torch().items():
            folder = pathlib.Path(scratch) / name
            folder.mkdir()
            problems += check(name, network, make_inputs, next(work for work in WORKLOADS if work.model == name), folder)
    for problem in problems:
        print(problem)
    print("all networks and workloads fit their files" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
