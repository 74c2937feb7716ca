#pragma once
// The legend as a widget in the corner of the canvas where it hides the least of the cards, the lower left one if there
// is none; of the marks alone, with all words in the tool tip, where the canvas is too low for words.
//
// Thread rule: GUI thread. Example: legend->present(overlay, theme);

#include <QWidget>

#include "ui/canvas/view/floating_places.h"

namespace cutaway::ui {

struct Overlay;
struct Theme;

class Legend : public QWidget {
 public:
  explicit Legend(QWidget* canvas);
  // Both must stay until others are presented.
  void present(const Overlay* overlay, const Theme* theme);
  bool marksAlone() const { return m_marksAlone; }
  void setCovered(Covered covered) { m_covered = std::move(covered); }
  void place();  // again, where other cards are in sight

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  const Overlay* m_overlay = nullptr;
  const Theme* m_theme = nullptr;
  bool m_marksAlone = false;
  Covered m_covered;
};

}  // namespace cutaway::ui
