#pragma once
// The tables of the order panel: steps of every graph, the critical path, what each stream does.
//
// Thread rule: GUI thread; the functions keep the snapshot alive, which must have a schedule and partitioned graphs.
// Example: m_steps->present(stepRows(walk));

#include <memory>

#include "engine/report/walk_report.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

ReportRows stepRows(const std::shared_ptr<const WalkReport>& walk);
ReportRows criticalPathRows(const std::shared_ptr<const WalkReport>& walk);
ReportRows commandRows(const std::shared_ptr<const WalkReport>& walk);

// A cost in the unit of its schedule: "1.2 GFLOP", "34 µs", "3 nodes".

}  // namespace cutaway::ui
