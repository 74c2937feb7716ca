// Overlay: why the provider that was asked first did not take a node; the most frequent causes have colours, the others
// share one.
#include <algorithm>
#include <array>

#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostCauses = 6;
constexpr size_t kCauseCount = static_cast<size_t>(RefusalCause::kPlacement) + 1;

// The answer of the provider that would have been preferred; null: it took the node, or nobody was asked before the one
// that did.
const ProviderAnswer* refusalOf(const NodePlacement& placement) {
  if (placement.answers.empty()) return nullptr;
  const ProviderAnswer& first = placement.answers.front();
  return first.verdict == Verdict::kClaimed || first.verdict == Verdict::kAlreadyTaken ? nullptr : &first;
}

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.partition || !source.walk.optimizedGraphs)
    return setMissing(overlay, OverlayWords::tr("Providers answer in Partition, which is not done."));
  std::array<int, kCauseCount> counts{};
  std::vector<std::vector<signed char>> causes(source.walk.optimizedGraphs->graphs.size());
  for (size_t g = 0; g < causes.size(); ++g)
    causes[g].assign(source.walk.optimizedGraphs->graphs[g].nodes.size(), -1);
  for (const NodePlacement& placement : source.walk.partition->nodes) {
    const ProviderAnswer* refusal = refusalOf(placement);
    if (!refusal || placement.graph < 0 || placement.graph >= static_cast<int>(causes.size()) || placement.node < 0 ||
        placement.node >= static_cast<int>(causes[static_cast<size_t>(placement.graph)].size()))
      continue;
    const size_t cause = std::min(static_cast<size_t>(refusal->cause), kCauseCount - 1);
    ++counts[cause];
    causes[static_cast<size_t>(placement.graph)][static_cast<size_t>(placement.node)] = static_cast<signed char>(cause);
  }
  std::vector<size_t> ranked;
  for (size_t cause = 0; cause < kCauseCount; ++cause)
    if (counts[cause] > 0) ranked.push_back(cause);
  std::stable_sort(ranked.begin(), ranked.end(), [&](size_t a, size_t b) { return counts[a] > counts[b]; });
  std::vector<QString> names;
  std::array<signed char, kCauseCount> categories{};
  for (size_t i = 0; i < ranked.size(); ++i) {
    categories[ranked[i]] = static_cast<signed char>(std::min(i, kMostCauses));
    if (i < kMostCauses) names.push_back(QString::fromLatin1(refusalCauseName(static_cast<RefusalCause>(ranked[i]))));
  }
  if (ranked.size() > kMostCauses) names.push_back(OverlayWords::tr("other causes"));
  const std::vector<QChar> letters = distinctLetters(names);
  for (size_t i = 0; i < names.size(); ++i)
    overlay.legend.push_back({static_cast<int>(i), letters[i], names[i], 0});
  const auto own = [&](int g, int n) {
    const signed char cause = causes[static_cast<size_t>(g)][static_cast<size_t>(n)];
    return cause < 0 ? -1 : categories[static_cast<size_t>(cause)];
  };
  if (source.version == GraphVersion::kOptimized) {
    for (size_t n = 0; n < overlay.category.size(); ++n)
      overlay.category[n] = static_cast<signed char>(own(source.graph, static_cast<int>(n)));
  } else {
    const std::vector<signed char> origins = byOrigin(*source.walk.optimizedGraphs, own);
    for (size_t n = 0; n < overlay.category.size(); ++n)
      overlay.category[n] = static_cast<signed char>(largestOf(source.report.nodes[n], origins));
  }
  countLegend(overlay);
  addRest(overlay, OverlayWords::tr("claimed by the first provider"));
}

}  // namespace

const OverlayDescriptor& overlay_refusal() {
  static const OverlayDescriptor descriptor{
      .id = "refusal", .title = QT_TRANSLATE_NOOP("Overlay", "Cause of refusal"), .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
