// What OpenVINO does otherwise with quantised values: where it rounds, saturates and moves scales.
#include "providers/openvino/byte_differences.h"

namespace cutaway::openvino {

// The DequantizeLinear in front of an input; nullptr: something else is.
static const Node* dequantizeBefore(const Graph& graph, const Node& node, size_t slot) {
  if (!has(node, slot)) return nullptr;
  const NodeId before = graph.value(node.inputs[slot]).producer;
  return before.valid() && graph.node(before).opType == "DequantizeLinear" ? &graph.node(before) : nullptr;
}

bool readsBytes(const Graph& graph, const Node& node) {
  return dequantizeBefore(graph, node, 0) != nullptr;
}

bool hasVnni() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx512vnni") != 0 || __builtin_cpu_supports("avxvnni") != 0;
#else
  return true;
#endif
}

// Sums of two products of 255 with a weight stay below 2^15.
static bool fitsSevenBits(const Tensor& weights) {
  if (weights.type() != ElementType::kInt8) return false;
  return std::ranges::all_of(weights.span<int8_t>(), [](int8_t weight) { return weight >= -64 && weight <= 64; });
}

static bool isOneCell(const Node& node, const Tensor& weights) {
  const Dims& dims = weights.dims();
  return std::all_of(dims.begin() + 2, dims.end(), [](int64_t size) { return size == 1; }) &&
         node.attributeOr<int64_t>("group", 1) == 1 &&
         node.attributeOr<std::string>("auto_pad", "NOTSET") == "NOTSET" &&
         std::ranges::all_of(node.attributeOr<std::vector<int64_t>>("pads", {}), [](int64_t pad) { return pad == 0; });
}

Found bytesAgainstBytes(const Graph& graph, const Node& node) {
  if (hasVnni()) return std::nullopt;
  const Node *before = dequantizeBefore(graph, node, 0), *beforeWeights = dequantizeBefore(graph, node, 1);
  if (before == nullptr || beforeWeights == nullptr) return std::nullopt;
  const ValueId stored = beforeWeights->inputs[0];
  if (!graph.isConstant(stored) || !graph.value(stored).initializer) return std::nullopt;
  const Tensor* const weights = &*graph.value(stored).initializer;
  const ElementType input = elementIn(graph, *before, 0);
  if (node.opType == "Conv" && input == ElementType::kInt8 && weights->rank() > 2 && !isOneCell(node, *weights))
    return differs(
        RefusalCause::kType, "a convolution of int8",
        "OpenVINO's convolutions of int8 give other numbers on processors without VNNI, unless their window is "
        "one cell",
        "uint8 in front of DequantizeLinear");
  if (fitsSevenBits(*weights)) return std::nullopt;
  return differs(
      RefusalCause::kType, "weights of eight bits",
      fmt::format("OpenVINO's {} adds pairs of products of bytes in 16 bits on processors without VNNI, where "
                  "weights beyond -64 and 64 saturate",
                  node.opType),
      "weights of seven bits (reduce_range of ONNX Runtime's quantizer)");
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
