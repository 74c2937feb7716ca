#pragma once
// Values of a comparison as rows, and what it comes to in a sentence.
//
// Thread rule: pure; rows keep the report alive. Example: model->present(accuracyRows(report, *walk->partitionedGraphs,
// theme));

#include <memory>

#include "engine/report/accuracy_report.h"
#include "ui/base/theme.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

enum class AccuracyMark { kNone, kFirst, kWorst, kOutside, kNotComparable };
AccuracyMark markOf(const AccuracyReport& report, int row);
QString accuracySentence(const AccuracyReport& report);
ReportRows accuracyRows(std::shared_ptr<const AccuracyReport> report);

}  // namespace cutaway::ui
