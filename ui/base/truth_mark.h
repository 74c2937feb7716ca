#pragma once
// The sign of what a figure is, drawn the same wherever figures stand: a tick for exact alone, a half disc for a part,
// "\u2248" for assumed and estimated, a dashed ring for simulated, a stopwatch for measured.
//
// Thread rule: any thread. Example: paintTruth(painter, QRectF(0, 0, 12, 12), truth.kind, themes->current());

#include <QPainter>

#include "engine/report/truth.h"
#include "ui/base/theme.h"

namespace cutaway::ui {

void paintTruth(QPainter& painter, const QRectF& where, TruthKind kind, const Theme& theme);
QColor truthColor(TruthKind kind, const Theme& theme);

}  // namespace cutaway::ui
