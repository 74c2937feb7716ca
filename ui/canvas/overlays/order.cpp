// Overlay: step of a node in the execution order.
#include <algorithm>
#include <map>

#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.schedule) return setMissing(overlay, OverlayWords::tr("The order is known once Order is done."));
  if (source.version != GraphVersion::kPartitioned) {
    // Nodes that run as one share its step.
    std::map<std::pair<int, int>, double> steps;
    for (const GraphSchedule& schedule : source.walk.schedule->graphs)
      for (size_t step = 0; step < schedule.steps.size(); ++step)
        steps[{schedule.graph, schedule.steps[step].node}] = static_cast<double>(step);
    fillFromPartitioned(overlay, source, [&](int graph, int node) {
      const auto found = steps.find({graph, node});
      return found == steps.end() || graph != source.graph ? -1.0 : found->second;
    });
    if (std::all_of(overlay.amount.begin(), overlay.amount.end(), [](double amount) { return amount < 0; }))
      setMissing(overlay,
                 OverlayWords::tr(
                     "None of these nodes has a step of its own: what became of them shows it on the Order stage."));
    return;
  }
  for (const GraphSchedule& schedule : source.walk.schedule->graphs) {
    if (schedule.graph != source.graph) continue;
    for (size_t step = 0; step < schedule.steps.size(); ++step) {
      const int32_t node = schedule.steps[step].node;
      if (node >= 0 && node < static_cast<int32_t>(overlay.amount.size()))
        overlay.amount[static_cast<size_t>(node)] = static_cast<double>(step);
    }
  }
}

}  // namespace

const OverlayDescriptor& overlay_order() {
  static const OverlayDescriptor descriptor{
      .id = "order",
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
