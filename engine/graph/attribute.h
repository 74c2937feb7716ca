#pragma once
// Attributes of nodes: one variant over everything an ONNX AttributeProto can hold, nested graphs included.
//
// Thread rule: plain values; copying an attribute with a body copies the body, tensors share their bytes.
// Example: Attribute axis{"axis", int64_t{1}};  if (const auto* value = std::get_if<int64_t>(&axis.value)) ...

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/tensor/tensor.h"

namespace cutaway {

class Graph;

// Owns a nested graph; copies deeply, so that Graph is a value.
class GraphBox {
 public:
  GraphBox();
  explicit GraphBox(Graph graph);
  GraphBox(const GraphBox& other);
  GraphBox(GraphBox&& other) noexcept;
  GraphBox& operator=(const GraphBox& other);
  GraphBox& operator=(GraphBox&& other) noexcept;
  ~GraphBox();

  const Graph& operator*() const { return *m_graph; }
  Graph& operator*() { return *m_graph; }
  const Graph* operator->() const { return m_graph.get(); }
  Graph* operator->() { return m_graph.get(); }

 private:
  std::unique_ptr<Graph> m_graph;
};

// Inside a function body: "take the value of the caller's attribute of this name".
struct AttributeReference {
  std::string name;
};

// Coordinate form, as SparseTensorProto: values [NNZ], indices [NNZ] or [NNZ, rank].
struct SparseTensor {
  Tensor values;
  Tensor indices;
  std::vector<int64_t> dims;
};

using AttributeValue =
    std::variant<std::monostate, int64_t, float, std::string, Tensor, GraphBox, std::vector<int64_t>,
                 std::vector<float>, std::vector<std::string>, std::vector<Tensor>, std::vector<GraphBox>, SparseTensor,
                 std::vector<SparseTensor>, ValueType, std::vector<ValueType>, AttributeReference>;

struct Attribute {
  std::string name;
  AttributeValue value;
};

// The kind's name as ONNX writes it: "INT", "FLOATS", "GRAPH", "TYPE_PROTO" ...
std::string_view attributeKindName(const AttributeValue& value);

}  // namespace cutaway
