#pragma once
// The legend of an overlay: mark, letter, words and number of nodes for each category, or the ramp with its ends.
//
// Thread rule: pure painting. Example: QSizeF size = legendSize(overlay);  paintLegend(painter, overlay, theme);   //
// at the painter's origin

#include <QPainter>
#include <QSizeF>

#include "ui/base/theme.h"
#include "ui/canvas/overlay.h"

namespace cutaway::ui {

QSizeF legendSize(const Overlay& overlay);  // empty: nothing to explain
void paintLegend(QPainter& painter, const Overlay& overlay, const Theme& theme);
// All that it says, a line for each row.
QString legendWords(const Overlay& overlay);
// In one row, where there is no room for words: marks with their counts, the ramp between its ends, or why there are no
// colours, as far as `widest` reaches.
QSizeF legendMarksSize(const Overlay& overlay, double widest);
void paintLegendMarks(QPainter& painter, const Overlay& overlay, const Theme& theme, double widest);

}  // namespace cutaway::ui
