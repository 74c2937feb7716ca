// What OpenVINO does otherwise with quantised values: where it rounds, saturates and moves scales.
#include "providers/openvino/byte_differences.h"

namespace cutaway::openvino {

bool readsBytes(const Graph& graph, const Node& node) {
  if (!has(node, 0)) return false;
  const NodeId before = graph.value(node.inputs[0]).producer;
  return before.valid() && graph.node(before).opType == "DequantizeLinear";
}

Found byteArithmetic(const Graph& graph, const Node& node) {
  const ElementType type = elementOut(graph, node);
  if (type != ElementType::kUint8 && type != ElementType::kInt8) return std::nullopt;
  return differs(RefusalCause::kType, std::string(elementTypeName(type)),
                 fmt::format("OpenVINO's {} of {} {}", node.opType, elementTypeName(type),
                             node.opType == "Div" ? "rounds to the nearest when the sizes are known at the run only"
                                                  : "stops at the ends of the type instead of wrapping"),
                 "elements of 32 bits, or floats");
}

// Rounding and saturation to types of less than 8 bits, and to floats of 8 bits.
Found narrowResult(const Graph& graph, const Node& node) {
  const ElementType type = elementOut(graph, node);
  if (!isNarrow(type)) return std::nullopt;
  return differs(RefusalCause::kType, std::string(elementTypeName(type)),
                 fmt::format("OpenVINO rounds and saturates to {} otherwise than the standard", elementTypeName(type)),
                 "a result of 8 bits as an integer, or of 16 and more");
}

// A scale for each place along an axis is taken for one of the last axis.
static Found scalesOfOpenAxis(const Graph& graph, const Node& node) {
  if (!has(node, 1) || hasKnownSize(graph, node)) return std::nullopt;
  if (node.attributeOr<int64_t>("block_size", 0) > 0 &&
      sizeOf(graph, node, 0, node.attributeOr<int64_t>("axis", 1)) < 0)
    return differs(RefusalCause::kShape, "block_size along an open axis",
                   "OpenVINO's QuantizeLinear fails when it runs where the axis of its blocks is open",
                   "a size for the axis (--dim)");
  const std::optional<Shape>& scales = graph.value(node.inputs[1]).type.shape;
  const auto axis = node.attributeOr<int64_t>("axis", 1);
  if (!scales || scales->rank() != 1 || sizeOf(graph, node, 1, 0) == 1 || sizeOf(graph, node, 0, axis) >= 0)
    return std::nullopt;
  const std::optional<Shape>& data = graph.value(node.inputs[0]).type.shape;
  if (axis == -1 || (data && axis == static_cast<int64_t>(data->rank()) - 1)) return std::nullopt;
  return differs(RefusalCause::kShape, fmt::format("axis {}, whose size is open", axis),
                 "OpenVINO's QuantizeLinear takes scales along an open axis for those of the last one",
                 "a size for the axis (--dim)");
}

// A convolution of bytes, and on the way from it to a QuantizeLinear a value that leaves the group, or may: OpenVINO
// moves the convolution's scale behind the value, and then the QuantizeLinear has none.
static Found scaleOfConvolution(const Graph& graph, const Node& node) {
  constexpr int kMostSteps = 8;
  bool leaves = false;
  const Node* at = &node;
  for (int step = 0; step < kMostSteps && has(*at, 0); ++step) {
    const Value& value = graph.value(at->inputs[0]);
    leaves = leaves || value.outputCount > 0 || value.uses.size() > 1;
    if (!value.producer.valid()) return std::nullopt;
    at = &graph.node(value.producer);
    if (at->opType != "Conv" && at->opType != "ConvTranspose") continue;
    if (!leaves || !readsBytes(graph, *at) || hasKnownSize(graph, *at)) return std::nullopt;
    return differs(RefusalCause::kShape, fmt::format("{} of bytes with open sizes", at->opType),
                   "OpenVINO's QuantizeLinear forgets the scale where a convolution before it is an output, too, and "
                   "its sizes are known at the run only",
                   "sizes for its dimensions (--dim)");
  }
  return std::nullopt;
}

Found quantize(const Graph& graph, const Node& node) {
  if (Found narrow = narrowResult(graph, node)) return narrow;
  if (Found open = scalesOfOpenAxis(graph, node)) return open;
  if (Found lost = scaleOfConvolution(graph, node)) return lost;
  const ElementType type = elementOut(graph, node);
  if (type != ElementType::kInt16 && type != ElementType::kUint16) return std::nullopt;
  return differs(RefusalCause::kType, std::string(elementTypeName(type)),
                 fmt::format("OpenVINO quantizes to {} in floats that do not hold every step", elementTypeName(type)),
                 "int8 or uint8");
}

Found dynamicQuantize(const Graph&, const Node& node) {
  return differs(RefusalCause::kOperator, node.opType,
                 "OpenVINO computes scale and zero point in another order, and results differ by one step",
                 "QuantizeLinear with scale and zero point");
}

Found oneStepOff(const Graph&, const Node& node) {
  return differs(
      RefusalCause::kOperator, node.opType,
      fmt::format("OpenVINO's {} rounds in between otherwise, and results differ by a step or more", node.opType),
      "the same as DequantizeLinear, operator, QuantizeLinear");
}

}  // namespace cutaway::openvino
