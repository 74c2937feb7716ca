#include "engine/study/second_opinion/quantised_outputs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "engine/graph/graph_query.h"

namespace cutaway::study {

namespace {

// Of a step: what the division of two floats that were multiplied by a scale leaves.
constexpr double kWhole = 1e-3;

// Rounds activations to integers, or multiplies integers and rounds.
bool roundsToIntegers(const Node& node) {
  static const std::set<std::string_view> kOthers = {"QGemm", "QAttention", "QEmbedLayerNormalization", "QMoE"};
  const std::string_view type = node.opType;
  return type == "QuantizeLinear" || type.starts_with("DynamicQuantize") || type.starts_with("QLinear") ||
         type.find("Integer") != std::string_view::npos || kOthers.contains(type);
}

// Moves elements and leaves them as they are; its data are the first input.
bool movesElements(const Node& node) {
  static const std::set<std::string_view> kMoves = {"Identity",  "Reshape",      "Transpose",    "Flatten", "Squeeze",
                                                    "Unsqueeze", "Slice",        "DepthToSpace", "Expand",  "Tile",
                                                    "Split",     "SpaceToDepth", "Gather"};
  return kMoves.contains(node.opType);
}

bool makesIntegers(const Graph& graph, ValueId value) {
  const ElementType type = graph.value(value).type.element;
  return type == ElementType::kInt8 || type == ElementType::kUint8 || type == ElementType::kInt16 ||
         type == ElementType::kUint16;
}

bool isBehindRounding(const Graph& graph, ValueId output) {
  std::vector<bool> seen(graph.nodeSlots(), false);
  std::vector<ValueId> todo = {output};
  while (!todo.empty()) {
    const ValueId value = todo.back();
    todo.pop_back();
    const NodeId producer = value.valid() ? graph.value(value).producer : NodeId{};
    if (!producer.valid() || seen[producer.index()]) continue;
    seen[producer.index()] = true;
    const Node& node = graph.node(producer);
    bool found = roundsToIntegers(node);
    forEachBody(node, [&](const std::string&, const Graph& body) {
      for (const NodeId id : body.nodeIds())
        found = found || roundsToIntegers(body.node(id));
    });
    if (found) return true;
    todo.insert(todo.end(), node.inputs.begin(), node.inputs.end());
    todo.insert(todo.end(), node.implicitInputs.begin(), node.implicitInputs.end());
  }
  return false;
}

ValueId beforeMoves(const Graph& graph, ValueId value) {
  while (value.valid() && graph.value(value).producer.valid()) {
    const Node& node = graph.node(graph.value(value).producer);
    if (!movesElements(node) || node.inputs.empty()) break;
    value = node.inputs.front();
  }
  return value;
}

// The one number of a constant; 0: it is none, or several.
double numberOf(const Graph& graph, ValueId value) {
  return constantNumber(graph, beforeMoves(graph, value)).value_or(0);
}

double stepOf(const Graph& graph, ValueId output) {
  const ValueId made = beforeMoves(graph, output);
  if (!made.valid() || !graph.value(made).producer.valid()) return 0;
  const Node& node = graph.node(graph.value(made).producer);
  if (node.opType == "DequantizeLinear") return node.inputs.size() > 1 ? std::abs(numberOf(graph, node.inputs[1])) : 0;
  return roundsToIntegers(node) && (node.opType == "QuantizeLinear" || makesIntegers(graph, made)) ? 1 : 0;
}

template <typename T>
StepDifference countIn(const Tensor& a, const Tensor& b, double step) {
  StepDifference found;
  const auto one = a.span<const T>(), other = b.span<const T>();
  for (size_t i = 0; i < one.size(); ++i) {
    const double steps = std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i])) / step;
    if (steps <= kWhole) continue;  // the same integer
    ++found.differing;
    if (!(std::abs(steps - std::round(steps)) <= kWhole)) ++found.notWhole;  // NaN too
    if (steps > found.most) found.most = steps;
  }
  return found;
}

}  // namespace

std::map<std::string, double> quantisedOutputs(const Graph& graph) {
  std::map<std::string, double> found;
  for (const ValueId output : graph.outputs())
    if (isBehindRounding(graph, output)) found.emplace(graph.value(output).name, stepOf(graph, output));
  return found;
}

StepDifference countSteps(const RuntimeValue& a, const RuntimeValue& b, double step) {
  const StepDifference unknown{.differing = 1, .notWhole = 1};
  if (!a.isTensor() || !b.isTensor() || step <= 0) return unknown;
  const Tensor &one = a.tensor(), &other = b.tensor();
  if (one.type() != other.type() || !std::ranges::equal(one.dims(), other.dims())) return unknown;
  switch (one.type()) {
    case ElementType::kFloat:
      return countIn<float>(one, other, step);
    case ElementType::kInt8:
      return countIn<int8_t>(one, other, step);
    case ElementType::kUint8:
      return countIn<uint8_t>(one, other, step);
    case ElementType::kInt16:
      return countIn<int16_t>(one, other, step);
    case ElementType::kUint16:
      return countIn<uint16_t>(one, other, step);
    default:
      return unknown;
  }
}

}  // namespace cutaway::study
