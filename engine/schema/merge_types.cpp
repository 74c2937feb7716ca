#include "engine/base/input_budget.h"
#include "engine/schema/inference_state.h"

namespace cutaway {

namespace {

bool isShaped(const ValueType& type) {
  return type.kind == TypeKind::kTensor || type.kind == TypeKind::kSparseTensor;
}

tl::unexpected<Error> typeConflict(const ValueType& declared, const ValueType& inferred) {
  return fail(ErrorCode::kInvalidGraph, "the declared type {} does not agree with the inferred type {}",
              toText(declared), toText(inferred));
}

// A number beats a symbol, a symbol beats the unknown, the declared symbol beats the inferred one.
void mergeDim(Dim& declared, const Dim& inferred, std::string& conflict) {
  if (inferred.isKnown()) {
    if (declared.isKnown() && declared.value() != inferred.value()) {
      conflict = fmt::format("{} against {}", declared.value(), inferred.value());
      declared = Dim();
      return;
    }
    declared = inferred;
  } else if (!declared.isKnown() && !declared.isSymbol()) {
    declared = inferred;
  }
}

Result<void> mergeShape(ValueType& declared, const ValueType& inferred, bool strict, std::string& conflict) {
  if (!inferred.shape) return {};
  if (!declared.shape) {
    declared.shape = inferred.shape;
    return {};
  }
  const std::string before = toText(*declared.shape);
  if (declared.shape->rank() != inferred.shape->rank()) {
    conflict = fmt::format("rank {} against {}", declared.shape->rank(), inferred.shape->rank());
    declared.shape.reset();
  } else {
    for (size_t axis = 0; axis < declared.shape->rank(); ++axis)
      mergeDim((*declared.shape)[axis], (*inferred.shape)[axis], conflict);
  }
  if (conflict.empty()) return {};
  conflict = fmt::format("the declared shape {} does not agree with the inferred shape {} ({})", before,
                         toText(*inferred.shape), conflict);
  if (strict) return fail(ErrorCode::kFail, "{}", conflict);
  return {};
}

}  // namespace

Result<MergedType> mergeTypes(const ValueType& declared, const ValueType& inferred, bool strict) {
  MergedType merged{declared, {}};
  if (!inferred.known()) return merged;
  if (!declared.known()) {
    merged.type = inferred;
    return merged;
  }
  if (declared.kind != inferred.kind) return typeConflict(declared, inferred);
  if (isShaped(declared)) {
    if (declared.element == ElementType::kUndefined)
      merged.type.element = inferred.element;
    else if (inferred.element != ElementType::kUndefined && declared.element != inferred.element)
      return typeConflict(declared, inferred);
    CUTAWAY_CHECK(mergeShape(merged.type, inferred, strict, merged.conflict));
    return merged;
  }
  if (declared.key != inferred.key) return typeConflict(declared, inferred);
  if (!declared.inner || !declared.inner->known()) {
    merged.type = inferred;
  } else if (inferred.inner) {
    CUTAWAY_TRY(MergedType inner, mergeTypes(*declared.inner, *inferred.inner, strict));
    merged.type.inner = std::make_shared<const ValueType>(std::move(inner.type));
    merged.conflict = std::move(inner.conflict);
  }
  return merged;
}

Result<void> mergeIntoValue(InferenceScope& scope, ValueId id, const ValueType& inferred, std::string_view nodeName) {
  const Value& value = scope.graph.value(id);
  if (inferred.shape && inferred.shape->rank() > kInputBudget.rank) {
    scope.shared.warnings.push_back(
        {std::string(nodeName), value.name,
         fmt::format("'{}' would have {} dimensions, more than {}: its shape is left open until it runs", value.name,
                     inferred.shape->rank(), kInputBudget.rank)});
    ValueType open = inferred;
    open.shape.reset();
    return mergeIntoValue(scope, id, open, nodeName);
  }
  auto merged = mergeTypes(value.type, inferred, scope.shared.options.strict);
  if (!merged) return fail(atValue(std::move(merged).error(), value.name));
  if (!merged->conflict.empty()) scope.shared.warnings.push_back({std::string(nodeName), value.name, merged->conflict});
  scope.graph.setType(id, std::move(merged->type));
  return {};
}

}  // namespace cutaway
