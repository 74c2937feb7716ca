#include "ui/shell/panels_ahead.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimerEvent>
#include <QWidget>

#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {

constexpr int kRestMs = 300;   // without input: somebody reads, or is away
constexpr int kPauseMs = 10;   // between pieces: events come first
constexpr int kPortionMs = 4;  // of dressing

bool isInput(QEvent::Type type) {
  switch (type) {
    case QEvent::KeyPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::Wheel:
    case QEvent::TouchUpdate:
      return true;
    default:
      return false;
  }
}

}  // namespace

PanelsAhead::PanelsAhead(MainWindow* window) : QObject(window), m_window(window) {
  qApp->installEventFilter(this);
  connect(window, &MainWindow::pageOpened, this, &PanelsAhead::rest);
  rest();
}

void PanelsAhead::rest() {
  m_timer.start(kRestMs, this);
}

bool PanelsAhead::eventFilter(QObject*, QEvent* event) {
  if (isInput(event->type())) rest();
  return false;
}

void PanelsAhead::timerEvent(QTimerEvent* event) {
  if (event->timerId() != m_timer.timerId()) return QObject::timerEvent(event);
  DocumentPage* page = m_window->currentPage();
  if (!page || !m_window->isVisible()) return m_timer.stop();
  if (page->document()->service().busy()) return rest();
  if (m_undressed.empty()) {
    QWidget* made = page->makePanelAhead();
    if (!made) return m_timer.stop();
    m_undressed.emplace_back(made);
    for (QWidget* child : made->findChildren<QWidget*>())
      m_undressed.emplace_back(child);
  } else {
    dressPortion();
  }
  m_timer.start(kPauseMs, this);
}

// As Qt does when they are first shown, all at once.
void PanelsAhead::dressPortion() {
  QElapsedTimer timer;
  timer.start();
  while (!m_undressed.empty() && timer.elapsed() < kPortionMs) {
    if (const QPointer<QWidget> widget = m_undressed.front()) widget->ensurePolished();
    m_undressed.pop_front();
  }
}

}  // namespace cutaway::ui
