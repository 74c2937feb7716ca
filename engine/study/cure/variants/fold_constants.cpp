// Refused nodes that compute with constants only: their results take their place. The optimizer folds such nodes
// anyhow; what is left is what it keeps on purpose, above all dequantised weights.

#include <algorithm>
#include <set>

#include "engine/base/input_budget.h"
#include "engine/graph/topology.h"
#include "engine/provider/node_evaluator.h"
#include "engine/schema/schema.h"
#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

constexpr int64_t kMostBytes = int64_t{256} << 20;  // of all results together

// Nodes that can be computed beforehand, in topological order.
std::vector<NodeId> foldableNodes(const Graph& graph) {
  std::vector<NodeId> result;
  const auto order = topologicalOrder(graph);
  if (!order) return result;
  std::vector<bool> constant(graph.valueSlots());
  for (const ValueId id : graph.valueIds())
    constant[id.index()] = graph.isConstant(id);
  for (const NodeId id : *order) {
    const Node& node = graph.node(id);
    const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
    const bool folds =
        schema != nullptr && schema->deterministic && !node.hasBodies() &&
        std::ranges::all_of(node.inputs, [&](ValueId input) { return !input.valid() || constant[input.index()]; });
    if (!folds) continue;
    result.push_back(id);
    for (const ValueId output : node.outputs)
      if (output.valid()) constant[output.index()] = true;
  }
  return result;
}

Result<Model> fold(const CureContext& context, const std::vector<NodeId>& nodes) {
  const Graph& graph = context.graph();
  // What they need, from the outputs up.
  std::set<size_t> needed;
  std::vector<NodeId> open = nodes;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!needed.insert(id.index()).second) continue;
    for (const ValueId input : graph.node(id).inputs)
      if (input.valid() && graph.value(input).producer.valid()) open.push_back(graph.value(input).producer);
  }
  std::map<size_t, RuntimeValue> values;
  int64_t bytes = 0;
  for (const NodeId id : foldableNodes(graph)) {
    if (!needed.contains(id.index())) continue;
    const Node& node = graph.node(id);
    std::vector<RuntimeValue> inputs(node.inputs.size());
    for (size_t slot = 0; slot < inputs.size(); ++slot) {
      const ValueId input = node.inputs[slot];
      if (!input.valid()) continue;
      const auto made = values.find(input.index());
      inputs[slot] = made != values.end() ? made->second : RuntimeValue(*graph.value(input).initializer);
    }
    CUTAWAY_TRY(std::vector<RuntimeValue> outputs,
                evaluateNode(*context.kernels, graph, id, inputs, kInputBudget.foldedScratch));
    for (size_t slot = 0; slot < node.outputs.size() && slot < outputs.size(); ++slot) {
      if (!node.outputs[slot].valid()) continue;
      if (!outputs[slot].isTensor())
        return fail(ErrorCode::kNotImplemented, "the result of {} is no tensor", operatorName(node));
      bytes += outputs[slot].tensor().sizeBytes();
      if (bytes > kMostBytes) return fail(ErrorCode::kFail, "the results are larger than {} MB", kMostBytes >> 20);
      values.insert_or_assign(node.outputs[slot].index(), std::move(outputs[slot]));
    }
  }
  Workpiece piece(context);
  for (const NodeId id : nodes) {
    const NodeId here = piece.find(graph, id);
    if (!here.valid()) continue;
    const std::vector<ValueId> outputs = piece.graph().node(here).outputs;
    piece.graph().removeNode(here);
    for (size_t slot = 0; slot < outputs.size(); ++slot) {
      const auto made = values.find(graph.node(id).outputs[slot].index());
      if (!outputs[slot].valid() || made == values.end()) continue;
      piece.graph().replaceUses(outputs[slot],
                                piece.constant(piece.graph().value(outputs[slot]).name, made->second.tensor()));
    }
  }
  return piece.finish();
}

std::vector<CureChange> propose(const CureContext& context) {
  std::vector<CureChange> changes;
  if (context.kernels == nullptr) return changes;
  const Graph& graph = context.graph();
  std::set<size_t> foldable;
  for (const NodeId id : foldableNodes(graph)) {
    const bool isOutput = std::ranges::any_of(
        graph.node(id).outputs, [&](ValueId output) { return output.valid() && graph.value(output).outputCount > 0; });
    if (!isOutput) foldable.insert(id.index());
  }
  for (const auto& [opType, nodes] : context.refusedByOperator()) {
    std::vector<NodeId> chosen;
    std::ranges::copy_if(nodes, std::back_inserter(chosen), [&](NodeId id) { return foldable.contains(id.index()); });
    if (chosen.empty()) continue;
    changes.push_back({.title = fmt::format("the result of {} is a constant", countedNodes(graph, chosen)),
                       .consequence = "the file holds the results, which may be larger",
                       .parts = static_cast<int64_t>(chosen.size()),
                       .apply = [&context, chosen] { return fold(context, chosen); }});
  }
  return changes;
}

constexpr CureVariant kVariant{
    .name = "fold constants", .purpose = "computes refused nodes that read constants only", .propose = propose};

}  // namespace

const CureVariant& cure_fold_constants() {
  return kVariant;
}

}  // namespace cutaway::study
