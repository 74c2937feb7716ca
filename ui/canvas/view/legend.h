#pragma once
// The legend as a widget in the corner of the canvas.
//
// Thread rule: GUI thread. Example: legend->show(overlay, theme);

#include <QPainter>
#include <QWidget>

#include "ui/canvas/legend_painter.h"

namespace cutaway::ui {

class Legend : public QWidget {
 public:
  explicit Legend(QWidget* parent) : QWidget(parent) { setAttribute(Qt::WA_TransparentForMouseEvents); }
  void present(const Overlay* overlay, const Theme* theme) {
    m_overlay = overlay;
    m_theme = theme;
    const QSizeF size = legendSize(*overlay);
    resize(size.toSize());
    setVisible(!size.isEmpty());
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (!m_overlay) return;
    QPainter painter(this);
    paintLegend(painter, *m_overlay, *m_theme);
  }

 private:
  const Overlay* m_overlay = nullptr;
  const Theme* m_theme = nullptr;
};

}  // namespace cutaway::ui
