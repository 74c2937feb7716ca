#pragma once
// The legend as a widget in the lower left corner of the canvas; of the marks alone where the canvas is too low for
// words.
//
// Thread rule: GUI thread. Example: legend->present(overlay, theme);

#include <QWidget>

namespace cutaway::ui {

struct Overlay;
struct Theme;

class Legend : public QWidget {
 public:
  explicit Legend(QWidget* canvas);
  // Both must stay until others are presented.
  void present(const Overlay* overlay, const Theme* theme);
  bool marksAlone() const { return m_marksAlone; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void place();

  const Overlay* m_overlay = nullptr;
  const Theme* m_theme = nullptr;
  bool m_marksAlone = false;
};

}  // namespace cutaway::ui
