#pragma once
// The tables of the memory panel: what the peak is made of, strategies tried, blocks, values without a place.
//
// Thread rule: GUI thread; the functions keep the reports alive.
// Example: m_peak->present(peakRows(walk, 0));

#include <memory>

#include "engine/report/walk_report.h"
#include "engine/study/allocation_trace/allocation_trace.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

// `which`: index in the pattern report's graphs, which must be there.
ReportRows peakRows(const std::shared_ptr<const WalkReport>& walk, int which);
ReportRows strategyRows(const std::shared_ptr<const WalkReport>& walk, int which);
ReportRows blockRows(const std::shared_ptr<const WalkReport>& walk, int which);
ReportRows unplannedRows(const std::shared_ptr<const WalkReport>& walk, int which);
// What the profiled run asked memory for, in the order in which it was made.
ReportRows tracedRows(const std::shared_ptr<const WalkReport>& walk, study::AllocationTrace trace);

}  // namespace cutaway::ui
