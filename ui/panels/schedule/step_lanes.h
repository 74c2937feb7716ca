#pragma once
// Steps as a timeline: a lane for every stream, or for every worker of a dataflow plan; the critical path is brought
// out.
//
// Thread rule: pure; the data keeps the snapshot alive.
// Example: chart->present(stepLanes(walk, 0, TimelineAxis::kCost));

#include <memory>

#include "engine/report/walk_report.h"
#include "ui/panels/life_chart_data.h"

namespace cutaway::ui {

enum class TimelineAxis { kSteps, kCost };

// `which`: index in the schedule's graphs.
LifeChartData stepLanes(const std::shared_ptr<const WalkReport>& walk, int which, TimelineAxis axis);

// When each step starts if every node takes its cost: after the step before it on its lane and after all that it reads.
// Ends are start + cost.
std::vector<double> stepStarts(const GraphSchedule& schedule, const GraphReport& graph, bool workers);

bool usesWorkers(const GraphSchedule& schedule);  // planned for more than one worker

}  // namespace cutaway::ui
