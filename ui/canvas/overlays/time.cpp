// Overlay: measured time of a node, median of the profiled runs.
#include <algorithm>
#include <unordered_map>

#include "engine/report/simulated_providers.h"
#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

// Nodes of this version of all graphs that became one step together, by their origins.
class Parts {
 public:
  explicit Parts(const OverlaySource& source) : m_source(source), m_graphs(*graphsOf(source.walk, source.version)) {
    for (size_t g = 0; g < m_graphs.graphs.size(); ++g)
      for (size_t n = 0; n < m_graphs.graphs[g].nodes.size(); ++n)
        for (const int32_t origin : m_graphs.graphs[g].nodes[n].origins)
          m_nodes[origin].emplace_back(static_cast<int>(g), static_cast<int>(n));
  }

  std::vector<std::pair<int, int>> of(const NodeReport& step) const {
    std::vector<std::pair<int, int>> parts;
    for (const int32_t origin : step.origins)
      if (const auto found = m_nodes.find(origin); found != m_nodes.end())
        parts.insert(parts.end(), found->second.begin(), found->second.end());
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return parts;
  }

  // What a part counts when one time is shared out: its operations and bytes, as the order of execution weighs them.
  double weightOf(const std::pair<int, int>& part) const {
    const GraphCosts* costs = costsOf(m_source.walk, m_source.version, part.first);
    if (!costs || static_cast<size_t>(part.second) >= costs->nodes.size()) return 1;
    constexpr double kFlopsPerByte = 8;
    const NodeFigures& figures = costs->nodes[static_cast<size_t>(part.second)];
    return std::max({1.0, static_cast<double>(figures.flops), kFlopsPerByte * static_cast<double>(figures.movedBytes)});
  }

 private:
  const OverlaySource& m_source;
  const ModelGraphs& m_graphs;
  std::unordered_map<int32_t, std::vector<std::pair<int, int>>> m_nodes;
};

// Nodes of providers that are not here: CPU kernels or a simulator ran in their place.
class SimulatedNodes {
 public:
  explicit SimulatedNodes(const WalkReport& walk) : m_providers(simulatedProviders(walk)) {}
  bool has(const NodeReport& node) const {
    return std::ranges::find(m_providers, node.provider.string()) != m_providers.end();
  }

 private:
  std::vector<std::string> m_providers;
};

// What runs as one has one time. Its nodes share it by their estimated work, so that the times of all nodes add up to
// what was measured.
void fillEarlier(Overlay& overlay, const OverlaySource& source, const SimulatedNodes& simulated) {
  if (!source.walk.partitionedGraphs) return;
  const Parts parts(source);
  bool isShared = false;
  for (const NodeTiming& timing : source.walk.run->nodes) {
    const auto& graphs = source.walk.partitionedGraphs->graphs;
    if (timing.graph < 0 || timing.node < 0 || static_cast<size_t>(timing.graph) >= graphs.size() ||
        static_cast<size_t>(timing.node) >= graphs[static_cast<size_t>(timing.graph)].nodes.size())
      continue;
    const NodeReport& step = graphs[static_cast<size_t>(timing.graph)].nodes[static_cast<size_t>(timing.node)];
    const auto nodes = parts.of(step);
    double all = 0;
    for (const auto& node : nodes)
      all += parts.weightOf(node);
    for (const auto& node : nodes) {
      if (node.first != source.graph || static_cast<size_t>(node.second) >= overlay.amount.size()) continue;
      double& amount = overlay.amount[static_cast<size_t>(node.second)];
      amount = std::max(0.0, amount) + static_cast<double>(timing.totalNs) * parts.weightOf(node) / all;
      isShared = isShared || nodes.size() > 1;
      if (simulated.has(step))
        overlay.truths[node.second] = TruthKind::kSimulated;
      else if (nodes.size() > 1)
        overlay.truths.try_emplace(node.second, TruthKind::kEstimated);
    }
  }
  if (isShared)
    overlay.legend = {{-1, QChar(), OverlayWords::tr("estimated inside groups: a group's time by work"), 0}};
}

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.run || !source.walk.run->profiled)
    return setMissing(overlay, OverlayWords::tr("Run the model with profiling to see times."));
  overlay.truth = TruthKind::kMeasured;
  const SimulatedNodes simulated(source.walk);
  if (source.version != GraphVersion::kPartitioned) {
    fillEarlier(overlay, source, simulated);
    if (std::all_of(overlay.amount.begin(), overlay.amount.end(), [](double amount) { return amount < 0; }))
      setMissing(overlay, OverlayWords::tr(
                              "None of these nodes was timed: what became of them shows its time on the Run stage."));
    return;
  }
  for (const NodeTiming& timing : source.walk.run->nodes)
    if (timing.graph == source.graph && timing.node >= 0 && timing.node < static_cast<int>(overlay.amount.size())) {
      overlay.amount[static_cast<size_t>(timing.node)] = static_cast<double>(timing.totalNs);
      if (simulated.has(source.report.nodes[static_cast<size_t>(timing.node)]))
        overlay.truths[timing.node] = TruthKind::kSimulated;
    }
}

}  // namespace

const OverlayDescriptor& overlay_time() {
  static const OverlayDescriptor descriptor{
      .id = "time",
      .title = QT_TRANSLATE_NOOP("Overlay", "Time"),
      .shape = OverlayShape::kRamp,
      .stages = {Stage::kRun},
      .fill = fill,
      .amountText = [](double amount) { return timeText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
