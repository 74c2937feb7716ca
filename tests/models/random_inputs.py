"""Seeded inputs for any model, so that two engines can be given the same."""

import numpy as np
from onnx import TensorProto, helper

# What a dimension without a size becomes, by what its name says. Anything else becomes OTHER_DIM.
DIMS = (("batch", 1), ("past", 4), ("seq", 8), ("frame", 8), ("height", 64), ("width", 64))
OTHER_DIM = 1


class NotSupported(Exception):
    """An input that this module makes no values for."""


def named_size(name, dims):
    if name in dims:
        return dims[name]
    if "+" in name:
        return sum(named_size(part.strip(), dims) for part in name.split("+"))
    if "total" in name.lower():  # of a mask over what was said before and what is said now
        return sum(size for part, size in DIMS if part in ("past", "seq"))
    return next((size for part, size in DIMS if part in name.lower()), OTHER_DIM)


def dim_size(dim, dims):
    return dim.dim_value if dim.HasField("dim_value") else named_size(dim.dim_param, dims)


def random_array(rng, element_type, shape, name):
    """Floats around zero; wide integers 0 or 1, which are good indices, tokens and lengths everywhere."""
    if element_type == TensorProto.STRING:
        words = np.array(["a", "cut", "away", "drawing"], dtype=object)
        return words[rng.integers(0, len(words), shape)]
    dtype = helper.tensor_dtype_to_np_dtype(element_type)
    if dtype == np.bool_:
        return rng.random(shape) < 0.5
    if dtype in (np.int8, np.uint8):  # pixels and quantised values
        return rng.integers(-100 if dtype == np.int8 else 0, 100, shape).astype(dtype)
    if np.issubdtype(dtype, np.integer):
        return np.ones(shape, dtype) if "mask" in name.lower() else rng.integers(0, 2, shape).astype(dtype)
    if np.issubdtype(dtype, np.complexfloating):
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(np.float32).astype(dtype)


def random_map(rng, info, model):
    """Every other key of the vocabulary that a DictVectorizer looks the map up in, and one that it does not know."""
    declared = info.type.map_type
    strings = declared.key_type == TensorProto.STRING
    keys = ["unknown"] if strings else [10**6]
    for node in model.graph.node:
        if info.name in node.input:
            for attribute in node.attribute:
                if attribute.name in ("string_vocabulary", "int64_vocabulary"):
                    keys += [key.decode() for key in attribute.strings[::2]] if strings else list(attribute.ints[::2])
    values = random_array(rng, declared.value_type.tensor_type.elem_type, (len(keys),), info.name)
    return dict(zip(keys, values.tolist()))


def random_inputs(model, seed, dims):
    """Input name -> array, for every input that has no default."""
    rng, feeds = np.random.default_rng(seed), {}
    held = {initializer.name for initializer in model.graph.initializer}
    for info in model.graph.input:
        if info.name in held:
            continue
        kind = info.type.WhichOneof("value")
        if kind == "map_type":
            feeds[info.name] = random_map(rng, info, model)
            continue
        if kind != "tensor_type":
            raise NotSupported(f"input {info.name} is no tensor ({kind})")
        tensor = info.type.tensor_type
        shape = tuple(dim_size(dim, dims) for dim in tensor.shape.dim)
        feeds[info.name] = random_array(rng, tensor.elem_type, shape, info.name)
    return feeds
