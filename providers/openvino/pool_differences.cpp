// What OpenVINO does otherwise under the windows of pools.
#include "providers/openvino/pool_differences.h"

#include <limits>

#include "providers/openvino/byte_differences.h"

namespace cutaway::openvino {

// Of the result, where open dimensions are 1.
static int64_t leastElements(const Graph& graph, const Node& node) {
  const std::optional<Shape>& shape = graph.value(node.outputs[0]).type.shape;
  if (!shape) return 0;
  int64_t elements = 1;
  for (size_t axis = 0; axis < shape->rank(); ++axis) {
    if ((*shape)[axis].isKnown() && __builtin_mul_overflow(elements, (*shape)[axis].value(), &elements))
      return std::numeric_limits<int64_t>::max();
  }
  return elements;
}

Found averagePool(const Graph& graph, const Node& node) {
  if (readsBytes(graph, node) && graph.value(node.outputs[0]).uses.size() > 1)
    return differs(
        RefusalCause::kOperator, "means of bytes with several readers",
        "OpenVINO's AveragePool behind DequantizeLinear rounds to the scale of its input where QuantizeLinear "
        "and another node read it",
        "AveragePool in front of DequantizeLinear and QuantizeLinear of its own");
  constexpr int64_t kLeastElements = 16;
  if (readsBytes(graph, node) && !hasVnni() && leastElements(graph, node) < kLeastElements)
    return differs(RefusalCause::kShape, "means of bytes with fewer than 16 elements",
                   "OpenVINO's AveragePool behind DequantizeLinear gives other numbers for results of fewer than 16 "
                   "elements on processors without VNNI",
                   "AveragePool in front of DequantizeLinear, or a larger result");
  if (node.attributeOr<int64_t>("ceil_mode", 0) == 0 || node.attributeOr<int64_t>("count_include_pad", 0) == 0)
    return std::nullopt;
  return differs(RefusalCause::kAttribute, "ceil_mode = 1, count_include_pad = 1",
                 "OpenVINO divides by what lies beyond the padding, too, where the last window reaches there",
                 "ceil_mode = 0 or count_include_pad = 0");
}

// With ceil_mode the last window may begin behind the input and its padding in front; the standard leaves it out.
static bool mayLeaveOutWindow(const Graph& graph, const Node& node) {
  const auto kernel = node.attributeOr<std::vector<int64_t>>("kernel_shape", {});
  const auto at = [&](const char* name, size_t place, int64_t usual) {
    const auto values = node.attributeOr<std::vector<int64_t>>(name, {});
    return place < values.size() ? values[place] : usual;
  };
  for (size_t axis = 0; axis < kernel.size(); ++axis) {
    const int64_t extent = (kernel[axis] - 1) * at("dilations", axis, 1) + 1;
    const bool isOpen = sizeOf(graph, node, 0, static_cast<int64_t>(axis) + 2) < 0;
    if (isOpen && at("pads", kernel.size() + axis, 0) + at("strides", axis, 1) > extent) return true;
  }
  return false;
}

Found maxPool(const Graph& graph, const Node& node) {
  if (node.attributeOr<int64_t>("ceil_mode", 0) == 0 || !mayLeaveOutWindow(graph, node)) return std::nullopt;
  return differs(
      RefusalCause::kShape, "ceil_mode = 1 with open sizes",
      "OpenVINO's MaxPool keeps a last window that begins in the padding when the sizes are known at the run "
      "only",
      "sizes for its dimensions (--dim), or ceil_mode = 0");
}

Found normPool(const Graph&, const Node& node) {
  if (node.attributeOr<int64_t>("ceil_mode", 0) == 0) return std::nullopt;
  return differs(RefusalCause::kAttribute, "ceil_mode = 1",
                 "OpenVINO's LpPool gives other numbers where the last window reaches beyond the input",
                 "ceil_mode = 0");
}

}  // namespace cutaway::openvino
