#pragma once
// Residuals: what a product or a convolution can add to its result while it writes.

#include "engine/graph/graph.h"

namespace cutaway::operators {

// Whether a + b has the type of both: one element type, and the same dims as far as names tell, so that neither
// broadcasts.
bool addsWithoutBroadcast(const ValueType& a, const ValueType& b);

}  // namespace cutaway::operators
