#pragma once
// A sweep over shapes as curves, sentence and rows.
//
// Thread rule: pure; rows keep the result alive. Example: chart->present(latencyCurves(*sweep));

#include <memory>

#include "engine/report/shape_report.h"
#include "ui/base/table_columns.h"
#include "ui/panels/curve_chart.h"

namespace cutaway::ui {

// Across: the dimension of most sizes; one curve for every combination of the others.
CurveChartData latencyCurves(const ShapeSweep& sweep);
CurveChartData peakCurves(const ShapeSweep& sweep);
bool wasRun(const ShapeSweep& sweep);
// "6 shapes: median 1.2 ms at batch = 1 to 8.4 ms at batch = 32; peak 1 MB to 30 MB."
QString sweepSentence(const ShapeSweep& sweep);
ReportRows shapeRows(const std::shared_ptr<const ShapeSweep>& sweep);

}  // namespace cutaway::ui
