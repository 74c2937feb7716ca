#include "engine/stages/partition/body_groups.h"

#include <algorithm>

#include "engine/context_binary/context_node.h"
#include "engine/graph/node_label.h"

namespace cutaway::partition {

namespace {

// Every graph below these nodes.
std::vector<const Graph*> bodiesBelow(const Graph& graph, std::span<const NodeId> nodes) {
  std::vector<const Graph*> bodies;
  for (const NodeId id : nodes) {
    forEachBody(graph.node(id), [&](const std::string&, const Graph& body) {
      forEachGraph(body, [&](const Graph& each) { bodies.push_back(&each); });
    });
  }
  return bodies;
}

ClaimVerdict holdsContext(const Graph& graph, NodeId holder, const Graph& body, NodeId id) {
  return {false,
          RefusalCause::kOther,
          fmt::format("a body of {} holds {}, which is restored rather than compiled", nodeLabel(graph, holder),
                      nodeLabel(body, id)),
          "EPContext nodes go to the provider that compiled them",
          nodeLabel(body, id),
          "leave the nodes around it out of groups"};
}

ClaimVerdict stolen(const Graph& graph, NodeId holder, const Graph& body, NodeId id) {
  const std::string& owner = body.node(id).provider;
  return {
      false,
      RefusalCause::kOther,
      fmt::format("a body of {} holds {}, which {} has taken", nodeLabel(graph, holder), nodeLabel(body, id), owner),
      "groups take the bodies of their nodes whole",
      fmt::format("{} taken by {}", nodeLabel(body, id), owner),
      "ask this provider before " + owner};
}

}  // namespace

void refuseStolenBodies(const GraphAssignment& assignment, const CapabilityAnswer& said,
                        std::span<const GraphAssignment> assignments, const std::string& provider,
                        std::vector<ClaimVerdict>& verdicts) {
  if (assignments.size() < 2) return;
  const Graph& graph = *assignment.graph;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (!verdicts[i].accepted || !said.claims[i].subGraph.metaDef) continue;
    for (const NodeId holder : said.claims[i].subGraph.nodes) {
      for (const Graph* body : bodiesBelow(graph, {&holder, 1})) {
        for (const NodeId id : body->nodeIds()) {
          const std::string& owner = body->node(id).provider;
          if (verdicts[i].accepted && context_binary::isContextNode(body->node(id)))
            verdicts[i] = holdsContext(graph, holder, *body, id);
          if (verdicts[i].accepted && !owner.empty() && owner != provider)
            verdicts[i] = stolen(graph, holder, *body, id);
        }
      }
    }
  }
}

void takeBodies(const GraphAssignment& assignment, const AcceptedGroup& group, std::span<GraphAssignment> assignments,
                const std::string& provider) {
  if (assignments.size() < 2) return;
  for (const Graph* body : bodiesBelow(*assignment.graph, group.nodes)) {
    const auto inner = std::find_if(assignments.begin(), assignments.end(),
                                    [&](const GraphAssignment& each) { return each.graph == body; });
    if (inner == assignments.end()) continue;
    inner->groups.clear();
    inner->insideGroup = group.fusedName;
    inner->answers.resize(inner->graph->nodeSlots());
    for (const NodeId id : inner->graph->nodeIds()) {
      inner->graph->setProvider(id, provider);
      std::erase_if(inner->answers[id.index()],
                    [&](const ProviderAnswer& answer) { return answer.provider == provider; });
      inner->answers[id.index()].push_back({provider, Verdict::kClaimed, RefusalCause::kOther, {}});
    }
  }
}

}  // namespace cutaway::partition
