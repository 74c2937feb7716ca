#pragma once
// Broadcasting: of all operands as numpy has it, and of the second to the first as versions 1 and 6 had it.

#include <initializer_list>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// At least one operand. INVALID_ARGUMENT when they do not broadcast.
Result<Dims> broadcastDims(std::span<const Dims* const> operands);
inline Result<Dims> broadcastDims(std::initializer_list<const Dims*> operands) {
  return broadcastDims(std::span<const Dims* const>(operands.begin(), operands.size()));
}

// Versions 1 and 6 broadcast B to A only when asked to, from an axis on.
struct LegacyBroadcast {
  bool used = false, allowed = false, hasAxis = false;
  int64_t axis = -1;

  // used: whether the node's version has it.
  static LegacyBroadcast of(const Node& node, bool used);
  // B's dims with the axes that make it broadcast to A.
  Result<Dims> align(const Dims& a, const Dims& b) const;
};

}  // namespace cutaway::operators
