#pragma once
// Words on lines: shape and type of a value beside the start of its line, the number of values in a bundle. A label
// stands where it crosses neither another line nor a card, or not at all.
//
// Places depend on the scene alone, so that labels stay where they are while one pans and zooms.
// Thread rule: pure. Example: for (const LineLabel& label : lineLabels(scene, window)) draw(label.rect, label.words);

#include <vector>

#include <QPainter>

#include "ui/canvas/scene.h"

namespace cutaway::ui {

struct Theme;

struct LineLabel {
  QRectF rect;
  QString words;
  int net = 0;
  bool count = false;  // of a bundle, drawn on the line
};

QFont lineLabelFont();
// What is written beside a value's line: its shape, and its type when that is not float.
QString lineWords(const ValueReport& value);
std::vector<LineLabel> lineLabels(const Scene& scene, const QRectF& window);
void paintLineLabels(QPainter& painter, const Scene& scene, const Theme& theme, const QRectF& window);

}  // namespace cutaway::ui
