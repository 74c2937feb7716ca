#pragma once
// An operator whose inputs come from DequantizeLinear and whose one result goes, past a Relu perhaps, into
// QuantizeLinear; what can be said about each side.
//
// Thread rule: one thread; valid while the graph is not edited.
// Example: auto group = QuantizedGroup::find(graph, id);  if (group) { const auto x = group->dequantized(0); ... }

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

class QuantizedGroup {
 public:
  // One input in its quantised form: names of values.
  struct Side {
    std::string bytes, scale, zero;              // zero: "" when there is none
    ElementType type = ElementType::kUndefined;  // of the bytes: int8 or uint8
    const Tensor* scales = nullptr;
    const Tensor* zeros = nullptr;
    bool perAxis = false;
  };

  // Nothing when the node is not in such a place, or when scale and zero point of the result are not constants of a
  // whole 8-bit tensor.
  static std::optional<QuantizedGroup> find(const Graph& graph, NodeId node);

  const Node& node() const { return m_graph->node(m_node); }
  template <typename T>
  T attribute(std::string_view name, T otherwise) const {
    return node().attributeOr<T>(name, std::move(otherwise));
  }
  bool hasInput(size_t slot) const { return slot < node().inputs.size() && node().inputs[slot].valid(); }
  const std::string& inputName(size_t slot) const { return m_graph->value(node().inputs[slot]).name; }
  // Of an input's shape; 0 when it is not known.
  size_t rank(size_t slot) const;

  // An activation with one scale.
  std::optional<Side> dequantized(size_t slot);
  // Constant bytes with one scale, or one for each place of `axis`.
  std::optional<Side> constantBytes(size_t slot, int64_t axis);
  // A constant bias in units of the product of both scales, as the name of an int32 value.
  std::optional<std::string> integerBias(size_t slot, const Side& left, const Side& right);
  // The zero point's name; one is made where there is none.
  std::string zeroPoint(const Side& side) { return side.zero.empty() ? zeroOf(side.type) : side.zero; }

  ElementType resultType() const { return m_result.type; }
  // Whether equal bytes of an activation and of the result stand for equal numbers, larger ones for larger.
  bool keepsNumbers(const Side& activation) const;
  const std::string& resultScale() const { return m_result.scale; }
  std::string resultZeroPoint() { return zeroPoint(m_result); }
  ValueId output() const { return m_graph->node(m_quantizer).outputs[0]; }

  // The node, its Relu, QuantizeLinear, and every DequantizeLinear that served nobody else.
  std::vector<NodeId> removed() const;
  std::vector<std::pair<std::string, Tensor>> takeInitializers() { return std::move(m_initializers); }

 private:
  std::optional<Side> readSide(const Node& quantizer, ElementType type) const;
  const Tensor* constant(ValueId id) const;
  std::optional<NodeId> dequantizer(size_t slot) const;
  std::string zeroOf(ElementType type);

  const Graph* m_graph = nullptr;
  NodeId m_node, m_relu, m_quantizer;
  Side m_result;
  std::vector<NodeId> m_dequantizers;
  std::vector<std::pair<std::string, Tensor>> m_initializers;
};

}  // namespace cutaway::cpu
