// Overlay: against another model, or another walk: the same, changed, only here. Optimised nodes show the most that
// became of their originals.
#include <algorithm>

#include "engine/report/model_diff.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

enum Category : signed char { kChanged = 1, kOnlyHere = 3 };

void fill(Overlay& overlay, const OverlaySource& source) {
  const ModelDiff* diff = source.extras.diff;
  if (!diff)
    return setMissing(overlay,
                      OverlayWords::tr("Compare with another model, or show the what-if beside, to see what differs."));
  const bool sideA = source.extras.diffSideA;
  const auto& loaded = source.walk.loadedGraphs;
  if (!loaded) return setMissing(overlay, OverlayWords::tr("The model is not loaded yet."));
  std::vector<std::vector<signed char>> kinds(loaded->graphs.size());
  for (size_t g = 0; g < kinds.size(); ++g)
    kinds[g].assign(loaded->graphs[g].nodes.size(), -1);
  for (const NodeDiff& node : diff->nodes) {
    const int graph = sideA ? node.graphA : node.graphB, index = sideA ? node.nodeA : node.nodeB;
    if (graph < 0 || index < 0 || static_cast<size_t>(graph) >= kinds.size() ||
        static_cast<size_t>(index) >= kinds[static_cast<size_t>(graph)].size() || node.kind == DiffKind::kSame)
      continue;
    kinds[static_cast<size_t>(graph)][static_cast<size_t>(index)] =
        node.kind == DiffKind::kChanged ? kChanged : kOnlyHere;
  }
  if (source.version == GraphVersion::kLoaded) {
    if (static_cast<size_t>(source.graph) < kinds.size()) overlay.category = kinds[static_cast<size_t>(source.graph)];
    overlay.category.resize(source.report.nodes.size(), -1);
  } else {
    const std::vector<signed char> origins = byOrigin(
        *loaded, [&](int g, int n) { return static_cast<int>(kinds[static_cast<size_t>(g)][static_cast<size_t>(n)]); });
    for (size_t n = 0; n < source.report.nodes.size(); ++n)
      overlay.category[n] = static_cast<signed char>(largestOf(source.report.nodes[n], origins));
  }
  overlay.legend = {{kChanged, QChar(0x2260), OverlayWords::tr("changed"), 0},
                    {kOnlyHere, QLatin1Char('+'), OverlayWords::tr("only here"), 0}};
  for (LegendEntry& entry : overlay.legend)
    entry.count = static_cast<int>(
        std::count(overlay.category.begin(), overlay.category.end(), static_cast<signed char>(entry.category)));
  addRest(overlay, OverlayWords::tr("the same"));
}

}  // namespace

const OverlayDescriptor& overlay_diff() {
  static const OverlayDescriptor descriptor{
      .id = "diff", .title = QT_TRANSLATE_NOOP("Overlay", "Difference"), .showsEmpty = true, .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
