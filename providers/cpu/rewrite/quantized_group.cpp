#include "providers/cpu/rewrite/quantized_group.h"

#include <algorithm>
#include <cmath>

#include "engine/graph/graph_query.h"
#include "engine/operators/traits/operator_traits.h"
#include "providers/cpu/rewrite/plain_node.h"

namespace cutaway::cpu {
namespace {

bool isByte(ElementType type) {
  return type == ElementType::kUint8 || type == ElementType::kInt8;
}

bool isTaken(const Node& node) {
  return !node.removed && node.provider == kProvider && (node.domain.empty() || node.domain == "com.microsoft") &&
         node.outputs.size() == 1 && node.outputs[0].valid();
}
bool isTaken(const Node& node, std::string_view opType) {
  return node.opType == opType && isTaken(node);
}

// The one consumer of the node's only output; invalid otherwise.
NodeId onlyConsumer(const Graph& graph, const Node& node) {
  if (node.outputs.size() != 1 || !node.outputs[0].valid()) return {};
  const auto use = onlyUse(graph, node.outputs[0]);
  return use && use->slot == 0 ? use->node : NodeId{};
}

bool isSmallest(const Tensor* zero, ElementType type) {
  if (zero == nullptr) return type == ElementType::kUint8;
  return type == ElementType::kUint8 ? zero->span<uint8_t>()[0] == 0 : zero->span<int8_t>()[0] == -128;
}

}  // namespace

const Tensor* QuantizedGroup::constant(ValueId id) const {
  return constantOf(*m_graph, id);
}

// Scale and zero point of QuantizeLinear or DequantizeLinear: constants, the scale in single precision.
std::optional<QuantizedGroup::Side> QuantizedGroup::readSide(const Node& quantizer, ElementType type) const {
  if (quantizer.inputs.size() < 2 || !isByte(type) || quantizer.attributeOr<int64_t>("block_size", 0) != 0)
    return std::nullopt;
  const Tensor* scale = constant(quantizer.inputs[1]);
  if (scale == nullptr || scale->type() != ElementType::kFloat || scale->elementCount() < 1) return std::nullopt;
  Side side{.bytes = {}, .scale = m_graph->value(quantizer.inputs[1]).name, .zero = {}, .type = type, .scales = scale};
  side.perAxis = scale->elementCount() != 1;
  if (quantizer.inputs.size() < 3 || !quantizer.inputs[2].valid()) return side;
  const Tensor* zero = constant(quantizer.inputs[2]);
  if (zero == nullptr || zero->type() != type || zero->elementCount() != scale->elementCount()) return std::nullopt;
  side.zero = m_graph->value(quantizer.inputs[2]).name;
  side.zeros = zero;
  return side;
}

bool QuantizedGroup::keepsNumbers(const Side& activation) const {
  const auto zeroOf = [](const Side& side) {
    return side.zeros == nullptr ? 0 : *static_cast<const uint8_t*>(side.zeros->data());
  };
  const float scale = m_result.scales->span<float>()[0];
  return activation.type == m_result.type && !activation.perAxis && activation.scales->span<float>()[0] == scale &&
         scale > 0 && std::isfinite(scale) && zeroOf(activation) == zeroOf(m_result);
}

std::optional<QuantizedGroup> QuantizedGroup::find(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.removed || node.provider != kProvider || !node.domain.empty() || node.hasBodies()) return std::nullopt;
  QuantizedGroup group;
  group.m_graph = &graph;
  group.m_node = id;
  NodeId next = onlyConsumer(graph, node);
  if (next.valid() && isTaken(graph.node(next)) &&
      operators::elementFunctionOf(graph.node(next)) == operators::ElementFunction::kRelu) {
    group.m_relu = next;
    next = onlyConsumer(graph, graph.node(next));
  }
  if (!next.valid() || !isTaken(graph.node(next), "QuantizeLinear")) return std::nullopt;
  group.m_quantizer = next;
  const Node& quantizer = graph.node(next);
  if (graph.value(node.outputs[0]).type.element != ElementType::kFloat || !quantizer.inputs[0].valid())
    return std::nullopt;
  const auto result = group.readSide(quantizer, graph.value(quantizer.outputs[0]).type.element);
  if (!result || result->perAxis) return std::nullopt;
  group.m_result = *result;
  const Tensor* zero = quantizer.inputs.size() > 2 ? group.constant(quantizer.inputs[2]) : nullptr;
  if (group.m_relu.valid() && !isSmallest(zero, result->type)) return std::nullopt;
  return group;
}

size_t QuantizedGroup::rank(size_t slot) const {
  const ValueType& type = m_graph->value(node().inputs[slot]).type;
  return type.shape ? type.shape->rank() : 0;
}

std::optional<NodeId> QuantizedGroup::dequantizer(size_t slot) const {
  if (!hasInput(slot)) return std::nullopt;
  const Value& value = m_graph->value(node().inputs[slot]);
  if (!value.producer.valid() || !isTaken(m_graph->node(value.producer), "DequantizeLinear") ||
      value.type.element != ElementType::kFloat)
    return std::nullopt;
  const Node& found = m_graph->node(value.producer);
  return found.inputs.empty() || !found.inputs[0].valid() ? std::nullopt : std::optional<NodeId>(value.producer);
}

std::optional<QuantizedGroup::Side> QuantizedGroup::dequantized(size_t slot) {
  const auto producer = dequantizer(slot);
  if (!producer) return std::nullopt;
  const Node& from = m_graph->node(*producer);
  auto side = readSide(from, m_graph->value(from.inputs[0]).type.element);
  if (!side || side->perAxis) return std::nullopt;
  side->bytes = m_graph->value(from.inputs[0]).name;
  m_dequantizers.push_back(*producer);
  return side;
}

std::optional<QuantizedGroup::Side> QuantizedGroup::constantBytes(size_t slot, int64_t axis) {
  const auto producer = dequantizer(slot);
  if (!producer) return std::nullopt;
  const Node& from = m_graph->node(*producer);
  const Tensor* bytes = constant(from.inputs[0]);
  if (bytes == nullptr) return std::nullopt;
  auto side = readSide(from, bytes->type());
  if (!side) return std::nullopt;
  const int64_t rank = static_cast<int64_t>(bytes->rank());
  const int64_t given = from.attributeOr<int64_t>("axis", 1);
  if (side->perAxis && ((given < 0 ? given + rank : given) != axis || axis >= rank ||
                        bytes->dims()[static_cast<size_t>(axis)] != side->scales->elementCount()))
    return std::nullopt;
  side->bytes = m_graph->value(from.inputs[0]).name;
  m_dequantizers.push_back(*producer);
  return side;
}

std::optional<std::string> QuantizedGroup::integerBias(size_t slot, const Side& left, const Side& right) {
  const ValueId given = node().inputs[slot];
  const Tensor* floats = constant(given);
  const Tensor* integers = nullptr;
  const Tensor* scale = nullptr;
  if (floats != nullptr && floats->type() != ElementType::kFloat) return std::nullopt;
  if (floats == nullptr) {
    const auto producer = dequantizer(slot);
    if (!producer) return std::nullopt;
    const Node& from = m_graph->node(*producer);
    integers = constant(from.inputs[0]);
    scale = from.inputs.size() > 1 ? constant(from.inputs[1]) : nullptr;
    const Tensor* zero = from.inputs.size() > 2 && from.inputs[2].valid() ? constant(from.inputs[2]) : nullptr;
    const bool noZero = from.inputs.size() < 3 || !from.inputs[2].valid() ||
                        (zero != nullptr && zero->type() == ElementType::kInt32 &&
                         std::ranges::all_of(zero->span<int32_t>(), [](int32_t each) { return each == 0; }));
    if (integers == nullptr || scale == nullptr || integers->type() != ElementType::kInt32 ||
        scale->type() != ElementType::kFloat || !noZero)
      return std::nullopt;
    if (scale->elementCount() != 1 && scale->elementCount() != integers->elementCount()) return std::nullopt;
    m_dequantizers.push_back(*producer);
  }
  const int64_t count = floats != nullptr ? floats->elementCount() : integers->elementCount();
  const Dims& dims = floats != nullptr ? floats->dims() : integers->dims();
  if (dims.size() > 0 && dims[dims.size() - 1] != count) return std::nullopt;  // one a row, or one for every element
  if (count < 1 || (right.perAxis && right.scales->elementCount() != count)) return std::nullopt;
  auto bias = Tensor::create(ElementType::kInt32, {count});
  if (!bias) return std::nullopt;
  for (int64_t i = 0; i < count; ++i) {
    const size_t at = static_cast<size_t>(i);
    const double unit =
        static_cast<double>(left.scales->span<float>()[0]) * right.scales->span<float>()[right.perAxis ? at : 0];
    const double real = floats != nullptr ? floats->span<float>()[at]
                                          : static_cast<double>(integers->span<int32_t>()[at]) *
                                                scale->span<float>()[scale->elementCount() == 1 ? 0 : at];
    const double units = std::nearbyint(real / unit);
    constexpr double kLargest = 1 << 30;
    if (!(std::abs(units) <= kLargest)) return std::nullopt;
    bias->span<int32_t>()[at] = static_cast<int32_t>(units);
  }
  std::string name = m_graph->freshName(m_graph->value(given).name + "_integers");
  m_initializers.emplace_back(name, std::move(*bias));
  return name;
}

std::string QuantizedGroup::zeroOf(ElementType type) {
  const std::string stem = type == ElementType::kUint8 ? "zero_point_uint8" : "zero_point_int8";
  const std::string name = m_graph->freshName(stem);
  if (std::ranges::none_of(m_initializers, [&](const auto& each) { return each.first == name; })) {
    m_initializers.emplace_back(name,
                                type == ElementType::kUint8 ? Tensor::scalar<uint8_t>(0) : Tensor::scalar<int8_t>(0));
  }
  return name;
}

std::vector<NodeId> QuantizedGroup::removed() const {
  std::vector<NodeId> nodes{m_node, m_quantizer};
  if (m_relu.valid()) nodes.push_back(m_relu);
  for (const NodeId each : m_dequantizers) {
    const Value& output = m_graph->value(m_graph->node(each).outputs[0]);
    const bool ours =
        output.outputCount == 0 && std::ranges::all_of(output.uses, [&](const Use& use) { return use.node == m_node; });
    if (ours && std::ranges::find(nodes, each) == nodes.end()) nodes.push_back(each);
  }
  return nodes;
}

}  // namespace cutaway::cpu
