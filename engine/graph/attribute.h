#pragma once
// Attributes of nodes: one variant over everything an ONNX AttributeProto can hold, nested graphs included.
//
// Thread rule: plain values; copying an attribute with a body copies the body, tensors share their bytes.
// Example: Attribute axis{"axis", int64_t{1}};  if (const auto* value = std::get_if<int64_t>(&axis.value)) ...

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/boxed.h"
#include "engine/base/shared_text.h"
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

// What is large is boxed, never empty: most attributes are numbers and short lists, and every one is as large as the
// largest kind.
using AttributeValue =
    std::variant<std::monostate, int64_t, float, std::string, Boxed<Tensor>, GraphBox, std::vector<int64_t>,
                 std::vector<float>, std::vector<std::string>, std::vector<Tensor>, std::vector<GraphBox>,
                 Boxed<SparseTensor>, std::vector<SparseTensor>, Boxed<ValueType>, std::vector<ValueType>,
                 AttributeReference>;

struct Attribute {
  SharedText name;
  AttributeValue value;
};

// The value if it is of this type, boxed or not, else nullptr.
template <typename T>
const T* heldAs(const AttributeValue& value) {
  if constexpr (std::is_constructible_v<AttributeValue, std::in_place_type_t<Boxed<T>>>) {
    const auto* const box = std::get_if<Boxed<T>>(&value);
    return box == nullptr ? nullptr : box->get();
  } else {
    return std::get_if<T>(&value);
  }
}
template <typename T>
T* heldAs(AttributeValue& value) {
  return const_cast<T*>(heldAs<T>(std::as_const(value)));
}

// As std::visit; `visit` sees what the boxes hold.
template <typename Visit>
decltype(auto) visitHeld(Visit&& visit, const AttributeValue& value) {
  return std::visit(
      [&]<typename T>(const T& held) -> decltype(auto) {
        if constexpr (requires { held.has_value(); })
          return visit(*held);
        else
          return visit(held);
      },
      value);
}

// The kind's name as ONNX writes it: "INT", "FLOATS", "GRAPH", "TYPE_PROTO" ...
std::string_view attributeKindName(const AttributeValue& value);

}  // namespace cutaway
