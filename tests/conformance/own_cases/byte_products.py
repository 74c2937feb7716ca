"""Whether onnxruntime adds up unsigned times signed bytes exactly on this machine.

Its AVX2 kernels add two such products in 16 bits, which saturate beyond 32767; CPUs with VNNI have an instruction that does not.
Where they saturate, onnxruntime is no judge of operators that multiply unsigned activations by signed weights.
"""

import functools

import numpy as np
import onnxruntime
from onnx import TensorProto, helper


@functools.cache
def saturate():
    a, b = np.full((4, 16), 255, np.uint8), np.full((16, 16), 127, np.int8)
    infos = [helper.make_tensor_value_info("a", TensorProto.UINT8, a.shape), helper.make_tensor_value_info("b", TensorProto.INT8, b.shape)]
    graph = helper.make_graph([helper.make_node("MatMulInteger", ["a", "b"], ["y"])], "product", infos, [helper.make_tensor_value_info("y", TensorProto.INT32, [4, 16])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    y = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, {"a": a, "b": b})[0]
    return int(y[0, 0]) != 255 * 127 * 16
