// Shared by the units of overlays.
#include "ui/canvas/overlay_fill.h"

#include <algorithm>

namespace cutaway::ui {

const std::shared_ptr<const ModelGraphs>& graphsOf(const WalkReport& walk, GraphVersion version) {
  return version == GraphVersion::kPartitioned ? walk.partitionedGraphs
         : version == GraphVersion::kOptimized ? walk.optimizedGraphs
                                               : walk.loadedGraphs;
}

const GraphCosts* costsOf(const WalkReport& walk, GraphVersion version, int graph) {
  const auto& costs = version == GraphVersion::kPartitioned ? walk.partitionedCosts
                      : version == GraphVersion::kOptimized ? walk.optimizedCosts
                                                            : walk.loadedCosts;
  return costs && graph >= 0 && graph < static_cast<int>(costs->graphs.size())
             ? &costs->graphs[static_cast<size_t>(graph)]
             : nullptr;
}

void setMissing(Overlay& overlay, const QString& why) {
  overlay.available = false;
  overlay.missing = why;
}

void countLegend(Overlay& overlay) {
  std::vector<int> counts(128, 0);
  for (const signed char category : overlay.category)
    if (category >= 0) ++counts[static_cast<size_t>(category)];
  for (LegendEntry& entry : overlay.legend)
    if (entry.category >= 0) entry.count = counts[static_cast<size_t>(entry.category)];
}

void addRest(Overlay& overlay, const QString& label) {
  overlay.legend.push_back(
      {-1, QChar(), label,
       static_cast<int>(std::count(overlay.category.begin(), overlay.category.end(), static_cast<signed char>(-1)))});
}

void finishRamp(Overlay& overlay) {
  for (const double amount : overlay.amount)
    overlay.largest = std::max(overlay.largest, amount);
  overlay.wholeTruth = overlay.truth;
  for (size_t n = 0; n < overlay.amount.size(); ++n)
    overlay.wholeTruth = lessSure(overlay.wholeTruth, overlay.truthOf(static_cast<int>(n)));
  overlay.lowText = overlay.amountText(0);
  overlay.highText = overlay.amountText(overlay.largest);
}

std::vector<signed char> byOrigin(const ModelGraphs& graphs, const std::function<int(int, int)>& categoryOf) {
  std::vector<signed char> all;
  for (size_t g = 0; g < graphs.graphs.size(); ++g)
    for (size_t n = 0; n < graphs.graphs[g].nodes.size(); ++n) {
      const int category = categoryOf(static_cast<int>(g), static_cast<int>(n));
      for (const int32_t origin : graphs.graphs[g].nodes[n].origins) {
        if (origin < 0) continue;
        if (static_cast<size_t>(origin) >= all.size()) all.resize(static_cast<size_t>(origin) + 1, -1);
        signed char& place = all[static_cast<size_t>(origin)];
        place = static_cast<signed char>(std::max<int>(place, category));
      }
    }
  return all;
}

void fillFromPartitioned(Overlay& overlay, const OverlaySource& source,
                         const std::function<double(int, int)>& amountOf) {
  if (!source.walk.partitionedGraphs) return;
  const ModelGraphs& graphs = *source.walk.partitionedGraphs;
  std::vector<double> later;
  for (size_t g = 0; g < graphs.graphs.size(); ++g)
    for (size_t n = 0; n < graphs.graphs[g].nodes.size(); ++n) {
      const double amount = amountOf(static_cast<int>(g), static_cast<int>(n));
      for (const int32_t origin : graphs.graphs[g].nodes[n].origins) {
        if (origin < 0 || amount < 0) continue;
        if (static_cast<size_t>(origin) >= later.size()) later.resize(static_cast<size_t>(origin) * 2 + 16, -1);
        later[static_cast<size_t>(origin)] = std::max(later[static_cast<size_t>(origin)], amount);
      }
    }
  for (size_t n = 0; n < source.report.nodes.size() && n < overlay.amount.size(); ++n)
    for (const int32_t origin : source.report.nodes[n].origins)
      if (origin >= 0 && static_cast<size_t>(origin) < later.size())
        overlay.amount[n] = std::max(overlay.amount[n], later[static_cast<size_t>(origin)]);
}

void fillCosts(Overlay& overlay, const OverlaySource& source, int64_t NodeFigures::* figure) {
  const GraphCosts* costs = costsOf(source.walk, source.version, source.graph);
  if (!costs || costs->nodes.size() != overlay.amount.size())
    return setMissing(overlay, OverlayWords::tr("Costs are known once shapes are: after Inputs & outputs."));
  for (size_t n = 0; n < overlay.amount.size(); ++n)
    overlay.amount[n] = static_cast<double>(costs->nodes[n].*figure);
}

int largestOf(const NodeReport& node, std::span<const signed char> byOrigin) {
  int largest = -1;
  for (const int32_t origin : node.origins)
    if (origin >= 0 && static_cast<size_t>(origin) < byOrigin.size())
      largest = std::max<int>(largest, byOrigin[static_cast<size_t>(origin)]);
  return largest;
}

}  // namespace cutaway::ui
