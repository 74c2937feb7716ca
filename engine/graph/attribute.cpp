#include "engine/graph/attribute.h"

#include <array>

#include "engine/graph/graph.h"

namespace cutaway {

GraphBox::GraphBox() : m_graph(std::make_unique<Graph>()) {}
GraphBox::GraphBox(Graph graph) : m_graph(std::make_unique<Graph>(std::move(graph))) {}
GraphBox::GraphBox(const GraphBox& other)
    : m_graph(other.m_graph ? std::make_unique<Graph>(*other.m_graph) : nullptr) {}
GraphBox::GraphBox(GraphBox&& other) noexcept = default;
GraphBox& GraphBox::operator=(const GraphBox& other) {
  if (this != &other) m_graph = other.m_graph ? std::make_unique<Graph>(*other.m_graph) : nullptr;
  return *this;
}
GraphBox& GraphBox::operator=(GraphBox&& other) noexcept = default;
GraphBox::~GraphBox() = default;

std::string_view attributeKindName(const AttributeValue& value) {
  static constexpr std::array<std::string_view, std::variant_size_v<AttributeValue>> kNames = {
      "UNDEFINED", "INT",     "FLOAT",  "STRING",        "TENSOR",         "GRAPH",      "INTS",        "FLOATS",
      "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS", "REFERENCE"};
  return value.valueless_by_exception() ? kNames[0] : kNames[value.index()];
}

}  // namespace cutaway
