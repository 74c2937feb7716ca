// Overlay: activations that a node reads and writes.
#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {

const OverlayDescriptor& overlay_moved() {
  static const OverlayDescriptor descriptor{
      .id = "moved",
      .title = QT_TRANSLATE_NOOP("Overlay", "Bytes moved"),
      .shape = OverlayShape::kRamp,
      .ownInside = true,
      .sumsLeaveOut = true,
      .fill = [](Overlay& overlay,
                 const OverlaySource& source) { fillCosts(overlay, source, &NodeFigures::movedBytes); },
      .amountText = [](double amount) { return sizeText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
