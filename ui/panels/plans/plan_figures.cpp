// Figures, sentence and curves of two plans, and of many.
#include "ui/panels/plans/plan_figures.h"

#include <algorithm>
#include <cstdlib>

#include <QObject>
#include <QStringList>

#include "ui/base/cost_text.h"
#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

QString workOf(int64_t cost, const std::string& unit) {
  return unit == "nodes" ? countText(cost) : costText(cost, unit);
}

QString unitText(const PlanFigures& figures) {
  const QString words = costText(figures.criticalPathCost, figures.costUnit);
  return figures.costUnit == "work" ? QObject::tr("%1 units of work").arg(words) : words;
}

void addNotes(std::vector<FigureRow>& rows, const PlanComparison& comparison) {
  QStringList notes;
  for (const auto& [side, name] :
       {std::pair(&comparison.a, QObject::tr("Now")), std::pair(&comparison.b, QObject::tr("What if"))})
    if (!side->problem.empty()) notes << QStringLiteral("%1: %2").arg(name, told(side->problem));
  for (const std::string& warning : comparison.warnings)
    notes << told(warning);
  if (notes.isEmpty()) return;
  rows.push_back(figureHeading(QObject::tr("Notes")));
  for (const QString& note : notes)
    rows.push_back({FigureRow::kNote, note, {}, {}, {}});
}

std::vector<double> asAmounts(const std::vector<int64_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<FigureRow> planFigureRows(const PlanComparison& comparison) {
  const PlanFigures& a = comparison.a;
  const PlanFigures& b = comparison.b;
  std::vector<FigureRow> rows;
  const auto add = [&](const QString& label, int64_t before, int64_t after, BetterWhen betterWhen,
                       const std::function<QString(int64_t)>& write) {
    rows.push_back(figureRow(label, static_cast<double>(before), static_cast<double>(after), betterWhen, write));
  };
  const auto words = [&](const QString& label, const std::string& before, const std::string& after) {
    rows.push_back({before == after ? FigureRow::kEqual : FigureRow::kNeutral, label, text(before), text(after),
                    before == after ? QStringLiteral("=") : QObject::tr("changed")});
  };
  rows.push_back(figureHeading(QObject::tr("Plan")));
  words(QObject::tr("order"), a.order, b.order);
  words(QObject::tr("rules"), a.rules, b.rules);
  add(QObject::tr("planned in"), a.planNs, b.planNs, BetterWhen::kNeither, timeText);
  if (a.costUnit == b.costUnit)
    add(a.costUnit == "work" ? QObject::tr("critical path, units of work") : QObject::tr("critical path"),
        a.criticalPathCost, b.criticalPathCost, BetterWhen::kLess,
        [&a](int64_t cost) { return workOf(cost, a.costUnit); });
  else  // one side counts nodes, because its sizes are open
    rows.push_back({FigureRow::kNeutral, QObject::tr("critical path"), unitText(a), unitText(b),
                    QObject::tr("not compared: other units")});
  rows.push_back(figureHeading(QObject::tr("Memory of activations")));
  const auto sum = [&](const QString& label, int64_t PlanFigures::* bytes, BetterWhen betterWhen) {
    rows.push_back(figureRow(label, PartialFigure{a.*bytes, a.unplannedValues},
                             PartialFigure{b.*bytes, b.unplannedValues}, betterWhen, sizeText));
  };
  sum(QObject::tr("peak"), &PlanFigures::peakBytes, BetterWhen::kLess);
  sum(QObject::tr("lower bound"), &PlanFigures::lowerBoundBytes, BetterWhen::kLess);
  sum(QObject::tr("without sharing"), &PlanFigures::naiveBytes, BetterWhen::kNeither);
  if (a.unplannedValues > 0 || b.unplannedValues > 0)
    add(QObject::tr("values of unknown size"), a.unplannedValues, b.unplannedValues, BetterWhen::kLess, countText);
  rows.push_back(figureHeading(QObject::tr("Values")));
  add(QObject::tr("new buffers"), a.allocated, b.allocated, BetterWhen::kLess, countText);
  add(QObject::tr("reused buffers"), a.reused, b.reused, BetterWhen::kMore, countText);
  add(QObject::tr("of them in place"), a.inPlace, b.inPlace, BetterWhen::kMore, countText);
  add(QObject::tr("parts of others"), a.parts, b.parts, BetterWhen::kMore, countText);
  rows.push_back(figureHeading(QObject::tr("Beside the activations")));
  add(QObject::tr("outputs"), a.outputBytes, b.outputBytes, BetterWhen::kNeither, sizeText);
  add(QObject::tr("weights"), a.weightsBytes, b.weightsBytes, BetterWhen::kNeither, sizeText);
  addNotes(rows, comparison);
  return rows;
}

QString planSentence(const PlanComparison& comparison) {
  QStringList parts;
  const int64_t before = comparison.a.peakBytes, after = comparison.b.peakBytes;
  if (before < 0 || after < 0 || comparison.a.unplannedValues > 0 || comparison.b.unplannedValues > 0) {
    parts << QObject::tr("Sizes are open: bind the dimensions to compare peaks");
  } else if (before == after) {
    parts << QObject::tr("The same peak");
  } else {
    const QString share =
        before > 0 ? QObject::tr(" (%1 %)").arg((after > before ? QStringLiteral("+") : QStringLiteral("\u2212")) +
                                                QString::number(std::llabs(after - before) * 100 / before))
                   : QString();
    parts << QObject::tr("Peak %1 %2%3")
                 .arg(sizeText(std::llabs(after - before)),
                      after < before ? QObject::tr("smaller") : QObject::tr("larger"), share);
  }
  const auto values = static_cast<int64_t>(comparison.values.size());
  parts << (values == 0   ? QObject::tr("no value differs")
            : values == 1 ? QObject::tr("1 value differs")
                          : QObject::tr("%1 values differ").arg(countText(values)));
  if (comparison.movedSteps > 0)
    parts << (comparison.movedSteps == 1
                  ? QObject::tr("1 node at another step")
                  : QObject::tr("%1 nodes at another step").arg(countText(comparison.movedSteps)));
  return parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

CurveChartData liveCurves(const PlanComparison& comparison) {
  CurveChartData data;
  data.stepped = true;
  data.axis = QObject::tr("step");
  data.empty = QObject::tr("Sizes are open: there are no live bytes to draw. Bind the dimensions in the draft.");
  if (comparison.a.liveBytes.empty() && comparison.b.liveBytes.empty()) return data;
  const auto title = [](const QString& side, const PlanFigures& figures) {
    return figures.unplannedValues > 0 ? QObject::tr("%1, sized values only").arg(side) : side;
  };
  data.curves = {{title(QObject::tr("now"), comparison.a), asAmounts(comparison.a.liveBytes), false, true, 0},
                 {title(QObject::tr("what if"), comparison.b), asAmounts(comparison.b.liveBytes), true, false, 3}};
  return data;
}

CurveChartData sweepCurves(const PlanTable& table) {
  CurveChartData data;
  data.axis = text(table.parameter);
  for (const std::string& value : table.values)
    data.ticks.push_back(text(value));
  Curve peak{QObject::tr("peak"), {}, false, false, 0}, bound{QObject::tr("lower bound"), {}, true, false, 1};
  for (const PlanFigures& row : table.rows) {
    peak.amounts.push_back(static_cast<double>(row.peakBytes));
    bound.amounts.push_back(static_cast<double>(row.lowerBoundBytes));
  }
  data.curves = {std::move(peak), std::move(bound)};
  return data;
}

}  // namespace cutaway::ui
