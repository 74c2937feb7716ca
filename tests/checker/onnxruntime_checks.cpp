// What a plan by onnxruntime's rules may do: onnxruntime/core/framework/allocation_planner.cc. In which order its free
// list is asked is not looked at.

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

// Equal ranks, and each pair of dimensions equal as numbers or as symbols; nothing is multiplied.
bool sameDims(const ValueType& a, const ValueType& b) {
  if (!a.isTensor() || !b.isTensor() || !a.shape || !b.shape) return false;
  if (a.element == ElementType::kString || b.element == ElementType::kString || bitsOf(a.element) != bitsOf(b.element))
    return false;
  if (a.shape->rank() != b.shape->rank() || a.layout != b.layout) return false;
  for (size_t axis = 0; axis < a.shape->rank(); ++axis) {
    const Dim &left = (*a.shape)[axis], &right = (*b.shape)[axis];
    const bool same = left.isKnown() || right.isKnown() ? left.value() == right.value()
                                                        : !left.symbol().empty() && left.symbol() == right.symbol();
    if (!same) return false;
  }
  return true;
}

}  // namespace

void checkOnnxruntimeRules(const PlanFacts& facts, Complaints& complaints) {
  for (const ValueId id : facts.plan.graph.valueIds()) {
    const allocate::AllocPlanPerValue& planned = facts.planned(id.index());
    if (planned.kind != AllocKind::kReuse) continue;
    const auto complain = [&](const char* what) {
      complaints.add(PlanRule::kOnnxruntime, "'{}' ({}): {}", facts.name(id.index()), allocRuleName(planned.rule),
                     what);
    };
    const bool fromFreeList = planned.rule == AllocRule::kFreeBuffer;
    if (planned.rule != AllocRule::kView && planned.rule != AllocRule::kInPlace && !fromFreeList)
      complain("onnxruntime has no such rule");
    if (planned.rule == AllocRule::kView) continue;
    const ValueType &type = facts.type(id.index()), &from = facts.type(planned.reusedBuffer.index());
    if (!sameDims(type, from)) complain("not the same dimensions as what it takes over");
    if (fromFreeList && type.shape && type.shape->rank() == 0) complain("scalars take no free buffer");
    if (fromFreeList && facts.plan.graph.value(id).uses.empty()) complain("nobody uses it, so it takes no free buffer");
  }
}

}  // namespace cutaway
