// Operations and bytes come from nodeCost(); weights and parameters from what the graphs' descriptions say of
// initializers.
#include "engine/plan/graph_costs.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/named_before.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/plan/function_costs.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/tensor/parameter_type.h"

namespace cutaway::plan {
namespace {

// Weights that nodes read, their own graph's and those that bodies capture from graphs around.
class WeightIndex {
 public:
  explicit WeightIndex(const ModelGraphs& graphs) : m_graphs(graphs), m_names(graphs.graphs.size()) {}

  // nullptr: the value is none.
  const ValueReport* weight(size_t graph, int32_t value) {
    const ValueReport* found = &m_graphs.graphs[graph].values[static_cast<size_t>(value)];
    for (int32_t at = m_graphs.graphs[graph].parentGraph;
         found != nullptr && found->role == ValueRole::kOuterScope && at != kNone;
         at = m_graphs.graphs[static_cast<size_t>(at)].parentGraph) {
      const auto& names = namesOf(static_cast<size_t>(at));
      const auto outer = names.find(found->name);
      found = outer == names.end() ? nullptr : outer->second;
    }
    return found != nullptr && found->isInitializer ? found : nullptr;
  }

 private:
  const std::unordered_map<std::string_view, const ValueReport*>& namesOf(size_t graph) {
    auto& names = m_names[graph];
    if (names.empty())
      for (const ValueReport& value : m_graphs.graphs[graph].values)
        names.emplace(value.name, &value);
    return names;
  }
  const ModelGraphs& m_graphs;
  std::vector<std::unordered_map<std::string_view, const ValueReport*>> m_names;
};

void addWeight(NodeFigures& figures, const ValueReport& weight) {
  const int64_t bytes = std::max<int64_t>(weight.sizeBytes, 0);
  figures.weightBytes += bytes;
  const std::optional<ElementType> type = elementTypeFromName(weight.elementType);
  if (type && isParameterType(*type) && bitsOf(*type) > 0) figures.parameters += bytes * 8 / bitsOf(*type);
}

// A weight that a node names twice counts once.
void addWeightsOfNode(NodeFigures& figures, WeightIndex& weights, size_t graph, const NodeReport& node) {
  NamedBefore<int32_t> namedBefore(node.inputs);
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const int32_t value = node.inputs[slot];
    if (value == kNone || namedBefore(slot)) continue;
    if (const ValueReport* weight = weights.weight(graph, value)) addWeight(figures, *weight);
  }
}

void fillTotal(GraphCosts& costs, const GraphReport& graph) {
  costs.total = {0, 0, 0, 0};
  costs.unknownNodes = 0;
  for (const NodeFigures& node : costs.nodes) {
    costs.total.flops += std::max<int64_t>(node.flops, 0);
    costs.total.movedBytes += std::max<int64_t>(node.movedBytes, 0);
    costs.unknownNodes += node.flops < 0 ? 1 : 0;
  }
  for (const ValueReport& value : graph.values)
    if (value.isInitializer) addWeight(costs.total, value);
}

// As many entries as there are nodes, with their weights; what is inside context nodes stays unknown.
CostReport frameOf(const ModelGraphs& graphs) {
  CostReport report;
  WeightIndex weights(graphs);
  for (size_t i = 0; i < graphs.graphs.size(); ++i) {
    GraphCosts& costs = report.graphs.emplace_back();
    costs.nodes.resize(graphs.graphs[i].nodes.size());
    for (size_t n = 0; n < costs.nodes.size(); ++n)
      addWeightsOfNode(costs.nodes[n], weights, i, graphs.graphs[i].nodes[n]);
  }
  return report;
}

void fillNodes(const Model& model, const ModelGraphs& graphs, CostReport& report) {
  FunctionCosts functions(model);
  const std::vector<const Graph*> all = resolve::graphsInReportOrder(model);
  for (size_t i = 0; i < std::min(all.size(), report.graphs.size()); ++i) {
    const std::vector<NodeId> ids = all[i]->nodeIds();
    for (size_t n = 0; n < std::min(ids.size(), report.graphs[i].nodes.size()); ++n) {
      NodeFigures& figures = report.graphs[i].nodes[n];
      const NodeReport& node = graphs.graphs[i].nodes[n];
      const operators::NodeCost cost = operators::nodeCost(*all[i], ids[n]);
      figures.flops = node.rewrite == "copy" ? 0 : cost.flops;
      figures.movedBytes = cost.movedBytes;
      if (figures.flops < 0) figures.flops = functions.flopsOf(*all[i], ids[n]);
    }
  }
}

void fillTotals(const ModelGraphs& graphs, CostReport& report) {
  for (size_t i = 0; i < report.graphs.size(); ++i)
    fillTotal(report.graphs[i], graphs.graphs[i]);
}

struct GroupSum {
  NodeFigures figures{0, -1, 0, 0};
  std::unordered_set<const ValueReport*> weights;  // of the asked graphs, each once
};

GroupSum sumOf(const GroupReport& group, const ModelGraphs& asked, const CostReport& costs, WeightIndex& weights) {
  GroupSum sum;
  const auto graph = static_cast<size_t>(group.graph);
  for (const int32_t node : group.nodes) {
    const int64_t flops = costs.graphs[graph].nodes[static_cast<size_t>(node)].flops;
    sum.figures.flops = sum.figures.flops < 0 || flops < 0 ? -1 : sum.figures.flops + flops;
    for (const int32_t value : asked.graphs[graph].nodes[static_cast<size_t>(node)].inputs) {
      const ValueReport* weight = value == kNone ? nullptr : weights.weight(graph, value);
      if (weight != nullptr && sum.weights.insert(weight).second) addWeight(sum.figures, *weight);
    }
  }
  return sum;
}

// Weights that went into groups and are listed outside no longer: each counts once, in the graph that had it, however
// many groups read it.
void addWeightsOfGroups(const std::unordered_set<const ValueReport*>& inside, const ModelGraphs& asked,
                        const ModelGraphs& partitioned, CostReport& report) {
  if (inside.empty()) return;
  for (size_t i = 0; i < std::min(report.graphs.size(), asked.graphs.size()); ++i) {
    std::unordered_set<std::string_view> outside;
    for (const ValueReport& value : partitioned.graphs[i].values)
      if (value.isInitializer) outside.insert(value.name);
    for (const ValueReport& value : asked.graphs[i].values)
      if (inside.contains(&value) && !outside.contains(value.name)) addWeight(report.graphs[i].total, value);
  }
}

bool fits(const GroupReport& group, const CostReport& costs) {
  if (!group.compiled || group.name.empty() || group.graph < 0 ||
      group.graph >= static_cast<int32_t>(costs.graphs.size()))
    return false;
  const auto nodes = static_cast<int32_t>(costs.graphs[static_cast<size_t>(group.graph)].nodes.size());
  return std::ranges::all_of(group.nodes, [&](int32_t node) { return node >= 0 && node < nodes; });
}

}  // namespace

CostReport costsOf(const Model& model, const ModelGraphs& graphs) {
  CostReport report = frameOf(graphs);
  fillNodes(model, graphs, report);
  fillTotals(graphs, report);
  return report;
}

CostReport costsOfAsked(const ModelGraphs& asked, const PartitionReport& partition) {
  CostReport report = frameOf(asked);
  for (const NodePlacement& placement : partition.nodes) {
    if (placement.graph < 0 || placement.graph >= static_cast<int32_t>(report.graphs.size())) continue;
    std::vector<NodeFigures>& nodes = report.graphs[static_cast<size_t>(placement.graph)].nodes;
    if (placement.node < 0 || placement.node >= static_cast<int32_t>(nodes.size())) continue;
    nodes[static_cast<size_t>(placement.node)].flops = placement.flops;
    nodes[static_cast<size_t>(placement.node)].movedBytes = placement.movedBytes;
  }
  fillTotals(asked, report);
  return report;
}

CostReport costsOfPartitioned(const Model& model, const ModelGraphs& partitioned, const ModelGraphs& asked,
                              const CostReport& askedCosts, const PartitionReport& partition) {
  CostReport report = frameOf(partitioned);
  fillNodes(model, partitioned, report);
  WeightIndex weights(asked);
  std::map<std::pair<int32_t, std::string_view>, GroupSum> sums;
  for (const GroupReport& group : partition.groups)
    if (fits(group, askedCosts))
      sums.emplace(std::pair(group.graph, std::string_view(group.name)), sumOf(group, asked, askedCosts, weights));
  std::unordered_set<const ValueReport*> inside;
  for (size_t i = 0; i < report.graphs.size() && !sums.empty(); ++i) {
    for (size_t n = 0; n < report.graphs[i].nodes.size(); ++n) {
      const auto sum = sums.find({static_cast<int32_t>(i), partitioned.graphs[i].nodes[n].name});
      if (sum == sums.end()) continue;
      const int64_t movedBytes = report.graphs[i].nodes[n].movedBytes;
      report.graphs[i].nodes[n] = sum->second.figures;
      report.graphs[i].nodes[n].movedBytes = movedBytes;
      inside.insert(sum->second.weights.begin(), sum->second.weights.end());
    }
  }
  fillTotals(partitioned, report);
  addWeightsOfGroups(inside, asked, partitioned, report);
  return report;
}

}  // namespace cutaway::plan
