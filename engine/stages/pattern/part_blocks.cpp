// Joins may be nested: the part of a part follows its buffer to the root, and the bytes before it add up on the way.

#include "engine/stages/pattern/part_blocks.h"

#include "engine/base/checked_math.h"

namespace cutaway {
namespace {

bool isPart(const AllocPlanPerValue& value) { return value.rule == AllocRule::kPart || value.rule == AllocRule::kSplitPart; }

// Values in the order in which they lie behind each other: the inputs of the join, or the outputs of the split.
const std::vector<ValueId>* neighboursOf(const Graph& graph, const AllocPlanPerValue& plan, ValueId part) {
  const NodeId node = plan.rule == AllocRule::kPart ? graph.value(plan.reusedBuffer).producer : graph.value(part).producer;
  if (!node.valid()) return nullptr;
  return plan.rule == AllocRule::kPart ? &graph.node(node).inputs : &graph.node(node).outputs;
}

// Bytes from the start of the buffer that it lies in directly; -1: not known.
int64_t bytesBefore(const Graph& graph, const AllocPlanPerValue& plan, ValueId part, const std::vector<int64_t>& sizes) {
  const std::vector<ValueId>* neighbours = neighboursOf(graph, plan, part);
  if (neighbours == nullptr || plan.partIndex < 0 || static_cast<size_t>(plan.partIndex) >= neighbours->size()) return -1;
  int64_t bytes = 0;
  for (size_t i = 0; i < static_cast<size_t>(plan.partIndex); ++i) {
    const ValueId neighbour = (*neighbours)[i];
    if (!neighbour.valid() || sizes[neighbour.index()] < 0 || __builtin_add_overflow(bytes, sizes[neighbour.index()], &bytes)) return -1;
  }
  return bytes;
}

class PartPlacer {
 public:
  PartPlacer(const Graph& graph, const AllocationPlan& allocation, const std::vector<int64_t>& sizes, MemoryPatternGroup& group)
      : m_graph(graph), m_allocation(allocation), m_sizes(sizes), m_group(group), m_within(allocation.values.size(), kNotAsked) {}

  void place(ValueId part) {
    const size_t index = part.index();
    const AllocPlanPerValue& plan = m_allocation.values[index];
    if (!plan.root.valid() || m_sizes[index] < 0) return;
    const size_t root = plan.root.index();
    const MemoryBlock& whole = m_group.blocks[root];
    if (whole.offset < 0 || root == index) return;
    const int64_t within = withinRoot(part);
    if (within < 0 || m_sizes[index] > whole.sizeBytes || within > whole.sizeBytes - m_sizes[index]) return;
    m_group.blocks[index] = {whole.offset + within, m_sizes[index]};
    m_group.patternOfValue[index] = m_group.patternOfValue[root];
  }

 private:
  static constexpr int64_t kNotAsked = -2;

  // Bytes from the start of the root's buffer; -1: not known. Walks up without recursion: a model decides how deep joins nest.
  int64_t withinRoot(ValueId value) {
    std::vector<ValueId> path;
    ValueId at = value;
    while (m_within[at.index()] == kNotAsked) {
      const AllocPlanPerValue& plan = m_allocation.values[at.index()];
      const bool above = plan.reusedBuffer.valid() && plan.reusedBuffer.index() < m_within.size() && plan.root != at;
      m_within[at.index()] = above ? -1 : 0;  // -1 also ends a chain that bites its own tail
      path.push_back(at);
      if (!above) break;
      at = plan.reusedBuffer;
    }
    int64_t bytes = m_within[at.index()];
    if (!path.empty() && path.back() == at) path.pop_back();
    for (; !path.empty(); path.pop_back()) {
      const ValueId each = path.back();
      const AllocPlanPerValue& plan = m_allocation.values[each.index()];
      const int64_t before = isPart(plan) ? bytesBefore(m_graph, plan, each, m_sizes) : 0;
      if (bytes < 0 || before < 0 || __builtin_add_overflow(bytes, before, &bytes)) bytes = -1;
      m_within[each.index()] = bytes;
    }
    return m_within[value.index()];
  }

  const Graph& m_graph;
  const AllocationPlan& m_allocation;
  const std::vector<int64_t>& m_sizes;
  MemoryPatternGroup& m_group;
  std::vector<int64_t> m_within;
};

}  // namespace

void placeParts(const Graph& graph, const AllocationPlan& allocation, const std::vector<int64_t>& sizes, MemoryPatternGroup& group) {
  PartPlacer placer(graph, allocation, sizes, group);
  for (const ValueId value : graph.valueIds()) {
    if (isPart(allocation.values[value.index()])) placer.place(value);
  }
}

}  // namespace cutaway
