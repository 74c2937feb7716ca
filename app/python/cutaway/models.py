"""What a model may be given as."""

from __future__ import annotations

import os
import pathlib
from typing import Protocol, Union


class Serializable(Protocol):
    """Such as ``onnx.ModelProto``."""

    def SerializeToString(self) -> bytes: ...


AnyModel = Union[str, "os.PathLike[str]", bytes, Serializable]


def place_and_content(model: AnyModel) -> tuple[str, bytes | None]:
    """The path, or no path and the bytes."""
    if isinstance(model, bytes):
        return "", model
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(pathlib.Path(model)), None
    if hasattr(model, "SerializeToString"):
        return "", model.SerializeToString()
    raise TypeError(f"a model is a path, bytes or an onnx.ModelProto, not {type(model).__name__}")
