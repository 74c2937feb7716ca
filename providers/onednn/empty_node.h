#pragma once
// Nodes with an input that has no elements at run time. The library's primitives divide by such sizes; what the result
// is needs no primitive.
//
// Thread rule: pure. Example: if (hasEmptyInput(builder, id)) CUTAWAY_TRY(const bool done, lowerEmptyNode(builder,
// id));

#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

bool hasEmptyInput(const PlanBuilder& builder, NodeId id);
// Results without elements are values without bytes; sums over nothing are constants. false: the operator's own
// lowering knows what to do (Concat leaves empty parts out). NOT_IMPLEMENTED for other results that have elements.
Result<bool> lowerEmptyNode(PlanBuilder& builder, NodeId id);

}  // namespace cutaway::onednn
