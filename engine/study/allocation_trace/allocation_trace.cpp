#include "engine/study/allocation_trace/allocation_trace.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "engine/stages/pattern/pattern.h"
#include "engine/tensor/shape.h"

namespace cutaway::study {
namespace {

// Bytes of "float[1,3]" as a run reports it; nullopt: no tensor.
std::optional<int64_t> bytesOf(std::string_view type) {
  const size_t open = type.find('[');
  if (open == std::string_view::npos || !type.ends_with(']')) return std::nullopt;
  const auto element = elementTypeFromName(type.substr(0, open));
  if (!element) return std::nullopt;
  std::vector<int64_t> dims;
  std::string_view rest = type.substr(open + 1, type.size() - open - 2);
  while (!rest.empty()) {
    int64_t dim = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), dim);
    if (error != std::errc()) return std::nullopt;
    dims.push_back(dim);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    if (!rest.empty() && rest.front() != ',') return std::nullopt;
    if (!rest.empty()) rest.remove_prefix(1);
  }
  const Result<int64_t> bytes = byteSize(*element, dims);
  return bytes ? std::optional(*bytes) : std::nullopt;
}

int64_t rounded(int64_t bytes) {
  return (bytes + pattern::kPatternAlignment - 1) / pattern::kPatternAlignment * pattern::kPatternAlignment;
}

// Highest sum of amounts over closed intervals of steps.
class Peak {
 public:
  explicit Peak(size_t steps) : m_changes(steps + 1, 0) {}
  void add(int32_t first, int32_t last, int64_t bytes) {
    const auto at = [&](int64_t step) -> int64_t& {
      return m_changes[static_cast<size_t>(std::clamp<int64_t>(step, 0, static_cast<int64_t>(m_changes.size()) - 1))];
    };
    at(first) += bytes;
    at(int64_t{last} + 1) -= bytes;
  }
  int64_t bytes() const {
    int64_t live = 0, most = 0;
    for (const int64_t change : m_changes)
      most = std::max(most, live += change);
    return most;
  }

 private:
  std::vector<int64_t> m_changes;
};

class Tracer {
 public:
  explicit Tracer(const WalkReport& walk)
      : m_walk(walk), m_graph(walk.partitionedGraphs->graphs[0]), m_values(walk.allocate->graphs[0].values) {
    for (const GraphPattern& pattern : walk.pattern->graphs) {
      if (pattern.graph != 0) continue;
      for (const PatternBlock& block : pattern.blocks)
        if (block.value != kNone) m_offsets.emplace(block.value, block.offset);
    }
  }

  AllocationTrace trace() {
    for (const NodeTiming& timing : m_walk.run->nodes)
      if (timing.graph == 0 && timing.node >= 0) addOutputs(timing);
    std::ranges::stable_sort(m_trace.allocations, {}, &TracedAllocation::madeAtStep);
    sumUp();
    return std::move(m_trace);
  }

 private:
  void addOutputs(const NodeTiming& timing) {
    const NodeReport& node = m_graph.nodes[static_cast<size_t>(timing.node)];
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNone) continue;
      const std::optional<int64_t> bytes =
          i < timing.outputShapes.size() ? bytesOf(timing.outputShapes[i]) : std::nullopt;
      if (bytes)
        add(node.outputs[i], *bytes);
      else
        ++m_trace.untracedValues;
    }
  }

  void add(int32_t value, int64_t bytes) {
    const ValueAllocation& planned = m_values[static_cast<size_t>(value)];
    if (planned.starts.empty()) return;
    const int32_t root = planned.rootValue == kNone ? value : planned.rootValue;
    const auto offset = m_offsets.find(root);
    m_trace.allocations.push_back({.value = value,
                                   .rootValue = root,
                                   .kind = planned.kind,
                                   .rule = planned.rule,
                                   .bytes = bytes,
                                   .plannedBytes = planned.sizeBytes,
                                   .madeAtStep = planned.starts.front(),
                                   .freeAfterStep = planned.ends.back(),
                                   .offset = offset == m_offsets.end() ? -1 : offset->second,
                                   .counted = m_values[static_cast<size_t>(root)].kind == AllocKind::kAllocate});
  }

  void sumUp() {
    struct Buffer {
      int32_t first = 0, last = 0;
      int64_t bytes = 0;
    };
    std::map<int32_t, Buffer> buffers;
    Peak own(m_graph.nodes.size() + 1), reuse(m_graph.nodes.size() + 1);
    for (const TracedAllocation& each : m_trace.allocations) {
      if (!each.counted) continue;
      const int64_t bytes = rounded(each.bytes);
      if (each.rule != AllocRule::kView && each.rule != AllocRule::kSplitPart)
        own.add(each.madeAtStep, each.freeAfterStep, bytes);
      const auto [entry, isNew] =
          buffers.try_emplace(each.rootValue, Buffer{each.madeAtStep, each.freeAfterStep, bytes});
      Buffer& buffer = entry->second;
      if (isNew) continue;
      buffer = {std::min(buffer.first, each.madeAtStep), std::max(buffer.last, each.freeAfterStep),
                std::max(buffer.bytes, bytes)};
    }
    for (const auto& [root, buffer] : buffers)
      reuse.add(buffer.first, buffer.last, buffer.bytes);
    m_trace.ownPeakBytes = own.bytes();
    m_trace.reusePeakBytes = reuse.bytes();
    if (m_walk.pattern->eligible) {
      m_trace.patternPeakBytes = m_walk.run->plannedPeakBytes;
      m_trace.lowerBoundBytes = m_walk.run->lowerBoundBytes;
    }
    m_trace.measuredPeakBytes = m_walk.run->measuredPeakBytes;
  }

  const WalkReport& m_walk;
  const GraphReport& m_graph;
  const std::vector<ValueAllocation>& m_values;
  std::map<int32_t, int64_t> m_offsets;
  AllocationTrace m_trace;
};

}  // namespace

AllocationTrace allocationTrace(const WalkReport& walk) {
  const bool there = walk.run && walk.run->profiled && walk.run->source.empty() && walk.partitionedGraphs &&
                     walk.allocate && !walk.allocate->graphs.empty() && walk.pattern;
  return there ? Tracer(walk).trace() : AllocationTrace();
}

}  // namespace cutaway::study
