"""A model evaluated in float64 by onnx.reference: the judge where two engines that compute in float32 disagree.

    evaluate(path, feeds)  # outputs by name, in float64 where the model says float; raises whatever the evaluator raises
    widened_model(path)    # the same model in doubles, for another engine

Every float, half and bfloat16 of the model becomes a double: initializers, constants, what inputs and outputs declare, what
Cast and its like convert to. A model that rounds on purpose (QuantizeLinear) still rounds, only from better values.
"""

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.reference import ReferenceEvaluator

FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16)
TYPE_ATTRIBUTES = {"Cast": "to", "EyeLike": "dtype", "RandomNormal": "dtype", "RandomUniform": "dtype", "Range": "stash_type",
                   "LayerNormalization": "stash_type", "SequenceEmpty": "dtype", "HannWindow": "output_datatype",
                   "HammingWindow": "output_datatype", "BlackmanWindow": "output_datatype", "MelWeightMatrix": "output_datatype"}


def widen_tensor(tensor):
    if tensor.data_type in FLOATS:
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name))


def widen_type(declared):
    kind = declared.WhichOneof("value")
    if kind == "tensor_type":
        if declared.tensor_type.elem_type in FLOATS:
            declared.tensor_type.elem_type = TensorProto.DOUBLE
    elif kind in ("sequence_type", "optional_type"):
        widen_type(getattr(declared, kind).elem_type)


def widen_constant(node):
    """value_float and value_floats are float32 by definition: they become tensors."""
    for attribute in node.attribute:
        if attribute.name in ("value_float", "value_floats"):
            value = attribute.f if attribute.name == "value_float" else list(attribute.floats)
            attribute.CopyFrom(onnx.helper.make_attribute("value", numpy_helper.from_array(np.array(value, np.float64))))


def widen_node(node):
    if node.op_type == "Constant":
        widen_constant(node)
    if node.op_type == "ConstantOfShape" and not node.attribute:
        node.attribute.append(onnx.helper.make_attribute("value", numpy_helper.from_array(np.zeros(1))))
    for attribute in node.attribute:
        if attribute.HasField("t"):
            widen_tensor(attribute.t)
        if attribute.HasField("g"):
            widen_graph(attribute.g)
        if TYPE_ATTRIBUTES.get(node.op_type) == attribute.name and attribute.i in FLOATS:
            attribute.i = TensorProto.DOUBLE


def widen_graph(graph):
    for tensor in graph.initializer:
        widen_tensor(tensor)
    for node in graph.node:
        widen_node(node)
    for info in (*graph.input, *graph.output):
        widen_type(info.type)
    del graph.value_info[:]


def widened(value):
    if isinstance(value, list):
        return [widened(each) for each in value]
    if isinstance(value, np.ndarray) and value.dtype.kind in "fV" and value.dtype != np.float64:
        return value.astype(np.float64)
    return value


def loaded(path):
    return onnx.load(path, format=None if path.suffix == ".onnx" else "textproto")


def widened_model(path):
    model = loaded(path)
    widen_graph(model.graph)
    for function in model.functions:
        for node in function.node:
            widen_node(node)
    return model


def evaluate(path, feeds):
    model = widened_model(path)
    feeds = {name: widened(value) for name, value in feeds.items()}
    return dict(zip([info.name for info in model.graph.output], ReferenceEvaluator(model).run(None, feeds)))


def plainly(path, feeds):
    """The same evaluator without widening: for models that onnxruntime does not run."""
    model = loaded(path)
    return dict(zip([info.name for info in model.graph.output], ReferenceEvaluator(model).run(None, feeds)))
