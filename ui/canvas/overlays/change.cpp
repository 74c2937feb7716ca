// Overlay: what optimisation did with a node: kept, changed, fused, folded away, removed; or added, where it came of
// nothing in the model.
#include <algorithm>
#include <array>

#include "ui/base/node_changes.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

struct ChangeWords {
  NodeChange change;
  char letter;
  const char* label;
};
// Kept nodes have neither colour nor letter, so that the others stand out.
constexpr std::array<ChangeWords, 5> kWords = {
    {{NodeChange::kChanged, 'C', QT_TRANSLATE_NOOP("Overlay", "changed")},
     {NodeChange::kFused, 'F', QT_TRANSLATE_NOOP("Overlay", "fused")},
     {NodeChange::kFolded, 'K', QT_TRANSLATE_NOOP("Overlay", "folded to a constant")},
     {NodeChange::kRemoved, 'X', QT_TRANSLATE_NOOP("Overlay", "removed")},
     {NodeChange::kAdded, 'A', QT_TRANSLATE_NOOP("Overlay", "added")}}};

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.optimize || !source.walk.optimizedGraphs)
    return setMissing(overlay, OverlayWords::tr("What changes is known once Optimize is done."));
  const NodeChanges changes = changesOf(source.walk, source.version, source.graph);
  for (size_t i = 0; i < kWords.size(); ++i)
    overlay.legend.push_back(
        {static_cast<int>(i), QLatin1Char(kWords[i].letter), OverlayWords::ofTable(kWords[i].label), 0});
  for (size_t n = 0; n < std::min(changes.change.size(), overlay.category.size()); ++n)
    for (size_t i = 0; i < kWords.size(); ++i)
      if (kWords[i].change == changes.change[n]) overlay.category[n] = static_cast<signed char>(i);
  countLegend(overlay);
  addRest(overlay, OverlayWords::tr("unchanged"));
}

}  // namespace

const OverlayDescriptor& overlay_change() {
  static const OverlayDescriptor descriptor{.id = "change",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Change by optimisation"),
                                            .stages = {Stage::kOptimize},
                                            .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
