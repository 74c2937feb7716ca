#pragma once
// Two plans in figures and in a sentence.
//
// Thread rule: pure functions over immutable reports.
// Example: figures->present(planFigureRows(*comparison));

#include "engine/report/plan_comparison.h"
#include "ui/panels/curve_chart.h"
#include "ui/panels/figure_row.h"

namespace cutaway::ui {

std::vector<FigureRow> planFigureRows(const PlanComparison& comparison);
// "Peak 1.2 MB smaller (-40 %), 12 values differ, 3 nodes at another step."
QString planSentence(const PlanComparison& comparison);
// Live bytes of both over their steps.
CurveChartData liveCurves(const PlanComparison& comparison);
// Peak, lower bound and what it would take without sharing over the sizes of a dimension.
CurveChartData sweepCurves(const PlanTable& table);

}  // namespace cutaway::ui
