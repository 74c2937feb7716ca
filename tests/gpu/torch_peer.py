#!/usr/bin/env python3
"""torch_peer.py MODEL.onnx INPUTS.npz --network NAME --mode eager|compile: PyTorch on the same graph, weights, inputs and shapes; prints one JSON.

Times are of the device's events over whole runs after a warm-up: `device_ms` with inputs and outputs on the device, `host_ms` with inputs copied from pinned host memory and outputs copied back, as a run of
cutaway-cli has them. compile is torch.compile(mode="reduce-overhead"): its kernels and CUDA graphs.
"""

import argparse
import json
import time

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch_networks import IMAGES, NETWORKS

WARM_UPS = 10


class Network(torch.nn.Module):
    """Weights are held the way a PyTorch program holds them: as parameters (CUDA graphs would copy anything else before each run), linear ones [out, in], those of images channels last."""

    def __init__(self, name, weights, inputs):
        super().__init__()
        self.forward_of = NETWORKS[name]
        self.weights = weights
        with torch.no_grad():
            self.forward_of(self.take, inputs)
        self.weights = None

    def take(self, name, how=""):
        """On the first pass: from the file to the device."""
        tensor = torch.from_numpy(self.weights[name].copy()).cuda()
        if how == "transposed":
            tensor = tensor.t().contiguous()
        if how == "image":
            tensor = tensor.contiguous(memory_format=torch.channels_last)
        self.register_parameter(self.key(name, how), torch.nn.Parameter(tensor, requires_grad=False))
        return self.weight(name, how)

    @staticmethod
    def key(name, how):
        return f"{name}__{how}".replace(".", "_")

    def weight(self, name, how=""):
        return getattr(self, self.key(name, how))

    def forward(self, inputs):
        return self.forward_of(self.weight, inputs)


def timed(run, seconds):
    """Milliseconds of single runs, as the device's events see them."""
    times, ends = [], time.monotonic() + seconds
    while time.monotonic() < ends or len(times) < 10:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return times


def walled(run, seconds):
    """Milliseconds of single runs on the wall's clock, each run waited for."""
    times, ends = [], time.monotonic() + seconds
    while time.monotonic() < ends or len(times) < 10:
        began = time.perf_counter()
        run()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - began) * 1e3)
    return times


def operations(network, inputs):
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter, torch.no_grad():
        network(inputs)
    return counter.get_total_flops()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("inputs")
    parser.add_argument("--network", required=True, choices=NETWORKS)
    parser.add_argument("--mode", required=True, choices=("eager", "compile"))
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--outputs", help="write the outputs here (.npz), in the graph's order")
    options = parser.parse_args()

    torch.set_float32_matmul_precision("high")  # TF32, as cuda{tf32=1}
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    model = onnx.load(options.model)
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    hosted = {name: torch.from_numpy(array).pin_memory() for name, array in np.load(options.inputs).items()}
    layout = torch.channels_last if options.network in IMAGES else torch.contiguous_format
    inputs = {name: tensor.cuda().contiguous(memory_format=layout) if tensor.dim() == 4 else tensor.cuda() for name, tensor in hosted.items()}
    network = Network(options.network, weights, inputs)
    with torch.no_grad():
        torch.cuda.synchronize()
        flops = operations(network, inputs)
        torch.cuda.reset_peak_memory_stats()
        began = time.perf_counter()
        call = network if options.mode == "eager" else torch.compile(network, mode="reduce-overhead", fullgraph=True)
        results = call(inputs)
        torch.cuda.synchronize()
        ready = time.perf_counter() - began
        kept = [result.float().cpu().numpy() for result in results]
        for _ in range(WARM_UPS):
            call(inputs)
        torch.cuda.synchronize()
        device = timed(lambda: call(inputs), options.seconds)

        def from_host():
            uploaded = {name: tensor.cuda(non_blocking=True).contiguous(memory_format=layout) if tensor.dim() == 4 else tensor.cuda(non_blocking=True) for name, tensor in hosted.items()}
            return [result.cpu() for result in call(uploaded)]

        for _ in range(3):
            from_host()
        host = walled(from_host, options.seconds)
    if options.outputs:
        np.savez(options.outputs, *kept)
    print(json.dumps({
        "device_ms": float(np.median(device)), "device_p90_ms": float(np.percentile(device, 90)), "host_ms": float(np.median(host)), "ready_ms": ready * 1e3, "runs": len(device), "flops": flops,
        "peak_bytes": torch.cuda.max_memory_allocated(), "weight_bytes": sum(array.nbytes for array in weights.values()), "torch": torch.__version__,
    }))


if __name__ == "__main__":
    main()
