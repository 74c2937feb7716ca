// Overlay: what a node has to do with the values of its graph that are no mere intermediates. Of several, the first in
// the legend's order counts: constants come last, as weights are read nearly everywhere.
#include <algorithm>
#include <array>
#include <vector>

#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

struct RoleWords {
  char letter;
  const char* label;
};
enum Category {
  kMakesOutput,
  kReadsInput,
  kReadsOverridable,
  kDangling,
  kCaptured,
  kReadsOuter,
  kReadsConstant,
  kCategories
};
constexpr std::array<RoleWords, kCategories> kWords = {
    {{'O', QT_TRANSLATE_NOOP("Overlay", "makes an output")},
     {'I', QT_TRANSLATE_NOOP("Overlay", "reads an input")},
     {'D', QT_TRANSLATE_NOOP("Overlay", "reads a default that callers may override")},
     {'U', QT_TRANSLATE_NOOP("Overlay", "dangling: nobody reads what it makes")},
     {'C', QT_TRANSLATE_NOOP("Overlay", "captured by a body")},
     {'X', QT_TRANSLATE_NOOP("Overlay", "reads a value from around its body")},
     {'K', QT_TRANSLATE_NOOP("Overlay", "reads a constant")}}};

class Roles {
 public:
  explicit Roles(const GraphReport& graph) : m_graph(graph), m_isCaptured(graph.values.size(), false) {
    for (const NodeReport& node : graph.nodes)
      for (const int32_t value : node.implicitInputs)
        if (value >= 0) m_isCaptured[static_cast<size_t>(value)] = true;
  }

  int of(const NodeReport& node) const {
    const auto reads = [&](ValueRole role) {
      return any(node.inputs, [&](int32_t value) { return at(value).role == role; });
    };
    if (any(node.outputs, [&](int32_t value) { return at(value).isOutput; })) return kMakesOutput;
    if (reads(ValueRole::kInput)) return kReadsInput;
    if (reads(ValueRole::kOverridableInitializer)) return kReadsOverridable;
    if (!any(node.outputs, [&](int32_t value) { return !at(value).consumers.empty(); })) return kDangling;
    if (any(node.outputs, [&](int32_t value) { return m_isCaptured[static_cast<size_t>(value)]; })) return kCaptured;
    if (reads(ValueRole::kOuterScope)) return kReadsOuter;
    return reads(ValueRole::kConstant) ? static_cast<int>(kReadsConstant) : -1;
  }

 private:
  const ValueReport& at(int32_t value) const { return m_graph.values[static_cast<size_t>(value)]; }
  template <typename Holds>
  static bool any(std::span<const int32_t> values, Holds holds) {
    return std::any_of(values.begin(), values.end(), [&](int32_t value) { return value >= 0 && holds(value); });
  }

  const GraphReport& m_graph;
  std::vector<bool> m_isCaptured;  // by value: a body of a node here reads it
};

void fill(Overlay& overlay, const OverlaySource& source) {
  const Roles roles(source.report);
  for (size_t n = 0; n < source.report.nodes.size(); ++n)
    overlay.category[n] = static_cast<signed char>(roles.of(source.report.nodes[n]));
  for (size_t i = 0; i < kWords.size(); ++i)
    overlay.legend.push_back(
        {static_cast<int>(i), QLatin1Char(kWords[i].letter), OverlayWords::ofTable(kWords[i].label), 0});
  countLegend(overlay);
  addRest(overlay, OverlayWords::tr("intermediates only"));
}

}  // namespace

const OverlayDescriptor& overlay_role() {
  static const OverlayDescriptor descriptor{
      .id = "role", .title = QT_TRANSLATE_NOOP("Overlay", "Inputs and outputs"), .ownInside = true, .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
