// Which operators compute integers in floats, and how large what they read and sum up can be.
#include "providers/openvino/large_integers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/operators/traits/operator_traits.h"
#include "providers/openvino/integer_bounds.h"

namespace cutaway::openvino {

namespace {

using operators::ElementFunction;

constexpr double kUnknown = std::numeric_limits<double>::infinity();

bool isWideInteger(ElementType type) {
  return type == ElementType::kInt32 || type == ElementType::kInt64;
}

bool staysInteger(ElementFunction function) {
  switch (function) {
    case ElementFunction::kAbs:
    case ElementFunction::kNeg:
    case ElementFunction::kSign:
    case ElementFunction::kBitwiseNot:
    case ElementFunction::kCast:
    case ElementFunction::kAdd:
    case ElementFunction::kSub:
    case ElementFunction::kMul:
    case ElementFunction::kMax:
    case ElementFunction::kMin:
    case ElementFunction::kWhere:
      return true;
    default:
      return false;
  }
}

double largestInput(const Graph& graph, const Node& node) {
  double largest = 0;
  for (const ValueId input : node.inputs) {
    if (input.valid() && isWideInteger(graph.value(input).type.element))
      largest = std::max(largest, largestMagnitude(graph, input));
  }
  return largest;
}

// A float is on the same side of a small integer as the integer that it was made of, however large that is.
double smallerInput(const Graph& graph, const Node& node) {
  return has(node, 1) ? 1 + std::min(largestMagnitude(graph, node.inputs[0]), largestMagnitude(graph, node.inputs[1]))
                      : kUnknown;
}

// So nothing is lost between small limits.
double largestLimit(const Graph& graph, const Node& node) {
  return has(node, 1) && has(node, 2)
             ? std::max(largestMagnitude(graph, node.inputs[1]), largestMagnitude(graph, node.inputs[2]))
             : largestInput(graph, node);
}

bool isComparison(ElementFunction function) {
  switch (function) {
    case ElementFunction::kEqual:
    case ElementFunction::kLess:
    case ElementFunction::kLessOrEqual:
    case ElementFunction::kGreater:
    case ElementFunction::kGreaterOrEqual:
      return true;
    default:
      return false;
  }
}

// Of what is summed up; sizes that nobody knows count as kExactInFloats.
double largestReduction(const Graph& graph, const Node& node) {
  const double input = largestMagnitude(graph, node.inputs[0]), count = elementsOf(graph, node.inputs[0]);
  if (node.opType == "ArgMax" || node.opType == "ArgMin") return 0;
  if (node.opType == "ReduceMax" || node.opType == "ReduceMin") return input;
  if (node.opType == "ReduceSum" || node.opType == "ReduceMean" || node.opType == "ReduceL1") return input * count;
  if (node.opType == "ReduceSumSquare" || node.opType == "ReduceL2") return input * input * count;
  return areSizes(graph, node.inputs[0]) ? kExactInFloats : std::pow(input, count);
}

double largestProduct(const Graph& graph, const Node& node) {
  double product = 1;
  for (const ValueId input : node.inputs)
    product *= input.valid() ? largestMagnitude(graph, input) : 1;
  const int64_t terms = sizeOf(graph, node, 0, -1);
  return product *
         (node.opType == "MatMul" && terms >= 0 ? static_cast<double>(terms) : elementsOf(graph, node.inputs[0]));
}

double largestPower(const Graph& graph, const Node& node) {
  const double base = largestMagnitude(graph, node.inputs[0]);
  return has(node, 1) ? std::max(base, std::pow(base, largestMagnitude(graph, node.inputs[1]))) : kUnknown;
}

// How large the floats are that OpenVINO computes the node in; 0: it stays with integers.
double largestFloat(const Graph& graph, const Node& node) {
  const std::string_view name = node.opType;
  if (name == "MatMul" || name == "Einsum") return largestProduct(graph, node);
  // These move elements, and take them through floats all the same; Pad what it puts in.
  if (name == "Resize" || name == "ReverseSequence" || name == "Trilu" || name == "Upsample")
    return largestMagnitude(graph, node.inputs[0]);
  if (name == "Pad") return has(node, 2) ? largestMagnitude(graph, node.inputs[2]) : 0;
  const operators::OperatorTraits* traits = operators::findTraits(node);
  if (traits == nullptr) return 0;
  if (traits->relation == operators::Relation::kReduction) return largestReduction(graph, node);
  if (traits->function == ElementFunction::kPow) return largestPower(graph, node);
  if (traits->function == ElementFunction::kClip) return largestLimit(graph, node);
  if (isComparison(traits->function)) return smallerInput(graph, node);
  const bool inFloats = traits->function != ElementFunction::kNone && !staysInteger(traits->function);
  return inFloats ? largestInput(graph, node) : 0;
}

bool isOnlyCast(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  return value.outputCount == 0 && std::ranges::all_of(value.uses, [&](const Use& use) {
           return isFloating(elementOut(graph, graph.node(use.node)));
         });
}

// Products of bytes are sums of floats, too. Where they become floats all the same, nothing is lost.
Found byteProducts(const Graph& graph, const Node& node) {
  constexpr double kLargestProduct = 255.0 * 255.0;
  if (!has(node, 1) || !node.outputs[0].valid() || isOnlyCast(graph, node.outputs[0])) return std::nullopt;
  const bool isMatrix = node.opType == "MatMulInteger";
  const double channels = std::max<double>(1, static_cast<double>(sizeOf(graph, node, 1, 0)));
  const int64_t inner = std::max(sizeOf(graph, node, 0, -1), sizeOf(graph, node, 1, -2));
  const double terms =
      isMatrix ? (inner < 0 ? kUnknown : static_cast<double>(inner)) : elementsOf(graph, node.inputs[1]) / channels;
  if (terms * kLargestProduct <= kExactInFloats) return std::nullopt;
  return differs(
      RefusalCause::kType, "sums above 2^24 may come out",
      fmt::format("OpenVINO's {} sums up in floats, which do not hold every integer above 2^24", node.opType),
      "at most 258 products for each sum, or results that are cast to floats");
}

}  // namespace

Found largeIntegers(const Graph& graph, const Node& node) {
  if (node.opType == "MatMulInteger" || node.opType == "ConvInteger") return byteProducts(graph, node);
  const ElementType type = elementIn(graph, node, node.opType == "Where" ? 1 : 0);
  if (!isWideInteger(type) || largestFloat(graph, node) <= kExactInFloats) return std::nullopt;
  return differs(RefusalCause::kType, fmt::format("{} of unknown size", elementTypeName(type)),
                 fmt::format("OpenVINO's {} of {} computes in floats, which do not hold every integer above 2^24",
                             node.opType, elementTypeName(type)),
                 "integers that come from sizes, constants or narrower types, or floats");
}

}  // namespace cutaway::openvino
