#include "ui/panels/accuracy/accuracy_tables.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::AccuracyTables)
};

QString number(double amount) {
  return QString::number(amount, 'g', 3);
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

// A value that both sides were asked for.
struct ComparedValue {
  const AccuracyReport* report;
  int place;
  const ValueAccuracy& operator*() const { return report->values[static_cast<size_t>(place)]; }
  bool isComparable() const { return (**this).problem.empty(); }
  QString providers() const {
    const ValueAccuracy& value = **this;
    return value.providerA == value.providerB
               ? text(value.providerA)
               : QStringLiteral("%1 / %2").arg(text(value.providerA), text(value.providerB));
  }
  QString typeWords() const {
    return QStringLiteral("%1 %2").arg(text((**this).elementType), shapeText((**this).shape));
  }
};

// A measure of the difference; `write` says it in words, `other` stands where nothing was compared.
ColumnOf<ComparedValue> measure(const QString& title, const QString& help, double ValueAccuracy::* amount,
                                QString (*write)(double), CellText (*other)(const ValueAccuracy&)) {
  return {
      .title = title,
      .kind = Column::kNumber,
      .help = help,
      .text = [=](const ComparedValue& at) { return at.isComparable() ? CellText(write((*at).*amount)) : other(*at); },
      .key =
          [=](const ComparedValue& at) {
            if (!at.isComparable()) return -1.0;
            return std::isfinite((*at).*amount) ? (*at).*amount : 1e300;
          }};
}

CellText problemOf(const ValueAccuracy& value) {
  return told(value.problem);
}
CellText nothing(const ValueAccuracy&) {
  return {};
}
QString sixDigits(double amount) {
  return QString::number(amount, 'f', 6);
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
    words += Words::tr("no value exists on both sides, so nothing was compared.");
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
  using Values = ColumnOf<ComparedValue>;
  std::vector<ComparedValue> rows;
  for (size_t i = 0; report && i < report->values.size(); ++i)
    rows.push_back({report.get(), static_cast<int>(i)});
  std::vector<Values> columns = {
      {.title = Words::tr("#"),
       .kind = Values::kNumber,
       .help = Words::tr("Place in the execution order"),
       .text = [](const ComparedValue& at) { return QString::number(at.place); },
       .key = &ComparedValue::place},
      {.title = Words::tr("Agrees"),
       .text =
           [](const ComparedValue& at) {
             return markWords(markOf(*at.report, at.place)) +
                    (at.place == at.report->firstDivergence && at.place == at.report->worst ? Words::tr(", worst")
                                                                                            : QString());
           },
       .key = [](const ComparedValue& at) { return static_cast<int>(markOf(*at.report, at.place)); }},
      {.title = Words::tr("Value"),
       .text =
           [](const ComparedValue& at) {
             return text((*at).value) + ((*at).isOutput ? Words::tr("  (output)") : QString());
           }},
      {.title = Words::tr("Operator"), .text = [](const ComparedValue& at) { return (*at).opType; }},
      {.title = Words::tr("Providers"),
       .help = Words::tr("Providers that make it, on both sides"),
       .text = &ComparedValue::providers},
      measure(Words::tr("Relative error"),
              Words::tr("The largest |a - b| / |b|; numbers below absolute / relative tolerance count as that much"),
              &ValueAccuracy::maxRelative, number, problemOf),
      measure(Words::tr("Absolute error"), Words::tr("The largest |a - b|"), &ValueAccuracy::maxAbsolute, number,
              nothing),
      measure(Words::tr("RMS"), Words::tr("Root of the mean square of a - b"), &ValueAccuracy::rootMeanSquare, number,
              nothing),
      measure(Words::tr("Cosine"), Words::tr("Of the two as vectors; 1: same direction"), &ValueAccuracy::cosine,
              sixDigits, nothing),
      {.title = Words::tr("Outside"),
       .kind = Values::kNumber,
       .help = Words::tr("Elements beyond the tolerance"),
       .text =
           [](const ComparedValue& at) { return at.isComparable() ? countText((*at).outsideTolerance) : QString(); },
       .key =
           [](const ComparedValue& at) {
             return at.isComparable() ? static_cast<double>((*at).outsideTolerance) : -1.0;
           }},
      {.title = Words::tr("Type"), .text = &ComparedValue::typeWords}};
  for (Values& column : columns)
    column.toolTip = [](const ComparedValue& at) {
      return (*at).nonFiniteMismatches > 0 ? Words::tr("%1 elements are NaN or infinite on one side only.")
                                                 .arg(countText((*at).nonFiniteMismatches))
                                           : QString();
    };
  return rowsOf<ComparedValue>(listOf(std::move(rows), report), std::move(columns),
                               [](const ComparedValue& at) { return RowTarget{{}, {0, text((*at).value)}}; });
}

}  // namespace cutaway::ui
