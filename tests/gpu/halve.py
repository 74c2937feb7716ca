#!/usr/bin/env python3
"""halve.py MODEL OUT: the same graph with 16-bit floats: weights, constants, casts, inputs and outputs. Numbers beyond their range become the largest there is."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

LARGEST = float(np.finfo(np.float16).max)


def halve_tensor(tensor):
    if tensor.data_type != TensorProto.FLOAT:
        return
    halved = numpy_helper.from_array(np.clip(numpy_helper.to_array(tensor), -LARGEST, LARGEST).astype(np.float16), tensor.name)
    tensor.CopyFrom(halved)


def halve_value(value):
    if value.type.HasField("tensor_type") and value.type.tensor_type.elem_type == TensorProto.FLOAT:
        value.type.tensor_type.elem_type = TensorProto.FLOAT16


def halve_graph(graph):
    for tensor in graph.initializer:
        halve_tensor(tensor)
    for values in (graph.input, graph.output, graph.value_info):
        for value in values:
            halve_value(value)
    for node in graph.node:
        halve_node(node)


def halve_node(node):
    if node.op_type == "ConstantOfShape" and not node.attribute:
        node.attribute.append(onnx.helper.make_attribute("value", numpy_helper.from_array(np.zeros(1, np.float16))))
    for attribute in node.attribute:
        if attribute.HasField("t"):
            halve_tensor(attribute.t)
        if attribute.HasField("g"):
            halve_graph(attribute.g)
        if node.op_type == "Cast" and attribute.name == "to" and attribute.i == TensorProto.FLOAT:
            attribute.i = TensorProto.FLOAT16


def main():
    model = onnx.load(sys.argv[1])
    halve_graph(model.graph)
    for function in model.functions:
        for node in function.node:
            halve_node(node)
    large = model.ByteSize() > 1_500_000_000
    onnx.save_model(model, sys.argv[2], save_as_external_data=large, location="half.data")


if __name__ == "__main__":
    main()
