"""A model of the first opsets written in opset 7, the oldest that onnxruntime runs in full; computing the same.

    modernised(model)  # a ModelProto; raises NotKnown for what this module cannot rewrite

What changes: the axis that early arithmetic broadcasts along becomes a reshaped operand, sizes that were attributes become
inputs, attributes that only spoke of memory go. The locale of a StringNormalizer becomes C: few machines have others.
"""

import numpy as np
import onnx
from onnx import helper, numpy_helper

TARGET = 7
BROADCASTING = ("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "PRelu", "Sub", "Xor")
UNCHANGED = ("Abs", "Affine", "AveragePool", "Constant", "Conv", "ConvTranspose", "Crop", "Exp", "Flatten", "GlobalAveragePool", "ImageScaler",
             "InstanceNormalization", "LRN", "LeakyRelu", "MatMul", "MaxPool", "Pad", "Relu", "Sigmoid", "Softmax", "Sqrt", "Tanh", "Transpose")  # between version 1 and 7, those attributes aside


class NotKnown(Exception):
    pass


def attribute(node, name, default):
    return next((helper.get_attribute_value(each) for each in node.attribute if each.name == name), default)


def drop(node, *names):
    for each in [each for each in node.attribute if each.name in names]:
        node.attribute.remove(each)


def name_kinds(node):
    """Models of IR 1 do not say of what kind their attributes are."""
    kinds = {"f": "FLOAT", "i": "INT", "s": "STRING", "t": "TENSOR", "ints": "INTS", "floats": "FLOATS", "strings": "STRINGS"}
    for each in node.attribute:
        if each.type == onnx.AttributeProto.UNDEFINED:
            each.type = next(getattr(onnx.AttributeProto, kind) for field, kind in kinds.items()
                             if (each.HasField(field) if len(field) == 1 else len(getattr(each, field))))


def ranks_of(graph):
    """By hand: onnx infers nothing behind the operators that were withdrawn."""
    ranks = {info.name: len(info.type.tensor_type.shape.dim) for info in graph.input} | {held.name: len(held.dims) for held in graph.initializer}
    for node in graph.node:
        first = ranks.get(node.input[0]) if node.input else None
        if node.op_type == "Constant":
            rank = len(attribute(node, "value", None).dims)
        elif node.op_type == "Reshape":
            rank = len(attribute(node, "shape", []))
        elif node.op_type in ("Flatten", "MatMul"):
            rank = 2 if node.op_type == "Flatten" else max(ranks[name] for name in node.input)
        else:
            rank = first
        ranks |= {name: rank for name in node.output if rank is not None}
    return ranks


def spread(node, ranks, index):
    """Nodes that give the second operand of `node` the axes which `axis` meant."""
    axis = attribute(node, "axis", None)
    a, b = node.input
    drop(node, "axis", "broadcast")
    if axis is None or b not in ranks or a not in ranks:
        if axis is not None:
            raise NotKnown(f"no rank of an operand of {node.op_type}")
        return []
    missing = ranks[a] - axis % ranks[a] - ranks[b]
    if missing <= 0:
        return []
    wide = f"{b}_spread_{index}"
    node.input[1] = wide
    return [helper.make_node("Unsqueeze", [b], [wide], axes=[ranks[b] + each for each in range(missing)])]


def rewrite(node, ranks, index):
    drop(node, "consumed_inputs", "is_test", "spatial")
    if node.op_type in BROADCASTING and len(node.input) == 2:
        return spread(node, ranks, index)
    if node.op_type == "Reshape" and len(node.input) == 1:
        shape = np.array(attribute(node, "shape", []), np.int64)
        drop(node, "shape")
        node.input.append(f"shape_{index}")
        return [helper.make_node("Constant", [], [f"shape_{index}"], value=numpy_helper.from_array(shape))]
    if node.op_type == "Pad":
        for each in node.attribute:
            each.name = "pads" if each.name == "paddings" else each.name
    if node.op_type not in UNCHANGED and node.op_type != "Reshape":
        raise NotKnown(f"{node.op_type} of an early opset")
    return []


def modernised(model):
    made = onnx.ModelProto()
    made.CopyFrom(model)
    plain = next((each for each in made.opset_import if each.domain in ("", "ai.onnx")), None)
    for node in made.graph.node:
        name_kinds(node)
        if node.op_type == "StringNormalizer":
            drop(node, "locale")
            node.attribute.append(helper.make_attribute("locale", "C"))
    if plain is not None and plain.version >= TARGET:
        return made
    if plain is None:
        plain = made.opset_import.add()
    plain.domain, plain.version = "", TARGET
    made.ir_version = max(made.ir_version, 3)
    ranks, nodes = ranks_of(made.graph), []
    for index, node in enumerate(made.graph.node):
        nodes += rewrite(node, ranks, index)
        nodes.append(node)
    nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    return made
