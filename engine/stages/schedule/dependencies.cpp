#include "engine/stages/schedule/dependencies.h"

#include <algorithm>

namespace cutaway::schedule {

Dependencies producersOf(const Graph& graph) {
  Dependencies result;
  result.offsets.reserve(graph.nodeSlots() + 1);
  result.offsets.push_back(0);
  for (size_t i = 0; i < graph.nodeSlots(); ++i) {
    const Node& node = graph.node(NodeId{i});
    const size_t first = result.targets.size();
    const auto add = [&](std::span<const ValueId> values) {
      for (ValueId value : values) {
        if (!value.valid()) continue;
        const NodeId producer = graph.value(value).producer;
        if (producer.valid()) result.targets.push_back(static_cast<uint32_t>(producer.index()));
      }
    };
    if (!node.removed) {
      add(node.inputs);
      add(node.implicitInputs);
      const auto begin = result.targets.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(begin, result.targets.end());
      result.targets.erase(std::unique(begin, result.targets.end()), result.targets.end());
    }
    result.offsets.push_back(static_cast<uint32_t>(result.targets.size()));
  }
  return result;
}

Dependencies reversed(const Dependencies& producers) {
  const size_t count = producers.offsets.size() - 1;
  Dependencies result;
  result.offsets.assign(count + 1, 0);
  for (uint32_t target : producers.targets)
    ++result.offsets[target + 1];
  for (size_t i = 0; i < count; ++i)
    result.offsets[i + 1] += result.offsets[i];
  result.targets.resize(producers.targets.size());
  std::vector<uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (size_t node = 0; node < count; ++node) {
    for (uint32_t target : producers.row(node))
      result.targets[next[target]++] = static_cast<uint32_t>(node);
  }
  return result;
}

}  // namespace cutaway::schedule
