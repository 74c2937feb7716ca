#include "ui/shell/guided_tour.h"

#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/shell/binding_bar.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/samples.h"
#include "ui/shell/stage_ribbon.h"

namespace cutaway::ui {
namespace {
constexpr int kCardWidth = 360;
constexpr int kMargin = 6;
constexpr int kGap = 14;
}  // namespace

GuidedTour::GuidedTour(MainWindow* window)
    : QWidget(window),
      m_window(window),
      m_card(new QFrame(this)),
      m_title(new QLabel),
      m_words(new QLabel),
      m_count(new QLabel),
      m_back(new QPushButton(tr("Back"))),
      m_next(new QPushButton),
      m_skip(new QPushButton(tr("Skip"))) {
  setObjectName(QStringLiteral("guidedTour"));
  setAccessibleName(tr("Tour of the window"));
  setFocusPolicy(Qt::StrongFocus);
  const auto canvas = [window]() -> QWidget* {
    return window->currentPage() ? window->currentPage()->canvas() : window->centralWidget();
  };
  m_stops = {{tr("The stages of a model"),
              tr("Each button is a stage that an inference engine puts a model through, with its headline figure. "
                 "Alt+1 to Alt+9 choose one."),
              [window]() -> QWidget* { return window->ribbon(); }},
             {tr("Shapes and configuration"),
              tr("Sizes of open dimensions and the settings that everything is done with. One size binds a dimension; "
                 "several, as in 1, 8, 32, are swept into curves of latency and memory."),
              [window]() -> QWidget* { return window->menuWidget()->findChild<BindingBar*>(); }},
             {tr("The graph"),
              tr("It is coloured by what the stage is about. The wheel scrolls, with Ctrl it zooms, Space shows all of "
                 "it; a click chooses a node, a double click unfolds a group or enters a body."),
              canvas},
             {tr("Find"),
              tr("Ctrl+F finds nodes by name, operator, type, shape or what a stage knows: op:Conv, provider:cpu, "
                 "time>1ms. All hits light up at once."),
              canvas},
             {tr("The panel of the stage"),
              tr("Tables and pictures about the stage. What is chosen here is chosen on the graph as well, and stays "
                 "chosen in every stage. F9 hides it."),
              [window]() -> QWidget* { return window->stageDock(); }},
             {tr("The inspector"),
              tr("Everything about the selection: attributes, inputs and outputs, which provider runs the node and why "
                 "others refused, its memory and its time. F8 hides it."),
              [window]() -> QWidget* { return window->inspectorDock(); }},
             {tr("Everything by keyboard"),
              tr("Ctrl+Shift+P opens the command palette: a few letters find every command, panel, overlay and recent "
                 "file. The question mark shows all keys."),
              [window]() -> QWidget* { return window->menuWidget()->findChild<QMenuBar*>(); }},
             {tr("Your own models"),
              tr("Ctrl+O opens them, or drop them on the window. Sessions keep settings, edits and bookmarks. This "
                 "tour waits in the Help menu."),
              [window]() -> QWidget* { return window->centralWidget(); }}};
  m_card->setObjectName(QStringLiteral("tourCard"));
  m_card->setFixedWidth(kCardWidth);
  m_title->setProperty("role", "title");
  m_words->setWordWrap(true);
  m_count->setProperty("role", "faint");
  m_next->setProperty("primary", true);
  auto* row = new QHBoxLayout;
  row->addWidget(m_count);
  row->addStretch(1);
  row->addWidget(m_skip);
  row->addWidget(m_back);
  row->addWidget(m_next);
  auto* column = new QVBoxLayout(m_card);
  column->setContentsMargins(kSpaceHuge, kSpaceLarge, kSpaceHuge, kSpaceLarge);
  column->setSpacing(kSpace);
  column->addWidget(m_title);
  column->addWidget(m_words);
  column->addLayout(row);
  connect(m_skip, &QPushButton::clicked, this, &GuidedTour::end);
  connect(m_back, &QPushButton::clicked, this, [this] { go(m_step - 1); });
  connect(m_next, &QPushButton::clicked, this, [this] { go(m_step + 1); });
  window->installEventFilter(this);
}

void GuidedTour::start() {
  const Theme& theme = m_window->themes()->current();
  m_card->setStyleSheet(QStringLiteral("#tourCard { background: %1; border: 1px solid %2; border-radius: 8px; }")
                            .arg(theme.surface.name(), theme.accent.name()));
  m_before = QApplication::focusWidget();
  show();
  raise();
  setFocus();
  go(0);
}

void GuidedTour::end() {
  m_window->viewState()->put(QLatin1String(kTourSeenKey), true);
  m_window->removeEventFilter(this);
  hide();
  if (m_before) m_before->setFocus();
  deleteLater();
}

void GuidedTour::go(int step) {
  if (step >= steps()) return end();
  m_step = std::max(0, step);
  const Stop& stop = m_stops[static_cast<size_t>(m_step)];
  m_title->setText(stop.title);
  m_words->setText(stop.words);
  m_count->setText(tr("%1 of %2").arg(m_step + 1).arg(steps()));
  m_back->setVisible(m_step > 0);
  m_skip->setVisible(m_step + 1 < steps());
  m_next->setText(m_step + 1 < steps() ? tr("Next") : tr("Done"));
  setAccessibleDescription(stop.title + QStringLiteral(". ") + stop.words);
  m_next->setFocus();
  place();
}

QRect GuidedTour::target() const {
  const QWidget* widget = m_stops[static_cast<size_t>(m_step)].target();
  if (!widget || !widget->isVisible()) return {};
  return QRect(widget->mapTo(m_window, QPoint(0, 0)), widget->size())
      .adjusted(-kMargin, -kMargin, kMargin, kMargin)
      .intersected(rect());
}

// The card stands where there is room beside what it points at: below, to the left, to the right, else in its middle.
void GuidedTour::place() {
  setGeometry(m_window->rect());
  m_card->layout()->activate();
  m_card->setFixedHeight(m_card->layout()->heightForWidth(kCardWidth) > 0
                             ? m_card->layout()->totalHeightForWidth(kCardWidth)
                             : m_card->sizeHint().height());
  const QRect there = target();
  const QSize size(kCardWidth, m_card->height());
  QPoint at(width() / 2 - size.width() / 2, height() / 2 - size.height() / 2);
  if (there.isValid()) {
    if (there.bottom() + kGap + size.height() < height()) {
      at = {there.center().x() - size.width() / 2, there.bottom() + kGap};
    } else if (there.left() - kGap - size.width() > 0) {
      at = {there.left() - kGap - size.width(), there.center().y() - size.height() / 2};
    } else if (there.right() + kGap + size.width() < width()) {
      at = {there.right() + kGap, there.center().y() - size.height() / 2};
    } else {
      at = there.center() - QPoint(size.width() / 2, size.height() / 2);
    }
  }
  m_card->move(std::clamp(at.x(), kGap, std::max(kGap, width() - size.width() - kGap)),
               std::clamp(at.y(), kGap, std::max(kGap, height() - size.height() - kGap)));
  update();
}

void GuidedTour::paintEvent(QPaintEvent*) {
  const Theme& theme = m_window->themes()->current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath shade;
  shade.addRect(rect());
  const QRect there = target();
  if (there.isValid()) {
    QPainterPath hole;
    hole.addRoundedRect(QRectF(there).adjusted(1, 1, -1, -1), kCornerRadius, kCornerRadius);
    shade -= hole;
  }
  painter.fillPath(shade, QColor(0, 0, 0, theme.dark ? 150 : 90));
  if (!there.isValid()) return;
  painter.setPen(QPen(theme.accent, 2));
  painter.drawRoundedRect(QRectF(there).adjusted(1, 1, -1, -1), kCornerRadius, kCornerRadius);
}

void GuidedTour::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape:
      return end();
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return go(m_step + 1);
    case Qt::Key_Left:
      return go(m_step - 1);
    default:
      event->accept();  // the window behind waits
  }
}

bool GuidedTour::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) QTimer::singleShot(0, this, &GuidedTour::place);
  return QWidget::eventFilter(object, event);
}

void startTour(MainWindow& window) {
  if (window.findChild<GuidedTour*>()) return;
  for (const Sample& sample : bundledSamples())
    if (!window.currentPage() && sample.name == QLatin1String("digits_cnn")) window.openModel(sample.path);
  (new GuidedTour(&window))->start();
}

void greet(MainWindow& window) {
  if (window.viewState()->get(QLatin1String(kTourSeenKey), false).toBool() ||
      !window.viewState()->recentFiles().isEmpty())
    return;
  startTour(window);
}

}  // namespace cutaway::ui
