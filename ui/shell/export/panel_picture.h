#pragma once
// A panel's picture (a chart, a timeline) in a file: the widget itself painted again, larger or as a drawing.
//
// Thread rule: GUI thread; a widget can be painted nowhere else. Example: CUTAWAY_CHECK(writePanelPicture(*chart, file,
// isSvg, 2.0));

#include <QIODevice>

#include "engine/base/result.h"

class QWidget;

namespace cutaway::ui {

Result<void> writePanelPicture(QWidget& widget, QIODevice& file, bool isSvg, double scale);

}  // namespace cutaway::ui
