// Offsets of parts: the sizes of what stands before them in the join or split, added along the chain of buffers to the
// root.

#include <unordered_map>

#include "engine/stages/allocate/allocate.h"

namespace cutaway::allocate {
namespace {

constexpr int64_t kPartAlignment = 64;

class OffsetReader {
 public:
  OffsetReader(const Graph& graph, const AllocationPlan& plan, const std::vector<int64_t>& sizes)
      : m_graph(graph), m_plan(plan), m_sizes(sizes), m_offsets(plan.values.size(), kNotRead) {}

  std::vector<int64_t> readAll() {
    std::vector<size_t> chain;
    for (size_t value = 0; value < m_plan.values.size(); ++value) {
      // Down the chain of reused buffers to one that is known, then back up: chains are as long as the model makes
      // them.
      size_t at = value;
      for (; m_offsets[at] == kNotRead && chain.size() <= m_plan.values.size();
           at = m_plan.values[at].reusedBuffer.index()) {
        chain.push_back(at);
        if (!m_plan.values[at].reusedBuffer.valid()) break;
      }
      for (; !chain.empty(); chain.pop_back())
        m_offsets[chain.back()] = offsetOf(chain.back());
    }
    return std::move(m_offsets);
  }

 private:
  static constexpr int64_t kNotRead = -2;

  int64_t offsetOf(size_t value) {
    const AllocPlanPerValue& planned = m_plan.values[value];
    if (planned.kind == AllocKind::kNotSet) return -1;
    if (!planned.reusedBuffer.valid()) return 0;
    const int64_t base = m_offsets[planned.reusedBuffer.index()];
    if (base < 0 || (planned.rule != AllocRule::kPart && planned.rule != AllocRule::kSplitPart)) return base;
    const ValueId whole = planned.reusedBuffer;
    const bool isSplit = planned.rule == AllocRule::kSplitPart;
    const NodeId node = m_graph.value(isSplit ? ValueId{value} : whole).producer;
    const std::vector<int64_t>& starts = startsOf(node, isSplit);
    const auto part = static_cast<size_t>(planned.partIndex);
    if (part >= starts.size() || starts[part] < 0 || m_sizes[value] < 0) return -1;
    int64_t offset = 0;
    int64_t end = 0;
    if (__builtin_add_overflow(base, starts[part], &offset) || offset % kPartAlignment != 0 ||
        __builtin_add_overflow(starts[part], m_sizes[value], &end))
      return -1;
    return m_sizes[whole.index()] >= 0 && end > m_sizes[whole.index()] ? -1 : offset;
  }

  const std::vector<int64_t>& startsOf(NodeId id, bool isSplit) {
    const auto [entry, isNew] = m_starts.try_emplace(id.index());
    if (!isNew) return entry->second;
    const Node& node = m_graph.node(id);
    int64_t start = 0;
    for (ValueId piece : isSplit ? node.outputs : node.inputs) {
      entry->second.push_back(start);
      const int64_t size = piece.valid() ? m_sizes[piece.index()] : -1;
      if (start < 0 || size < 0 || __builtin_add_overflow(start, size, &start)) start = -1;
    }
    return entry->second;
  }

  const Graph& m_graph;
  const AllocationPlan& m_plan;
  const std::vector<int64_t>& m_sizes;
  std::vector<int64_t> m_offsets;
  std::unordered_map<size_t, std::vector<int64_t>> m_starts;  // by node
};

}  // namespace

std::vector<int64_t> offsetsInRoot(const Graph& graph, const AllocationPlan& plan, const std::vector<int64_t>& sizes) {
  if (plan.values.size() != graph.valueSlots() || sizes.size() != graph.valueSlots())
    return std::vector<int64_t>(graph.valueSlots(), -1);
  return OffsetReader(graph, plan, sizes).readAll();
}

}  // namespace cutaway::allocate
