"""One case of our own: a model, the values it is fed and the values it must give.

Every other module of this folder is a family and defines `cases()`, which yields Case objects in a fixed order. Expected
values come from numpy, from float64 definitions, from onnx's reference evaluator or from onnxruntime: never from Cutaway.

    def cases():
        model = one_node(helper.make_node("Relu", ["x"], ["y"]), {"x": x}, {"y": y}, opset=14)
        yield Case("relu_float16", model, {"x": x}, {"y": y})
"""

import dataclasses

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator


@dataclasses.dataclass
class Case:
    name: str  # a folder name, unique in its family
    model: onnx.ModelProto
    inputs: dict  # name -> numpy array, TensorProto, list (sequence), dict (map) or None; the order of the model's inputs is used
    outputs: dict
    rtol: float = 1e-3
    atol: float = 1e-7
    compare: str = "values"  # "shape": random draws, of which only shape and element type are compared


# Formats numpy has no type for are given as TensorProto.
def tensor_of(element_type, dims, values, name="t"):
    """A TensorProto of any element type from Python numbers."""
    return helper.make_tensor(name, element_type, dims, values)


def info_of(name, value):
    """The ValueInfoProto that describes a value."""
    if isinstance(value, TensorProto):
        return helper.make_tensor_value_info(name, value.data_type, list(value.dims))
    if isinstance(value, list):
        element = info_of(name, value[0]).type if value else helper.make_tensor_type_proto(TensorProto.FLOAT, None)
        return helper.make_value_info(name, helper.make_sequence_type_proto(element))
    value = np.asarray(value)
    if value.dtype.kind in "UO":
        return helper.make_tensor_value_info(name, TensorProto.STRING, list(value.shape))
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), list(value.shape))


def one_node(node, inputs, outputs, opset, domain_opsets=None, initializers=None, ir_version=10):
    """A model of one node; inputs and outputs map names to example values. domain_opsets: {"com.microsoft": 1}."""
    graph = helper.make_graph(
        [node],
        node.op_type,
        [info_of(name, value) for name, value in inputs.items()],
        [info_of(name, value) for name, value in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in (initializers or {}).items()],
    )
    imports = [helper.make_opsetid("", opset)] + [helper.make_opsetid(domain, version) for domain, version in (domain_opsets or {}).items()]
    return helper.make_model(graph, opset_imports=imports, ir_version=ir_version)


def versions_of(op, domain=""):
    """The since_versions of an operator that a model may still use, oldest first."""
    schemas = onnx.defs.get_all_schemas_with_history()
    return sorted(schema.since_version for schema in schemas if schema.name == op and schema.domain == domain and not schema.deprecated)


def reference(model, inputs):
    """What onnx's reference evaluator gives for the outputs of the model."""
    feeds = {name: numpy_helper.to_array(value) if isinstance(value, TensorProto) else value for name, value in inputs.items()}
    return ReferenceEvaluator(model).run(None, feeds)


def at_version(op, version, inputs, outputs, name=None, domain="", **attributes):
    """A case of one node in a model that imports exactly this version of the operator's domain.

    inputs: positional values, None for one left out. outputs: positional expected values, None for one left out.
    """
    fed = {f"x{i}": value for i, value in enumerate(inputs) if value is not None}
    given = {f"y{i}": value for i, value in enumerate(outputs) if value is not None}
    node = helper.make_node(
        op,
        [f"x{i}" if value is not None else "" for i, value in enumerate(inputs)],
        [f"y{i}" if value is not None else "" for i, value in enumerate(outputs)],
        domain=domain,
        **attributes,
    )
    opset, others = (version, None) if domain == "" else (21, {domain: version})
    return Case(name or f"{op.lower()}_{version}", one_node(node, fed, given, opset, others), fed, given)
