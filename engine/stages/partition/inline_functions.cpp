#include "engine/stages/partition/inline_functions.h"

#include <unordered_set>

#include "engine/graph/topology.h"
#include "engine/schema/schema.h"

namespace cutaway {

namespace {

// Far above any real model; a file that passes it was made to exhaust memory.
constexpr size_t kMostNodes = 1'000'000;

bool mayBeFunction(const Model& model, const Node& node) {
  if (model.findFunction(node.domain, node.opType, node.overload) != nullptr) return true;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion > 0 ? node.opsetVersion : importedVersion(model.opsets, node.domain));
  return schema != nullptr && schema->hasFunctionBody;
}

// Nodes that came out of a body carry no versions yet unless inlining knew the body's imports.
void setVersions(const Model& model, Graph& graph, NodeId id) {
  Node& node = graph.mutableNode(id);
  if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(importedVersion(model.opsets, node.domain));
  if (node.sinceVersion != 0) return;
  if (const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion)) node.sinceVersion = schema->sinceVersion;
}

std::vector<NodeId> candidateCalls(const Model& model, const Graph& graph) {
  std::vector<NodeId> calls;
  for (const NodeId id : graph.nodeIds()) {
    if (graph.node(id).provider.empty() && mayBeFunction(model, graph.node(id))) calls.push_back(id);
  }
  return calls;
}

Result<void> dropClaimed(const Model& model, const Graph& graph, ExecutionProvider& provider, const Progress& progress, std::vector<NodeId>& calls) {
  if (calls.empty()) return {};
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(graph));
  CUTAWAY_TRY(const CapabilityAnswer answer, provider.capability({.model = model, .graph = graph, .free = order, .progress = progress}));
  std::unordered_set<NodeId> claimed;
  for (const ComputeCapability& claim : answer.claims) claimed.insert(claim.subGraph.nodes.begin(), claim.subGraph.nodes.end());
  std::erase_if(calls, [&](NodeId id) { return claimed.contains(id); });
  return {};
}

Result<int64_t> inlineInGraph(Model& model, Graph& graph, std::span<const std::unique_ptr<ExecutionProvider>> providers, const Progress& progress) {
  std::vector<NodeId> calls = candidateCalls(model, graph);
  for (const std::unique_ptr<ExecutionProvider>& provider : providers) CUTAWAY_CHECK(dropClaimed(model, graph, *provider, progress, calls));
  int64_t inlined = 0;
  for (const NodeId call : calls) {
    if (progress.cancelled()) return fail(cancelledError());
    CUTAWAY_TRY(const bool done, inlineCall(model, graph, call));
    inlined += done ? 1 : 0;
    if (graph.nodeCount() > kMostNodes) return fail(ErrorCode::kFail, "functions expand to more than {} nodes", kMostNodes);
  }
  return inlined;
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
  for (const NodeId id : added) setVersions(model, graph, id);
  return true;
}

Result<int64_t> inlineUnclaimedFunctions(Model& model, std::span<const std::unique_ptr<ExecutionProvider>> providers, const Progress& progress) {
  int64_t total = 0;
  for (;;) {
    int64_t inlined = 0;
    Result<void> state;
    forEachGraph(model.graph, [&](Graph& graph) {
      if (!state) return;
      const Result<int64_t> count = inlineInGraph(model, graph, providers, progress);
      if (count) {
        inlined += *count;
      } else {
        state = fail(count.error());
      }
    });
    CUTAWAY_CHECK(std::move(state));
    if (inlined == 0) return total;
    total += inlined;
    std::vector<InferenceWarning> warnings;
    CUTAWAY_CHECK(inferGraph(model, model.graph, {}, warnings, [&] { return progress.cancelled(); }));
  }
}

}  // namespace cutaway
