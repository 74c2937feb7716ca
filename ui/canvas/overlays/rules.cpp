// Overlay: style rules of the user; the first rule that hits a node gives it its colour and letter.
#include <algorithm>

#include "ui/base/style_rules.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  const RuleMatches* matches = source.extras.rules;
  if (!matches || matches->rules.empty())
    return setMissing(overlay,
                      OverlayWords::tr("There are no style rules yet: search for something and add a rule of it."));
  if (source.graph >= static_cast<int>(matches->ruleOfNode.size()) ||
      matches->ruleOfNode[static_cast<size_t>(source.graph)].size() != overlay.category.size())
    return setMissing(overlay, OverlayWords::tr("The rules are being applied \u2026"));
  // Two rules may share a colour; their categories differ all the same, because colours repeat after kMostStyleColours.
  std::vector<int> usesOfColour(kMostStyleColours, 0);
  std::vector<signed char> categories;
  for (size_t i = 0; i < matches->rules.size(); ++i) {
    const StyleRule& rule = matches->rules[i];
    const int colour = std::clamp(rule.category, 0, kMostStyleColours - 1);
    categories.push_back(static_cast<signed char>(
        std::min(127, colour + kMostStyleColours * usesOfColour[static_cast<size_t>(colour)]++)));
    if (rule.enabled) overlay.legend.push_back({categories.back(), matches->letters[i], rule.title(), 0});
  }
  const auto& rules = matches->ruleOfNode[static_cast<size_t>(source.graph)];
  for (size_t n = 0; n < rules.size(); ++n)
    if (rules[n] >= 0) overlay.category[n] = categories[static_cast<size_t>(rules[n])];
  countLegend(overlay);
}

}  // namespace

const OverlayDescriptor& overlay_rules() {
  static const OverlayDescriptor descriptor{.id = "rules",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Style rules"),
                                            .ownInside = true,
                                            .showsEmpty = true,
                                            .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
