// Bounds (integer_bounds.h) under an assumption about what comes in, and the numbers that break it.
#include "providers/openvino/narrowed_integers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/operators/traits/operator_traits.h"
#include "providers/openvino/integer_bounds.h"

namespace cutaway::openvino {

namespace {

using operators::ElementFunction;

// No group asks for less: ids, places and numbers of elements fit.
constexpr int kFewestBits = 21;

double magnitudeOf(int bits) {
  return std::ldexp(1.0, bits - 1);
}

bool isArithmetic(const Graph& graph, const Node& node) {
  if (!node.domain.empty() || elementOut(graph, node) != ElementType::kInt64) return false;
  const operators::OperatorTraits* traits = operators::findTraits(node);
  if (traits == nullptr) return false;
  const ElementFunction function = traits->function;
  return function == ElementFunction::kAdd || function == ElementFunction::kSub || function == ElementFunction::kMul;
}

// Products of sizes have a bound beyond 32 bits whatever comes in, and are the size of a tensor all the same.
bool leavesDevice(const Graph& graph, const Node& node, int bits) {
  if (!isArithmetic(graph, node)) return false;
  const double most = magnitudeOf(kDeviceIntegerBits);
  return largestMagnitude(graph, node.outputs[0], magnitudeOf(bits)) > most &&
         largestMagnitude(graph, node.outputs[0], 1) <= most;
}

std::optional<int64_t> wideConstant(const Graph& graph, const Node& node) {
  for (const ValueId input : node.inputs) {
    if (!input.valid() || !graph.isConstant(input)) continue;
    const auto& constant = graph.value(input).initializer;
    if (!constant || constant->data() == nullptr) continue;
    if (const std::optional<int64_t> number = tooWide(*constant, kDeviceIntegerBits)) return number;
  }
  return std::nullopt;
}

}  // namespace

Found narrowedIntegers(const Graph& graph, const Node& node) {
  // Where a slice begins and ends stays the same when it is cut down to 32 bits.
  if (node.opType != "Slice") {
    if (const std::optional<int64_t> number = wideConstant(graph, node))
      return differs(RefusalCause::kType, fmt::format("a constant of int64 holds {}", *number),
                     "OpenVINO's devices compute int64 in 32 bits, which do not hold this constant",
                     "constants within 32 bits");
  }
  if (!leavesDevice(graph, node, kFewestBits)) return std::nullopt;
  return differs(RefusalCause::kType, "int64 results beyond 32 bits may come out",
                 fmt::format("OpenVINO's {} of int64 computes in 32 bits", node.opType),
                 "smaller constants, or integers that come from sizes or narrower types");
}

int bitsOfEntering(const Graph& group) {
  int bits = kDeviceIntegerBits;
  for (const NodeId id : group.nodeIds()) {
    while (bits > kFewestBits && leavesDevice(group, group.node(id), bits))
      --bits;
  }
  return bits;
}

std::optional<int64_t> tooWide(const Tensor& tensor, int bits) {
  using Wide = std::numeric_limits<int64_t>;
  if (tensor.type() != ElementType::kInt64) return std::nullopt;
  const auto numbers = tensor.span<int64_t>();
  const int64_t end = int64_t{1} << (bits - 1);
  int64_t least = 0, most = 0;  // a loop that is quick, as most tensors fit
  for (const int64_t number : numbers) {
    least = std::min(least, number);
    most = std::max(most, number);
  }
  if (least >= -end && most < end) return std::nullopt;
  const auto found = std::ranges::find_if(numbers, [&](int64_t number) {
    return (number < -end || number >= end) && number != Wide::max() && number != Wide::min();
  });
  return found == numbers.end() ? std::nullopt : std::optional(*found);
}

}  // namespace cutaway::openvino
