#include "ui/panels/adviser/advice_tables.h"

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::AdviceTables)
};

QString measureWords(AdviceMeasure measure) {
  switch (measure) {
    case AdviceMeasure::kLeftNodes:
      return Words::tr("nodes left to the last provider");
    case AdviceMeasure::kPeakBytes:
      return Words::tr("planned peak");
    case AdviceMeasure::kUnplannedBuffers:
      return Words::tr("buffers without a size");
    case AdviceMeasure::kCopies:
      return Words::tr("copies");
    case AdviceMeasure::kCopiedBytes:
      return Words::tr("copied bytes");
    case AdviceMeasure::kGroups:
      return Words::tr("groups");
    case AdviceMeasure::kNodes:
      return Words::tr("nodes after optimisation");
  }
  return {};
}

QString figure(AdviceMeasure measure, int64_t value) {
  return isBytes(measure) ? sizeText(value) : countText(value);
}

QString changeText(const AdviceFigure& change) {
  QString words = QStringLiteral("%1 %2 \u2192 %3")
                      .arg(measureWords(change.measure), figure(change.measure, change.before),
                           figure(change.measure, change.after));
  if (change.before > 0 && change.after < change.before)
    words += QStringLiteral(" (\u2212%1 %)")
                 .arg(100.0 * static_cast<double>(change.before - change.after) / static_cast<double>(change.before), 0,
                      'f', 0);
  return words;
}

QString butText(const Advice& advice) {
  QStringList parts;
  if (!advice.consequence.empty()) parts << text(advice.consequence);
  if (!advice.costs.empty()) parts << figuresText(advice.costs);
  return parts.join(QStringLiteral("; "));
}

}  // namespace

QString figuresText(const std::vector<AdviceFigure>& figures) {
  QStringList parts;
  for (const AdviceFigure& each : figures)
    parts << changeText(each);
  return parts.join(QStringLiteral(", "));
}

QString adviceSentence(const AdviceReport& report) {
  if (report.advice.empty())
    return Words::tr("Nothing that was tried makes a figure smaller: %1 changes.").arg(report.attempts.size());
  const Advice& best = report.advice.front();
  const QString words = Words::tr("%1: %2.").arg(text(best.title), changeText(best.gains.front()));
  if (report.advice.size() == 1) return words;
  return words + u' ' +
         Words::tr("Changes that help: %1; tried in vain: %2.").arg(report.advice.size()).arg(report.attempts.size());
}

ReportRows adviceRows(const std::shared_ptr<const study::Advised>& advised) {
  if (!advised) return {};
  using Rows = ColumnOf<Advice>;
  return rowsOf<Advice>(
      partOf(advised, advised->report.advice),
      {{.title = Words::tr("Change"),
        .text =
            [](const Advice& each) {
              return each.assumed ? Words::tr("%1 (size assumed)").arg(text(each.title)) : text(each.title);
            }},
       Rows{.title = Words::tr("Gains"),
            .help = Words::tr("Of plans: before and after, as the analysis with the change gave them"),
            .text = [](const Advice& each) { return figuresText(each.gains); },
            .key = [](const Advice& each) { return each.share; }},
       Rows{.title = Words::tr("But"), .text = butText},
       Rows{.title = Words::tr("Why"), .text = [](const Advice& each) { return told(each.reason); }},
       Rows{.title = Words::tr("Tried"),
            .text =
                [](const Advice& each) {
                  return each.simulated ? Words::tr("%1 (simulated hardware)").arg(text(each.proof)) : text(each.proof);
                }},
       Rows{.title = Words::tr("Kind"), .text = [](const Advice& each) { return text(each.advisor); }}});
}

}  // namespace cutaway::ui
