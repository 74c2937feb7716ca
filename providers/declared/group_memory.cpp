#include "providers/declared/group_memory.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::declared {

namespace {

struct Life {
  size_t first = 0;
  size_t last = 0;
  int64_t bytes = 0;
};

class MemoryCount {
 public:
  MemoryCount(const Graph& graph, std::span<const NodeId> nodes) : m_graph(graph), m_nodes(nodes) {}

  GroupMemory count() {
    for (size_t step = 0; step < m_nodes.size(); ++step) {
      const Node& node = m_graph.node(m_nodes[step]);
      for (const ValueId id : node.inputs)
        read(id, step);
      for (const ValueId id : node.implicitInputs)
        read(id, step);
      for (const ValueId id : node.outputs)
        write(id, step);
    }
    keepOutputs();
    m_need.activations = peak();
    return m_need;
  }

 private:
  int64_t bytesOf(ValueId id) {
    const std::optional<int64_t> size = staticByteSize(m_graph.value(id).type);
    if (!size) ++m_need.unknown;
    return size.value_or(0);
  }

  void read(ValueId id, size_t step) {
    if (!id.valid()) return;
    const auto [life, isNew] = m_lives.try_emplace(id);  // what comes from outside is there from the start
    life->second.last = step;
    if (!isNew) return;
    if (m_graph.isConstant(id)) {
      m_need.weights += m_graph.value(id).initializer->sizeBytes();
    } else {
      life->second.bytes = bytesOf(id);
    }
  }

  void write(ValueId id, size_t step) {
    if (id.valid()) m_lives[id] = {step, step, bytesOf(id)};
  }

  void keepOutputs() {
    const std::unordered_set<NodeId> inside(m_nodes.begin(), m_nodes.end());
    for (auto& [id, life] : m_lives) {
      const Value& value = m_graph.value(id);
      const bool leaves =
          value.outputCount > 0 ||
          std::any_of(value.uses.begin(), value.uses.end(), [&](const Use& use) { return !inside.contains(use.node); });
      if (leaves && inside.contains(value.producer)) life.last = m_nodes.size() - 1;
    }
  }

  int64_t peak() const {
    std::vector<int64_t> change(m_nodes.size() + 1, 0);
    for (const auto& [id, life] : m_lives) {
      change[life.first] += life.bytes;
      change[life.last + 1] -= life.bytes;
    }
    int64_t now = 0;
    int64_t most = 0;
    for (const int64_t step : change)
      most = std::max(most, now += step);
    return most;
  }

  const Graph& m_graph;
  std::span<const NodeId> m_nodes;
  GroupMemory m_need;
  std::unordered_map<ValueId, Life> m_lives;
};

}  // namespace

GroupMemory groupMemory(const Graph& graph, std::span<const NodeId> nodes) {
  if (nodes.empty()) return {};
  return MemoryCount(graph, nodes).count();
}

}  // namespace cutaway::declared
