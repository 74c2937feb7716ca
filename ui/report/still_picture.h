#pragma once
// Pictures for readers without script: the graph as it first stands, and memory charts.
//
// Thread rule: pure, any thread; needs a QGuiApplication for fonts. Example: page += stillGraph(walk, cancel);

#include <string>

#include "engine/base/progress.h"
#include "engine/report/walk_report.h"

namespace cutaway::ui {

// An <svg> element; empty when the graph is too large for a still picture.
std::string stillGraph(const WalkReport& walk, const CancelToken& cancel);

// x = step, y = offset, height = bytes; every block names its value on hover.
std::string stillMemoryChart(const GraphReport& graph, const GraphPattern& pattern);

}  // namespace cutaway::ui
