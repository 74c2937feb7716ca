// What rows of operators say of images, and the ranks that make a turn possible.
#include "engine/stages/partition/layout_rules.h"

#include <algorithm>

#include "engine/operators/traits/operator_traits.h"
#include "engine/provider/channels_last.h"

namespace cutaway::partition {

namespace {

using operators::ImageRole;
using operators::OperatorTraits;
using operators::Relation;
using Kind = LayoutRole::Kind;

constexpr size_t kSmallestImage = 3;

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
  const OperatorTraits* traits = operators::findTraitsByName(node.opType);
  return traits != nullptr && traits->image == ImageRole::kReads && traits->domain == node.domain;
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

// The row of an operator that means the same in any order of axes; nullptr: it does not.
const OperatorTraits* followerTraits(const Node& node) {
  if (!node.domain.empty() && node.domain != "com.microsoft") return nullptr;
  const OperatorTraits* traits = operators::findTraits(node);
  return traits != nullptr && traits->image == ImageRole::kFollows ? traits : nullptr;
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
bool placeAxis(const Graph& graph, const Node& node, Relation how, size_t rank, LayoutRole& role) {
  if (how == Relation::kJoin || how == Relation::kSplit) {
    const auto axis = node.attributeOr<int64_t>("axis", 0);
    if (axis < -static_cast<int64_t>(rank) || axis >= static_cast<int64_t>(rank)) return false;
    role.axis = channelsLastAxis(axis, rank);
    return true;
  }
  const bool single = std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                                  [&](ValueId id) { return !id.valid() || isSingle(graph, id); });
  if (single) return true;
  const auto axis = node.attributeOr<int64_t>("axis", 1);
  if (how != Relation::kQuantize || !node.domain.empty() || node.inputs.size() < 2 || !node.inputs[1].valid() ||
      rankOf(graph, node.inputs[1]) != 1 || node.attributeOr<int64_t>("block_size", 0) != 0)
    return false;
  if (axis < -static_cast<int64_t>(rank) || axis >= static_cast<int64_t>(rank)) return false;
  role.axis = channelsLastAxis(axis, rank);
  return true;
}

LayoutRole follower(const Graph& graph, const Node& node) {
  const OperatorTraits* traits = followerTraits(node);
  const size_t rank = traits == nullptr ? 0 : outputRank(graph, node);
  if (rank < kSmallestImage || node.inputs.empty()) return {};
  const Relation how = traits->relation;
  const bool broadcasts = how == Relation::kBroadcast, joined = how == Relation::kJoin;
  const bool elements = how == Relation::kElementwise || how == Relation::kView;
  LayoutRole role{.kind = Kind::kFollower, .turns = std::vector<char>(node.inputs.size(), 0)};
  if (broadcasts || joined) {
    // Before the row's version broadcasting was another one.
    if (node.findAttribute("broadcast") != nullptr || std::max(node.sinceVersion, 1) < traits->since) return {};
    for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (!(joined ? joins(graph, node.inputs[slot], rank, role.turns[slot])
                   : place(graph, node.inputs[slot], rank, role.turns[slot])))
        return {};
    }
  } else {
    if (!node.inputs[0].valid() || rankOf(graph, node.inputs[0]) != rank) return {};
    role.turns[0] = 1;
  }
  if (!broadcasts && !elements && !placeAxis(graph, node, how, rank, role)) return {};
  if (elements && std::any_of(node.inputs.begin() + 1, node.inputs.end(),
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

}  // namespace cutaway::partition
