// Overlay: measured time of a node, mean of the profiled runs.
#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.run || !source.walk.run->profiled || source.version != GraphVersion::kPartitioned) return setMissing(overlay, OverlayWords::tr("Run the model with profiling to see times."));
  for (const NodeTiming& timing : source.walk.run->nodes)
    if (timing.graph == source.graph && timing.node >= 0 && timing.node < static_cast<int>(overlay.amount.size())) overlay.amount[static_cast<size_t>(timing.node)] = static_cast<double>(timing.totalNs);
}

}  // namespace

const OverlayDescriptor& overlay_time() {
  static const OverlayDescriptor descriptor{.id = "time",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Time"),
                                            .shape = OverlayShape::kRamp,
                                            .stages = {Stage::kRun},
                                            .fill = fill,
                                            .amountText = [](double amount) { return timeText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
