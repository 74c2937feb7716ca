#pragma once
// Our values as ONNX messages: for onnx's inference functions, and for files.
//
// Thread rule: pure. Example: onnx::TypeProto type; writeType(value.type, type);

#include <functional>

#include <onnx/onnx_pb.h>

#include "engine/graph/model.h"

namespace cutaway {

void writeType(const ValueType& type, onnx::TypeProto& proto);
ValueType typeOf(const onnx::TypeProto& proto);
void writeShape(const Shape& shape, onnx::TensorShapeProto& proto);
void writeTensor(const Tensor& tensor, std::string_view name, onnx::TensorProto& proto);

// Gives a tensor's place in another file instead of its bytes: true when it has filled the message.
using ExternalWriter = std::function<bool(const Tensor&, const std::string& name, onnx::TensorProto& proto)>;

// Graph attributes are written when `bodies` is set; recursion is as deep as bodies nest.
void writeAttribute(const Attribute& attribute, onnx::AttributeProto& proto, bool bodies,
                    const ExternalWriter& external = {});
void writeNode(const Graph& graph, const Node& node, onnx::NodeProto& proto, bool bodies,
               const ExternalWriter& external = {});
void writeGraph(const Graph& graph, onnx::GraphProto& proto, const ExternalWriter& external = {});
void writeFunction(const Function& function, onnx::FunctionProto& proto);

}  // namespace cutaway
