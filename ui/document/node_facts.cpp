// Columns over the nodes of one graph. What a later stage knows reaches earlier versions through the original nodes;
// every column is linear in the nodes of all graphs.
#include "ui/document/node_facts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/report/ort_value_index.h"
#include "ui/base/node_changes.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

const std::shared_ptr<const ModelGraphs>& graphsOf(const WalkReport& walk, GraphVersion version) {
  return version == GraphVersion::kPartitioned ? walk.partitionedGraphs
         : version == GraphVersion::kOptimized ? walk.optimizedGraphs
                                               : walk.loadedGraphs;
}

// Which node of `graphs` an original node ended in, as a number over all graphs; -1: nowhere.
class Landing {
 public:
  explicit Landing(const ModelGraphs& graphs) {
    for (const GraphReport& graph : graphs.graphs) {
      m_starts.push_back(static_cast<int32_t>(m_count));
      for (const NodeReport& node : graph.nodes) {
        for (const int32_t origin : node.origins) {
          if (origin < 0) continue;
          if (static_cast<size_t>(origin) >= m_byOrigin.size()) m_byOrigin.resize(static_cast<size_t>(origin) + 1, -1);
          m_byOrigin[static_cast<size_t>(origin)] = static_cast<int32_t>(m_count);
        }
        ++m_count;
      }
    }
  }
  size_t count() const { return m_count; }
  int32_t number(int graph, int node) const {
    return graph >= 0 && graph < static_cast<int>(m_starts.size()) && node >= 0
               ? m_starts[static_cast<size_t>(graph)] + node
               : -1;
  }
  // Of a node's number; kNone for -1.
  int32_t graphOf(int32_t number) const {
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), number);
    return number < 0 ? kNone : static_cast<int32_t>(next - m_starts.begin()) - 1;
  }
  // Where a node of another version is found: the landing of its first original that has one.
  int32_t of(const NodeReport& node) const {
    for (const int32_t origin : node.origins)
      if (origin >= 0 && static_cast<size_t>(origin) < m_byOrigin.size() &&
          m_byOrigin[static_cast<size_t>(origin)] >= 0)
        return m_byOrigin[static_cast<size_t>(origin)];
    return -1;
  }

 private:
  std::vector<int32_t> m_starts;
  std::vector<int32_t> m_byOrigin;
  size_t m_count = 0;
};

void fillSizes(NodeFacts& facts, const WalkReport& walk, const GraphReport& graph) {
  const auto& costs = facts.version == GraphVersion::kPartitioned ? walk.partitionedCosts
                      : facts.version == GraphVersion::kOptimized ? walk.optimizedCosts
                                                                  : walk.loadedCosts;
  const GraphCosts* own = costs && facts.graph < static_cast<int>(costs->graphs.size())
                              ? &costs->graphs[static_cast<size_t>(facts.graph)]
                              : nullptr;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const int32_t output : graph.nodes[n].outputs)
      if (output >= 0)
        if (const int64_t size = graph.values[static_cast<size_t>(output)].sizeBytes; size >= 0)
          facts.outputBytes[n] = std::max<int64_t>(facts.outputBytes[n], 0) + size;
    if (!own || n >= own->nodes.size()) continue;
    const NodeFigures& figures = own->nodes[n];
    facts.flops[n] = figures.flops;
    facts.parameters[n] = figures.parameters;
    facts.weightBytes[n] = figures.weightBytes;
    facts.movedBytes[n] = figures.movedBytes;
  }
}

std::string refusalOf(const NodePlacement& placement) {
  if (placement.answers.empty()) return {};
  const ProviderAnswer& first = placement.answers.front();
  if (first.verdict == Verdict::kClaimed || first.verdict == Verdict::kAlreadyTaken) return {};
  return std::string(refusalCauseName(first.cause)) + ": " + inWindowWords(first.reason);
}

void fillPlacement(NodeFacts& facts, const WalkReport& walk, const GraphReport& graph) {
  if (!walk.partition || !walk.optimizedGraphs) return;
  const Landing landing(*walk.optimizedGraphs);
  std::vector<const NodePlacement*> placements(landing.count(), nullptr);
  for (const NodePlacement& placement : walk.partition->nodes)
    if (const int32_t number = landing.number(placement.graph, placement.node);
        number >= 0 && static_cast<size_t>(number) < placements.size())
      placements[static_cast<size_t>(number)] = &placement;
  TextPool texts;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const int32_t number = facts.version == GraphVersion::kOptimized ? landing.number(facts.graph, static_cast<int>(n))
                                                                     : landing.of(graph.nodes[n]);
    const NodePlacement* placement = number < 0 ? nullptr : placements[static_cast<size_t>(number)];
    if (placement) {
      facts.provider[n] = placement->provider;
      facts.refusal[n] = texts.of(refusalOf(*placement));
      if (placement->group >= 0 && placement->group < static_cast<int32_t>(walk.partition->groups.size()) &&
          walk.partition->groups[static_cast<size_t>(placement->group)].compiled)
        facts.group[n] = texts.of(walk.partition->groups[static_cast<size_t>(placement->group)].name);
    }
    if (!graph.nodes[n].provider.empty()) facts.provider[n] = graph.nodes[n].provider;
  }
}

// Steps and times belong to the nodes that run. Of nodes that were fused into one step all have its number, and the
// first one has its time, so that sums stay true.
void fillRunning(NodeFacts& facts, const WalkReport& walk, const GraphReport& graph) {
  if (!walk.partitionedGraphs) return;
  const Landing landing(*walk.partitionedGraphs);
  std::vector<int64_t> steps(landing.count(), -1), times(landing.count(), -1);
  const auto put = [&](std::vector<int64_t>& column, int g, int n, int64_t value) {
    if (const int32_t number = landing.number(g, n); number >= 0 && static_cast<size_t>(number) < column.size())
      column[static_cast<size_t>(number)] = value;
  };
  if (walk.schedule)
    for (const GraphSchedule& schedule : walk.schedule->graphs)
      for (size_t step = 0; step < schedule.steps.size(); ++step)
        put(steps, schedule.graph, schedule.steps[step].node, static_cast<int64_t>(step));
  if (walk.run && walk.run->profiled)
    for (const NodeTiming& timing : walk.run->nodes)
      put(times, timing.graph, timing.node, timing.totalNs);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const int32_t number = facts.version == GraphVersion::kPartitioned
                               ? landing.number(facts.graph, static_cast<int>(n))
                               : landing.of(graph.nodes[n]);
    if (number < 0) continue;
    facts.step[n] = steps[static_cast<size_t>(number)];
    // What a compiled group takes is not one node's time.
    if (facts.version == GraphVersion::kPartitioned || facts.group[n].empty())
      facts.timeNs[n] = std::exchange(times[static_cast<size_t>(number)], -1);
  }
}

// Only what runs is numbered; values of earlier versions are found by their names in the graph where their node ended.
void fillIndexes(NodeFacts& facts, const WalkReport& walk, const GraphReport& graph) {
  facts.ortValueIndex.assign(graph.values.size(), kNone);
  if (!walk.partitionedGraphs) return;
  if (facts.version == GraphVersion::kPartitioned) {
    facts.ortValueIndex = ortValueIndexes(graph);
    return;
  }
  const Landing landing(*walk.partitionedGraphs);
  std::unordered_map<int32_t, std::unordered_map<std::string_view, int32_t>> named;  // by graph that runs
  for (const NodeReport& node : graph.nodes) {
    const int32_t running = landing.graphOf(landing.of(node));
    if (running == kNone) continue;
    const auto [names, isNew] = named.try_emplace(running);
    if (isNew) {
      const GraphReport& runs = walk.partitionedGraphs->graphs[static_cast<size_t>(running)];
      const std::vector<int32_t> numbers = ortValueIndexes(runs);
      for (size_t value = 0; value < numbers.size(); ++value)
        names->second.emplace(runs.values[value].name, numbers[value]);
    }
    for (const auto* list : {&node.inputs, &node.outputs})
      for (const int32_t value : *list)
        if (value >= 0)
          if (const auto found = names->second.find(graph.values[static_cast<size_t>(value)].name);
              found != names->second.end())
            facts.ortValueIndex[static_cast<size_t>(value)] = found->second;
  }
}

void fillErrors(NodeFacts& facts, const AccuracyReport& accuracy, const GraphReport& graph) {
  std::unordered_map<std::string_view, double> errors;
  for (const ValueAccuracy& value : accuracy.values)
    if (value.problem.empty()) errors.emplace(value.value, value.maxRelative);
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (const int32_t output : graph.nodes[n].outputs)
      if (output >= 0)
        if (const auto found = errors.find(graph.values[static_cast<size_t>(output)].name); found != errors.end())
          facts.error[n] = std::max(facts.error[n], found->second);
}

}  // namespace

std::shared_ptr<const NodeFacts> makeNodeFacts(const WalkReport& walk, GraphVersion version, int graph,
                                               const AccuracyReport* accuracy) {
  auto facts = std::make_shared<NodeFacts>();
  facts->version = version;
  facts->graph = graph;
  facts->graphs = graphsOf(walk, version);
  if (!facts->graphs || graph < 0 || graph >= static_cast<int>(facts->graphs->graphs.size())) return facts;
  const GraphReport& report = facts->graphs->graphs[static_cast<size_t>(graph)];
  const size_t count = report.nodes.size();
  for (auto* column : {&facts->provider, &facts->refusal, &facts->rewrite, &facts->group})
    column->resize(count);
  for (auto* column : {&facts->step, &facts->timeNs, &facts->outputBytes, &facts->flops, &facts->parameters,
                       &facts->weightBytes, &facts->movedBytes})
    column->assign(count, -1);
  facts->error.assign(count, -1);
  fillSizes(*facts, walk, report);
  fillPlacement(*facts, walk, report);
  fillRunning(*facts, walk, report);
  fillIndexes(*facts, walk, report);
  if (accuracy) fillErrors(*facts, *accuracy, report);
  if (walk.optimize && walk.optimizedGraphs) facts->rewrite = changesOf(walk, version, graph).pass;
  return facts;
}

}  // namespace cutaway::ui
