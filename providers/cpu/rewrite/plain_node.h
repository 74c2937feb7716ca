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

// One of the standard operators, by name, that reads a value and makes one.
inline bool isStandardNode(const Node& node, std::string_view opType) {
  return !node.removed && node.provider == kProvider && node.domain.empty() && node.opType == opType &&
         !node.inputs.empty() && node.inputs[0].valid() && node.outputs.size() == 1 && node.outputs[0].valid();
}

}  // namespace cutaway::cpu
