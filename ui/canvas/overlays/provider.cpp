// Overlay: which provider takes a node. Original and optimised nodes show what became of them.
#include <algorithm>
#include <unordered_map>

#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.partition)
    return setMissing(overlay, OverlayWords::tr("Nodes have no provider before Partition is done."));
  const ProviderMarks& marks = source.marks;
  std::unordered_map<std::string, int> categories;  // names are looked up once per node
  for (size_t i = 0; i < marks.names.size(); ++i)
    if (!marks.names[i].isEmpty())
      categories.emplace(marks.names[i].toStdString(), static_cast<int>(std::min<size_t>(i, 100)));
  for (const QString& name : providerNames(source.walk))  // in order of priority
    if (const int category = marks.indexOf(name.toStdString()); category >= 0)
      overlay.legend.push_back({category, marks.letters[static_cast<size_t>(category)], name, 0});
  const auto categoryOf = [&](const std::string& provider) {
    const auto found = categories.find(provider);
    return found == categories.end() ? -1 : found->second;
  };
  if (source.version == GraphVersion::kOptimized) {
    for (const NodePlacement& placement : source.walk.partition->nodes)
      if (placement.graph == source.graph && placement.node >= 0 &&
          placement.node < static_cast<int>(overlay.category.size()))
        overlay.category[static_cast<size_t>(placement.node)] =
            static_cast<signed char>(categoryOf(placement.provider));
  } else if (source.version == GraphVersion::kLoaded && source.walk.partitionedGraphs) {
    const ModelGraphs& graphs = *source.walk.partitionedGraphs;
    const std::vector<signed char> later = byOrigin(graphs, [&](int g, int n) {
      return categoryOf(graphs.graphs[static_cast<size_t>(g)].nodes[static_cast<size_t>(n)].provider);
    });
    for (size_t n = 0; n < source.report.nodes.size(); ++n)
      overlay.category[n] = static_cast<signed char>(largestOf(source.report.nodes[n], later));
  } else {
    for (size_t n = 0; n < source.report.nodes.size(); ++n)
      overlay.category[n] = static_cast<signed char>(categoryOf(source.report.nodes[n].provider));
  }
  countLegend(overlay);
  // A compiled group is one card and many nodes: the legend counts nodes, as the table of providers does.
  if (source.version != GraphVersion::kPartitioned) return;
  for (LegendEntry& entry : overlay.legend)
    entry.count = static_cast<int>(std::count_if(
        source.walk.partition->nodes.begin(), source.walk.partition->nodes.end(), [&](const NodePlacement& placed) {
          return placed.graph == source.graph && categoryOf(placed.provider) == entry.category;
        }));
}

}  // namespace

const OverlayDescriptor& overlay_provider() {
  static const OverlayDescriptor descriptor{.id = "provider",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Provider"),
                                            .stages = {Stage::kPartition},
                                            .showsEmpty = true,
                                            .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
