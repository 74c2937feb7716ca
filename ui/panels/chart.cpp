#include "ui/panels/chart.h"

#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr double kNotch = 120;       // of QWheelEvent::angleDelta
constexpr double kWheelZoom = 1.25;  // per notch
}  // namespace

Chart::Chart(const ThemeStore* themes, const QString& name, QWidget* parent) : QWidget(parent), m_themes(themes) {
  setMouseTracking(true);
  setAccessibleName(name);
  connect(themes, &ThemeStore::changed, this, [this] { themeChanged(); });
}

void Chart::takeKeys() {
  setFocusPolicy(Qt::StrongFocus);
}

void Chart::paintFocus(QPainter& painter) const {
  if (!hasFocus()) return;
  painter.setPen(QPen(m_themes->current().accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Chart::showTip(const QPoint& global, const QString& words) {
  words.isEmpty() ? QToolTip::hideText() : QToolTip::showText(global, words, this);
}

void Chart::hover(const QPointF&, const QPoint&) {}
void Chart::hoverEnds() {}
Chart::Press Chart::press(const QMouseEvent&) {
  return {.clicks = false};
}
void Chart::click(const QPointF&, Qt::MouseButton) {}
void Chart::doubleClick(const QPointF&) {
  fit();
}
void Chart::dragRange(const QPointF&, const QPointF&) {}
void Chart::rangeEnds() {}
bool Chart::wheelGoesDown(const QPoint&, bool) const {
  return false;
}
void Chart::pan(const QPointF&) {}
void Chart::zoom(const QPointF&, double, bool) {}
void Chart::fit() {}
QPointF Chart::anchor() const {
  return m_pointer.value_or(QRectF(rect()).center());
}
bool Chart::key(QKeyEvent*) {
  return false;
}
bool Chart::step(int) {
  return false;
}
bool Chart::stepToEnd(bool) {
  return false;
}
void Chart::closer() {}
void Chart::rangeOfCurrent() {}
std::optional<QString> Chart::tipAt(const QPointF&) const {
  return std::nullopt;
}

void Chart::wheelEvent(QWheelEvent* event) {
  if (!moves()) return QWidget::wheelEvent(event);
  event->accept();
  const QPoint turned = event->angleDelta();
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    // With Shift some systems turn the wheel sideways.
    const int by = turned.y() == 0 && shift ? turned.x() : turned.y();
    return zoom(event->position(), std::pow(kWheelZoom, by / kNotch), shift);
  }
  const Strides stride = strides();
  if (wheelGoesDown(turned, shift)) return pan({0, turned.y() / kNotch * stride.wheelDown});
  pan({(turned.x() != 0 ? turned.x() : turned.y()) / kNotch * stride.wheelAcross, 0});
}

void Chart::mousePressEvent(QMouseEvent* event) {
  m_pressed = m_last = event->position();
  m_press = press(*event);
  m_state = m_press.drag != Drag::kNone || m_press.clicks ? State::kPressed : State::kIdle;
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  m_pointer = at;
  if (m_state == State::kPressed && m_press.drag != Drag::kNone && (at - m_pressed).manhattanLength() > m_press.slack)
    m_state = State::kDragging;
  if (m_state == State::kDragging) {
    drag(at);
  } else if (m_state == State::kIdle) {
    hover(at, event->globalPosition().toPoint());
  }
  m_last = at;
}

void Chart::drag(const QPointF& to) {
  if (m_press.drag == Drag::kRange) return dragRange(m_pressed, to);
  setCursor(Qt::ClosedHandCursor);
  pan(to - m_last);
}

void Chart::mouseReleaseEvent(QMouseEvent* event) {
  const State state = std::exchange(m_state, State::kIdle);
  if (state == State::kIdle) return;
  unsetCursor();
  if (state == State::kDragging && m_press.drag == Drag::kRange) return rangeEnds();
  const bool dragged = state == State::kDragging && m_press.slack > 0;
  if (!dragged && m_press.clicks && (event->position() - m_pressed).manhattanLength() <= kClickSlack)
    click(event->position(), event->button());
}

// The second button up of a double click is no click of its own.
void Chart::mouseDoubleClickEvent(QMouseEvent* event) {
  m_state = State::kIdle;
  doubleClick(event->position());
}

void Chart::leaveEvent(QEvent*) {
  m_pointer.reset();
  hoverEnds();
}

void Chart::keyPressEvent(QKeyEvent* event) {
  if (key(event)) return;
  if (moves() ? !moveKey(*event) : !stepKey(event->key())) QWidget::keyPressEvent(event);
}

bool Chart::moveKey(const QKeyEvent& event) {
  const bool shift = event.modifiers().testFlag(Qt::ShiftModifier), alt = event.modifiers().testFlag(Qt::AltModifier);
  const Strides stride = strides();
  switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:  // the same key without Shift
      return zoom(anchor(), stride.keyZoom, alt), true;
    case Qt::Key_Minus:
      return zoom(anchor(), 1 / stride.keyZoom, alt), true;
    case Qt::Key_W:
      return zoom(anchor(), stride.keyZoom, shift), true;
    case Qt::Key_S:
      return zoom(anchor(), 1 / stride.keyZoom, shift), true;
    case Qt::Key_A:
    case Qt::Key_Left:
      return pan({stride.keyAcross, 0}), true;
    case Qt::Key_D:
    case Qt::Key_Right:
      return pan({-stride.keyAcross, 0}), true;
    case Qt::Key_Up:
      return pan({0, stride.keyDown}), true;
    case Qt::Key_Down:
      return pan({0, -stride.keyDown}), true;
    case Qt::Key_0:
      return fit(), true;
    case Qt::Key_F:
      return closer(), true;
    case Qt::Key_R:
      return rangeOfCurrent(), true;
    case Qt::Key_Period:
      return step(1), true;
    case Qt::Key_Comma:
      return step(-1), true;
    default:
      return false;
  }
}

bool Chart::stepKey(int key) {
  switch (key) {
    case Qt::Key_Left:
      return step(-1);
    case Qt::Key_Right:
      return step(1);
    case Qt::Key_Home:
      return stepToEnd(false);
    case Qt::Key_End:
      return stepToEnd(true);
    default:
      return false;
  }
}

void Chart::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void Chart::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

bool Chart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const std::optional<QString> words = tipAt(QPointF(help->pos()));
  if (!words) return QWidget::event(event);
  showTip(help->globalPos(), *words);
  return true;
}

}  // namespace cutaway::ui
