#include "ui/panels/panel_scroll.h"

#include <algorithm>

#include <QEvent>

#include "ui/base/comfort.h"

namespace cutaway::ui {
namespace {

constexpr int kLeastHeight = 120;

// Tells the scroll area nothing of heights that depend on the width.
class Frame : public QWidget {
 public:
  explicit Frame(QWidget* content) : m_content(content) { content->setParent(this); }
  QSize minimumSizeHint() const override { return {0, m_content->minimumSizeHint().height()}; }
  QSize sizeHint() const override { return m_content->sizeHint(); }

 protected:
  void resizeEvent(QResizeEvent*) override { m_content->setGeometry(rect()); }
  bool event(QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QWidget::event(event);
  }

 private:
  QWidget* m_content;
};

}  // namespace

PanelScroll::PanelScroll(QWidget* content) : m_content(content) {
  content->setProperty("role", "surface");
  content->setAttribute(Qt::WA_StyledBackground);
  setWidget(new Frame(content));
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
}

QSize PanelScroll::minimumSizeHint() const {
  const QSize least = m_content->minimumSizeHint();
  return {least.width(), std::min(least.height(), scaled(kLeastHeight))};
}

}  // namespace cutaway::ui
