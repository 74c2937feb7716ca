"""What is measured: models of make_models.py in real sizes, their inputs, and what the device could do at best."""

import dataclasses

import numpy as np

# Of the device's own data sheet, dense: TF32 and fp16 operations a second, bytes a second of memory. The first whose name is in the device's counts.
PEAKS = (
    ("H100 PCIe", 378e12, 756e12, 2.0e12),
    ("H100 NVL", 417e12, 835e12, 3.9e12),
    ("H100", 494.7e12, 989.4e12, 3.35e12),
    ("H200", 494.7e12, 989.4e12, 4.8e12),
    ("A100", 156e12, 312e12, 2.0e12),
)
PAST = 127  # keys and values in the cache of the decoding step


@dataclasses.dataclass(frozen=True)
class Workload:
    label: str
    model: str
    settings: tuple
    dims: tuple  # of symbolic dimensions: (name, value)

    def dim(self, name):
        return dict(self.dims)[name]


def images(model, batch, *settings):
    return Workload(f"{model} batch {batch}", model, settings, (("batch", batch),))


def bert(batch):
    return Workload(f"bert batch {batch}", "bert", ("fused_norm=1",), (("batch", batch), ("sequence", 128)))


def decode(batch):
    return Workload(f"gpt2 decode batch {batch}", "gpt2", ("fused_norm=1",), (("batch", batch), ("sequence", 1), ("past_sequence", PAST), ("total_sequence", PAST + 1)))


WORKLOADS = (images("resnet50", 1), images("resnet50", 32), bert(1), bert(8), images("vit", 1), images("vit", 8), images("unet", 1), decode(1), decode(8))


def make_inputs(work, half, seed=7):
    """By name, in the order of the graph's inputs."""
    random = np.random.default_rng(seed)
    floats = np.float16 if half else np.float32
    batch = work.dim("batch")
    if work.model == "bert":
        shape = (batch, work.dim("sequence"))
        return {"input_ids": random.integers(0, 30000, shape), "attention_mask": np.ones(shape, np.int64), "token_type_ids": np.zeros(shape, np.int64)}
    if work.model == "gpt2":
        inputs = {"input_ids": random.integers(0, 50000, (batch, 1)), "attention_mask": np.ones((batch, PAST + 1), np.int64)}
        for layer in range(12):
            for part in ("key", "value"):
                inputs[f"past_key_values.{layer}.{part}"] = random.standard_normal((batch, 12, PAST, 64), np.float32).astype(floats)
        return inputs
    size = 256 if work.model == "unet" else 224
    name = "pixel_values" if work.model == "vit" else "input"
    return {name: random.standard_normal((batch, 3, size, size), np.float32).astype(floats)}


def peaks_of(device, half):
    """Operations and bytes a second; None for a device that is not listed."""
    for name, tf32, sixteen, memory in PEAKS:
        if name in device:
            return (sixteen if half else tf32), memory
    return None
