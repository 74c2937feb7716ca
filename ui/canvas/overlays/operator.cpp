// Overlay: families of operators, before anything else is known about a graph.
#include "ui/base/operator_family.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  for (int family = 0; family < kOperatorFamilyCount; ++family)
    overlay.legend.push_back({family, operatorFamilyLetter(family), operatorFamilyName(family), 0});
  for (size_t n = 0; n < source.report.nodes.size(); ++n)
    overlay.category[n] = static_cast<signed char>(operatorFamily(source.report.nodes[n]));
  countLegend(overlay);
}

}  // namespace

const OverlayDescriptor& overlay_operator() {
  static const OverlayDescriptor descriptor{
      .id = "operator", .title = QT_TRANSLATE_NOOP("Overlay", "Operator"), .ownInside = true, .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
