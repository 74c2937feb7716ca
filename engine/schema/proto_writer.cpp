#include "engine/schema/proto_writer.h"

#include "engine/graph/topology.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway {

namespace {

template <typename TensorType>
void writeTensorType(const ValueType& type, TensorType& proto) {
  proto.set_elem_type(static_cast<int32_t>(type.element));
  if (type.shape) writeShape(*type.shape, *proto.mutable_shape());
}

template <typename TensorType>
ValueType tensorTypeOf(const TensorType& proto) {
  ValueType type = ValueType::tensor(static_cast<ElementType>(proto.elem_type()), std::nullopt);
  if (!proto.has_shape()) return type;
  Shape shape;
  for (const auto& dim : proto.shape().dim()) {
    if (dim.has_dim_value() && dim.dim_value() >= 0)
      shape.mutableDims().emplace_back(dim.dim_value());
    else if (dim.has_dim_param() && !dim.dim_param().empty())
      shape.mutableDims().emplace_back(dim.dim_param());
    else
      shape.mutableDims().emplace_back();
  }
  type.shape = std::move(shape);
  return type;
}

void writeSparse(const SparseTensor& sparse, onnx::SparseTensorProto& proto) {
  writeTensor(sparse.values, "", *proto.mutable_values());
  if (sparse.indices.valid()) writeTensor(sparse.indices, "", *proto.mutable_indices());
  for (const int64_t dim : sparse.dims)
    proto.add_dims(dim);
}

// One overload for each kind of attribute value; `bodies` false leaves graphs empty.
struct AttributeWriter {
  onnx::AttributeProto& proto;
  bool bodies;
  const ExternalWriter& external;

  void tensor(const Tensor& value, onnx::TensorProto& target) const {
    if (!external || !external(value, proto.name(), target)) writeTensor(value, "", target);
  }
  void operator()(std::monostate) const { proto.set_type(onnx::AttributeProto::UNDEFINED); }
  void operator()(int64_t value) const {
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(value);
  }
  void operator()(float value) const {
    proto.set_type(onnx::AttributeProto::FLOAT);
    proto.set_f(value);
  }
  void operator()(const std::string& value) const {
    proto.set_type(onnx::AttributeProto::STRING);
    proto.set_s(value);
  }
  void operator()(const Tensor& value) const {
    proto.set_type(onnx::AttributeProto::TENSOR);
    tensor(value, *proto.mutable_t());
  }
  void operator()(const GraphBox& value) const {
    proto.set_type(onnx::AttributeProto::GRAPH);
    proto.mutable_g();
    if (bodies) writeGraph(*value, *proto.mutable_g(), external);
  }
  void operator()(const std::vector<int64_t>& values) const {
    proto.set_type(onnx::AttributeProto::INTS);
    proto.mutable_ints()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<float>& values) const {
    proto.set_type(onnx::AttributeProto::FLOATS);
    proto.mutable_floats()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<std::string>& values) const {
    proto.set_type(onnx::AttributeProto::STRINGS);
    for (const std::string& each : values)
      proto.add_strings(each);
  }
  void operator()(const std::vector<Tensor>& values) const {
    proto.set_type(onnx::AttributeProto::TENSORS);
    for (const Tensor& each : values)
      tensor(each, *proto.add_tensors());
  }
  void operator()(const std::vector<GraphBox>& values) const {
    proto.set_type(onnx::AttributeProto::GRAPHS);
    for (const GraphBox& each : values) {
      onnx::GraphProto* graph = proto.add_graphs();
      if (bodies) writeGraph(*each, *graph, external);
    }
  }
  void operator()(const SparseTensor& value) const {
    proto.set_type(onnx::AttributeProto::SPARSE_TENSOR);
    writeSparse(value, *proto.mutable_sparse_tensor());
  }
  void operator()(const std::vector<SparseTensor>& values) const {
    proto.set_type(onnx::AttributeProto::SPARSE_TENSORS);
    for (const SparseTensor& each : values)
      writeSparse(each, *proto.add_sparse_tensors());
  }
  void operator()(const ValueType& value) const {
    proto.set_type(onnx::AttributeProto::TYPE_PROTO);
    writeType(value, *proto.mutable_tp());
  }
  void operator()(const std::vector<ValueType>& values) const {
    proto.set_type(onnx::AttributeProto::TYPE_PROTOS);
    for (const ValueType& each : values)
      writeType(each, *proto.add_type_protos());
  }
  // Its kind is not known here; readers that find a reference do not ask for it.
  void operator()(const AttributeReference& value) const { proto.set_ref_attr_name(value.name); }
};

void writeValueInfo(const Value& value, onnx::ValueInfoProto& proto) {
  proto.set_name(value.name);
  if (value.type.known()) writeType(value.type, *proto.mutable_type());
}

}  // namespace

void writeShape(const Shape& shape, onnx::TensorShapeProto& proto) {
  for (const Dim& dim : shape.dims()) {
    auto* each = proto.add_dim();
    if (dim.isKnown())
      each->set_dim_value(dim.value());
    else if (dim.isSymbol())
      each->set_dim_param(dim.symbol());
  }
}

void writeType(const ValueType& type, onnx::TypeProto& proto) {
  if (!type.denotation.empty()) proto.set_denotation(type.denotation);
  const ValueType unknown;
  const ValueType& inner = type.inner ? *type.inner : unknown;
  switch (type.kind) {
    case TypeKind::kUnknown:
      break;
    case TypeKind::kTensor:
      writeTensorType(type, *proto.mutable_tensor_type());
      break;
    case TypeKind::kSparseTensor:
      writeTensorType(type, *proto.mutable_sparse_tensor_type());
      break;
    case TypeKind::kSequence:
      writeType(inner, *proto.mutable_sequence_type()->mutable_elem_type());
      break;
    case TypeKind::kOptional:
      writeType(inner, *proto.mutable_optional_type()->mutable_elem_type());
      break;
    case TypeKind::kMap:
      proto.mutable_map_type()->set_key_type(static_cast<int32_t>(type.key));
      writeType(inner, *proto.mutable_map_type()->mutable_value_type());
      break;
    case TypeKind::kOpaque:
      proto.mutable_opaque_type();
      break;
  }
}

ValueType typeOf(const onnx::TypeProto& proto) {
  ValueType type;
  const auto holding = [&](TypeKind kind, const onnx::TypeProto& inner) {
    type.kind = kind;
    type.inner = std::make_shared<const ValueType>(typeOf(inner));
  };
  switch (proto.value_case()) {
    case onnx::TypeProto::kTensorType:
      type = tensorTypeOf(proto.tensor_type());
      break;
    case onnx::TypeProto::kSparseTensorType:
      type = tensorTypeOf(proto.sparse_tensor_type());
      type.kind = TypeKind::kSparseTensor;
      break;
    case onnx::TypeProto::kSequenceType:
      holding(TypeKind::kSequence, proto.sequence_type().elem_type());
      break;
    case onnx::TypeProto::kOptionalType:
      holding(TypeKind::kOptional, proto.optional_type().elem_type());
      break;
    case onnx::TypeProto::kMapType:
      holding(TypeKind::kMap, proto.map_type().value_type());
      type.key = static_cast<ElementType>(proto.map_type().key_type());
      break;
    case onnx::TypeProto::kOpaqueType:
      type.kind = TypeKind::kOpaque;
      break;
    default:
      break;
  }
  type.denotation = proto.denotation();
  return type;
}

void writeTensor(const Tensor& tensor, std::string_view name, onnx::TensorProto& proto) {
  if (!name.empty()) proto.set_name(std::string(name));
  proto.set_data_type(static_cast<int32_t>(tensor.type()));
  for (const int64_t dim : tensor.dims())
    proto.add_dims(dim);
  if (tensor.type() == ElementType::kString) {
    for (const std::string& each : tensor.span<std::string>())
      proto.add_string_data(each);
  } else if (isSixBit(tensor.type())) {
    std::string packed(static_cast<size_t>(sixBitFileBytes(tensor.elementCount())), '\0');
    packSixBits(tensor.span<uint8_t>().data(), packed.data(), tensor.elementCount());
    proto.set_raw_data(std::move(packed));
  } else {
    proto.set_raw_data(tensor.data(), static_cast<size_t>(tensor.sizeBytes()));
  }
}

void writeAttribute(const Attribute& attribute, onnx::AttributeProto& proto, bool bodies,
                    const ExternalWriter& external) {
  proto.set_name(attribute.name);
  visitHeld(AttributeWriter{proto, bodies, external}, attribute.value);
}

void writeNode(const Graph& graph, const Node& node, onnx::NodeProto& proto, bool bodies,
               const ExternalWriter& external) {
  proto.set_name(node.name);
  proto.set_op_type(node.opType);
  if (!node.domain.empty()) proto.set_domain(node.domain);
  if (!node.overload.empty()) proto.set_overload(node.overload);
  if (!node.documentation.empty()) proto.set_doc_string(node.documentation);
  // Assigned: a text that is moved into protobuf's list leaves an element that is none where there is no memory for it.
  for (const ValueId input : node.inputs)
    *proto.add_input() = graph.nameOf(input);
  for (const ValueId output : node.outputs)
    *proto.add_output() = graph.nameOf(output);
  for (const Attribute& attribute : node.attributes)
    writeAttribute(attribute, *proto.add_attribute(), bodies, external);
  for (const auto& [key, value] : node.metadata) {
    auto* entry = proto.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }
}

void writeGraph(const Graph& graph, onnx::GraphProto& proto, const ExternalWriter& external) {
  proto.set_name(graph.name().empty() ? "graph" : graph.name());
  for (const ValueId input : graph.inputs())
    writeValueInfo(graph.value(input), *proto.add_input());
  for (const ValueId output : graph.outputs())
    writeValueInfo(graph.value(output), *proto.add_output());
  for (const ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    if (value.initializer) {
      onnx::TensorProto* tensor = proto.add_initializer();
      if (!external || !external(*value.initializer, value.name, *tensor))
        writeTensor(*value.initializer, value.name, *tensor);
    } else if (value.type.known() && !value.isInput && value.outputCount == 0 && !value.outerScope) {
      writeValueInfo(value, *proto.add_value_info());
    }
  }
  // Files list producers before consumers, which nodes that were put in the place of others are not. A graph with a
  // cycle is written as it is, for whoever reads it to say so.
  const Result<std::vector<NodeId>> order = topologicalOrder(graph);
  for (const NodeId id : order ? *order : graph.nodeIds())
    writeNode(graph, graph.node(id), *proto.add_node(), true, external);
}

void writeFunction(const Function& function, onnx::FunctionProto& proto) {
  proto.set_name(function.name);
  proto.set_domain(function.domain);
  if (!function.overload.empty()) proto.set_overload(function.overload);
  proto.set_doc_string(function.documentation);
  for (const std::string& attribute : function.attributes)
    proto.add_attribute(attribute);
  for (const Attribute& attribute : function.attributeDefaults)
    writeAttribute(attribute, *proto.add_attribute_proto(), true);
  for (const OpsetImport& import : function.opsets) {
    auto* opset = proto.add_opset_import();
    opset->set_domain(import.domain);
    opset->set_version(import.version);
  }
  const Graph& body = function.body;
  for (const ValueId input : body.inputs())
    proto.add_input(body.value(input).name);
  for (const ValueId output : body.outputs())
    proto.add_output(body.value(output).name);
  // Functions have no initializers: their constants are nodes again.
  for (const ValueId id : body.initializers()) {
    onnx::NodeProto* constant = proto.add_node();
    constant->set_op_type("Constant");
    constant->add_output(body.value(id).name);
    writeAttribute({"value", *body.value(id).initializer}, *constant->add_attribute(), false);
  }
  for (const NodeId id : body.nodeIds())
    writeNode(body, body.node(id), *proto.add_node(), true);
}

}  // namespace cutaway
