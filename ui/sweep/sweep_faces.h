#pragma once
// What the cells of the matrix look like: words, a colour behind them, and a tip.
//
// Colour is never alone: the words say the same. Thread rule: pure. Example:
//   grid->present(rowTitles(*sweep), columnTitles(*sweep), facesOf(*sweep, SweepView::kTime, theme));

#include <vector>

#include <QColor>
#include <QStringList>

#include "ui/base/theme.h"
#include "ui/sweep/sweep_snapshot.h"

namespace cutaway::ui {

enum class SweepView { kSummary, kProviders, kTime, kMemory, kError, kChange };
inline constexpr int kSweepViewCount = 6;

struct SweepFace {
  QString words;
  QColor fill;           // invalid: none
  bool isEmpty = false;  // the plan has no such cell
};

QString viewTitle(SweepView view);
QString viewLegend(SweepView view);  // what colours mean
QString outcomeTitle(sweep::Outcome outcome);
// In the order of the matrix. kChange needs a comparison; without one nothing is said.
std::vector<SweepFace> sweepFaces(const SweepSnapshot& sweep, SweepView view, const Theme& theme);
QStringList rowTitles(const SweepSnapshot& sweep);
QStringList columnTitles(const SweepSnapshot& sweep);

}  // namespace cutaway::ui
