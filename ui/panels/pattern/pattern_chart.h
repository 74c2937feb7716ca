#pragma once
// A memory pattern as a chart: blocks with their gaps, workspaces of bodies hatched, peak and lower bound, live bytes
// as planned and as measured.
//
// Thread rule: pure functions over immutable reports; what they return keeps the reports alive.
// Example: chart->present(patternChart(walk, 0));

#include <memory>

#include "engine/report/walk_report.h"
#include "ui/panels/life_chart_data.h"

namespace cutaway::ui {

// `which`: index in the report's graphs; outside them, or without reports, a chart that says why it is empty.
LifeChartData patternChart(const std::shared_ptr<const WalkReport>& walk, int which);

// Highest measured bytes at each of `steps` steps of the main graph, -1 where there is no sample; empty when nothing
// was measured. `device`: as the pattern names it; one that does not work on its own shares the host's memory.
std::vector<double> measuredCurve(const WalkReport& walk, int steps, const std::string& device = {});

// "conv1_out", or "workspace of loop_1" when a block belongs to the bodies of a node.
QString blockTitle(const ModelGraphs& graphs, int graph, int value, int node);

}  // namespace cutaway::ui
