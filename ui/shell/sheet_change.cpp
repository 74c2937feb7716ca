// Qt is kept from dressing every widget when the sheet changes; we dress them ourselves, those that are to be seen
// first.
#include "ui/shell/sheet_change.h"

#include <deque>
#include <unordered_map>
#include <utility>

#include <QApplication>
#include <QBasicTimer>
#include <QElapsedTimer>
#include <QMainWindow>
#include <QPixmapCache>
#include <QPointer>
#include <QRegularExpression>
#include <QStyle>
#include <QTimer>
#include <QTimerEvent>
#include <QWidget>

namespace cutaway::ui {
namespace {

constexpr int kPortionMs = 4;
constexpr int kSeenPortionMs = 10;  // of what is to be seen: within a frame's time
constexpr int kPauseMs = 12;        // between portions: events come first

class Waiting : public QObject {
 public:
  explicit Waiting(QObject* parent) : QObject(parent) {}

  // What waits and what is put from now on gets no other size: nothing has to be laid out again.
  void setColorsAlone(bool colorsAlone) { m_colorsAlone = colorsAlone && (m_widgets.empty() || m_colorsAlone); }
  void put(QWidget* widget) {
    m_widgets.insert_or_assign(widget, widget);  // a widget that is gone may have left its place
  }
  void dress(QWidget* widget) { dress(m_widgets.find(widget)); }
  // At once, as long as that holds nothing up; the rest follows portion by portion, and windows are painted again when
  // all that they show is dressed, so that nobody sees half of a theme.
  void dressSeen(const QWidgetList& widgets) {
    m_seen.clear();
    for (QWidget* widget : widgets)
      if (widget->isVisible()) m_seen.push_back(widget);
    if (m_held.empty() || m_seen.empty()) dressSeenPortion();  // who holds the windows has time
    if (!m_seen.empty()) hold();
  }
  // Windows keep the picture that they have until release(): each as a whole, the main window in its parts.
  void hold() {
    for (QWidget* window : QApplication::topLevelWidgets()) {
      if (!window->isVisible()) continue;
      QWidgetList parts = {window};
      if (qobject_cast<QMainWindow*>(window))
        parts = window->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
      for (QWidget* part : std::as_const(parts)) {
        if (!part->isVisible() || !part->updatesEnabled()) continue;
        part->setUpdatesEnabled(false);
        m_held.emplace_back(part);
      }
    }
  }
  // One after the other: painting all of a window for the first time in other colours takes several frames.
  void release() {
    if (!m_seen.empty() || m_held.empty()) return;
    const QPointer<QWidget> part = m_held.front();
    m_held.pop_front();
    if (part) part->setUpdatesEnabled(true);
    if (!m_held.empty()) QTimer::singleShot(0, this, [this] { release(); });
  }
  void start() {
    if (m_widgets.empty() && m_seen.empty()) return;
    if (!m_timer.isActive()) qApp->installEventFilter(this);
    if (!m_timer.isActive() || !m_seen.empty()) m_timer.start(m_seen.empty() ? kPauseMs : 0, this);
  }
  int count() const { return static_cast<int>(m_widgets.size()); }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    // Qt tells children before parents' contents are painted, and each of them for itself.
    if (event->type() == QEvent::Show || event->type() == QEvent::ShowToParent || event->type() == QEvent::Polish)
      dress(m_widgets.find(object));
    return false;
  }
  void timerEvent(QTimerEvent* event) override {
    if (event->timerId() != m_timer.timerId()) return;
    if (!m_seen.empty()) {
      dressSeenPortion();
      if (m_seen.empty()) m_timer.start(kPauseMs, this);
      return;
    }
    QElapsedTimer timer;
    timer.start();
    while (!m_widgets.empty() && timer.elapsed() < kPortionMs)
      dress(m_widgets.begin());
    if (!m_widgets.empty()) return;
    m_timer.stop();
    qApp->removeEventFilter(this);
  }

 private:
  using Widgets = std::unordered_map<QObject*, QPointer<QWidget>>;

  void dressSeenPortion() {
    QElapsedTimer timer;
    timer.start();
    while (!m_seen.empty() && (!m_colorsAlone || timer.elapsed() < kSeenPortionMs)) {
      const QPointer<QWidget> widget = m_seen.front();
      m_seen.pop_front();
      if (widget) dress(widget);
    }
    release();
  }

  void dress(Widgets::iterator place) {
    if (place == m_widgets.end()) return;
    const QPointer<QWidget> widget = place->second;  // gone meanwhile: nothing to do
    m_widgets.erase(place);
    if (!widget) return;
    widget->style()->polish(widget);
    if (m_colorsAlone) return widget->update();
    QEvent changed(QEvent::StyleChange);
    QCoreApplication::sendEvent(widget, &changed);
  }

  Widgets m_widgets;
  std::deque<QPointer<QWidget>> m_seen;  // of them, what is to be seen
  std::deque<QPointer<QWidget>> m_held;  // what is not painted meanwhile
  bool m_colorsAlone = false;
  QBasicTimer m_timer;
};

Waiting& waiting() {
  static QPointer<Waiting> all;
  if (!all) all = new Waiting(qApp);
  return *all;
}

// What a sheet says beside its colours and pictures, whose sizes stand beside them.
QString withoutColors(QString sheet) {
  static const QRegularExpression color(QStringLiteral("#[0-9a-fA-F]{3,8}\\b|(?:rgba?|url)\\([^)]*\\)"));
  return sheet.remove(color);
}

}  // namespace

void changeSheet(const QString& sheet) {
  if (qApp->styleSheet() == sheet) return;
  // Qt keeps pictures of a sheet, and arrows in a sheet's colours, under keys that no other sheet has.
  QPixmapCache::clear();
  // Qt dresses a widget once for each of its ancestors when the sheet changes, as far as it remembers their rules. It
  // forgets all of them when the application leaves the style.
  if (qApp->styleSheet().isEmpty()) return qApp->setStyleSheet(sheet);
  waiting().setColorsAlone(withoutColors(qApp->styleSheet()) == withoutColors(sheet));
  qApp->style()->unpolish(qApp);
  const QWidgetList widgets = QApplication::allWidgets();
  qApp->setStyleSheet(sheet);
  for (QWidget* widget : widgets)
    if (widget->testAttribute(Qt::WA_WState_Polished)) waiting().put(widget);
  waiting().dressSeen(widgets);
  waiting().start();
}

void changeSheetNext(const QString& sheet) {
  waiting().hold();
  QTimer::singleShot(0, &waiting(),
                     [sheet] { qApp->styleSheet() == sheet ? waiting().release() : changeSheet(sheet); });
}

int waitingForSheet() {
  return waiting().count();
}

}  // namespace cutaway::ui
