#include "ui/document/step_index.h"

#include <algorithm>

namespace cutaway::ui {

StepIndex::StepIndex(std::shared_ptr<const WalkReport> walk) : m_walk(std::move(walk)) {
  if (!m_walk->schedule || m_walk->schedule->graphs.empty() || !m_walk->partitionedGraphs) return;
  const GraphSchedule& first = m_walk->schedule->graphs.front();
  if (first.graph < 0 || first.graph >= static_cast<int32_t>(m_walk->partitionedGraphs->graphs.size())) return;
  m_main = &first;
  placeMain();
  if (m_walk->optimizedGraphs) placeByOrigin(*m_walk->optimizedGraphs, GraphVersion::kOptimized);
  if (m_walk->loadedGraphs) placeByOrigin(*m_walk->loadedGraphs, GraphVersion::kLoaded);
  if (const std::vector<int64_t>* bytes = live()) {
    m_peakUntil.resize(bytes->size());
    for (size_t step = 1; step < bytes->size(); ++step) {
      const auto before = static_cast<size_t>(m_peakUntil[step - 1]);
      m_peakUntil[step] = static_cast<int32_t>((*bytes)[step] > (*bytes)[before] ? step : before);
    }
  }
}

bool StepIndex::isFor(const WalkReport& walk) const {
  return m_walk && m_walk->schedule == walk.schedule && m_walk->partitionedGraphs == walk.partitionedGraphs &&
         m_walk->optimizedGraphs == walk.optimizedGraphs && m_walk->loadedGraphs == walk.loadedGraphs &&
         m_walk->run == walk.run && m_walk->pattern == walk.pattern &&
         m_walk->partitionedCosts == walk.partitionedCosts;
}

void StepIndex::placeMain() {
  const ModelGraphs& graphs = *m_walk->partitionedGraphs;
  auto& steps = m_steps[static_cast<size_t>(GraphVersion::kPartitioned)];
  for (const GraphReport& graph : graphs.graphs)
    steps.emplace_back(graph.nodes.size(), kNone);
  std::vector<int32_t>& main = steps[static_cast<size_t>(m_main->graph)];
  for (size_t step = 0; step < m_main->steps.size(); ++step)
    if (const int32_t node = m_main->steps[step].node; node >= 0 && static_cast<size_t>(node) < main.size())
      main[static_cast<size_t>(node)] = static_cast<int32_t>(step);
  placeBodies(graphs, steps);
}

// Bodies lie within bodies: as many rounds as there are floors, and never more than there are graphs.
void StepIndex::placeBodies(const ModelGraphs& graphs, std::vector<std::vector<int32_t>>& steps) const {
  std::vector<bool> placed(graphs.graphs.size(), false);
  placed[static_cast<size_t>(m_main->graph)] = true;
  for (bool more = true; more;) {
    more = false;
    for (size_t g = 0; g < graphs.graphs.size(); ++g) {
      const int32_t parent = graphs.graphs[g].parentGraph, node = graphs.graphs[g].parentNode;
      if (placed[g] || parent < 0 || node < 0 || static_cast<size_t>(parent) >= steps.size() ||
          !placed[static_cast<size_t>(parent)])
        continue;
      const std::vector<int32_t>& outer = steps[static_cast<size_t>(parent)];
      if (static_cast<size_t>(node) < outer.size())
        std::fill(steps[g].begin(), steps[g].end(), outer[static_cast<size_t>(node)]);
      placed[g] = more = true;
    }
  }
}

void StepIndex::placeByOrigin(const ModelGraphs& graphs, GraphVersion version) {
  std::vector<int32_t> stepOfOrigin;
  const auto& partitioned = m_steps[static_cast<size_t>(GraphVersion::kPartitioned)];
  for (size_t g = 0; g < partitioned.size(); ++g)
    for (size_t n = 0; n < partitioned[g].size(); ++n) {
      const int32_t step = partitioned[g][n];
      if (step < 0) continue;
      for (const int32_t origin : m_walk->partitionedGraphs->graphs[g].nodes[n].origins) {
        if (origin < 0) continue;
        if (static_cast<size_t>(origin) >= stepOfOrigin.size())
          stepOfOrigin.resize(static_cast<size_t>(origin) * 2 + 64, kNone);
        int32_t& known = stepOfOrigin[static_cast<size_t>(origin)];
        if (known < 0 || step < known) known = step;
      }
    }
  auto& steps = m_steps[static_cast<size_t>(version)];
  for (const GraphReport& graph : graphs.graphs) {
    std::vector<int32_t>& of = steps.emplace_back(graph.nodes.size(), kNone);
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      for (const int32_t origin : graph.nodes[n].origins)
        if (origin >= 0 && static_cast<size_t>(origin) < stepOfOrigin.size())
          of[n] = std::max(of[n], stepOfOrigin[static_cast<size_t>(origin)]);
  }
}

int StepIndex::nodeAt(int step) const {
  return m_main && step >= 0 && step < count() ? m_main->steps[static_cast<size_t>(step)].node : kNone;
}

const std::vector<int32_t>& StepIndex::stepsOf(GraphVersion version, int graph) const {
  static const std::vector<int32_t> none;
  const auto& steps = m_steps[static_cast<size_t>(version)];
  return graph >= 0 && static_cast<size_t>(graph) < steps.size() ? steps[static_cast<size_t>(graph)] : none;
}

int StepIndex::stepOf(const NodeTarget& target) const {
  const std::vector<int32_t>& steps = stepsOf(target.version, target.graph);
  return target.node >= 0 && static_cast<size_t>(target.node) < steps.size() ? steps[static_cast<size_t>(target.node)]
                                                                             : kNone;
}

const std::vector<int64_t>* StepIndex::live() const {
  if (m_walk && m_walk->pattern && m_main)
    for (const GraphPattern& pattern : m_walk->pattern->graphs)
      if (pattern.graph == m_main->graph && pattern.peakBytes > 0 && !pattern.liveBytes.empty())
        return &pattern.liveBytes;
  return m_main && m_main->peakBytes > 0 && !m_main->liveBytes.empty() ? &m_main->liveBytes : nullptr;
}

int64_t StepIndex::liveAt(int step) const {
  const std::vector<int64_t>* bytes = live();
  return bytes && step >= 0 && static_cast<size_t>(step) < bytes->size() ? (*bytes)[static_cast<size_t>(step)] : -1;
}

std::pair<int64_t, int> StepIndex::peakUntil(int step) const {
  if (step < 0 || static_cast<size_t>(step) >= m_peakUntil.size()) return {-1, kNone};
  const int32_t at = m_peakUntil[static_cast<size_t>(step)];
  return {liveAt(at), at};
}

StepTotals StepIndex::totals(const Playhead::Range& range) const {
  StepTotals totals;
  if (!m_main) return totals;
  const GraphReport& graph = m_walk->partitionedGraphs->graphs[static_cast<size_t>(m_main->graph)];
  const GraphCosts* costs =
      m_walk->partitionedCosts && static_cast<size_t>(m_main->graph) < m_walk->partitionedCosts->graphs.size()
          ? &m_walk->partitionedCosts->graphs[static_cast<size_t>(m_main->graph)]
          : nullptr;
  for (int step = std::max(0, range.first); step <= range.last && step < count(); ++step) {
    const int node = nodeAt(step);
    if (node < 0 || static_cast<size_t>(node) >= graph.nodes.size()) continue;
    ++totals.nodes;
    totals.liveBytes = std::max(totals.liveBytes, liveAt(step));
    for (const int32_t output : graph.nodes[static_cast<size_t>(node)].outputs)
      if (output >= 0 && static_cast<size_t>(output) < graph.values.size())
        totals.writtenBytes += std::max<int64_t>(0, graph.values[static_cast<size_t>(output)].sizeBytes);
    if (costs && static_cast<size_t>(node) < costs->nodes.size() && costs->nodes[static_cast<size_t>(node)].flops >= 0)
      totals.flops = std::max<int64_t>(0, totals.flops) + costs->nodes[static_cast<size_t>(node)].flops;
  }
  if (!m_walk->run || !m_walk->run->profiled) return totals;
  totals.timeNs = 0;
  int64_t measuredFlops = -1;
  for (const NodeTiming& timing : m_walk->run->nodes) {
    const int step = stepOf({GraphVersion::kPartitioned, timing.graph, timing.node});
    if (step < 0 || !range.contains(step)) continue;
    if (timing.graph == m_main->graph) totals.timeNs += timing.totalNs;  // a node's time holds that of its bodies' loop
    if (timing.flops >= 0)
      measuredFlops = std::max<int64_t>(0, measuredFlops) + timing.flops * std::max<int64_t>(1, timing.calls);
  }
  if (totals.flops < 0) totals.flops = measuredFlops;
  return totals;
}

}  // namespace cutaway::ui
