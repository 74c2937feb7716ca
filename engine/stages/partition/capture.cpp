#include "engine/stages/partition/capture.h"

namespace cutaway::partition {

std::shared_ptr<const CapturedGroups> captureGroups(const Model& model, std::span<GraphAssignment> assignments) {
  auto captured = std::make_shared<CapturedGroups>();
  auto fused = std::make_shared<Model>(model);
  forEachGraph(fused->graph, [](Graph& graph) { graph.compact(); });
  captured->fused = std::move(fused);
  for (GraphAssignment& assignment : assignments) {
    for (AcceptedGroup& group : assignment.groups) {
      if (!group.inner) continue;
      captured->groups.emplace(group.fusedName, std::make_shared<const FusedSubGraph>(FusedSubGraph{
                                                    group.fusedName, *captured->fused, *std::move(group.inner)}));
      group.inner.reset();
    }
  }
  return captured;
}

}  // namespace cutaway::partition
