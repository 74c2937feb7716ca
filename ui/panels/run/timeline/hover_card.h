#pragma once
// The card beside the pointer that says what is under it, at once and without taking the focus.
//
// Thread rule: GUI thread.
// Example: card.present({"conv1", "Conv on cpu", {{"Time", "1.2 ms"}}}, theme, event->globalPosition().toPoint());

#include <utility>
#include <vector>

#include <QLabel>

#include "ui/base/theme.h"

namespace cutaway::ui {

struct HoverFacts {
  QString title;
  QString subtitle;
  std::vector<std::pair<QString, QString>> rows;
  QString hint;
  bool empty() const { return title.isEmpty(); }
};

class HoverCard : public QLabel {
  Q_OBJECT
 public:
  explicit HoverCard(QWidget* owner);
  void present(const HoverFacts& facts, const Theme& theme, const QPoint& globalPosition);
};

}  // namespace cutaway::ui
