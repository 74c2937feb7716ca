"""Rows of the kernel table out of models: every node whose shapes can be told, each distinct one once.

Two nodes are the same when operator, attributes, opset, types, shapes and small constants are. Open dimensions become what
tests/models/random_inputs.py makes of them; large float constants become random numbers. Nodes with bodies, and those whose
shapes only a run knows, are left out and counted.
"""

import collections
import hashlib
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "tests" / "models"))
from random_inputs import dim_size  # noqa: E402
from rows import Row  # noqa: E402

LEFT_OUT = {"Constant", "Identity", "Shape", "EPContext"}
SMALL = 64  # elements of constants that belong to what a node is
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)
Operand = collections.namedtuple("Operand", "type shape constant")  # constant: an array, True when its numbers do not matter, None when it is fed


def bound(model):
    """The model with every open dimension of its inputs given a size, and all shapes that follow."""
    for info in model.graph.input:
        for dim in info.type.tensor_type.shape.dim:
            size = dim_size(dim, {})
            dim.ClearField("dim_param")
            dim.dim_value = size
    for known in (model.graph.value_info, model.graph.output):
        for info in known:
            info.type.tensor_type.ClearField("shape")
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def constants_of(graph):
    found = {initializer.name: initializer for initializer in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and len(node.attribute) == 1 and node.attribute[0].name == "value":
            found[node.output[0]] = node.attribute[0].t
    return found


def constant_operand(tensor):
    shape = tuple(tensor.dims)
    outside = tensor.data_location == TensorProto.EXTERNAL
    if int(np.prod(shape)) > SMALL and tensor.data_type in FLOATS:
        return Operand(tensor.data_type, shape, True)
    return None if outside else Operand(tensor.data_type, shape, numpy_helper.to_array(tensor))


def fed_operand(info):
    kind = info.type.tensor_type
    if not info.type.HasField("tensor_type") or not kind.HasField("shape") or any(not dim.HasField("dim_value") or dim.dim_value < 1 for dim in kind.shape.dim):
        return None
    return Operand(kind.elem_type, tuple(dim.dim_value for dim in kind.shape.dim), None)


def operands_of(node, constants, infos):
    """By slot, "" for an absent one; None where something is not known."""
    operands = []
    for name in node.input:
        operand = "" if not name else constant_operand(constants[name]) if name in constants else fed_operand(infos[name]) if name in infos else None
        if operand is None:
            return None
        operands.append(operand)
    return operands


def key_of(node, operands, imports):
    attributes = b"".join(sorted(attribute.SerializeToString(deterministic=True) for attribute in node.attribute))
    parts = [node.domain, node.op_type, str(imports.get(node.domain or "", 0)), hashlib.sha256(attributes).hexdigest(), str(sum(bool(name) for name in node.output))]
    for operand in operands:
        parts.append(str(operand[:2]) + (operand.constant.tobytes().hex() if isinstance(operand.constant, np.ndarray) else str(operand.constant)) if operand else "-")
    return "|".join(parts)


def row_of(node, operands, model, source):
    """A model of this node alone; None when it would be empty of inputs."""
    rng = np.random.default_rng(0)
    names, feeds, constants = [], [], []
    for slot, operand in enumerate(operands):
        names.append(f"i{slot}" if operand else "")
        if not operand:
            continue
        if operand.constant is None:
            feeds.append(helper.make_tensor_value_info(names[-1], operand.type, operand.shape))
            continue
        array = operand.constant
        if array is True:
            array = rng.uniform(0.01, 1, operand.shape).astype(helper.tensor_dtype_to_np_dtype(operand.type))  # variances, too, are above 0
        constants.append(numpy_helper.from_array(np.asarray(array), names[-1]))
    if not feeds:
        return None
    alone = onnx.NodeProto()
    alone.CopyFrom(node)
    del alone.input[:], alone.output[:]
    alone.name = "node"
    alone.input.extend(names)
    alone.output.extend(f"o{slot}" if name else "" for slot, name in enumerate(node.output))
    graph = helper.make_graph([alone], "row", feeds, [onnx.ValueInfoProto(name=name) for name in alone.output if name], constants)
    shapes = " ".join("x".join(map(str, operand.shape)) or "scalar" for operand in operands if operand)
    return Row(node.op_type, f"{shapes} ({source})", helper.make_model(graph, opset_imports=model.opset_import, ir_version=min(model.ir_version or 8, 10)))


def model_rows(paths):
    """Rows of all models, and how many nodes were left out because something is not known."""
    rows, unknown = {}, 0
    for path in paths:
        try:
            model = bound(onnx.load(path, load_external_data=False))
        except Exception as error:  # files that are broken on purpose lie among the others
            print(f"{path}: {str(error).splitlines()[0][:120]}", file=sys.stderr)
            continue
        source = path.parent.name if path.stem == "model" else path.stem
        constants, imports = constants_of(model.graph), {each.domain: each.version for each in model.opset_import}
        infos = {info.name: info for known in (model.graph.input, model.graph.value_info, model.graph.output) for info in known}
        functions = {(function.domain, function.name) for function in model.functions}
        for node in model.graph.node:
            if node.op_type in LEFT_OUT or (node.domain, node.op_type) in functions or any(attribute.HasField("g") or attribute.graphs for attribute in node.attribute):
                continue
            operands = operands_of(node, constants, infos)
            if operands is None:
                unknown += 1
                continue
            key = key_of(node, operands, imports)
            if key not in rows and (made := row_of(node, operands, model, source)) is not None:
                rows[key] = made
    return list(rows.values()), unknown
