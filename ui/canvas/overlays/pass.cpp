// Overlay: which optimisation pass touched a node; the passes with most nodes have colours of their own, the others
// share one.
#include <algorithm>
#include <map>

#include "ui/base/format.h"
#include "ui/base/node_changes.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostPasses = 6;

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.optimize || !source.walk.optimizedGraphs)
    return setMissing(overlay, OverlayWords::tr("What changes is known once Optimize is done."));
  const NodeChanges changes = changesOf(source.walk, source.version, source.graph);
  std::map<std::string, int> counts;
  for (const std::string& pass : changes.pass)
    if (!pass.empty()) ++counts[pass];
  std::vector<std::pair<int, std::string>> ranked;
  for (const auto& [pass, count] : counts)
    ranked.emplace_back(-count, pass);
  std::sort(ranked.begin(), ranked.end());
  std::vector<QString> names;
  for (size_t i = 0; i < std::min(ranked.size(), kMostPasses); ++i)
    names.push_back(text(ranked[i].second));
  if (ranked.size() > kMostPasses) names.push_back(OverlayWords::tr("other passes"));
  const std::vector<QChar> letters = distinctLetters(names);
  for (size_t i = 0; i < names.size(); ++i)
    overlay.legend.push_back({static_cast<int>(i), letters[i], names[i], 0});
  std::map<std::string, int> categories;
  for (size_t i = 0; i < ranked.size(); ++i)
    categories[ranked[i].second] = static_cast<int>(std::min(i, kMostPasses));
  for (size_t n = 0; n < std::min(changes.pass.size(), overlay.category.size()); ++n)
    if (!changes.pass[n].empty()) overlay.category[n] = static_cast<signed char>(categories[changes.pass[n]]);
  countLegend(overlay);
  addRest(overlay, OverlayWords::tr("not changed by any pass"));
}

}  // namespace

const OverlayDescriptor& overlay_pass() {
  static const OverlayDescriptor descriptor{
      .id = "pass", .title = QT_TRANSLATE_NOOP("Overlay", "Optimisation pass"), .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
