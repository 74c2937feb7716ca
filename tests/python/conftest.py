"""Models for the tests: the bundled samples, and small ones that are made here as bytes, so that nothing but the wheel is needed."""

import os
import pathlib

import pytest

SAMPLES = pathlib.Path(os.environ["CUTAWAY_SAMPLES"])


@pytest.fixture
def mlp():
    """digits_mlp: images to scores."""
    return SAMPLES / "digits_mlp" / "model.onnx"


@pytest.fixture
def cnn():
    return SAMPLES / "digits_cnn" / "model.onnx"


def _number(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def _field(number, content):
    """A protobuf field: text and bytes with their length, numbers as they are."""
    if isinstance(content, int):
        return _number(number << 3) + _number(content)
    content = content.encode() if isinstance(content, str) else content
    return _number(number << 3 | 2) + _number(len(content)) + content


def _value(name, element_type, shape):
    dims = b"".join(_field(1, _field(1, size)) for size in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, element_type) + _field(2, dims)))


@pytest.fixture
def model_of():
    """model_of(op, element_type, shape): the bytes of a model y = op(x) of ONNX, opset 21."""

    def make(op, element_type, shape, inputs=("x",)):
        node = b"".join(_field(1, name) for name in inputs) + _field(2, "y") + _field(4, op)
        graph = _field(1, node) + _field(2, "graph") + b"".join(_field(11, _value(name, element_type, shape)) for name in inputs)
        return _field(1, 9) + _field(7, graph + _field(12, _value("y", element_type, shape))) + _field(8, _field(2, 21))

    return make
