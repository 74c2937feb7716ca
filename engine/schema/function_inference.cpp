// Types of calls to model-local functions: the body is inferred once for every distinct call, and its output types are
// the call's.

#include "engine/base/format.h"
#include "engine/base/input_budget.h"
#include "engine/graph/node_label.h"
#include "engine/schema/function_body.h"
#include "engine/schema/function_size.h"
#include "engine/schema/inference_state.h"

namespace cutaway {

namespace {

struct CallInput {
  ValueType type;
  const Tensor* constant = nullptr;
  std::optional<std::vector<Dim>> partial;
};

std::vector<CallInput> callInputs(const InferenceScope& scope, const Node& call) {
  std::vector<CallInput> inputs(call.inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueId id = call.inputs[i];
    if (!id.valid()) continue;
    inputs[i].type = scope.graph.value(id).type;
    inputs[i].constant = scope.constant(id);
    if (inputs[i].constant != nullptr && inputs[i].constant->elementCount() > kInputBudget.shownElements)
      inputs[i].constant = nullptr;
    if (inputs[i].constant == nullptr) inputs[i].partial = scope.elements(id);
  }
  return inputs;
}

std::string numbersText(const std::vector<int64_t>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

// Text that is equal only for equal attributes; nullopt when there are graphs among them.
std::optional<std::string> attributeText(const Node& call) {
  std::string text;
  for (const Attribute& attribute : call.attributes) {
    text += attribute.name + "=";
    if (const auto* number = std::get_if<int64_t>(&attribute.value))
      text += std::to_string(*number);
    else if (const auto* real = std::get_if<float>(&attribute.value))
      text += fmt::format("{}f", *real);
    else if (const auto* string = std::get_if<std::string>(&attribute.value))
      text += fmt::format("'{}:{}'", string->size(), *string);
    else if (const auto* list = std::get_if<std::vector<int64_t>>(&attribute.value))
      text += numbersText(*list);
    else if (const auto* reals = std::get_if<std::vector<float>>(&attribute.value))
      text += fmt::format("{}f", fmt::join(*reals, ","));
    else if (const auto* tensor = heldAs<Tensor>(attribute.value))
      text += fmt::format("{}", tensor->data());
    else
      return std::nullopt;
    text += ";";
  }
  return text;
}

std::optional<std::string> callKey(const Function& function, const Node& call, const std::vector<CallInput>& inputs) {
  const auto attributes = attributeText(call);
  if (!attributes) return std::nullopt;
  std::string key = fmt::format("{}|{}|", static_cast<const void*>(&function), *attributes);
  for (const CallInput& input : inputs) {
    key += toText(input.type) + "@" + fmt::format("{}", input.constant == nullptr ? nullptr : input.constant->data());
    if (input.partial) {
      for (const Dim& each : *input.partial)
        key += each.isKnown() ? std::to_string(each.value()) + "," : "'" + each.symbol() + "',";
    }
    key += "|";
  }
  key += std::to_string(call.outputs.size());
  return key;
}

Result<std::vector<CallOutput>> inferCall(InferenceScope& outer, const Function& function, const Node& call,
                                          const std::vector<CallInput>& inputs) {
  Graph body = bodyForCall(function, call);
  outer.shared.callNodes +=
      nodesWithBodies(body) + static_cast<int64_t>(copiedBytes(body) / kInputBudget.copiedAsANode) + 1;
  PartialData partial;
  InferenceScope scope{outer.model, body, partial, outer.shared, nullptr, outer.callDepth + 1};
  body.overridableInitializers = false;
  for (size_t i = 0; i < body.inputs().size() && i < inputs.size(); ++i) {
    const ValueId id = body.inputs()[i];
    if (inputs[i].type.known()) body.mutableValue(id).type = inputs[i].type;
    if (inputs[i].constant != nullptr) body.mutableValue(id).initializer = *inputs[i].constant;
    if (inputs[i].partial) partial.set(id, *inputs[i].partial);
  }
  CUTAWAY_CHECK(inferGraphIn(scope));
  std::vector<CallOutput> outputs;
  for (const ValueId id : body.outputs()) {
    const std::vector<Dim>* elements = partial.find(id);
    outputs.push_back({body.value(id).type, elements == nullptr ? std::nullopt : std::optional(*elements)});
  }
  return outputs;
}

}  // namespace

Result<void> inferCallIn(InferenceScope& scope, NodeId id, const Function& function) {
  const Node call = scope.graph.node(id);
  if (scope.callDepth >= kInputBudget.callDepth)
    return fail(ErrorCode::kFail, "functions call each other more than {} levels deep", kInputBudget.callDepth);
  if (call.inputs.size() > function.body.inputs().size() || call.outputs.size() > function.body.outputs().size()) {
    return fail(ErrorCode::kInvalidGraph, "the function {}:{} has {} and {}, but the call has {} and {}",
                function.domain, function.name, counted(static_cast<int64_t>(function.body.inputs().size()), "input"),
                counted(static_cast<int64_t>(function.body.outputs().size()), "output"), call.inputs.size(),
                call.outputs.size());
  }
  const std::vector<CallInput> inputs = callInputs(scope, call);
  const auto key = callKey(function, call, inputs);
  const auto known = key ? scope.shared.calls.find(*key) : scope.shared.calls.end();
  std::vector<CallOutput> outputs;
  if (known != scope.shared.calls.end()) {
    outputs = known->second;
  } else {
    if (scope.shared.callNodes > kInputBudget.callNodes ||
        repeatedArguments(function, call) > kInputBudget.inlinedAlways)
      return {};
    CUTAWAY_TRY(outputs, inferCall(scope, function, call, inputs));
    if (key) scope.shared.calls.emplace(*key, outputs);
  }
  for (size_t i = 0; i < call.outputs.size() && i < outputs.size(); ++i) {
    if (!call.outputs[i].valid()) continue;
    CUTAWAY_CHECK(mergeIntoValue(scope, call.outputs[i], outputs[i].type, nodeName(scope.graph, id)));
    if (outputs[i].partial) scope.partial.set(call.outputs[i], *outputs[i].partial);
  }
  return {};
}

}  // namespace cutaway
