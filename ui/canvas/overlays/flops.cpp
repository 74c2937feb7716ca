// Overlay: floating point operations of a node, by operator and shapes.
#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {

const OverlayDescriptor& overlay_flops() {
  static const OverlayDescriptor descriptor{
      .id = "flops",
      .title = QT_TRANSLATE_NOOP("Overlay", "FLOPs"),
      .shape = OverlayShape::kRamp,
      .ownInside = true,
      .sumsLeaveOut = true,
      .fill = [](Overlay& overlay, const OverlaySource& source) { fillCosts(overlay, source, &NodeFigures::flops); },
      .amountText = [](double amount) { return workText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
