#pragma once
// What a run says about devices that work on their own: memory of each over time, copies, captured segments that are
// recorded and replayed, and what ends them.
//
// Thread rule: pure functions over immutable reports; the rows keep the reports alive.
// Example: chart->present(memoryOf(*view)[1].series);      model->present(capturedSegmentRows(view, walk));

#include <memory>
#include <vector>

#include "ui/panels/report_model.h"
#include "ui/panels/run/run_view.h"
#include "ui/panels/run/timeline/memory_chart.h"

namespace cutaway::ui {

// Memory over the time of a run: of all devices together first, as the run counts it, then of every device, in the
// order of the report.
struct PlaceMemory {
  QString title;  // "all devices", "cuda:0"
  MemorySeries series;
};
std::vector<PlaceMemory> memoryOf(const RunView& view);

using RunViewPtr = std::shared_ptr<const RunView>;

bool deviceTookPart(const RunView& view);
ReportRows deviceRows(const RunViewPtr& view);  // a row a device: planned, bound, measured, held
ReportRows copyRows(
    const RunViewPtr& view);  // a row a copy of the fastest profiled run, with bandwidth against the bus's
ReportRows capturedSegmentRows(const RunViewPtr& view);
ReportRows breakRows(const RunViewPtr& view);  // nodes that end a segment, or cannot be in one, and why

// Nodes of one segment, in the order in which they run; empty where the order is not known.
std::vector<NodeTarget> segmentNodes(const RunView& view, const WalkReport& walk, int row);

}  // namespace cutaway::ui
