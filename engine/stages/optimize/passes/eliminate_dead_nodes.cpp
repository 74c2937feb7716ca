// Nodes whose outputs nobody uses do nothing but take time: every operator is free of side effects.
#include "engine/stages/optimize/pattern_query.h"
#include "engine/stages/optimize/pass.h"

namespace cutaway {

namespace {

Result<std::optional<GraphPatch>> propose(const PassContext& context, NodeId id) {
  const Node& node = context.graph.node(id);
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (isUsed(context.graph, node, slot)) return std::nullopt;
  }
  return GraphPatch{.note = "none of its outputs is used", .removeNodes = {id}};
}

}  // namespace

Pass pass_eliminate_dead_nodes() { return {.name = "EliminateDeadNodes", .purpose = "remove nodes whose outputs nobody uses", .level = 1, .propose = propose}; }

}  // namespace cutaway
