#include "engine/report/ort_value_index.h"

namespace cutaway {

std::vector<int32_t> ortValueIndexes(const GraphReport& graph) {
  std::vector<int32_t> numbers(graph.values.size(), kNone);
  int32_t next = 0;
  const auto number = [&](std::span<const int32_t> values) {
    for (const int32_t value : values) {
      if (value != kNone && numbers[static_cast<size_t>(value)] == kNone) numbers[static_cast<size_t>(value)] = next++;
    }
  };
  number(graph.inputs);
  for (const NodeReport& node : graph.nodes) {
    number(node.inputs);
    number(node.implicitInputs);
    number(node.outputs);
  }
  number(graph.outputs);
  return numbers;
}

}  // namespace cutaway
