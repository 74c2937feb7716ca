#!/usr/bin/env python3
"""Writes the .ort samples beside this script, with the onnxruntime of the project's environment.

They are kept in the repository, because the tests that read them must not depend on it. Run again after a change here:
    build/env/bin/python tests/unit/engine/stages/load/ort_format/make_samples.py
"""

import os
import pathlib

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnx
import onnx.parser
import onnxruntime
from onnx import helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent

# Several types of weights, symbols, a body that captures, attributes of most kinds, an optional input left out.
RICH = """
<ir_version: 8, opset_import: ["" : 17], producer_name: "samples", producer_version: "3", domain: "test.cutaway",
 model_version: 7, doc_string: "every kind of thing", metadata_props: ["key" : "value"]>
main (float[n,4] x, bool c) => (float[n,2] y, float[n,2] z, string[2] t) {
  [mm] p = MatMul (x, w)
  [if] y = If <then_branch = then_g () => (float[n,2] a) { a = Mul (p, k) }, else_branch = else_g () => (float[n,2] b) { b = Neg (p) }> (c)
  [clip] q = Clip (p, , most)
  [elu] z = Elu <alpha = 0.5> (q)
  [names] t = Gather <axis = 0> (words, order)
}
"""
WEIGHTS = {
    "w": np.arange(8, dtype=np.float32).reshape(4, 2),
    "k": np.array([2], dtype=np.float32),
    "most": np.array(3, dtype=np.float32),
    "words": np.array(["a", "bc", ""], dtype=object),
    "order": np.array([1, 0], dtype=np.int64),
}
# A sequence, and integers of several widths.
SEQUENCE = """
<ir_version: 8, opset_import: ["" : 17]>
main (seq(float[n]) s, int8[3] i, float16[2] h) => (float[n] y, int8[3] j, float16[2] g) {
  y = SequenceAt (s, position)
  j = Abs (i)
  g = Add (h, half)
}
"""
SEQUENCE_WEIGHTS = {"position": np.array(0, dtype=np.int64), "half": np.array([0.5, 1.5], dtype=np.float16)}


def every_kind():
    """Attributes of strings, floats, integers and tensors, a sparse constant, and values that are maps."""
    value, node = helper.make_tensor_value_info, helper.make_node
    zeros = numpy_helper.from_array(np.zeros(1, np.float32), "value")
    nodes = [node("LabelEncoder", ["s"], ["e"], domain="ai.onnx.ml", keys_strings=["a", "b"], values_floats=[1.0, 2.0], default_float=-1.0), node("MaxPool", ["x"], ["p"], kernel_shape=[2, 2], auto_pad="VALID"),
             node("ConstantOfShape", ["size"], ["z"], value=zeros), node("MatMul", ["m", "thin"], ["y"]), node("ZipMap", ["y"], ["maps"], domain="ai.onnx.ml", classlabels_int64s=[4, 5])]
    thin = helper.make_sparse_tensor(numpy_helper.from_array(np.array([1, 2], np.float32), "thin"), numpy_helper.from_array(np.array([0, 3], np.int64), "thin_at"), [2, 2])
    maps = helper.make_value_info("maps", helper.make_sequence_type_proto(helper.make_map_type_proto(onnx.TensorProto.INT64, helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, []))))
    graph = helper.make_graph(nodes, "main", [value("s", onnx.TensorProto.STRING, [2]), value("x", onnx.TensorProto.FLOAT, [1, 1, 4, 4]), value("size", onnx.TensorProto.INT64, [1]), value("m", onnx.TensorProto.FLOAT, ["n", 2])],
                              [value("e", onnx.TensorProto.FLOAT, [2]), value("p", onnx.TensorProto.FLOAT, None), value("z", onnx.TensorProto.FLOAT, None), maps], sparse_initializer=[thin])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=8)


def model_of(text, weights):
    model = onnx.parser.parse_model(text)
    model.graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in weights.items())
    onnx.checker.check_model(model)
    return model


def save(model, path, level):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = level
    options.optimized_model_filepath = str(path)
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def main():
    none = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    save(model_of(RICH, WEIGHTS), HERE / "rich.ort", none)
    save(model_of(SEQUENCE, SEQUENCE_WEIGHTS), HERE / "sequence.ort", none)
    save(every_kind(), HERE / "every_kind.ort", none)  # what the fuzzers of readers begin with


if __name__ == "__main__":
    main()
