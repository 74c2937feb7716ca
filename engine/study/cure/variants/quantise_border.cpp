// A float node between quantised ones gets QuantizeLinear and DequantizeLinear at its border, so that a provider that
// takes quantised operators takes it with its neighbours.
//
// The steps are known without any data where the node only moves or picks values (they are those that come in, and
// nothing is lost), or where its operator has bounds. Other nodes need samples, which are not here: they are left.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "engine/graph/graph_query.h"
#include "engine/operators/quantize_linear.h"
#include "engine/operators/traits/operator_traits.h"
#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

constexpr size_t kFurthest = 32;          // nodes that are followed to where steps are known
constexpr int64_t kSixteenBitOpset = 21;  // of QuantizeLinear

// Which numbers a quantised value can have: (q - zero) * scale.
struct Steps {
  float scale = 1;
  int64_t zero = 0;
  ElementType type = ElementType::kUint8;
  bool operator==(const Steps&) const = default;
};

// What comes out is among what goes in; views and Relu, which cuts at the 0 that all steps have, are so too.
constexpr std::array kMoves = {"MaxPool", "GlobalMaxPool", "Transpose",    "Slice", "Gather",    "Split",
                               "Expand",  "DepthToSpace",  "SpaceToDepth", "Tile",  "ReduceMax", "ReduceMin"};
constexpr std::array kMovesAll = {"Concat", "Max", "Min"};  // of every input

struct Bounds {
  operators::ElementFunction function;
  double low = 0, high = 1;
};
using enum operators::ElementFunction;
constexpr double kRightAngle = std::numbers::pi / 2;
constexpr std::array kBounds = {Bounds{kSigmoid},
                                Bounds{kHardSigmoid},
                                Bounds{kTanh, -1, 1},
                                Bounds{kErf, -1, 1},
                                Bounds{kSoftsign, -1, 1},
                                Bounds{kSin, -1, 1},
                                Bounds{kCos, -1, 1},
                                Bounds{kAsin, -kRightAngle, kRightAngle},
                                Bounds{kAcos, 0, std::numbers::pi},
                                Bounds{kAtan, -kRightAngle, kRightAngle}};
// Of what comes in: elsewhere the operator has no value.
constexpr std::array kDomains = {Bounds{kAsin, -1, 1}, Bounds{kAcos, -1, 1}};
constexpr Bounds kShares{kNone, 0, 1};  // of a whole

template <typename Table>
const Bounds* boundsIn(const Table& table, const Node& node) {
  const operators::ElementFunction function = operators::elementFunctionOf(node);
  const auto row = std::ranges::find(table, function, &Bounds::function);
  return function == kNone || row == table.end() ? nullptr : &*row;
}

const Bounds* boundsOf(const Node& node) {
  if (node.domain.empty() && (node.opType == "Softmax" || node.opType == "Hardmax")) return &kShares;
  return boundsIn(kBounds, node);
}

bool moves(const Node& node) {
  const operators::OperatorTraits* const traits = operators::findTraits(node);
  if (!node.domain.empty() || traits == nullptr) return false;
  return traits->relation == operators::Relation::kView || traits->function == kRelu ||
         std::ranges::find(kMoves, node.opType) != kMoves.end();
}

// Steps are of 8 or 16 bits; both ends are 0 for any other type.
operators::QuantizedRange rangeOf(ElementType type) {
  return bitsOf(type) >= 8 ? operators::quantizedRange(type) : operators::QuantizedRange{};
}

Steps stepsBetween(double low, double high, ElementType type) {
  const auto [least, most] = rangeOf(type);
  const double scale = (high - low) / static_cast<double>(most - least);
  return {static_cast<float>(scale), least + std::llround(-low / scale), type};
}

Tensor zeroOf(const Steps& steps) {
  switch (steps.type) {
    case ElementType::kInt8:
      return Tensor::scalar(static_cast<int8_t>(steps.zero));
    case ElementType::kUint16:
      return Tensor::scalar(static_cast<uint16_t>(steps.zero));
    case ElementType::kInt16:
      return Tensor::scalar(static_cast<int16_t>(steps.zero));
    default:
      return Tensor::scalar(static_cast<uint8_t>(steps.zero));
  }
}

class Reader {
 public:
  explicit Reader(const Graph& graph) : m_graph(graph) {}

  bool isFloat(ValueId id) const {
    return id.valid() && m_graph.value(id).type.isTensor() && m_graph.value(id).type.element == ElementType::kFloat;
  }
  // Those of the DequantizeLinear that makes the value.
  std::optional<Steps> madeWith(ValueId id) const {
    const NodeId maker = m_graph.value(id).producer;
    if (!maker.valid() || m_graph.node(maker).opType != "DequantizeLinear") return std::nullopt;
    const Node& node = m_graph.node(maker);
    return stepsOf(node, m_graph.value(node.inputs[0]).type.element);
  }
  // Those of a QuantizeLinear that reads the value; `all`: nothing else does.
  std::optional<Steps> readWith(ValueId id, bool& all) const {
    std::optional<Steps> found;
    all = m_graph.value(id).outputCount == 0;
    for (const Use& use : m_graph.value(id).uses) {
      const Node& reader = m_graph.node(use.node);
      std::optional<Steps> steps;
      if (reader.opType == "QuantizeLinear" && use.slot == 0)
        steps = stepsOf(reader, m_graph.value(reader.outputs[0]).type.element);
      all = all && steps && (!found || steps == found);
      if (steps && !found) found = steps;
    }
    return found;
  }
  // Of a value that nothing has quantised yet.
  std::optional<Steps> derived(ValueId id, ElementType type) const {
    for (size_t far = 0; far < kFurthest && isFloat(id); ++far) {
      if (const auto steps = madeWith(id)) return steps;
      const NodeId maker = m_graph.value(id).producer;
      if (!maker.valid()) return std::nullopt;
      const Node& node = m_graph.node(maker);
      if (const Bounds* const bounds = boundsOf(node); bounds != nullptr && rangeOf(type).high > 0)
        return stepsBetween(bounds->low, bounds->high, type);
      if (!node.domain.empty()) return std::nullopt;
      if (std::ranges::find(kMovesAll, node.opType) != kMovesAll.end()) return ofAll(node);
      if (!moves(node)) return std::nullopt;
      id = node.inputs[0];
    }
    return std::nullopt;
  }

 private:
  std::optional<Steps> stepsOf(const Node& node, ElementType type) const {
    if (rangeOf(type).high == 0 || node.inputs.size() < 2) return std::nullopt;
    const auto size = constantNumber(m_graph, node.inputs[1]);
    if (!size || m_graph.value(node.inputs[1]).type.element != ElementType::kFloat) return std::nullopt;
    Steps steps{.scale = static_cast<float>(*size), .zero = 0, .type = type};
    if (node.inputs.size() < 3 || !node.inputs[2].valid()) return steps;
    const auto number = constantNumber(m_graph, node.inputs[2]);
    if (!number) return std::nullopt;
    steps.zero = static_cast<int64_t>(*number);
    return steps;
  }

  // The same for every input, all of which come with steps.
  std::optional<Steps> ofAll(const Node& node) const {
    std::optional<Steps> found;
    for (const ValueId input : node.inputs) {
      const auto steps = input.valid() ? madeWith(input) : std::nullopt;
      if (!steps || (found && found != steps)) return std::nullopt;
      found = steps;
    }
    return found;
  }

  const Graph& m_graph;
};

using Border = std::map<std::string, Steps>;  // by the value that is quantised and dequantised again

// What a node lacks to stand between quantised values; nothing where it lacks nothing, or its steps are not known.
// type: of steps that no neighbour gives; kUndefined: the neighbours'.
class Lacking {
 public:
  Lacking(const Graph& graph, const Node& node, ElementType type) : m_graph(graph), m_reader(graph), m_node(node) {
    m_type = type == ElementType::kUndefined ? typeAround() : type;
  }

  std::optional<Border> border() {
    if (!m_node.domain.empty() || m_node.hasBodies() || m_type == ElementType::kUndefined) return std::nullopt;
    for (const ValueId input : m_node.inputs) {
      if (!m_reader.isFloat(input) || constantOf(m_graph, input) != nullptr || m_reader.madeWith(input)) continue;
      std::optional<Steps> steps = m_reader.derived(input, m_type);
      if (const Bounds* const domain = boundsIn(kDomains, m_node); !steps && domain != nullptr)
        steps = stepsBetween(domain->low, domain->high, m_type);
      // What comes from outside has no node after which it could be quantised.
      if (!steps || !m_graph.value(input).producer.valid()) return std::nullopt;
      m_border[m_graph.value(input).name] = *steps;
    }
    for (const ValueId output : m_node.outputs) {
      if (!m_reader.isFloat(output)) continue;
      bool isClosed = false;
      std::optional<Steps> steps = m_reader.readWith(output, isClosed);
      if (isClosed) continue;
      if (!steps) steps = m_reader.derived(output, m_type);
      if (!steps) return std::nullopt;
      m_border[m_graph.value(output).name] = *steps;
    }
    return m_border.empty() ? std::nullopt : std::optional(m_border);
  }

 private:
  // Of the first neighbour that is quantised.
  ElementType typeAround() const {
    for (const ValueId input : m_node.inputs) {
      if (!m_reader.isFloat(input)) continue;
      if (const auto steps = m_reader.derived(input, ElementType::kUndefined); steps && steps->scale > 0)
        if (rangeOf(steps->type).high > 0) return steps->type;
    }
    for (const ValueId output : m_node.outputs) {
      bool ignored = false;
      if (!m_reader.isFloat(output)) continue;
      if (const auto steps = m_reader.readWith(output, ignored)) return steps->type;
    }
    return ElementType::kUndefined;
  }

  const Graph& m_graph;
  const Reader m_reader;
  const Node& m_node;
  ElementType m_type = ElementType::kUndefined;
  Border m_border;
};

Result<Model> quantise(const CureContext& context, const Border& border) {
  Workpiece piece(context);
  Graph& graph = piece.graph();
  for (const auto& [name, steps] : border) {
    const ValueId value = graph.findValue(name);
    const NodeId maker = value.valid() ? graph.value(value).producer : NodeId();
    if (!maker.valid()) continue;
    const Node of = graph.node(maker);
    const auto slot = static_cast<size_t>(std::ranges::find(of.outputs, value) - of.outputs.begin());
    const ValueId inner = piece.value(name + "_float", graph.value(value).type);
    graph.setNodeOutput(maker, slot, inner);
    const ValueId scale = piece.constant(name + "_scale", Tensor::scalar(steps.scale));
    const ValueId zero = piece.constant(name + "_zero_point", zeroOf(steps));
    const ValueId quantised = piece.add(of, "QuantizeLinear", {inner, scale, zero});
    piece.add(of, "DequantizeLinear", {quantised, scale, zero}, {}, value);
  }
  return piece.finish();
}

void proposeFor(const CureContext& context, const std::vector<NodeId>& nodes, ElementType type,
                std::vector<CureChange>& changes) {
  Border border;
  std::vector<NodeId> chosen;
  bool isNew = type == ElementType::kUndefined;
  for (const NodeId id : nodes) {
    const auto its = Lacking(context.graph(), context.node(id), type).border();
    if (!its) continue;
    chosen.push_back(id);
    for (const auto& [name, steps] : *its) {
      border[name] = steps;
      isNew = isNew || steps.type == type;
    }
  }
  // In another type nothing may change: then the first proposal is the same.
  if (chosen.empty() || !isNew) return;
  const bool isOne = std::ranges::all_of(
      chosen, [&](NodeId id) { return operatorName(context.node(id)) == operatorName(context.node(chosen.front())); });
  const std::string whose = isOne ? countedNodes(context.graph(), chosen) : fmt::format("{} nodes", chosen.size());
  const bool isWide = type != ElementType::kUndefined;
  changes.push_back(
      {.title = fmt::format("QuantizeLinear and DequantizeLinear at the border of {}{}", whose,
                            isWide ? ", in 16 bits" : ""),
       .consequence = isWide ? "what lies between bounds of an operator has 65,536 values"
                             : "what lies between bounds of an operator has as many values as its neighbours",
       .parts = static_cast<int64_t>(border.size()),
       .apply = [&context, border] { return quantise(context, border); }});
}

std::vector<CureChange> propose(const CureContext& context) {
  std::vector<CureChange> changes;
  std::vector<NodeId> every;
  const auto byOperator = context.refusedByOperator();
  for (const auto& [opType, nodes] : byOperator) {
    every.insert(every.end(), nodes.begin(), nodes.end());
    proposeFor(context, nodes, ElementType::kUndefined, changes);
    if (importedVersion(context.typed.opsets, "") >= kSixteenBitOpset)
      proposeFor(context, nodes, ElementType::kUint16, changes);
  }
  const size_t each = changes.size();
  if (byOperator.size() > 1 && each > 1) proposeFor(context, every, ElementType::kUndefined, changes);
  return changes;
}

constexpr CureVariant kVariant{.name = "quantise border",
                               .purpose =
                                   "quantises and dequantises what goes into and comes out of float nodes between "
                                   "quantised ones",
                               .propose = propose};

}  // namespace

const CureVariant& cure_quantise_border() {
  return kVariant;
}

}  // namespace cutaway::study
