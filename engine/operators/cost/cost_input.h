#pragma once
// What a cost rule sees of a node: dimensions and attributes, as counts that stay unknown when they are open.
//
// Thread rule: pure. Example: Count matMul(const CostInput& node) { return 2 * node.outElements(0) * node.dim(0, -1); }

#include <optional>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/tensor/size_polynomial.h"

namespace cutaway::operators::cost {

// A number, a formula over the symbols of open dimensions, or unknown. Negative and too large for 64 bits make
// everything computed from it unknown; a formula is divided only where that leaves no rest.
class Count {
 public:
  Count() = default;
  Count(int64_t value) : m_value(value < 0 ? -1 : value) {}  // NOLINT: numbers are counts
  static Count of(std::optional<SizePolynomial> formula);
  bool known() const { return m_value >= 0; }
  int64_t orUnknown() const { return m_value; }  // -1: unknown, or a formula
  // Of a number too; nullopt: unknown.
  std::optional<SizePolynomial> formula() const;
  friend Count operator*(const Count& a, const Count& b);
  friend Count operator+(const Count& a, const Count& b);
  friend Count operator/(const Count& a, const Count& b);  // numbers: rounded down; unknown when b is 0

 private:
  int64_t m_value = -1;
  std::optional<SizePolynomial> m_formula;  // only where it is no number
};

class CostInput {
 public:
  CostInput(const Graph& graph, NodeId id) : m_graph(graph), m_node(graph.node(id)) {}

  const Node& node() const { return m_node; }
  size_t inputCount() const { return m_node.inputs.size(); }
  bool hasInput(size_t slot) const { return slot < m_node.inputs.size() && m_node.inputs[slot].valid(); }
  bool hasOutput(size_t slot) const { return slot < m_node.outputs.size() && m_node.outputs[slot].valid(); }
  // nullptr: absent, no tensor, or of unknown rank.
  const Shape* shape(size_t slot) const { return hasInput(slot) ? shapeOf(m_node.inputs[slot]) : nullptr; }
  const Shape* outShape(size_t slot) const { return hasOutput(slot) ? shapeOf(m_node.outputs[slot]) : nullptr; }
  // Negative axes count from the end.
  Count dim(size_t slot, int axis) const { return dimOf(shape(slot), axis); }
  Count outDim(size_t slot, int axis) const { return dimOf(outShape(slot), axis); }
  Count elements(size_t slot) const { return elementsOf(shape(slot)); }
  Count outElements(size_t slot) const { return elementsOf(outShape(slot)); }
  int64_t integer(std::string_view attribute, int64_t otherwise) const {
    return m_node.attributeOr<int64_t>(attribute, otherwise);
  }
  std::string text(std::string_view attribute, const char* otherwise) const {
    return m_node.attributeOr<std::string>(attribute, otherwise);
  }
  std::vector<int64_t> integers(std::string_view attribute) const {
    return m_node.attributeOr<std::vector<int64_t>>(attribute, {});
  }

 private:
  const Shape* shapeOf(ValueId id) const;
  static Count dimOf(const Shape* shape, int axis);
  static Count elementsOf(const Shape* shape);

  const Graph& m_graph;
  const Node& m_node;
};

}  // namespace cutaway::operators::cost
