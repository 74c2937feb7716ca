#include "tests/checker/partition_checker.h"

#include <algorithm>
#include <map>
#include <set>

namespace cutaway {

namespace {

class PartitionChecker {
 public:
  explicit PartitionChecker(const PartitionToCheck& subject)
      : m_subject(subject), m_report(subject.partition.report), m_asked(subject.partition.askedGraphs) {}

  std::vector<std::string> check() {
    placements();
    answers();
    groups();
    for (size_t graph = 0; graph < m_asked.graphs.size(); ++graph)
      contractedOrder(static_cast<int32_t>(graph));
    borders();
    originsStayed();
    fusedNodes();
    return std::move(m_complaints);
  }

 private:
  template <typename... Args>
  void complain(fmt::format_string<Args...> text, Args&&... args) {
    m_complaints.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  const GraphReport& graphOf(int32_t graph) const { return m_asked.graphs[static_cast<size_t>(graph)]; }
  std::string nameOf(int32_t graph, int32_t node) const { return graphOf(graph).nodes[static_cast<size_t>(node)].name; }

  void placements() {
    for (const NodePlacement& placement : m_report.nodes) {
      const bool isNew = m_placement.try_emplace({placement.graph, placement.node}, &placement).second;
      if (!isNew) complain("node {} has two placements", nameOf(placement.graph, placement.node));
      if (m_subject.runnable && placement.provider.empty())
        complain("node {} has no provider", nameOf(placement.graph, placement.node));
      const auto known = std::find(m_subject.providers.begin(), m_subject.providers.end(), placement.provider);
      if (!placement.provider.empty() && known == m_subject.providers.end())
        complain("node {} has provider '{}', which the session has not", nameOf(placement.graph, placement.node),
                 placement.provider);
    }
    size_t nodes = 0;
    for (const GraphReport& graph : m_asked.graphs)
      nodes += graph.isFunction || graph.isInside ? 0 : graph.nodes.size();
    if (m_placement.size() != nodes)
      complain("{} nodes were asked about, and {} have a placement", nodes, m_placement.size());
  }

  void answers() {
    for (const NodePlacement& placement : m_report.nodes) {
      std::vector<std::string> asked;
      for (const ProviderAnswer& answer : placement.answers) {
        asked.push_back(answer.provider);
        const bool claimed = answer.verdict == Verdict::kClaimed;
        if (claimed != (answer.provider == placement.provider))
          complain("node {} of {}: {} says {}", nameOf(placement.graph, placement.node), placement.provider,
                   answer.provider, verdictName(answer.verdict));
        if (!claimed && answer.reason.empty())
          complain("node {}: {} refuses without a reason", nameOf(placement.graph, placement.node), answer.provider);
      }
      if (asked != m_subject.providers)
        complain("node {} has answers of: {}", nameOf(placement.graph, placement.node), fmt::join(asked, ", "));
    }
  }

  void groups() {
    std::map<std::pair<int32_t, int32_t>, int32_t> groupOf;
    for (size_t i = 0; i < m_report.groups.size(); ++i) {
      const GroupReport& group = m_report.groups[i];
      if (group.nodes.empty()) complain("group {} is empty", i);
      for (const int32_t node : group.nodes) {
        if (!groupOf.try_emplace({group.graph, node}, static_cast<int32_t>(i)).second)
          complain("node {} is in two groups", nameOf(group.graph, node));
        const auto placement = m_placement.find({group.graph, node});
        if (placement == m_placement.end()) continue;
        if (placement->second->provider != group.provider)
          complain("node {} of {} is in a group of {}", nameOf(group.graph, node), placement->second->provider,
                   group.provider);
        if (placement->second->group != static_cast<int32_t>(i))
          complain("node {} says group {} and stands in {}", nameOf(group.graph, node), placement->second->group, i);
      }
    }
    for (const auto& [place, placement] : m_placement) {
      if (!placement->provider.empty() && !groupOf.contains(place))
        complain("node {} has a provider and no group", nameOf(place.first, place.second));
    }
  }

  // -1 - node: on its own; else the compiled group.
  int32_t vertexOf(int32_t graph, int32_t node) const {
    const auto placement = m_placement.find({graph, node});
    if (placement == m_placement.end() || placement->second->group == kNone) return -1 - node;
    const int32_t group = placement->second->group;
    return m_report.groups[static_cast<size_t>(group)].compiled ? group : -1 - node;
  }

  // Takes away vertices that nothing left feeds, again and again.
  void contractedOrder(int32_t graph) {
    std::map<int32_t, std::set<int32_t>> feeds;  // by vertex: who feeds it
    const GraphReport& report = graphOf(graph);
    for (size_t node = 0; node < report.nodes.size(); ++node) {
      const int32_t vertex = vertexOf(graph, static_cast<int32_t>(node));
      std::set<int32_t>& feeders = feeds[vertex];
      for (const auto* inputs : {&report.nodes[node].inputs, &report.nodes[node].implicitInputs}) {
        for (const int32_t value : *inputs) {
          if (value == kNone || report.values[static_cast<size_t>(value)].producer == kNone) continue;
          const int32_t feeder = vertexOf(graph, report.values[static_cast<size_t>(value)].producer);
          if (feeder != vertex) feeders.insert(feeder);
        }
      }
    }
    std::map<int32_t, std::vector<int32_t>> fed;
    std::map<int32_t, size_t> waiting;
    std::vector<int32_t> ready;
    for (const auto& [vertex, feeders] : feeds) {
      for (const int32_t feeder : feeders)
        fed[feeder].push_back(vertex);
      waiting[vertex] = feeders.size();
      if (feeders.empty()) ready.push_back(vertex);
    }
    size_t done = 0;
    for (; done < ready.size(); ++done) {
      for (const int32_t next : fed[ready[done]]) {
        if (--waiting[next] == 0) ready.push_back(next);
      }
    }
    if (done != feeds.size())
      complain("graph {}: {} of {} vertices lie on or behind a cycle of groups", graph, feeds.size() - done,
               feeds.size());
  }

  void borders() {
    for (const GroupReport& group : m_report.groups) {
      const GraphReport& graph = graphOf(group.graph);
      const std::set<int32_t> members(group.nodes.begin(), group.nodes.end());
      std::set<std::string> needed, given;
      for (const int32_t node : group.nodes) {
        const NodeReport& report = graph.nodes[static_cast<size_t>(node)];
        for (const auto* inputs : {&report.inputs, &report.implicitInputs}) {
          for (const int32_t value : *inputs) {
            if (value == kNone) continue;
            const ValueReport& used = graph.values[static_cast<size_t>(value)];
            const bool inside = used.producer != kNone && members.contains(used.producer);
            if (!inside && used.role != ValueRole::kConstant) needed.insert(used.name);
          }
        }
        for (const int32_t value : report.outputs) {
          if (value == kNone) continue;
          const ValueReport& made = graph.values[static_cast<size_t>(value)];
          if (made.isOutput || std::any_of(made.consumers.begin(), made.consumers.end(),
                                           [&](int32_t consumer) { return !members.contains(consumer); }))
            given.insert(made.name);
        }
      }
      const std::set<std::string> inputs(group.inputs.begin(), group.inputs.end()),
          outputs(group.outputs.begin(), group.outputs.end());
      if (!std::includes(inputs.begin(), inputs.end(), needed.begin(), needed.end()))
        complain("group {} needs {}; its inputs are {}", group.name, fmt::join(needed, " "), fmt::join(inputs, " "));
      if (!std::includes(outputs.begin(), outputs.end(), given.begin(), given.end()))
        complain("group {} gives {}; its outputs are {}", group.name, fmt::join(given, " "), fmt::join(outputs, " "));
      if (inputs.size() != group.inputs.size() || outputs.size() != group.outputs.size())
        complain("group {} lists a value twice", group.name);
    }
  }

  // Bodies inside of compiled groups went into the fused node together with the node that holds them.
  bool insideFused(int32_t graph) const {
    for (int32_t at = graph; graphOf(at).parentGraph != kNone; at = graphOf(at).parentGraph) {
      if (vertexOf(graphOf(at).parentGraph, graphOf(at).parentNode) >= 0) return true;
    }
    return false;
  }

  void originsStayed() {
    std::map<std::string, int> asked, now;
    for (size_t graph = 0; graph < m_asked.graphs.size(); ++graph) {
      if (m_asked.graphs[graph].isFunction || m_asked.graphs[graph].isInside ||
          insideFused(static_cast<int32_t>(graph)))
        continue;
      std::map<int32_t, std::set<int32_t>> fusedOrigins;
      for (size_t node = 0; node < m_asked.graphs[graph].nodes.size(); ++node) {
        const int32_t vertex = vertexOf(static_cast<int32_t>(graph), static_cast<int32_t>(node));
        for (const int32_t origin : m_asked.graphs[graph].nodes[node].origins) {
          if (vertex < 0 || fusedOrigins[vertex].insert(origin).second) ++asked[fmt::format("{}", origin)];
        }
      }
    }
    forEachGraph(m_subject.model.graph, [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds()) {
        if (graph.node(id).rewrite == "copy") continue;
        for (const OriginId origin : graph.node(id).origins)
          ++now[fmt::format("{}", origin.index())];
      }
    });
    if (asked != now)
      complain("the partitioned model stands for {} original nodes, asked about were {}", now.size(), asked.size());
  }

  void fusedNodes() {
    std::map<std::string, int> found;
    forEachGraph(m_subject.model.graph, [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds()) {
        if (m_subject.partition.compiled.contains(graph.node(id).name)) ++found[graph.node(id).name];
      }
    });
    std::set<std::string> groups;
    for (const GroupReport& group : m_report.groups) {
      if (group.compiled && !insideFused(group.graph) && !groups.insert(group.name).second)
        complain("two groups are called {}", group.name);
    }
    for (const std::string& name : groups) {
      if (found[name] != 1) complain("{} nodes are called {}", found[name], name);
    }
    if (groups.size() != m_subject.partition.compiled.size())
      complain("{} groups, {} compiled kernels", groups.size(), m_subject.partition.compiled.size());
  }

  const PartitionToCheck& m_subject;
  const PartitionReport& m_report;
  const ModelGraphs& m_asked;
  std::map<std::pair<int32_t, int32_t>, const NodePlacement*> m_placement;
  std::vector<std::string> m_complaints;
};

}  // namespace

std::vector<std::string> checkPartition(const PartitionToCheck& subject) {
  return PartitionChecker(subject).check();
}

}  // namespace cutaway
