// Bodies of control-flow nodes under inference.

#include "engine/base/format.h"
#include "engine/schema/inference_state.h"

namespace cutaway {

namespace {

// A body sees the values around it: their types come in before anything inside is looked at.
void takeOuterTypes(const InferenceScope& outer, Graph& body) {
  for (size_t i = 0; i < body.valueSlots(); ++i) {
    Value& inner = body.mutableValue(ValueId{i});
    if (inner.removed || !inner.outerScope) continue;
    const ValueId source = outer.graph.findValue(inner.name);
    if (source.valid() && outer.graph.value(source).type.known()) inner.type = outer.graph.value(source).type;
  }
}

}  // namespace

Result<void> inferBodyIn(const InferenceScope& outer, Graph& body, std::span<const ValueType> inputTypes) {
  takeOuterTypes(outer, body);
  PartialData partial;
  InferenceScope scope{outer.model, body, partial, outer.shared, &outer, outer.callDepth};
  if (!inputTypes.empty()) {
    // Initializers may be listed among the inputs (always so below IR 4); callers need not give those.
    std::vector<ValueId> required;
    for (const ValueId id : body.inputs()) {
      if (!body.value(id).initializer) required.push_back(id);
    }
    const std::vector<ValueId> all(body.inputs().begin(), body.inputs().end());
    const std::vector<ValueId>& targets = inputTypes.size() == all.size() ? all : required;
    if (inputTypes.size() != targets.size()) {
      return fail(ErrorCode::kInvalidGraph, "the body '{}' has {}, but its node gives it {}", body.name(),
                  counted(static_cast<int64_t>(all.size()), "input"), inputTypes.size());
    }
    for (size_t i = 0; i < targets.size(); ++i)
      CUTAWAY_CHECK(mergeIntoValue(scope, targets[i], inputTypes[i], ""));
  }
  return inferGraphIn(scope);
}

}  // namespace cutaway
