// Nodes that are refused for their type compute in another one, between two Casts.

#include <algorithm>
#include <array>
#include <set>

#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

struct TypeChange {
  ElementType from, to;
  std::string_view consequence;
};
constexpr std::array kTypeChanges = {
    TypeChange{ElementType::kDouble, ElementType::kFloat, "results have the precision of float"},
    TypeChange{ElementType::kFloat16, ElementType::kFloat, "twice the memory for these values"},
    TypeChange{ElementType::kBfloat16, ElementType::kFloat, "twice the memory for these values"},
    TypeChange{ElementType::kInt64, ElementType::kInt32, "values beyond 32 bits are cut"},
    TypeChange{ElementType::kUint64, ElementType::kUint32, "values beyond 32 bits are cut"},
    TypeChange{ElementType::kFloat, ElementType::kFloat16, "results have the precision of float16"},
};

bool has(const Graph& graph, const std::vector<ValueId>& values, ElementType type) {
  return std::ranges::any_of(values, [&](ValueId id) {
    return id.valid() && graph.value(id).type.isTensor() && graph.value(id).type.element == type;
  });
}

Result<Model> cast(const CureContext& context, const std::vector<NodeId>& nodes, const TypeChange& change) {
  Workpiece piece(context);
  Graph& graph = piece.graph();
  const Graph& typed = context.graph();
  const auto isFrom = [&](ValueId id) {
    return id.valid() && typed.value(id).type.isTensor() && typed.value(id).type.element == change.from;
  };
  for (const NodeId id : nodes) {
    const NodeId here = piece.find(typed, id);
    if (!here.valid()) continue;
    const Node node = context.node(id);
    const Node old = graph.node(here);
    for (size_t slot = 0; slot < old.inputs.size(); ++slot) {
      if (slot >= node.inputs.size() || !isFrom(node.inputs[slot])) continue;
      graph.setNodeInput(here, slot,
                         piece.add(old, "Cast", {old.inputs[slot]}, {{"to", static_cast<int64_t>(change.to)}}));
    }
    for (size_t slot = 0; slot < old.outputs.size(); ++slot) {
      if (slot >= node.outputs.size() || !isFrom(node.outputs[slot])) continue;
      const ValueId outer = old.outputs[slot];
      const ValueId inner = piece.value(graph.value(outer).name + "_" + std::string(elementTypeName(change.to)),
                                        ValueType::tensor(change.to, typed.value(node.outputs[slot]).type.shape));
      graph.setNodeOutput(here, slot, inner);
      piece.add(old, "Cast", {inner}, {{"to", static_cast<int64_t>(change.from)}}, outer);
    }
  }
  return piece.finish();
}

std::vector<CureChange> propose(const CureContext& context) {
  std::vector<CureChange> changes;
  std::set<size_t> ofType;
  for (const RefusedNode& each : context.refused)
    if (each.cause == RefusalCause::kType) ofType.insert(each.id.index());
  for (const TypeChange& change : kTypeChanges) {
    for (const auto& [opType, nodes] : context.refusedByOperator()) {
      std::vector<NodeId> chosen;
      std::ranges::copy_if(nodes, std::back_inserter(chosen), [&](NodeId id) {
        const Node& node = context.node(id);
        return ofType.contains(id.index()) && node.opType != "Cast" && !node.hasBodies() &&
               (has(context.graph(), node.inputs, change.from) || has(context.graph(), node.outputs, change.from));
      });
      if (chosen.empty()) continue;
      changes.push_back({.title = fmt::format("{} in {} instead of {}", countedNodes(context.graph(), chosen),
                                              elementTypeName(change.to), elementTypeName(change.from)),
                         .consequence = std::string(change.consequence),
                         .parts = static_cast<int64_t>(chosen.size()),
                         .apply = [&context, &change, chosen] { return cast(context, chosen, change); }});
    }
  }
  return changes;
}

constexpr CureVariant kVariant{.name = "change precision",
                               .purpose = "computes nodes that are refused for their type in another one",
                               .propose = propose};

}  // namespace

const CureVariant& cure_change_precision() {
  return kVariant;
}

}  // namespace cutaway::study
