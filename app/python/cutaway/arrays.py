"""numpy arrays and DLPack tensors to feeds, and outputs back to them, without copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy

Feeds = Mapping[str, Any]

# Types that numpy has no name for come from the engine as unsigned integers of their width; ml_dtypes names them.
_ML_DTYPES = {"bfloat16": "bfloat16", "float8e4m3fn": "float8_e4m3fn", "float8e4m3fnuz": "float8_e4m3fnuz", "float8e5m2": "float8_e5m2",
              "float8e5m2fnuz": "float8_e5m2fnuz", "float8e8m0": "float8_e8m0fnu"}
_ONNX_NAMES = {theirs: ours for ours, theirs in _ML_DTYPES.items()}


# Devices of DLPack whose memory the host reads: its own, and that of CUDA and ROCm which is the host's or managed.
_HOST_DEVICES = {1, 3, 11, 13}


def _texts(name: str, array: numpy.ndarray) -> tuple[str, object, str]:
    values = array.ravel().tolist()
    for value in values:
        if not isinstance(value, (str, bytes)):
            raise TypeError(f"'{name}' is neither an array of numbers nor of texts: an element is of type {type(value).__name__}")
    return name, (list(array.shape), [each if isinstance(each, str) else each.decode() for each in values]), "string"


def _tensor(name: str, value: Any) -> Any:
    """What shows DLPack as an array of numpy over the same bytes; as it is where numpy has no name for its elements."""
    device = int(value.__dlpack_device__()[0]) if hasattr(value, "__dlpack_device__") else 1
    if device not in _HOST_DEVICES:
        raise ValueError(f"'{name}' lies in the memory of a device (type {device} of DLPack); bring it to the host first")
    try:
        return numpy.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError):
        return value


def _feed(name: str, value: Any) -> tuple[str, object, str]:
    if not isinstance(value, numpy.ndarray) and hasattr(value, "__dlpack__"):
        value = _tensor(name, value)
        if not isinstance(value, numpy.ndarray):
            return name, value, ""
    value = numpy.asarray(value)
    if value.dtype.kind in "OUS":
        return _texts(name, value)
    value = numpy.ascontiguousarray(value).reshape(value.shape)
    if not value.dtype.isnative:
        value = value.astype(value.dtype.newbyteorder("="))
    if value.dtype.name in _ONNX_NAMES:
        return name, value.view(numpy.uint16 if value.dtype.itemsize == 2 else numpy.uint8), _ONNX_NAMES[value.dtype.name]
    return name, value, ""


def feeds_of(values: Feeds) -> list[tuple[str, object, str]]:
    """Arrays and tensors of other libraries that lie row by row are read where they are. Others, and big-endian ones, are brought into order first; plain numbers and lists become arrays."""
    return [_feed(name, value) for name, value in values.items()]


def _array(name: str, type_name: str, value: Any) -> numpy.ndarray:
    if type_name == "string":
        shape, texts = value
        made = numpy.empty(len(texts), dtype=object)
        made[:] = texts
        return made.reshape(shape)
    array = numpy.asarray(value)
    if type_name not in _ML_DTYPES:
        return array
    try:
        import ml_dtypes
    except ImportError as missing:
        raise TypeError(f"'{name}' has elements of type {type_name}, which numpy knows with ml_dtypes: pip install ml_dtypes, or ask for dlpack") from missing
    return array.view(getattr(ml_dtypes, _ML_DTYPES[type_name]))


def arrays_of(values: Iterable[tuple[str, str, Any]], dlpack: bool) -> dict[str, Any]:
    """numpy arrays over the engine's memory, which is theirs alone; with `dlpack` objects that torch.from_dlpack and others take. Texts are always numpy's."""
    return {name: value if dlpack and kind != "string" else _array(name, kind, value) for name, kind, value in values}
