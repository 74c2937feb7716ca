#include "engine/stages/partition/inline_functions.h"

#include <algorithm>
#include <unordered_map>

#include "engine/graph/node_label.h"
#include "engine/schema/schema.h"

namespace cutaway::partition {

namespace {

// Far above any real model, whose functions are called some hundred times: a file that passes it was made to exhaust
// memory and time. Origins are the nodes that the file has, those of functions included.
size_t mostNodes(const Model& model) {
  constexpr size_t kAlways = 10'000, kTimesTheFile = 100;
  return kAlways + kTimesTheFile * model.origins.size();
}

// How many nodes calls become once every call inside is inlined, too: known before the first is, so that functions
// that double at each level cost nothing. Counts stop at `most` + 1, and so do functions that call themselves or go
// deeper than type inference follows them.
class InlinedNodes {
 public:
  InlinedNodes(const Model& model, size_t most) : m_model(model), m_most(most) {}

  size_t of(const Function& function, int depth = 0) {
    if (depth > kDeepest) return m_most + 1;
    const auto [known, isNew] = m_counts.try_emplace(&function, m_most + 1);
    if (!isNew) return known->second;
    const size_t count = std::min(of(function.body, depth), m_most + 1);
    return m_counts[&function] = count;
  }

 private:
  size_t of(const Graph& graph, int depth) {
    size_t count = 0;
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      const Function* const called = m_model.findFunction(node.domain, node.opType, node.overload);
      count += called == nullptr ? 1 : of(*called, depth + 1);
      forEachBody(node, [&](const std::string&, const Graph& body) { count += of(body, depth); });
      if (count > m_most) break;
    }
    return count;
  }

  static constexpr int kDeepest = 64;

  const Model& m_model;
  size_t m_most;
  std::unordered_map<const Function*, size_t> m_counts;
};

// FAIL before anything is inlined that would become too much.
Result<void> checkSize(const Model& model, const Graph& graph, const Function& function, const std::string& call) {
  const size_t most = mostNodes(model);
  const size_t added = InlinedNodes(model, most).of(function);
  if (graph.nodeCount() + added <= most) return {};
  return fail(atNode(
      Error{ErrorCode::kFail,
            fmt::format("the functions behind this call of {} call each other so often that {} nodes of the file would "
                        "become more than {}",
                        function.name, model.origins.size(), most),
            {}},
      call));
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
    CUTAWAY_CHECK(checkSize(model, graph, *local, nodeName(graph, call)));
    CUTAWAY_TRY(added, inlineFunction(graph, call, *local));
  } else {
    const int64_t opset = node.opsetVersion > 0 ? node.opsetVersion : importedVersion(model.opsets, node.domain);
    CUTAWAY_TRY(const std::optional<Function> body, schemaFunction(graph, call, opset));
    if (!body) return false;
    CUTAWAY_TRY(added, inlineFunction(graph, call, *body));
  }
  for (const NodeId id : added)
    setVersions(model, graph, id);
  return true;
}

}  // namespace cutaway::partition
