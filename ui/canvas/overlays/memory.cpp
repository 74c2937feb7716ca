// Overlay: bytes of a node's outputs, as planned where there is a plan.
#include <algorithm>

#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  const GraphAllocation* plan = nullptr;
  if (source.walk.allocate && source.version == GraphVersion::kPartitioned)
    for (const GraphAllocation& candidate : source.walk.allocate->graphs)
      if (candidate.graph == source.graph) plan = &candidate;
  bool any = false;
  for (size_t n = 0; n < source.report.nodes.size(); ++n) {
    double bytes = -1;
    bool isOpen = false;
    for (const int32_t output : source.report.nodes[n].outputs) {
      if (output < 0) continue;
      int64_t size = source.report.values[static_cast<size_t>(output)].sizeBytes;
      if (plan && output < static_cast<int32_t>(plan->values.size()) &&
          plan->values[static_cast<size_t>(output)].sizeBytes >= 0)
        size = plan->values[static_cast<size_t>(output)].sizeBytes;
      if (size >= 0) bytes = std::max(bytes, 0.0) + static_cast<double>(size);
      isOpen = isOpen || size < 0;
    }
    if (isOpen && bytes >= 0) overlay.truths[static_cast<int>(n)] = TruthKind::kPartial;
    overlay.amount[n] = bytes;
    any = any || bytes > 0;
  }
  if (!any) setMissing(overlay, OverlayWords::tr("Sizes depend on open dimensions: give these a size."));
}

}  // namespace

const OverlayDescriptor& overlay_memory() {
  static const OverlayDescriptor descriptor{
      .id = "memory",
      .title = QT_TRANSLATE_NOOP("Overlay", "Memory"),
      .shape = OverlayShape::kRamp,
      .stages = {Stage::kAllocate, Stage::kPattern},
      .sumsLeaveOut = true,
      .fill = fill,
      .amountText = [](double amount) { return sizeText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
