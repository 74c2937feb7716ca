"""What the shared models are fed: the data recorded beside a model, or seeded random values with the sizes it needs.

DIMS and VALUES hold what random_inputs' rules cannot know about one model: sizes that must fit each other, and scalars that
are settings rather than data (a sample rate, the length to write).
"""

import numpy as np
import onnx

import compare_with_onnxruntime as peer
import shared_corpora as corpora
from random_inputs import random_inputs

# Sizes of open dimensions, by the beginning of the model's path.
DIMS = {
    "ppocr": {"DynamicDimension.0": 1, "DynamicDimension.1": 96, "DynamicDimension.2": 96},
    "pack-ort-testdata-shared/onnxruntime/test/testdata/transform/fusion/attention_past_unidir": {"seq_len": 1, "past_seq_len": 3, "total_seq_len": 4},
    "gpt2-past/": {"seq_len": 4},  # its table of positions has 8 rows
    "silero-vad-micro-2021/": {"batch": 1, "samples": 4000},
    "tiny-random-llama-fp16/": {"past_sequence_length": 0, "total_sequence_length": 8},
    "training-ort-mnist/": {"input-0_dim0": 2, "input-0_dim1": 784, "output-0_dim0": 2},
}
# Whole inputs, by the beginning of the model's path.
VALUES = {
    # Weights of one would make a softmax of differences in the hundreds: no half can hold those well.
    "pack-ort-testdata-shared/onnxruntime/test/testdata/attention_no_mask_fp16": {"weight": lambda rng: (0.02 * rng.standard_normal((768, 2304))).astype(np.float16)},
    "bad-conditionally-invalid/": {"cond": np.array([True])},  # the other branch is the bad one
    "silero-vad/": {"input": ("normal", (1, 512)), "state": np.zeros((2, 1, 128), np.float32), "sr": np.array(16000)},
    "tiny-gpt2-beamsearch/": {"max_length": np.array([20], np.int32), "min_length": np.array([1], np.int32),
                              "num_beams": np.array([4], np.int32), "num_return_sequences": np.array([2], np.int32),
                              "length_penalty": np.ones(1, np.float32), "repetition_penalty": np.ones(1, np.float32)},
    "pack-ort-testdata-shared/onnxruntime/test/testdata/transform/fusion/attention_past_unidir": {"attention_mask": np.ones((1, 4), np.float32)},
    "training-ort-mnist/adamw": {name: [("uniform" if "second" in name else "normal", shape) for shape in ((500, 784), (500,), (10, 500), (10,))]
                                 for name in ("params", "gradients", "first_order_moments", "second_order_moments")},
}
MOST_SIZES = 16


def starting(table, name):
    return {key: value for start, entries in table.items() if name.startswith(start) for key, value in entries.items()}


def drawn(value, rng):
    if isinstance(value, list):
        return [drawn(each, rng) for each in value]
    if isinstance(value, tuple):
        return getattr(rng, {"normal": "standard_normal", "uniform": "random"}[value[0]])(value[1]).astype(np.float32)
    return value(rng) if callable(value) else value


def made_up(model, name, dims=None):
    """Input name -> value, the same in every run."""
    rng = np.random.default_rng(11)
    given = {key: drawn(value, rng) for key, value in starting(VALUES, name).items()}
    return random_inputs(model, 7, {**(dims or {}), **starting(DIMS, name)}, given)


def sizes_inside(model):
    """Sizes that open dimensions may need to have: those of the model's weights."""
    graph = model.graph
    found = {size for held in graph.initializer for size in held.dims} | {2, 3, 4}
    found |= {dim.dim_value for info in graph.input for dim in info.type.tensor_type.shape.dim}
    for node in graph.node:  # how far trees look into a row
        found |= {max(attribute.ints) + 1 for attribute in node.attribute if attribute.name.startswith("nodes_featureids") and attribute.ints}
    return sorted(size for size in found if 1 < size <= 4096)[-MOST_SIZES:]


def zeros_for_integers(feeds):
    return {name: np.zeros_like(value) if isinstance(value, np.ndarray) and value.dtype.kind in "iu" else value for name, value in feeds.items()}


def positive_floats(feeds):
    return {name: np.abs(value) + np.asarray(1, value.dtype) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
            for name, value in feeds.items()}


def other_attempts(model, name):
    """Further inputs for a model that refuses the first: indices of zero, floats that can be sizes, other sizes."""
    first = made_up(model, name)
    yield zeros_for_integers(first)
    yield positive_floats(first)
    for size in sizes_inside(model):
        feeds = made_up(model, name, {"*": size})
        yield feeds
        yield zeros_for_integers(feeds)


def data_folder(path):
    alone = path.name == "model.onnx" or len(list(path.parent.glob("*.onnx"))) == 1
    folders = sorted(path.parent.glob("test_data_set_*"))
    if folders:
        return folders[0] if alone else None
    npz = sorted(path.parent.glob("*.npz"))
    case = corpora.rewrite_npz(npz[0], path) if npz and alone and path.suffix == ".onnx" else None
    return case and case / "test_data_set_0"


def recorded(path, model):
    """Feeds and expected outputs recorded beside the model, or None."""
    folder = data_folder(path)
    if folder is None:
        return None
    held = {initializer.name for initializer in model.graph.initializer}

    def read(kind, infos):
        files = {info.name: (folder / f"{kind}_{index}.pb", info) for index, info in enumerate(infos)}
        return {name: peer.from_bytes(file.read_bytes(), info) for name, (file, info) in files.items() if file.exists()}
    expected = read("output", model.graph.output)
    return (read("input", [info for info in model.graph.input if info.name not in held]), expected) if expected else None
