// Overlay: parameters that a node reads, floating point or quantised.
#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {

const OverlayDescriptor& overlay_parameters() {
  static const OverlayDescriptor descriptor{
      .id = "parameters",
      .title = QT_TRANSLATE_NOOP("Overlay", "Parameters"),
      .shape = OverlayShape::kRamp,
      .ownInside = true,
      .fill = [](Overlay& overlay,
                 const OverlaySource& source) { fillCosts(overlay, source, &NodeFigures::parameters); },
      .amountText = [](double amount) { return countText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
