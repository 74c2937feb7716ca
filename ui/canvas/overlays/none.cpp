// Overlay: no colours at all.
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {

const OverlayDescriptor& overlay_none() {
  static const OverlayDescriptor descriptor{
      .id = "none", .title = QT_TRANSLATE_NOOP("Overlay", "Plain"), .shape = OverlayShape::kPlain, .ownInside = true};
  return descriptor;
}

}  // namespace cutaway::ui
