#include "engine/stages/optimize/folding_room.h"

#include <algorithm>

#include "engine/base/input_budget.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/tensor/value_bytes.h"

namespace cutaway::optimize {

FoldingRoom::FoldingRoom(const Model& model) {
  int64_t held = 0;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const ValueId id : graph.initializers())
      held += valueBytes(*graph.value(id).initializer);
  });
  m_bytes = kInputBudget.foldedAlways + kInputBudget.foldedTimesTheFile * held;
  m_operations = kInputBudget.operationsOfFolding(held);
}

int64_t FoldingRoom::take(const Graph& graph, const GraphPatch& patch) {
  if (!patch.addNodes.empty() || patch.addInitializers.empty()) return 0;
  int64_t bytes = 0;
  for (const auto& [name, tensor] : patch.addInitializers)
    bytes += valueBytes(tensor);
  m_bytes -= bytes;
  for (const NodeId id : patch.removeNodes)
    m_operations -= std::min(m_operations, operators::nodeWork(graph, id));
  return bytes;
}

int64_t FoldingRoom::bytes() const {
  return std::max(m_bytes, kInputBudget.foldedSmall);
}

int64_t FoldingRoom::operations() const {
  return std::max(m_operations, kInputBudget.foldedSmallOperations);
}

}  // namespace cutaway::optimize
