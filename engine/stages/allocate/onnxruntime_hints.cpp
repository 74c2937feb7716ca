// Source: onnxruntime's kernel registrations (MayInplace, Alias) and onnxruntime/core/framework/allocation_planner.cc.

#include "engine/stages/allocate/onnxruntime_hints.h"

#include <algorithm>
#include <iterator>

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::allocate {

std::vector<InplaceHint> onnxruntimeDeclarations(const Node& node, const std::vector<InplaceHint>& hints) {
  const operators::OperatorTraits* traits = operators::findTraitsByName(node.opType);
  std::vector<InplaceHint> kept;
  if (traits == nullptr) return kept;
  std::copy_if(hints.begin(), hints.end(), std::back_inserter(kept), [&](const InplaceHint& hint) {
    if (hint.kind != AliasKind::kAlias && hint.kind != AliasKind::kMayInplace) return false;
    return std::ranges::any_of(traits->overInputs, [&](const operators::OverInput& each) {
      return each.input == hint.input && each.output == hint.output && each.always == (hint.kind == AliasKind::kAlias);
    });
  });
  return kept;
}

}  // namespace cutaway::allocate
