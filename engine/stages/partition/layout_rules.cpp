// Tables of operators, and the ranks that make a turn possible.
#include "engine/stages/partition/layout_rules.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "engine/provider/channels_last.h"

namespace cutaway {

namespace {

using Names = std::unordered_set<std::string_view>;
using Kind = LayoutRole::Kind;

constexpr size_t kSmallestImage = 3;
constexpr int32_t kNumpyBroadcast = 7;  // opset from which binary operators broadcast from the right

size_t rankOf(const Graph& graph, ValueId id) {
  const ValueType& type = graph.value(id).type;
  return type.isTensor() && type.shape ? type.shape->rank() : 0;
}

bool isSingle(const Graph& graph, ValueId id) {
  const ValueType& type = graph.value(id).type;
  return type.isTensor() && type.shape && type.shape->elementCount() == 1;
}

// Constants are turned when the graph is edited, whole bytes at a time.
bool isTurnable(const Graph& graph, ValueId id) {
  return graph.isConstant(id) && bitsOf(graph.value(id).initializer->type()) % 8 == 0 &&
         graph.value(id).initializer->type() != ElementType::kString;
}

bool worksOnImages(const Node& node) {
  static const Names names{"Conv",
                           "ConvTranspose",
                           "FusedConv",
                           "MaxPool",
                           "AveragePool",
                           "LpPool",
                           "GlobalAveragePool",
                           "GlobalMaxPool",
                           "GlobalLpPool",
                           "BatchNormalization",
                           "InstanceNormalization",
                           "GroupNormalization",
                           "LRN",
                           "GridSample",
                           "Resize",
                           "Upsample",
                           "DepthToSpace",
                           "SpaceToDepth",
                           "QLinearConv",
                           "QLinearAveragePool",
                           "QLinearGlobalAveragePool",
                           "ConvInteger"};
  return names.contains(node.opType) && node.domain == domainBeforeChannelsLast(node.opType);
}

// Conditions beside the operator's name: no second image among the operands, no indices into channels-first order.
bool fits(const Node& node, size_t rank) {
  if (node.outputs.size() > 1 &&
      std::any_of(node.outputs.begin() + 1, node.outputs.end(), [](ValueId id) { return id.valid(); }))
    return false;
  if (node.opType == "FusedConv") return node.inputs.size() < 4 || !node.inputs[3].valid();
  if (node.opType == "GridSample" || node.opType == "Resize" || node.opType == "Upsample") return rank == 4;
  return node.attributeOr<int64_t>("channels_last", 0) == 0;
}

LayoutRole sensitive(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || !node.inputs[0].valid() || node.outputs.empty() || !node.outputs[0].valid()) return {};
  const size_t rank = rankOf(graph, node.inputs[0]);
  if (rank < kSmallestImage || rankOf(graph, node.outputs[0]) != rank || graph.isConstant(node.inputs[0]) ||
      !fits(node, rank))
    return {};
  LayoutRole role{.kind = Kind::kSensitive, .turns = std::vector<char>(node.inputs.size(), 0)};
  role.turns[0] = 1;
  return role;
}

enum class Follows : uint8_t { kElements, kBroadcasts, kJoins, kSplits, kQuantizes };

const Follows* howItFollows(const Node& node) {
  static const std::unordered_map<std::string_view, Follows> table = [] {
    std::unordered_map<std::string_view, Follows> rows{{"Concat", Follows::kJoins},
                                                       {"Split", Follows::kSplits},
                                                       {"QuantizeLinear", Follows::kQuantizes},
                                                       {"DequantizeLinear", Follows::kQuantizes}};
    for (const char* name :
         {"Abs",        "Acos",     "Acosh",     "Asin",       "Asinh",          "Atan",     "Atanh",
          "BitwiseNot", "Cast",     "Ceil",      "Celu",       "Clip",           "Cos",      "Cosh",
          "Dropout",    "Elu",      "Erf",       "Exp",        "Floor",          "Gelu",     "HardSigmoid",
          "HardSwish",  "Identity", "IsInf",     "IsNaN",      "LeakyRelu",      "Log",      "Mish",
          "Neg",        "Not",      "QuickGelu", "Reciprocal", "Relu",           "Round",    "Selu",
          "Shrink",     "Sigmoid",  "Sign",      "Sin",        "Sinh",           "Softplus", "Softsign",
          "Sqrt",       "Swish",    "Tan",       "Tanh",       "ThresholdedRelu"}) {
      rows[name] = Follows::kElements;
    }
    for (const char* name : {"Add",   "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max",
                             "Mean",  "Min", "Mod", "Mul",   "Or",      "PRelu",          "Pow",  "Sub",         "Sum",
                             "Where", "Xor"})
      rows[name] = Follows::kBroadcasts;
    return rows;
  }();
  if (!node.domain.empty() && node.domain != "com.microsoft") return nullptr;
  const auto found = table.find(node.opType);
  return found == table.end() ? nullptr : &found->second;
}

// The common rank of everything the node gives; 0: they differ, or are open.
size_t outputRank(const Graph& graph, const Node& node) {
  size_t rank = 0;
  for (const ValueId id : node.outputs) {
    if (!id.valid()) continue;
    const size_t each = rankOf(graph, id);
    if (each == 0 || (rank != 0 && each != rank)) return 0;
    rank = each;
  }
  return rank;
}

// Marks the operand as turning; false: it can do neither, turn or stay.
bool place(const Graph& graph, ValueId id, size_t rank, char& turns) {
  if (!id.valid()) return true;
  if (isSingle(graph, id)) return true;
  const bool same = rankOf(graph, id) == rank;
  if (graph.isConstant(id) && (!isTurnable(graph, id) || !graph.value(id).type.shape || rankOf(graph, id) > rank))
    return false;
  if (!same && !graph.isConstant(id)) return false;
  turns = 1;
  return true;
}

// The same where sizes along the axis count: everything turns.
bool joins(const Graph& graph, ValueId id, size_t rank, char& turns) {
  turns = 1;
  return id.valid() && rankOf(graph, id) == rank && (!graph.isConstant(id) || isTurnable(graph, id));
}

// Every scale, zero point and limit is one number, or the scales are a vector along the axis.
bool placeAxis(const Graph& graph, const Node& node, Follows how, size_t rank, LayoutRole& role) {
  if (how == Follows::kJoins || how == Follows::kSplits) {
    const auto axis = node.attributeOr<int64_t>("axis", 0);
    if (axis < -static_cast<int64_t>(rank) || axis >= static_cast<int64_t>(rank)) return false;
    role.axis = channelsLastAxis(axis, rank);
    return true;
  }
  const bool single = std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                                  [&](ValueId id) { return !id.valid() || isSingle(graph, id); });
  if (single) return true;
  const auto axis = node.attributeOr<int64_t>("axis", 1);
  if (how != Follows::kQuantizes || !node.domain.empty() || node.inputs.size() < 2 || !node.inputs[1].valid() ||
      rankOf(graph, node.inputs[1]) != 1 || node.attributeOr<int64_t>("block_size", 0) != 0)
    return false;
  if (axis < -static_cast<int64_t>(rank) || axis >= static_cast<int64_t>(rank)) return false;
  role.axis = channelsLastAxis(axis, rank);
  return true;
}

LayoutRole follower(const Graph& graph, const Node& node) {
  const Follows* how = howItFollows(node);
  const size_t rank = how == nullptr ? 0 : outputRank(graph, node);
  if (rank < kSmallestImage || node.inputs.empty()) return {};
  LayoutRole role{.kind = Kind::kFollower, .turns = std::vector<char>(node.inputs.size(), 0)};
  if (*how == Follows::kBroadcasts || *how == Follows::kJoins) {
    if (node.findAttribute("broadcast") != nullptr || (node.opType == "PRelu" && node.sinceVersion < kNumpyBroadcast))
      return {};
    for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (!(*how == Follows::kJoins ? joins(graph, node.inputs[slot], rank, role.turns[slot])
                                    : place(graph, node.inputs[slot], rank, role.turns[slot])))
        return {};
    }
  } else {
    if (!node.inputs[0].valid() || rankOf(graph, node.inputs[0]) != rank) return {};
    role.turns[0] = 1;
  }
  if (*how != Follows::kBroadcasts && *how != Follows::kElements && !placeAxis(graph, node, *how, rank, role))
    return {};
  if (*how == Follows::kElements && std::any_of(node.inputs.begin() + 1, node.inputs.end(),
                                                [&](ValueId id) { return id.valid() && !isSingle(graph, id); }))
    return {};
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    if (role.turns[slot] && !graph.isConstant(node.inputs[slot])) return role;
  }
  return {};
}

}  // namespace

LayoutRole layoutRole(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.hasBodies() || !node.implicitInputs.empty()) return {};
  return worksOnImages(node) ? sensitive(graph, node) : follower(graph, node);
}

}  // namespace cutaway
