#include "engine/stages/optimize/pass_runner.h"

#include <deque>

#include "engine/graph/topology.h"
#include "engine/schema/schema.h"

namespace cutaway {

namespace {

// A pass that keeps rewriting its own results would never end; no honest one comes near this.
constexpr int64_t kMostPatchesPerNode = 8;

std::string labelOf(const Node& node) { return node.name.empty() ? node.opType : fmt::format("{} '{}'", node.opType, node.name); }

class Runner {
 public:
  Runner(const Pass& pass, const Model& model, Graph& graph, int32_t graphIndex, const OptimizeOptions& options, const Progress& progress, PassRun& run)
      : m_pass(pass), m_model(model), m_graph(graph), m_graphIndex(graphIndex), m_options(options), m_progress(progress), m_run(run) {}

  Result<void> run() {
    CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(m_graph));
    m_queued.assign(m_graph.nodeSlots(), 1);
    m_queue.assign(order.begin(), order.end());
    const int64_t limit = kMostPatchesPerNode * static_cast<int64_t>(order.size());
    int64_t patches = 0;
    while (!m_queue.empty()) {
      if (m_progress.cancelled()) return fail(cancelledError());
      const NodeId id = m_queue.front();
      m_queue.pop_front();
      m_queued[id.index()] = 0;
      if (m_graph.node(id).removed) continue;
      CUTAWAY_TRY(std::optional<GraphPatch> patch, m_pass.propose({m_model, m_graph, m_options}, id));
      if (!patch) continue;
      if (++patches > limit) return fail(ErrorCode::kEngineError, "pass {} does not come to an end", m_pass.name);
      CUTAWAY_CHECK(apply(*std::move(patch)));
    }
    return {};
  }

 private:
  Result<void> apply(GraphPatch patch) {
    RewriteReport report{.pass = std::string(m_pass.name), .note = patch.note, .graph = m_graphIndex};
    for (const NodeId id : patch.removeNodes) {
      report.removed.push_back(labelOf(m_graph.node(id)));
      queueNeighbours(id);
    }
    setVersions(patch);
    CUTAWAY_TRY(const PatchResult result, applyPatch(m_graph, std::move(patch), m_pass.name));
    for (const OriginId origin : result.origins) report.origins.push_back(static_cast<int32_t>(origin.index()));
    m_queued.resize(m_graph.nodeSlots(), 0);
    for (const NodeId id : result.added) {
      CUTAWAY_CHECK(inferNew(id));
      report.added.push_back(labelOf(m_graph.node(id)));
      queue(id);
      queueNeighbours(id);
    }
    ++m_run.rewrites;
    m_run.reports.push_back(std::move(report));
    return {};
  }

  // A new node is written in the opset of the node it replaces.
  void setVersions(GraphPatch& patch) const {
    for (NewNode& fresh : patch.addNodes) {
      Node& node = fresh.node;
      for (const NodeId id : patch.removeNodes) {
        if (node.opsetVersion == 0 && m_graph.node(id).domain == node.domain) node.opsetVersion = m_graph.node(id).opsetVersion;
      }
      if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(importedVersion(m_model.opsets, node.domain));
    }
  }

  Result<void> inferNew(NodeId id) {
    Node& node = m_graph.mutableNode(id);
    if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(importedVersion(m_model.opsets, node.domain));
    if (const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion)) node.sinceVersion = schema->sinceVersion;
    std::vector<InferenceWarning> warnings;
    CUTAWAY_CHECK(inferNode(m_model, m_graph, id, {}, m_partial, warnings));
    for (const InferenceWarning& warning : warnings) m_run.warnings.push_back(warning.message);
    return {};
  }

  void queue(NodeId id) {
    if (!id.valid() || id.index() >= m_queued.size() || m_queued[id.index()]) return;
    m_queued[id.index()] = 1;
    m_queue.push_back(id);
  }

  void queueNeighbours(NodeId id) {
    const Node& node = m_graph.node(id);
    for (const ValueId value : node.inputs) {
      if (value.valid()) queue(m_graph.value(value).producer);
    }
    for (const ValueId value : node.outputs) {
      if (!value.valid()) continue;
      for (const Use& use : m_graph.value(value).uses) queue(use.node);
    }
  }

  const Pass& m_pass;
  const Model& m_model;
  Graph& m_graph;
  int32_t m_graphIndex;
  const OptimizeOptions& m_options;
  const Progress& m_progress;
  PassRun& m_run;
  PartialData m_partial;
  std::deque<NodeId> m_queue;
  std::vector<char> m_queued;
};

}  // namespace

Result<void> runPass(const Pass& pass, const Model& model, Graph& graph, int32_t graphIndex, const OptimizeOptions& options, const Progress& progress, PassRun& run) {
  return Runner(pass, model, graph, graphIndex, options, progress, run).run();
}

}  // namespace cutaway
