#pragma once
// The figures of a comparison as rows: now, what if, and what the difference means. Says it in signs and words, so that
// colour is never alone.
//
// Thread rule: pure functions over immutable reports.
// Example: for (const FigureRow& row : figureRows(comparison)) write(row.label, row.now, row.then, row.change);

#include "engine/report/partition_comparison.h"
#include "ui/panels/figure_row.h"

namespace cutaway::ui {

std::vector<FigureRow> figureRows(const PartitionComparison& comparison);
// One sentence: "412 nodes move, 6 copies fewer, estimated 1.8x faster".
QString comparisonSentence(const PartitionComparison& comparison);

}  // namespace cutaway::ui
