// Overlay: measured time of a node, mean of the profiled runs.
#include <algorithm>
#include <map>

#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.run || !source.walk.run->profiled)
    return setMissing(overlay, OverlayWords::tr("Run the model with profiling to see times."));
  if (source.version != GraphVersion::kPartitioned) {
    // Nodes that run as one share its time: each shows that of the whole.
    std::map<std::pair<int, int>, double> times;
    for (const NodeTiming& timing : source.walk.run->nodes)
      times[{timing.graph, timing.node}] = static_cast<double>(timing.totalNs);
    fillFromPartitioned(overlay, source, [&](int graph, int node) {
      const auto found = times.find({graph, node});
      return found == times.end() ? -1.0 : found->second;
    });
    if (std::all_of(overlay.amount.begin(), overlay.amount.end(), [](double amount) { return amount < 0; }))
      setMissing(overlay, OverlayWords::tr(
                              "None of these nodes was timed: what became of them shows its time on the Run stage."));
    return;
  }
  for (const NodeTiming& timing : source.walk.run->nodes)
    if (timing.graph == source.graph && timing.node >= 0 && timing.node < static_cast<int>(overlay.amount.size()))
      overlay.amount[static_cast<size_t>(timing.node)] = static_cast<double>(timing.totalNs);
}

}  // namespace

const OverlayDescriptor& overlay_time() {
  static const OverlayDescriptor descriptor{
      .id = "time",
      .title = QT_TRANSLATE_NOOP("Overlay", "Time"),
      .shape = OverlayShape::kRamp,
      .stages = {Stage::kRun},
      .fill = fill,
      .amountText = [](double amount) { return timeText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui
