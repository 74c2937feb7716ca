// Chains of quantised convolutions keep the values between them channels last in memory, the order the integer kernels
// compute in: nothing is turned around between two of them.
//
// Dims stay as they are; only ValueType::layout changes. A value qualifies when what makes it and all that reads it can
// deal with either order, whatever the sizes of batch and plane; operators that work byte by byte (QLinearAdd,
// QLinearMul, the lookups), QLinearAveragePool and MaxPool need all their tensors in the same order.

#include <algorithm>
#include <vector>

#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {
namespace {

enum class Part { kNone, kConvolution, kGlobalPool, kUniform };

bool isMicrosoft(const Node& node) {
  return node.domain == "com.microsoft";
}

Part partOf(const Graph& graph, const Node& node) {
  if (node.removed || node.provider != "cpu" || node.outputs.size() != 1 || !node.outputs[0].valid() ||
      node.attributeOr<int64_t>("channels_last", 0) != 0)
    return Part::kNone;
  const ElementType type = graph.value(node.outputs[0]).type.element;
  const bool isBytes = type == ElementType::kInt8 || type == ElementType::kUint8;
  if (node.opType == "QLinearConv" && (node.domain.empty() || isMicrosoft(node))) return Part::kConvolution;
  if (node.opType == "MaxPool" && node.domain.empty() && isBytes) return Part::kUniform;
  if (!isMicrosoft(node)) return Part::kNone;
  if (node.opType == "QLinearGlobalAveragePool") return Part::kGlobalPool;
  const bool uniform = node.opType == "QLinearAdd" || node.opType == "QLinearMul" || node.opType == "QLinearSigmoid" ||
                       node.opType == "QLinearLeakyRelu" || node.opType == "QLinearAveragePool";
  return uniform ? Part::kUniform : Part::kNone;
}

class Chains {
 public:
  explicit Chains(Graph& graph) : m_graph(graph), m_chosen(graph.valueSlots(), false) {}

  // How many values change their order.
  size_t choose() {
    for (const NodeId id : m_graph.nodeIds()) {
      if (partOf(m_graph, m_graph.node(id)) != Part::kNone && qualifies(m_graph.node(id).outputs[0]))
        m_chosen[m_graph.node(id).outputs[0].index()] = true;
    }
    while (dropDisagreeing()) {
    }
    size_t count = 0;
    for (const ValueId id : m_graph.valueIds()) {
      if (!m_chosen[id.index()]) continue;
      m_graph.mutableValue(id).type.layout = Layout::kChannelsLast;
      ++count;
    }
    return count;
  }

 private:
  // Bytes of 3 to 5 axes with several channels, made and read by parts only; a convolution is near, so that the order
  // is worth something.
  bool qualifies(ValueId id) const {
    const Value& value = m_graph.value(id);
    const auto& shape = value.type.shape;
    if (!shape || shape->rank() < 3 || shape->rank() > 5 || value.outputCount > 0 || value.uses.empty() ||
        value.type.layout != Layout::kPlain)
      return false;
    if (partOf(m_graph, m_graph.node(value.producer)) == Part::kGlobalPool)
      return false;  // one cell a plane: both orders are the same
    return std::ranges::all_of(value.uses, [&](const Use& use) {
      const Node& node = m_graph.node(use.node);
      const Part part = partOf(m_graph, node);
      const bool isTensor = use.slot == 0 || (use.slot == 3 && part == Part::kUniform && isBinary(node));
      return part != Part::kNone && isTensor && (part != Part::kUniform || sameDims(node, id));
    });
  }

  static bool isBinary(const Node& node) { return node.opType == "QLinearAdd" || node.opType == "QLinearMul"; }

  // The tensors of a uniform node have the result's dims (pooling excepted) or one element.
  bool sameDims(const Node& node, ValueId id) const {
    if (!isBinary(node)) return true;
    const auto &result = m_graph.value(node.outputs[0]).type.shape, &given = m_graph.value(id).type.shape;
    return result && given &&
           std::ranges::equal(result->dims(), given->dims(), [](const Dim& a, const Dim& b) { return a.sameAs(b); });
  }

  bool isSingle(ValueId id) const {
    const auto& shape = m_graph.value(id).type.shape;
    return shape && shape->elementCount() == 1;
  }

  // Takes back choices around uniform nodes whose tensors do not all agree.
  bool dropDisagreeing() {
    bool changed = false;
    for (const NodeId id : m_graph.nodeIds()) {
      const Node& node = m_graph.node(id);
      if (partOf(m_graph, node) != Part::kUniform) continue;
      std::vector<ValueId> tensors{node.outputs[0], node.inputs[0]};
      if (isBinary(node) && !isSingle(node.inputs[3])) tensors.push_back(node.inputs[3]);
      if (isBinary(node) && isSingle(node.inputs[0])) std::erase(tensors, node.inputs[0]);
      const auto isChosen = [&](ValueId each) { return bool(m_chosen[each.index()]); };
      if (std::ranges::all_of(tensors, isChosen) || std::ranges::none_of(tensors, isChosen)) continue;
      for (const ValueId each : tensors)
        m_chosen[each.index()] = false;
      changed = true;
    }
    return changed;
  }

  Graph& m_graph;
  std::vector<bool> m_chosen;
};

}  // namespace

Result<void> rewrite_keep_channels_last(RewriteRequest& request) {
  if (request.optimizationLevel < 3) return {};
  Graph& graph = request.graph;
  const auto isConvolution = [&](NodeId id) { return partOf(graph, graph.node(id)) == Part::kConvolution; };
  if (std::ranges::none_of(graph.nodeIds(), isConvolution)) return {};
  const size_t count = Chains(graph).choose();
  if (count > 0)
    request.done.push_back(
        {fmt::format("{} values between quantised convolutions lie channels last in memory", count), {}, {}});
  return {};
}

}  // namespace cutaway::cpu
