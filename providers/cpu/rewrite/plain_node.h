#pragma once
// What rewrites that go over a whole graph ask of a node before anything else, in the words of operator traits.
//
// Thread rule: pure. Example: if (isPlainNode(node) && operators::findTraits(node)->relation == Relation::kElementwise)

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::cpu {

using operators::ElementFunction;
using operators::OperatorTraits;
using operators::Relation;

inline constexpr const char* kProvider = "cpu";

// A node of this provider that has no bodies and captures nothing.
inline bool isPlainNode(const Node& node) {
  return !node.removed && node.provider == kProvider && !node.hasBodies() && node.implicitInputs.empty();
}

}  // namespace cutaway::cpu
