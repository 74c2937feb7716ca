#pragma once
// What channels last would mean for a node: which operators work on images, which others mean the same in any order of
// axes, and which of their operands turn.
//
// Thread rule: pure; linear in the node's operands. Example: const LayoutRole role = layoutRole(graph, id);  if
// (role.kind == LayoutRole::Kind::kFollower) ...

#include <optional>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway::partition {

struct LayoutRole {
  enum class Kind : uint8_t {
    kFixed,      // the order of its axes stays
    kSensitive,  // an operator with images: with channels last it is one of kChannelsLastDomain
    kFollower,   // the same operator in either order, once its axis and its constants are adjusted
  };
  Kind kind = Kind::kFixed;
  std::vector<char> turns{};      // by input slot: whether the operand is in the node's order
  std::optional<int64_t> axis{};  // of a follower: the value of its attribute "axis" when channels are last
};

LayoutRole layoutRole(const Graph& graph, NodeId id);

}  // namespace cutaway::partition
