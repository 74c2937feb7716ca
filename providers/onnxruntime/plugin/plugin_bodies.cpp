#include "providers/onnxruntime/plugin/plugin_bodies.h"

#include <algorithm>

#include "engine/graph/topology.h"
#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/rules.h"

namespace cutaway::onnxruntime {

namespace {

size_t nodesOf(const Model& model) {
  size_t count = 0;
  forEachGraph(model.graph, [&](const Graph& graph) { count += graph.nodeCount(); });
  return count;
}

Result<AskedFacts> askAt(const AnswerSource& source, const PluginSettings& settings, const CapabilityRequest& main,
                         OptimizationLevel level) {
  CUTAWAY_TRY(GroupModel model, writeNumberedModel(main.graph, main.free, main.model.opsets, InnerTypes::kLeftOut));
  SessionRequest order{.model = std::move(model.model),
                       .modelBytes = model.modelBytes,
                       .weights = std::move(model.weights),
                       .settings = settings.session};
  order.settings.level = level;
  order.settings.log = true;
  std::vector<LogLine> unread;
  return source(order, [&] { return main.progress.cancelled(); }, &unread);
}

bool leavesBodies(const AskedFacts& facts) {
  bool wasAsked = false;
  for (const CapabilityCall& call : facts.calls) {
    if (!call.nested) continue;
    wasAsked = true;
    if (!call.groups.empty() || !call.singles.empty()) return false;
  }
  return wasAsked;
}

}  // namespace

Result<bool> BodyQuestion::takesNothing(const AnswerSource& source, const PluginSettings& settings,
                                        const CapabilityRequest& request) {
  const std::pair<const Model*, size_t> asked{&request.model, nodesOf(request.model)};
  if (m_asked == asked) return m_takesNothing;
  std::vector<NodeId> nodes;
  const Graph& graph = request.model.graph;
  const CapabilityRequest unfiltered{.model = request.model, .graph = graph, .free = {}, .progress = request.progress};
  // In the order in which the model itself is asked about, so that it is the same question.
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(graph));
  for (const NodeId id : order) {
    if (!refusalByRule(unfiltered, id)) nodes.push_back(id);
  }
  const CapabilityRequest main{.model = request.model, .graph = graph, .free = nodes, .progress = request.progress};
  Result<AskedFacts> facts = askAt(source, settings, main, settings.session.level);
  if (facts && wantsFolding(facts->message)) facts = askAt(source, settings, main, OptimizationLevel::kBasic);
  if (!facts && facts.error().code == ErrorCode::kModelLoadCanceled) return fail(std::move(facts).error());
  m_asked = asked;
  m_takesNothing = facts && facts->code == 0 && leavesBodies(*facts);
  return m_takesNothing;
}

}  // namespace cutaway::onnxruntime
