#pragma once
// Cast and BitCast: to which type.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/element_type.h"

namespace cutaway::operators {

// Of Cast: version 1 names the type, later ones number it. INVALID_ARGUMENT for a name that is none, NOT_IMPLEMENTED
// for a number that is none.
Result<ElementType> castTarget(const Node& node);
// NOT_IMPLEMENTED unless `to` is a type; CastLike's may be unknown.
Result<void> checkCastTarget(ElementType to);
// Of BitCast. INVALID_ARGUMENT where the elements differ in width.
Result<ElementType> bitCastTarget(const Node& node, ElementType from);

}  // namespace cutaway::operators
