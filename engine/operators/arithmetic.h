#pragma once
// Operators of several operands that work element by element: the type they share, and what BitShift's and Mod's
// attributes mean.
//
// Source: the ONNX operator specification.

#include "engine/base/result.h"
#include "engine/graph/graph.h"

namespace cutaway::operators {

// The element type of the node's first `count` inputs: that of the first whose type is known; kUndefined where none is.
ElementType commonInputType(const Graph& graph, const Node& node, size_t count);
// INVALID_GRAPH where one of them is absent or of another known type, or where there are none.
Result<void> checkAlikeInputs(const Graph& graph, const Node& node, size_t count);

enum class ShiftDirection : uint8_t { kLeft, kRight };
Result<ShiftDirection> readShiftDirection(const Node& node);

// Mod: a remainder has the sign of the divisor (as floor division leaves it), or that of the dividend (attribute fmod).
enum class Remainder : uint8_t { kFloor, kTruncated };
Remainder readRemainder(const Node& node);

}  // namespace cutaway::operators
