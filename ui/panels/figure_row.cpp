// Rows of side-by-side figures.
#include "ui/panels/figure_row.h"

#include <cmath>

#include <QObject>

#include "ui/base/partial_amount.h"

namespace cutaway::ui {
namespace {

QString differenceText(double before, double after, const QString& amount) {
  if (before == after) return QStringLiteral("=");
  QString words = (after > before ? QStringLiteral("\u25b2 ") : QStringLiteral("\u25bc ")) + amount;
  if (before > 0 && after > 0 && (after / before >= 10 || before / after >= 10))
    return words;  // percentages beyond that say less than the amount
  if (before > 0 && after > 0)
    words += QStringLiteral(" (%1%2 %)")
                 .arg(after > before ? QStringLiteral("+") : QStringLiteral("\u2212"))
                 .arg(qRound(std::abs(after - before) / before * 100));
  return words;
}

}  // namespace

FigureRow figureRow(const QString& label, double before, double after, BetterWhen betterWhen,
                    const std::function<QString(int64_t)>& write) {
  const QString dash = QStringLiteral("\u2013");
  const auto written = [&](double amount) { return amount < 0 ? dash : write(static_cast<int64_t>(amount)); };
  FigureRow figure{FigureRow::kNeutral, label, written(before), written(after), dash};
  if (before < 0 || after < 0) return figure;
  figure.change = differenceText(before, after, write(static_cast<int64_t>(std::abs(after - before))));
  if (before == after) {
    figure.kind = FigureRow::kEqual;
  } else if (betterWhen != BetterWhen::kNeither) {
    const bool better = (after < before) == (betterWhen == BetterWhen::kLess);
    figure.kind = better ? FigureRow::kBetter : FigureRow::kWorse;
    figure.change += better ? QObject::tr(", better") : QObject::tr(", worse");
  }
  return figure;
}

FigureRow figureRow(const QString& label, const PartialFigure& before, const PartialFigure& after,
                    BetterWhen betterWhen, const std::function<QString(int64_t)>& write) {
  if (before.left == 0 && after.left == 0)
    return figureRow(label, static_cast<double>(before.amount), static_cast<double>(after.amount), betterWhen, write);
  const auto words = [&](const PartialFigure& side) {
    return partialAmount(write(side.amount), side.left > 0, side.amount == 0);
  };
  return {FigureRow::kNeutral, label, words(before), words(after), QObject::tr("not compared: dynamic shapes")};
}

FigureRow figureHeading(const QString& words) {
  return {FigureRow::kHeading, words, {}, {}, {}};
}

}  // namespace cutaway::ui
