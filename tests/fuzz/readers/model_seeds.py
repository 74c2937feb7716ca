"""Models that the fuzzers of readers begin with: small ones that are run, and one for every form in which the format can say something."""

import numpy
import onnx
from google.protobuf import text_format
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING
value, node, constant = helper.make_tensor_value_info, helper.make_node, numpy_helper.from_array


def model_of(nodes, inputs, outputs, initializers=(), sparse=(), **more):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers), sparse_initializer=list(sparse))
    more.setdefault("opset_imports", [helper.make_opsetid("", 21)])
    more.setdefault("ir_version", 10)
    return helper.make_model(graph, **more)


def small_models():
    """Each with something of its own: bodies, functions, quantisation, texts, sequences, open dimensions, sparse constants."""
    def model(*parts, **more):
        return model_of(*parts, **more).SerializeToString()

    w = constant(numpy.ones((3, 2, 3, 3), numpy.float32), "w")
    yield model([node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1], name="c"), node("Relu", ["a"], ["b"]), node("MaxPool", ["b"], ["d"], kernel_shape=[2, 2]), node("Flatten", ["d"], ["y"])],
                [value("x", FLOAT, ["n", 2, 6, 6])], [value("y", FLOAT, None)], [w])
    then = helper.make_graph([node("Neg", ["x"], ["t"])], "then", [], [value("t", FLOAT, None)])
    other = helper.make_graph([node("Abs", ["x"], ["e"])], "else", [], [value("e", FLOAT, None)])
    yield model([node("If", ["c"], ["y"], then_branch=then, else_branch=other)], [value("x", FLOAT, [2]), value("c", TensorProto.BOOL, [])], [value("y", FLOAT, None)])
    body = helper.make_graph([node("Identity", ["go"], ["on"]), node("Add", ["s", "s"], ["r"]), node("Identity", ["r"], ["slice"])], "body",
                             [value("i", INT64, []), value("go", TensorProto.BOOL, []), value("s", FLOAT, [2])], [value("on", TensorProto.BOOL, []), value("r", FLOAT, [2]), value("slice", FLOAT, [2])])
    yield model([node("Loop", ["m", "", "x"], ["last", "all"], body=body)], [value("x", FLOAT, [2])], [value("last", FLOAT, None), value("all", FLOAT, None)], [constant(numpy.array(3), "m")])
    inner = helper.make_function("own", "F", ["a"], ["b"], [node("Softmax", ["a"], ["t"], axis=-1), node("Mul", ["t", "a"], ["b"])], [helper.make_opsetid("", 21)])
    yield model([node("F", ["x"], ["y"], domain="own", name="call")], [value("x", FLOAT, [2, 3])], [value("y", FLOAT, None)], opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("own", 1)], functions=[inner])
    scale, zero = constant(numpy.array(0.5, numpy.float32), "s"), constant(numpy.array(3, numpy.uint8), "z")
    yield model([node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["d"]), node("MatMul", ["d", "d"], ["y"])], [value("x", FLOAT, [2, 2])], [value("y", FLOAT, None)], [scale, zero])
    yield model([node("SplitToSequence", ["x"], ["q"], axis=0), node("ConcatFromSequence", ["q"], ["y"], axis=0)], [value("x", FLOAT, ["n", 3])], [value("y", FLOAT, None)])
    yield model([node("Shape", ["x"], ["h"]), node("ReduceProd", ["h"], ["p"], keepdims=1), node("Reshape", ["x", "p"], ["f"]), node("Gather", ["f", "i"], ["y"]), node("TopK", ["f", "k"], ["t", "u"])],
                [value("x", FLOAT, ["n", 4])], [value("y", FLOAT, None), value("t", FLOAT, None)], [constant(numpy.array([0, 1]), "i"), constant(numpy.array([2]), "k")])
    yield model([node("StringConcat", ["x", "x"], ["y"])], [value("x", STRING, [2])], [value("y", STRING, None)])
    yield model([node("LSTM", ["x", "w", "r"], ["y"], hidden_size=2), node("Einsum", ["y", "y"], ["z"], equation="abcd,abcd->a")], [value("x", FLOAT, [3, 1, 2])], [value("z", FLOAT, None)],
                [constant(numpy.ones((1, 8, 2), numpy.float32), "w"), constant(numpy.ones((1, 8, 2), numpy.float32), "r")])


ELEMENT_TYPES = [number for number in TensorProto.DataType.values() if number not in (TensorProto.UNDEFINED, STRING)]


def typed_tensor(kind, raw):
    """Three numbers, in raw_data or in the list that their type has."""
    name = f"{TensorProto.DataType.Name(kind).lower()}_{'raw' if raw else 'typed'}"
    array = numpy.array([1, 0, 1]).astype(helper.tensor_dtype_to_np_dtype(kind))
    if raw:
        return constant(array, name)
    return helper.make_tensor(name, kind, [3], array.tolist() if kind not in (TensorProto.COMPLEX64, TensorProto.COMPLEX128) else [complex(each) for each in array])


def tensors():
    for kind in ELEMENT_TYPES:
        for raw in (True, False):
            try:
                yield typed_tensor(kind, raw)
            except (TypeError, ValueError, KeyError, NotImplementedError):
                pass  # a form that this version of onnx cannot write
    yield helper.make_tensor("texts", STRING, [2], [b"a", b"b"])


def sparse_tensor(name, indices, dims, values=(1.0, 2.0)):
    return helper.make_sparse_tensor(constant(numpy.array(values, numpy.float32), name), constant(numpy.array(indices, numpy.int64), name + "_at"), dims)


def external_tensor(name, dims, kind=FLOAT, **entries):
    tensor = TensorProto(name=name, data_type=kind, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, each in entries.items():
        tensor.external_data.add(key=key, value=str(each))
    return tensor


def every_attribute():
    body = helper.make_graph([node("Neg", ["x"], ["t"])], "body", [], [value("t", FLOAT, None)])
    made = node("Odd", ["x"], ["y"], name="odd", domain="own", a_float=1.5, an_int=-3, a_text="t", floats=[1.0, 2.0], ints=[1, -2], texts=["a", "b"], a_tensor=typed_tensor(INT64, False), a_graph=body)
    for name, kind, field in (("tensors", "TENSORS", [constant(numpy.ones(2), "q")]), ("graphs", "GRAPHS", [body, body]), ("sparse_tensors", "SPARSE_TENSORS", [sparse_tensor("p", [0, 1], [3])]),
                              ("type_protos", "TYPE_PROTOS", [helper.make_tensor_type_proto(FLOAT, [1])])):
        attribute = made.attribute.add(name=name, type=getattr(onnx.AttributeProto, kind))
        getattr(attribute, {"tensors": "tensors", "graphs": "graphs", "sparse_tensors": "sparse_tensors", "type_protos": "type_protos"}[name]).extend(field)
    made.attribute.add(name="sparse", type=onnx.AttributeProto.SPARSE_TENSOR).sparse_tensor.CopyFrom(sparse_tensor("p", [[0, 1], [1, 0]], [2, 2]))
    made.attribute.add(name="kind", type=onnx.AttributeProto.TYPE_PROTO).tp.CopyFrom(helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None)))
    for kind in ("FLOATS", "INTS", "STRINGS", "TENSORS", "GRAPHS", "SPARSE_TENSORS", "TYPE_PROTOS", "UNDEFINED"):
        made.attribute.add(name=f"no_{kind.lower()}", type=getattr(onnx.AttributeProto, kind))
    made.metadata_props.add(key="layer_ann", value="encoder/1")
    made.doc_string, made.overload = "told", "v2"
    return made


def typed_inputs():
    tensor = helper.make_tensor_type_proto(FLOAT, ["n", 3, None, -1])
    types = [helper.make_sequence_type_proto(tensor), helper.make_optional_type_proto(helper.make_sequence_type_proto(tensor)), helper.make_map_type_proto(INT64, tensor), helper.make_map_type_proto(STRING, tensor),
             helper.make_sparse_tensor_type_proto(FLOAT, [2, 2]), onnx.TypeProto(), onnx.TypeProto(opaque_type=onnx.TypeProto.Opaque(name="o")), onnx.TypeProto(denotation="IMAGE", tensor_type=tensor.tensor_type),
             helper.make_tensor_type_proto(99, [1]), helper.make_tensor_type_proto(FLOAT, [-7])]
    return [helper.make_value_info(f"i{number}", each) for number, each in enumerate(types)]


def constants():
    """Every form of Constant, and the same name twice."""
    forms = ({"value": constant(numpy.ones(2, numpy.float32))}, {"value_float": 1.0}, {"value_int": 1}, {"value_string": "a"}, {"value_floats": [1.0]}, {"value_ints": [1]}, {"value_strings": ["a"]},
             {"sparse_value": sparse_tensor("s", [0, 2], [4])}, {"value": sparse_tensor("s", [[0, 1], [1, 1]], [2, 2])}, {"value_other": 1})
    return [node("Constant", [], [f"c{number}"], **form) for number, form in enumerate(forms)] + [node("Constant", [], ["c1"], value_float=2.0)]


def odd_models():
    """Each says something in a form of its own; some are refused."""
    x, y, relu = value("x", FLOAT, [2]), value("y", FLOAT, None), node("Relu", ["x"], ["y"])
    yield model_of([node("Identity", [each.name], [f"o{number}"]) for number, each in enumerate(tensors())], [], [value("o0", FLOAT, None)], list(tensors()))
    yield model_of([every_attribute()], [x], [y])
    yield model_of([*constants(), relu], [x, *typed_inputs()[:8]], [y])
    for each in typed_inputs()[8:]:
        yield model_of([relu], [x, each], [y])
    yield model_of([relu], [x], [y], sparse=[sparse_tensor("a", [1, 3], [2, 2]), sparse_tensor("b", [[0, 1], [1, 1]], [2, 2])])
    for indices, dims in (([9, 1], [4]), ([[0, 9], [1, 1]], [2, 2]), ([0], [4]), ([0, 1], [1 << 40])):
        yield model_of([relu], [x], [y], sparse=[sparse_tensor("a", indices, dims)])
    whole = external_tensor("w", [2], location="w.bin", offset=0, length=8)
    yield model_of([node("Add", ["x", "w"], ["y"])], [x], [y], [whole, external_tensor("v", [2], location="w.bin", offset=3), external_tensor("e", [0], location="empty.bin"), external_tensor("f", [2], TensorProto.FLOAT6E2M3, location="w.bin")])
    for entries in ({"location": "w.bin", "offset": 252}, {"location": "none.bin"}, {"location": "../w.bin"}, {"location": "outside.bin"}, {"location": "*/_ORT_MEM_ADDR_/*"}, {"location": "w.bin", "length": 7}, {"location": "w.bin", "offset": -1},
                    {"offset": "x"}, {"location": "/etc/hostname"}):
        yield model_of([node("Add", ["x", "w"], ["y"])], [x], [y], [external_tensor("w", [2], **entries)])
    yield model_of([relu], [x], [y], [external_tensor("w", [2], STRING, location="w.bin")])
    told = model_of([relu], [x, x], [y], [constant(numpy.ones(2, numpy.float32), "x")] * 2, producer_name="p", producer_version="1", doc_string="d", model_version=3, domain="o", ir_version=3)
    told.metadata_props.add(key="a", value="b")
    told.training_info.add()
    yield told
    del told.graph.input[1]
    yield told
    inner = helper.make_function("own", "F", ["a"], ["b"], [node("Elu", ["a"], ["b"])], [helper.make_opsetid("", 21)], attributes=["alpha"], attribute_protos=[helper.make_attribute("beta", 2.0)], overload="v2", value_info=[value("b", FLOAT, None)],
                                 doc_string="d")
    inner.node[0].attribute.add(name="alpha", type=onnx.AttributeProto.FLOAT, ref_attr_name="alpha")
    yield model_of([node("F", ["x"], ["y"], domain="own", overload="v2", alpha=1.0)], [x], [y], functions=[inner], opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("own", 1)])
    for broken in (lambda each: each.input.append("a"), lambda each: each.output.append(""), lambda each: each.attribute_proto.append(helper.make_attribute("g", helper.make_graph([], "g", [], [])))):
        odd = onnx.FunctionProto()
        odd.CopyFrom(inner)
        broken(odd)
        yield model_of([relu], [x], [y], functions=[odd])
    old = model_of([node("LeakyRelu", ["x"], ["y"], alpha=0.5), relu], [x], [y], ir_version=2)
    old.graph.node[0].attribute[0].ClearField("type")
    yield old
    del old.graph.node[1:]
    yield old
    for empty in (onnx.ModelProto(ir_version=8), model_of([], [], []), onnx.ModelProto(ir_version=-1), model_of([node("", ["x"], ["y"])], [x], [y]), model_of([node("Relu", ["x"], ["y"], a=1), relu], [x], [y])):
        yield empty
    two = helper.make_tensor("w", FLOAT, [1], [1.0])
    two.raw_data = b"abcd"
    cut = TensorProto(name="w", data_type=FLOAT, dims=[1 << 20])
    segment = helper.make_tensor("w", FLOAT, [1], [1.0])
    segment.segment.begin = 0
    for numbers in ({"int32_data": [1]}, {"int64_data": [1]}, {"double_data": [1]}, {"uint64_data": [1]}, {"float_data": [1]}, {"string_data": [b"a"]}):
        yield model_of([relu], [x], [y], [TensorProto(name="w", data_type=TensorProto.INT32, dims=[1], raw_data=b"abcd", **numbers)])
        yield model_of([relu], [x], [y], [TensorProto(name="w", data_type=TensorProto.INT32, dims=[1], **({"int32_data": [1], "double_data": [1]} | numbers))])
    for held in (helper.make_tensor("a", STRING, [2], [b"a", b"b"]), helper.make_tensor("a", TensorProto.INT4, [2], [1, 2])):
        yield model_of([relu], [x], [y], sparse=[helper.make_sparse_tensor(held, constant(numpy.array([0, 2]), "i"), [4])])
    for tensor in (two, cut, segment, helper.make_tensor("", FLOAT, [1], [1.0]), TensorProto(name="w", data_type=77), TensorProto(name="w", data_type=FLOAT, dims=[3], float_data=[1]), TensorProto(name="w", data_type=FLOAT, dims=[-1]),
                   TensorProto(name="w", data_type=STRING, dims=[3], string_data=[b"a"]), TensorProto(name="w", data_type=FLOAT, dims=[3], raw_data=b"abc")):
        yield model_of([relu], [x], [y], [tensor])


def field(number, content):
    """Of protobuf's wire format: a message or text in another."""
    length, size = b"", len(content)
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


def cut_models():
    """Messages that end too soon, in numbers and types of fields that a library does not write."""
    tensor = {"dims": b"\x0a\x02\x01\x02", "bad dims": b"\x0a\x01\x80", "packed numbers": b"\x2a\x01\x80", "no list": b"\x28\x01"}
    head, name = b"\x08\x0a", field(8, b"w")
    for odd in tensor.values():
        yield head + field(7, field(5, name + b"\x10\x06" + odd))
    for end in (b"\x08", b"\x08\x80", b"\x09abc", b"\x0dab", b"\x3a", b"\x3a\x80", b"\x3a\x50a", b"\x0b", b"\x09abcdefgh", b"\x08" + b"\xff" * 11, b"\x80" * 11):
        yield head + end


def deep_model():
    """Bodies in bodies, more than are read: no library would write it."""
    kind_is_graph = b"\xa0\x01\x05"
    graph = b""
    for _ in range(210):
        graph = field(1, field(2, b"t") + field(4, b"If") + field(5, field(1, b"then_branch") + field(6, graph) + kind_is_graph))
    return b"\x08\x0a" + field(7, graph)


def written_models():
    """As bytes, where they can be written."""
    return [each.SerializeToString() for each in odd_models()] + [*cut_models(), deep_model()]


def model_texts():
    return [text_format.MessageToString(onnx.load_from_string(each)).encode() for each in list(small_models())[:4]]
