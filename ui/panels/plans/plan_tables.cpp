// Rows of both tables.
#include "ui/panels/plans/plan_tables.h"

#include <algorithm>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

const QString kDash = QStringLiteral("\u2013");

QString bytesOrDash(int64_t bytes) {
  return bytes < 0 ? kDash : sizeText(bytes);
}
QString stepsText(int32_t first, int32_t last) {
  return first < 0 ? kDash : QStringLiteral("%1\u2013%2").arg(first).arg(last);
}
QString both(const QString& before, const QString& after) {
  return before == after ? before : QStringLiteral("%1 \u2192 %2").arg(before, after);
}
QString ruleOrKind(AllocRule rule, AllocKind kind) {
  return rule == AllocRule::kNone ? text(allocKindName(kind)) : text(allocRuleName(rule));
}

}  // namespace

QString differenceWords(const ValueDifference& d) {
  QStringList words;
  if (d.kindA != d.kindB) words << QObject::tr("kind");
  if (d.ruleA != d.ruleB) words << QObject::tr("rule");
  if (d.bufferA != d.bufferB) words << QObject::tr("buffer");
  if (d.sizeA != d.sizeB) words << QObject::tr("size");
  if (d.firstA != d.firstB || d.lastA != d.lastB) words << QObject::tr("life");
  return words.join(QStringLiteral(", "));
}

ReportRows differenceRows(std::shared_ptr<const PlanComparison> comparison) {
  enum { kValue, kDiffers, kRule, kBuffer, kSize, kSteps, kWhyB, kWhyA, kKind, kOffset };
  const auto at = [comparison](int row) -> const ValueDifference& {
    return comparison->values[static_cast<size_t>(row)];
  };
  return {.columns = {{QObject::tr("Value")},
                      {QObject::tr("Differs in")},
                      {QObject::tr("Rule"), Column::kText, QObject::tr("Now \u2192 what if")},
                      {QObject::tr("Buffer of"), Column::kText, QObject::tr("Now \u2192 what if")},
                      {QObject::tr("Size"), Column::kNumber, QObject::tr("Now \u2192 what if")},
                      {QObject::tr("Lives in steps"), Column::kText, QObject::tr("Now \u2192 what if")},
                      {QObject::tr("Why, what if")},
                      {QObject::tr("Why, now")},
                      {QObject::tr("Kind"), Column::kText, QObject::tr("Now \u2192 what if")},
                      {QObject::tr("Offset"), Column::kNumber, QObject::tr("Now \u2192 what if")}},
          .rows = static_cast<int>(comparison->values.size()),
          .cell = [at](int row, int column) -> QString {
            const ValueDifference& d = at(row);
            const auto offset = [](int64_t bytes) { return bytes < 0 ? kDash : countText(bytes); };
            switch (column) {
              case kValue:
                return text(d.name);
              case kDiffers:
                return differenceWords(d);
              case kRule:
                return both(ruleOrKind(d.ruleA, d.kindA), ruleOrKind(d.ruleB, d.kindB));
              case kBuffer:
                return both(shortName(d.bufferA), shortName(d.bufferB));
              case kSize:
                return both(bytesOrDash(d.sizeA), bytesOrDash(d.sizeB));
              case kSteps:
                return both(stepsText(d.firstA, d.lastA), stepsText(d.firstB, d.lastB));
              case kWhyB:
                return text(d.reasonB);
              case kWhyA:
                return text(d.reasonA);
              case kKind:
                return both(text(allocKindName(d.kindA)), text(allocKindName(d.kindB)));
              default:
                return both(offset(d.offsetA), offset(d.offsetB));
            }
          },
          .sortKey =
              [at](int row, int column) {
                const ValueDifference& d = at(row);
                return column == kSize     ? QVariant(qlonglong(std::max(d.sizeA, d.sizeB)))
                       : column == kSteps  ? QVariant(d.firstA)
                       : column == kOffset ? QVariant(qlonglong(d.offsetA))
                                           : QVariant();
              },
          .target = [at](int row) { return RowTarget{{}, {0, text(at(row).name)}}; }};
}

ReportRows sweepRows(std::shared_ptr<const PlanTable> table) {
  enum { kSize, kPeak, kBound, kAbove, kNaive, kOutputs, kUnplanned, kProblem };
  const auto at = [table](int row) -> const PlanFigures& { return table->rows[static_cast<size_t>(row)]; };
  int64_t largest = 1;
  for (const PlanFigures& row : table->rows)
    largest = std::max(largest, row.peakBytes);
  const auto key = [at](int row, int column) -> int64_t {
    const PlanFigures& figures = at(row);
    const int64_t keys[] = {row,
                            figures.peakBytes,
                            figures.lowerBoundBytes,
                            figures.peakBytes - figures.lowerBoundBytes,
                            figures.naiveBytes,
                            figures.outputBytes,
                            figures.unplannedValues,
                            0};
    return keys[column];
  };
  return {
      .columns = {{text(table->parameter), Column::kNumber},
                  {QObject::tr("Peak"), Column::kNumber},
                  {QObject::tr("Bound"), Column::kNumber},
                  {QObject::tr("Above it"), Column::kNumber},
                  {QObject::tr("Without sharing"), Column::kNumber},
                  {QObject::tr("Outputs"), Column::kNumber},
                  {QObject::tr("Size unknown"), Column::kNumber, QObject::tr("Values whose size no dimension decides")},
                  {QString()}},
      .rows = static_cast<int>(std::min(table->rows.size(), table->values.size())),
      .cell = [table, at, key](int row, int column) -> QString {
        const PlanFigures& figures = at(row);
        switch (column) {
          case kSize:
            return text(table->values[static_cast<size_t>(row)]);
          case kAbove:
            return figures.lowerBoundBytes > 0 ? percentText(static_cast<double>(key(row, kAbove)) /
                                                             static_cast<double>(figures.lowerBoundBytes))
                                               : kDash;
          case kUnplanned:
            return countText(figures.unplannedValues);
          case kProblem:
            return text(figures.problem);
          default:
            return bytesOrDash(key(row, column));
        }
      },
      .sortKey = [key](int row,
                       int column) { return column == kProblem ? QVariant() : QVariant(qlonglong(key(row, column))); },
      .share =
          [key, largest](int row, int column) {
            return column == kPeak && key(row, kPeak) >= 0
                       ? QVariant(static_cast<double>(key(row, kPeak)) / static_cast<double>(largest))
                       : QVariant();
          }};
}

}  // namespace cutaway::ui
