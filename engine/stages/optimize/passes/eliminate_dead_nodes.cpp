// A node whose results nobody reads is dropped.

#include <algorithm>

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

namespace {

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (node.opType == "EPContext") return std::nullopt;  // others may need the context that it holds
  const bool read = std::ranges::any_of(node.outputs, [&](ValueId output) {
    return output.valid() && (!context.graph().value(output).uses.empty() || context.isOutput(output));
  });
  if (read) return std::nullopt;
  GraphPatch patch;
  patch.note = fmt::format("nothing reads the outputs of {}", context.label(id));
  patch.removeNodes = {id};
  return patch;
}

constexpr GraphPass kPass{
    .name = "DeadNodeElimination", .purpose = "removes nodes whose outputs nothing reads", .level = 1, .match = match};

}  // namespace

const GraphPass& pass_eliminate_dead_nodes() {
  return kPass;
}

}  // namespace cutaway::optimize
