#include "engine/stages/partition/inline_functions.h"

#include "engine/schema/schema.h"

namespace cutaway::partition {

namespace {

// Far above any real model, whose functions are called some hundred times: a file that passes it was made to exhaust
// memory. Origins are the nodes that the file has, those of functions included.
size_t mostNodes(const Model& model) {
  constexpr size_t kAlways = 50'000, kTimesTheFile = 100;
  return kAlways + kTimesTheFile * model.origins.size();
}

// Nodes that came out of a body carry no versions yet unless inlining knew the body's imports.
void setVersions(const Model& model, Graph& graph, NodeId id) {
  Node& node = graph.mutableNode(id);
  if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(importedVersion(model.opsets, node.domain));
  if (node.sinceVersion != 0) return;
  if (const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion))
    node.sinceVersion = schema->sinceVersion;
}

}  // namespace

Result<bool> inlineCall(const Model& model, Graph& graph, NodeId call) {
  const Node node = graph.node(call);
  std::vector<NodeId> added;
  if (const Function* local = model.findFunction(node.domain, node.opType, node.overload)) {
    CUTAWAY_TRY(added, inlineFunction(graph, call, *local));
  } else {
    const int64_t opset = node.opsetVersion > 0 ? node.opsetVersion : importedVersion(model.opsets, node.domain);
    CUTAWAY_TRY(const std::optional<Function> body, schemaFunction(graph, call, opset));
    if (!body) return false;
    CUTAWAY_TRY(added, inlineFunction(graph, call, *body));
  }
  if (const size_t most = mostNodes(model); graph.nodeCount() > most)
    return fail(atNode(Error{ErrorCode::kFail,
                             fmt::format("its functions call each other so often that {} nodes of the file become more "
                                         "than {}",
                                         model.origins.size(), most),
                             {}},
                       node.name));
  for (const NodeId id : added)
    setVersions(model, graph, id);
  return true;
}

}  // namespace cutaway::partition
