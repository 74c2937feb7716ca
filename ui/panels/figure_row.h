#pragma once
// A figure of two sides as a row: now, what if, and what the difference means. Says it in signs and words, so that
// colour is never alone.
//
// Thread rule: pure functions.
// Example: rows.push_back(figureRow(tr("copies"), 5, 3, BetterWhen::kLess, countText));  // "\u25bc 2 (\u221240 %),
// better"

#include <functional>
#include <vector>

#include <QString>

namespace cutaway::ui {

struct FigureRow {
  enum Kind { kHeading, kNeutral, kEqual, kBetter, kWorse, kNote };
  Kind kind = kNeutral;
  QString label;
  QString now;
  QString then;
  QString change;      // "\u25bc 3, better"
  QString provider{};  // whose figure it is, for its mark
  bool simulated = false;
};

enum class BetterWhen { kLess, kMore, kNeither };

// A sum, and how many things it leaves out because they have no size yet.
struct PartialFigure {
  int64_t amount = 0, left = 0;
};

// Amounts below zero are not known.
FigureRow figureRow(const QString& label, double before, double after, BetterWhen betterWhen,
                    const std::function<QString(int64_t)>& write);
// Of sums: where one leaves something out, both are least amounts, and neither is better.
FigureRow figureRow(const QString& label, const PartialFigure& before, const PartialFigure& after,
                    BetterWhen betterWhen, const std::function<QString(int64_t)>& write);
FigureRow figureHeading(const QString& words);

}  // namespace cutaway::ui
