// Overlay: style rules of the user; the first rule that hits a node gives it its colour and letter.
#include "ui/base/style_rules.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  const RuleMatches* matches = source.extras.rules;
  if (!matches || matches->rules.empty()) return setMissing(overlay, OverlayWords::tr("There are no style rules yet: search for something and add a rule of it."));
  if (source.graph >= static_cast<int>(matches->ruleOfNode.size()) || matches->ruleOfNode[static_cast<size_t>(source.graph)].size() != overlay.category.size())
    return setMissing(overlay, OverlayWords::tr("The rules are being applied \u2026"));
  for (size_t i = 0; i < matches->rules.size(); ++i)
    if (matches->rules[i].enabled) overlay.legend.push_back({matches->rules[i].category, matches->letters[i], matches->rules[i].title(), 0});
  // Two rules may share a colour: nodes are counted by rule, and categories are those of the rules.
  std::vector<int> counts(matches->rules.size(), 0);
  const auto& rules = matches->ruleOfNode[static_cast<size_t>(source.graph)];
  for (size_t n = 0; n < rules.size(); ++n) {
    if (rules[n] < 0) continue;
    overlay.category[n] = static_cast<signed char>(matches->rules[static_cast<size_t>(rules[n])].category);
    ++counts[static_cast<size_t>(rules[n])];
  }
  size_t entry = 0;
  for (size_t i = 0; i < matches->rules.size(); ++i)
    if (matches->rules[i].enabled) overlay.legend[entry++].count = counts[i];
}

}  // namespace

const OverlayDescriptor& overlay_rules() {
  static const OverlayDescriptor descriptor{.id = "rules", .title = QT_TRANSLATE_NOOP("Overlay", "Style rules"), .ownInside = true, .showsEmpty = true, .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
