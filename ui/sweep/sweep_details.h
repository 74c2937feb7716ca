#pragma once
// The page about one cell: how its jobs ended, figures with their spread, providers, refusals, what changed, and how
// figures went over versions of the program.
//
// Thread rule: pure. Example: browser->setHtml(sweepDetails(*sweep, place, trend, theme));

#include <QString>

#include "ui/sweep/sweep_snapshot.h"

namespace cutaway::ui {

struct Theme;

// place: in the order of the matrix.
QString sweepDetails(const SweepSnapshot& sweep, size_t place, const sweep::Trend& trend, const Theme& theme);

}  // namespace cutaway::ui
