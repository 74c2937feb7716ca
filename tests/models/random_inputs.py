"""Seeded inputs for any model, so that two engines can be given the same."""

import math

import numpy as np
from onnx import TensorProto, helper

# What a dimension without a size becomes, by what its name says. Anything else becomes OTHER_DIM.
DIMS = (("batch", 1), ("past", 4), ("seq", 8), ("frame", 8), ("height", 64), ("width", 64))
OTHER_DIM = 1
SEQUENCE_LENGTH = 2
MOST_VALUES = 1 << 26


class NotSupported(Exception):
    """An input that this module makes no values for."""


def named_size(name, dims):
    """`dims` by name; "*" is what a name gets that says nothing."""
    if name in dims:
        return dims[name]
    if "+" in name:
        return sum(named_size(part.strip(), dims) for part in name.split("+"))
    if "total" in name.lower():  # of a mask over what was said before and what is said now
        return sum(size for part, size in DIMS if part in ("past", "seq"))
    if name in ("H", "W"):
        name = {"H": "height", "W": "width"}[name]
    return next((size for part, size in DIMS if part in name.lower()), dims.get("*", OTHER_DIM))


def dim_size(dim, dims):
    """A negative size is how some exporters write an open one."""
    return dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else named_size(dim.dim_param, dims)


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


def random_value(rng, declared, info, model, dims):
    kind = declared.WhichOneof("value")
    if kind == "map_type":
        return random_map(rng, info, model)
    if kind == "sequence_type":
        return [random_value(rng, declared.sequence_type.elem_type, info, model, dims) for _ in range(SEQUENCE_LENGTH)]
    if kind == "optional_type":
        return random_value(rng, declared.optional_type.elem_type, info, model, dims)
    if kind != "tensor_type":
        raise NotSupported(f"input {info.name} is of a kind without values ({kind})")
    shape = tuple(dim_size(dim, dims) for dim in declared.tensor_type.shape.dim)
    if math.prod(shape) > MOST_VALUES:
        raise NotSupported(f"input {info.name} of {list(shape)} is too large to make up")
    return np.asarray(random_array(rng, declared.tensor_type.elem_type, shape, info.name))


def random_inputs(model, seed, dims, given=None):
    """Input name -> array (list for a sequence, dict for a map), for every input that has no default; `given` ones as they are."""
    rng, feeds = np.random.default_rng(seed), dict(given or {})
    held = {initializer.name for initializer in model.graph.initializer}
    for info in model.graph.input:
        if info.name not in held and info.name not in feeds:
            feeds[info.name] = random_value(rng, info.type, info, model, dims)
    return feeds
