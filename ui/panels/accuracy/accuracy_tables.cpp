#include "ui/panels/accuracy/accuracy_tables.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::AccuracyTables)
};

QString number(double amount) {
  return amount == 0 ? QStringLiteral("0") : QString::number(amount, 'e', 2);
}
QString named(const AccuracyReport& report, int row) {
  const ValueAccuracy& value = report.values[static_cast<size_t>(row)];
  return value.opType.empty() ? text(value.value)
                              : QStringLiteral("%1 (%2)").arg(shortened(text(value.value), 60), text(value.opType));
}

QString markWords(AccuracyMark mark) {
  switch (mark) {
    case AccuracyMark::kFirst:
      return Words::tr("\u25b6 first");
    case AccuracyMark::kWorst:
      return Words::tr("\u25b2 worst");
    case AccuracyMark::kOutside:
      return Words::tr("\u2717 outside");
    case AccuracyMark::kNotComparable:
      return Words::tr("? not comparable");
    case AccuracyMark::kNone:
      return QStringLiteral("\u2713");
  }
  return {};
}

QString cellOf(const AccuracyReport& report, int row, int column) {
  const ValueAccuracy& value = report.values[static_cast<size_t>(row)];
  const bool compared = value.problem.empty();
  switch (column) {
    case 0:
      return QString::number(row);
    case 1:
      return markWords(markOf(report, row)) +
             (row == report.firstDivergence && row == report.worst ? Words::tr(", worst") : QString());
    case 2:
      return text(value.value) + (value.isOutput ? Words::tr("  (output)") : QString());
    case 3:
      return text(value.opType);
    case 4:
      return value.providerA == value.providerB
                 ? text(value.providerA)
                 : QStringLiteral("%1 / %2").arg(text(value.providerA), text(value.providerB));
    case 5:
      return compared ? number(value.maxRelative) : text(value.problem);
    case 6:
      return compared ? number(value.maxAbsolute) : QString();
    case 7:
      return compared ? number(value.rootMeanSquare) : QString();
    case 8:
      return compared ? QString::number(value.cosine, 'f', 6) : QString();
    case 9:
      return compared ? countText(value.outsideTolerance) : QString();
    default:
      return QStringLiteral("%1 %2").arg(text(value.elementType), shapeText(value.shape));
  }
}

}  // namespace

AccuracyMark markOf(const AccuracyReport& report, int row) {
  const ValueAccuracy& value = report.values[static_cast<size_t>(row)];
  if (row == report.firstDivergence) return AccuracyMark::kFirst;
  if (!value.problem.empty()) return AccuracyMark::kNotComparable;
  const bool outside = value.outsideTolerance > 0 || value.nonFiniteMismatches > 0;
  if (row == report.worst && outside) return AccuracyMark::kWorst;
  return outside ? AccuracyMark::kOutside : AccuracyMark::kNone;
}

QString accuracySentence(const AccuracyReport& report) {
  const int64_t compared = std::count_if(report.values.begin(), report.values.end(),
                                         [](const ValueAccuracy& value) { return value.problem.empty(); });
  const int64_t outside = std::count_if(report.values.begin(), report.values.end(), [](const ValueAccuracy& value) {
    return value.outsideTolerance > 0 || value.nonFiniteMismatches > 0;
  });
  QString words = Words::tr("%1 against %2: ").arg(text(report.configurationA), text(report.configurationB));
  if (compared == 0)
    words += Words::tr("there was nothing that both sides have and could be compared.");
  else if (report.firstDivergence < 0)
    words += Words::tr("\u2713 all %1 values agree within the tolerance.").arg(countText(compared));
  else
    words += Words::tr("\u2717 %1 of %2 values differ, first at %3.")
                 .arg(countText(outside), countText(compared), named(report, report.firstDivergence));
  if (report.firstDivergence >= 0 && report.worst >= 0 && report.worst != report.firstDivergence)
    words +=
        Words::tr(" Worst: %1, %2 relative.")
            .arg(named(report, report.worst), number(report.values[static_cast<size_t>(report.worst)].maxRelative));
  if (report.notComparable > 0)
    words += Words::tr(" %1 values are on one side only; “Every layer” keeps them all.")
                 .arg(countText(report.notComparable));
  return words;
}

ReportRows accuracyRows(std::shared_ptr<const AccuracyReport> report) {
  return {
      .columns = {{Words::tr("#"), Column::kNumber, Words::tr("Place in the execution order")},
                  {Words::tr("Agrees")},
                  {Words::tr("Value")},
                  {Words::tr("Operator")},
                  {Words::tr("Providers"), Column::kText, Words::tr("That make it, on both sides")},
                  {Words::tr("Relative error"), Column::kNumber, Words::tr("The largest |a - b| / |b|")},
                  {Words::tr("Absolute error"), Column::kNumber, Words::tr("The largest |a - b|")},
                  {Words::tr("RMS"), Column::kNumber, Words::tr("Root of the mean square of a - b")},
                  {Words::tr("Cosine"), Column::kNumber, Words::tr("Of the two as vectors; 1: same direction")},
                  {Words::tr("Outside"), Column::kNumber, Words::tr("Elements beyond the tolerance")},
                  {Words::tr("Type")}},
      .rows = report ? static_cast<int>(report->values.size()) : 0,
      .cell = [report](int row, int column) { return cellOf(*report, row, column); },
      .sortKey = [report](int row, int column) -> QVariant {
        const ValueAccuracy& value = report->values[static_cast<size_t>(row)];
        if (column == 0) return row;
        if (column == 1) return static_cast<int>(markOf(*report, row));
        if (!value.problem.empty() && column >= 5 && column <= 9) return -1.0;
        const double keys[] = {value.maxRelative, value.maxAbsolute, value.rootMeanSquare, value.cosine,
                               static_cast<double>(value.outsideTolerance)};
        return column >= 5 && column <= 9 ? QVariant(std::isfinite(keys[column - 5]) ? keys[column - 5] : 1e300)
                                          : QVariant();
      },
      .target = [report](int row) { return RowTarget{{}, {0, text(report->values[static_cast<size_t>(row)].value)}}; },
      .toolTip =
          [report](int row, int) {
            const ValueAccuracy& value = report->values[static_cast<size_t>(row)];
            return value.nonFiniteMismatches > 0 ? Words::tr("%1 elements are NaN or infinite on one side only.")
                                                       .arg(countText(value.nonFiniteMismatches))
                                                 : QString();
          }};
}

}  // namespace cutaway::ui
