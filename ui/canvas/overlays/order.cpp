// Overlay: step of a node in the execution order.
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.schedule || source.version != GraphVersion::kPartitioned) return setMissing(overlay, OverlayWords::tr("The order is known once Order is done."));
  for (const GraphSchedule& schedule : source.walk.schedule->graphs) {
    if (schedule.graph != source.graph) continue;
    for (size_t step = 0; step < schedule.steps.size(); ++step) {
      const int32_t node = schedule.steps[step].node;
      if (node >= 0 && node < static_cast<int32_t>(overlay.amount.size())) overlay.amount[static_cast<size_t>(node)] = static_cast<double>(step);
    }
  }
}

}  // namespace

const OverlayDescriptor& overlay_order() {
  static const OverlayDescriptor descriptor{.id = "order",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Order"),
                                            .shape = OverlayShape::kRamp,
                                            .stages = {Stage::kSchedule},
                                            .scale = OverlayScale::kLinear,
                                            .fold = OverlayFold::kFirst,
                                            .fill = fill,
                                            .amountText = [](double amount) { return QString::number(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
