// Nodes whose inputs are all constant run now, once, on the CPU kernels
// (onnxruntime/core/optimizer/constant_folding.cc).
//
// Shape and Size need no constant input, only a static shape. Kept as they are: nodes that draw random numbers, nodes
// with bodies, results that would be too big or whose size is not known, and dequantised weights of a quantised unit,
// which a provider may want to run on the integers.

#include <algorithm>
#include <array>

#include "engine/base/input_budget.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/provider/node_evaluator.h"
#include "engine/schema/schema.h"
#include "engine/stages/optimize/graph_pass.h"
#include "engine/tensor/value_bytes.h"

namespace cutaway::optimize {

namespace {

bool isQuantizer(const Node& node, std::string_view opType) {
  return node.opType == opType && (node.domain.empty() || node.domain == "com.microsoft");
}

bool isDequantized(const PassContext& context, ValueId id) {
  const NodeId producer = context.producer(id);
  return producer.valid() && isQuantizer(context.node(producer), "DequantizeLinear") &&
         context.constant(context.input(producer, 0)) == nullptr;
}

bool isQuantizedLater(const PassContext& context, const Node& node) {
  return std::ranges::any_of(node.outputs, [&](ValueId output) {
    return output.valid() && std::ranges::any_of(context.graph().value(output).uses, [&](const Use& use) {
             return isQuantizer(context.node(use.node), "QuantizeLinear");
           });
  });
}

// An operator between DequantizeLinear and QuantizeLinear: its activation comes dequantised, or its result is
// quantised. Each of its inputs may ask. Folding only makes constants of values: an input that does not come
// dequantised never will, and what reads the result stays.
bool isQuantizedUnit(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  size_t& slot = context.plainInputs[id.index()];
  while (slot < node.inputs.size() && !(node.inputs[slot].valid() && isDequantized(context, node.inputs[slot])))
    ++slot;
  if (slot < node.inputs.size()) return true;
  const auto [known, isNew] = context.quantizedResults.try_emplace(id.index(), false);
  if (isNew) known->second = isQuantizedLater(context, node);
  return known->second;
}

bool feedsQuantizedUnit(const PassContext& context, NodeId id) {
  const ValueId output = context.output(id, 0);
  return output.valid() && std::ranges::any_of(context.graph().value(output).uses,
                                               [&](const Use& use) { return isQuantizedUnit(context, use.node); });
}

GraphPatch replaceByConstants(const PassContext& context, NodeId id,
                              std::vector<std::pair<std::string, Tensor>> constants, std::string why) {
  GraphPatch patch;
  patch.note = fmt::format("{} {}", context.label(id), why);
  patch.removeNodes = {id};
  patch.addInitializers = std::move(constants);
  return patch;
}

std::optional<GraphPatch> foldShape(const PassContext& context, NodeId id) {
  const ValueId output = context.output(id, 0);
  const ValueType& type = context.type(context.input(id, 0));
  const auto dims = type.isTensor() && type.shape ? type.shape->staticDims() : std::nullopt;
  if (!dims || !output.valid()) return std::nullopt;
  const std::string& name = context.graph().value(output).name;
  if (context.is(id, "Size")) {
    const auto count = type.shape->elementCount();
    if (!count) return std::nullopt;
    return replaceByConstants(context, id, {{name, Tensor::scalar<int64_t>(*count)}}, "reads a static shape");
  }
  const auto rank = static_cast<int64_t>(dims->size());
  const auto clampAxis = [&](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  const int64_t start = clampAxis(context.node(id).attributeOr<int64_t>("start", 0));
  const int64_t end = std::max(start, clampAxis(context.node(id).attributeOr<int64_t>("end", rank)));
  return replaceByConstants(context, id,
                            {{name, Tensor::of(std::span<const int64_t>(*dims).subspan(start, end - start))}},
                            "reads a static shape");
}

int64_t longestTexts(const PassContext& context, const Node& node) {
  int64_t longest = 0;
  for (const ValueId input : node.inputs) {
    if (const Tensor* constant = context.constant(input)) longest += longestText(*constant);
  }
  return longest;
}

// Every result is a tensor of a size that is known and allowed.
bool resultsFit(const PassContext& context, const Node& node) {
  int64_t total = 0;
  const int64_t longest = longestTexts(context, node);
  for (const ValueId output : node.outputs) {
    if (!output.valid()) continue;
    const ValueType& type = context.type(output);
    const bool strings = type.isTensor() && type.shape && type.element == ElementType::kString;
    auto bytes = strings ? type.shape->elementCount() : type.isTensor() ? staticByteSize(type) : std::nullopt;
    if (strings && bytes) bytes = mostStringBytes(*bytes, longest);
    if (strings && bytes && *bytes > kInputBudget.foldedTexts) return false;
    if (!bytes || __builtin_add_overflow(total, *bytes, &total)) return false;
  }
  const int64_t limit = context.options().foldingLimitBytes;
  return limit == 0 || total <= limit;
}

bool mayFold(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (context.options().kernels == nullptr || node.hasBodies() || node.opType == "EPContext") return false;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
  if (schema == nullptr || !schema->deterministic) return false;
  const bool hasInput = std::ranges::any_of(node.inputs, [](ValueId input) { return input.valid(); });
  if (!hasInput && node.opType != "Constant") return false;
  if (!std::ranges::all_of(node.inputs,
                           [&](ValueId input) { return !input.valid() || context.constant(input) != nullptr; }))
    return false;
  if (isQuantizer(node, "DequantizeLinear") && feedsQuantizedUnit(context, id)) return false;
  return resultsFit(context, node) &&
         operators::nodeWork(context.graph(), id) <= context.options().foldingLimitOperations;
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  if (context.is(id, "Shape") || context.is(id, "Size")) {
    if (context.constant(context.input(id, 0)) == nullptr || context.options().kernels == nullptr)
      return foldShape(context, id);
  }
  if (!mayFold(context, id)) return std::nullopt;
  const Node& node = context.node(id);
  std::vector<RuntimeValue> inputs(node.inputs.size());
  for (size_t slot = 0; slot < inputs.size(); ++slot) {
    if (const Tensor* constant = context.constant(node.inputs[slot])) inputs[slot] = RuntimeValue(*constant);
  }
  // A kernel that fails is no reason to stop: the node stays, and says at run time what is wrong.
  const auto outputs =
      evaluateNode(*context.options().kernels, context.graph(), id, inputs, kInputBudget.foldedScratch);
  if (!outputs) return std::nullopt;
  std::vector<std::pair<std::string, Tensor>> constants;
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (!node.outputs[slot].valid()) continue;
    if (slot >= outputs->size() || !(*outputs)[slot].isTensor()) return std::nullopt;
    constants.emplace_back(context.graph().value(node.outputs[slot]).name, (*outputs)[slot].tensor());
  }
  if (constants.empty()) return std::nullopt;
  return replaceByConstants(context, id, std::move(constants), "has constant inputs only: its result is computed now");
}

constexpr GraphPass kPass{
    .name = "ConstantFolding", .purpose = "computes nodes with constant inputs now", .level = 1, .match = match};

}  // namespace

const GraphPass& pass_fold_constants() {
  return kPass;
}

}  // namespace cutaway::optimize
