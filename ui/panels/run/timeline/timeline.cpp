#include "ui/panels/run/timeline/timeline.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/base/theme_store.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {
constexpr double kHitPixels = 3;  // narrow bars are hit beside them too
constexpr int kTallest = 460;
}  // namespace

Timeline::Timeline(const PanelContext& context, TimeWindow* window, QWidget* parent)
    : Chart(context.themes, tr("Timeline of spans"), parent),
      m_context(context),
      m_window(window),
      m_card(new HoverCard(this)) {
  takeKeys();
  setAccessibleDescription(
      tr("W and S zoom, A and D move, period and comma step through the spans, M marks, R makes a range, F centres, 0 "
         "shows all, Escape clears the range"));
  const auto follow = [this] {
    m_look.axis.view = m_window->view();
    m_look.full = m_window->full();
    m_look.range = m_window->range();
    m_look.hoverNs = m_window->hover();
    m_look.play = m_window->play();
    m_look.marks = m_window->marks();
    update();
  };
  connect(window, &TimeWindow::viewChanged, this, follow);
  connect(window, &TimeWindow::rangeChanged, this, follow);
  connect(window, &TimeWindow::hoverChanged, this, follow);
  connect(window, &TimeWindow::playChanged, this, follow);
  connect(&context.document->selection(), &Selection::changed, this, &Timeline::markSelection);
  follow();
}

QSize Timeline::sizeHint() const {
  return {420, std::clamp(static_cast<int>(m_look.contentHeight()) + 44, 96, kTallest)};
}

void Timeline::present(TimelineContent content) {
  m_look.content = std::move(content);
  m_look.scroll = 0;
  m_look.hovered = m_look.current = {};
  m_card->hide();
  if (m_look.content.lanes && !m_look.content.lanes->empty())
    m_window->setFull(static_cast<double>(m_look.content.lanes->beginNs),
                      static_cast<double>(m_look.content.lanes->endNs));
  placePlot();
  markSelection();
  updateGeometry();
}

void Timeline::setColouring(int colouring) {
  m_look.colouring = std::clamp(colouring, 0, kColourings - 1);
  update();
}

void Timeline::placePlot() {
  m_look.place(QRectF(rect()));
}

void Timeline::resizeEvent(QResizeEvent*) {
  placePlot();
}

void Timeline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintTimeline(painter, m_look, m_context.themes->current());
  paintFocus(painter);
}

// Which bars belong to the selection: gone through once when it changes, not while painting.
void Timeline::markSelection() {
  m_look.marked.clear();
  update();
  const Selection& selection = m_context.document->selection();
  if (!m_look.content.lanes || selection.empty()) return;
  std::vector<std::vector<bool>> wanted;
  const auto isWanted = [&](const TraceSpan& span) {
    if (span.node < 0 || span.graph < 0) return false;
    const auto graph = static_cast<size_t>(span.graph);
    if (graph >= wanted.size()) {
      if (graph > 100'000) return false;
      for (size_t g = wanted.size(); g <= graph; ++g) {
        std::vector<bool>& nodes = wanted.emplace_back();
        for (const int node : selection.nodesIn(GraphVersion::kPartitioned, static_cast<int>(g))) {
          if (static_cast<size_t>(node) >= nodes.size()) nodes.resize(static_cast<size_t>(node) + 64);
          nodes[static_cast<size_t>(node)] = true;
        }
      }
    }
    return static_cast<size_t>(span.node) < wanted[graph].size() && wanted[graph][static_cast<size_t>(span.node)];
  };
  const std::vector<TraceRow>& rows = m_look.content.lanes->rows;
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t bar = 0; bar < rows[row].bars.size(); ++bar) {
      const TraceSpan& span = (*m_look.content.lanes->spans)[static_cast<size_t>(rows[row].bars[bar].span)];
      if (span.name.empty() && isWanted(span)) m_look.marked.push_back({static_cast<int>(row), static_cast<int>(bar)});
    }
  if (m_choosing || m_look.marked.empty()) return;
  m_look.current = m_look.marked.front();
  reveal(m_look.current);
}

TraceBarPlace Timeline::placeAt(const QPointF& position) const {
  const int row = m_look.rowAtY(position.y());
  if (row < 0 || position.x() < m_look.axis.plot.left() || position.x() > m_look.axis.plot.right()) return {};
  const int bar = barAt(m_look.content.lanes->rows[static_cast<size_t>(row)], m_look.axis.nsAt(position.x()),
                        kHitPixels * m_look.axis.nsPerPixel());
  return bar < 0 ? TraceBarPlace{} : TraceBarPlace{row, bar};
}

void Timeline::selectPlace(const TraceBarPlace& place) {
  m_choosing = true;
  m_look.current = place;
  const TraceSpan* span = place.valid() ? &m_look.span(place) : nullptr;
  if (span && span->node >= 0 && span->graph >= 0) {
    m_context.document->selection().selectNode({GraphVersion::kPartitioned, span->graph, span->node});
  } else if (span) {
    m_look.marked = {place};  // of the engine itself: no node stands for it
  } else {
    m_context.document->selection().clear();
    m_look.marked.clear();
  }
  m_choosing = false;
  update();
}

void Timeline::showSpan(int span) {
  if (!m_look.content.lanes) return;
  const std::vector<TraceRow>& rows = m_look.content.lanes->rows;
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t bar = 0; bar < rows[row].bars.size(); ++bar)
      if (rows[row].bars[bar].span == span) {
        m_look.current = {static_cast<int>(row), static_cast<int>(bar)};
        m_look.marked = {m_look.current};
        const TraceBar& it = rows[row].bars[bar];
        const double length = static_cast<double>(it.endNs - it.startNs);
        m_window->show(static_cast<double>(it.startNs) - length * 0.15, static_cast<double>(it.endNs) + length * 0.15);
        return reveal(m_look.current);
      }
}

// Scrolls and moves, and zooms only as far as not to hide what was asked for.
void Timeline::reveal(const TraceBarPlace& place) {
  const QRectF rect = m_look.barRect(place);
  if (rect.top() < m_look.axis.plot.top() || rect.bottom() > m_look.axis.plot.bottom())
    scrollTo(m_look.scroll + rect.center().y() - m_look.axis.plot.center().y());
  const TraceBar& bar = m_look.bar(place);
  const double begin = static_cast<double>(bar.startNs), end = static_cast<double>(bar.endNs),
               length = m_look.axis.view.lengthNs();
  if (end < m_look.axis.view.beginNs || begin > m_look.axis.view.endNs)
    m_window->show((begin + end) / 2 - length / 2, (begin + end) / 2 + length / 2);
}

void Timeline::scrollTo(double offset) {
  m_look.scroll = std::clamp(offset, 0.0, m_look.mostScroll());
  update();
}

bool Timeline::step(int by) {
  if (!m_look.content.lanes || m_look.content.lanes->empty()) return true;
  TraceBarPlace next = m_look.current;
  if (!next.valid()) {
    next = {0, 0};
  } else {
    next.bar = std::clamp(next.bar + by, 0,
                          static_cast<int>(m_look.content.lanes->rows[static_cast<size_t>(next.row)].bars.size()) - 1);
  }
  selectPlace(next);
  reveal(next);
  return true;
}

double Timeline::anchorNs() const {
  return m_look.hoverNs ? *m_look.hoverNs : (m_look.axis.view.beginNs + m_look.axis.view.endNs) / 2;
}

QPointF Timeline::anchor() const {
  return {m_look.axis.x(anchorNs()), m_look.axis.plot.center().y()};
}

Chart::Strides Timeline::strides() const {
  return {
      .wheelAcross = 80, .wheelDown = 60, .keyAcross = 0.15 * m_look.axis.plot.width(), .keyDown = 40, .keyZoom = 1.4};
}

bool Timeline::wheelGoesDown(const QPoint& turned, bool shift) const {
  return turned.x() == 0 && !shift && m_look.mostScroll() > 0;
}

void Timeline::zoom(const QPointF& at, double factor, bool) {
  m_window->zoomAt(m_look.axis.nsAt(at.x()), factor);
}

void Timeline::pan(const QPointF& by) {
  if (by.x() != 0) m_window->panBy(-by.x() * m_look.axis.nsPerPixel());
  if (by.y() != 0) scrollTo(m_look.scroll - by.y());
}

Chart::Press Timeline::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton) return {.clicks = false};
  m_card->hide();
  const bool pans = event.modifiers().testFlag(Qt::ShiftModifier) || event.button() == Qt::MiddleButton ||
                    !m_look.axis.plot.contains(event.position());
  return {.drag = pans ? Drag::kPan : Drag::kRange};
}

void Timeline::dragRange(const QPointF& from, const QPointF& to) {
  m_window->setRange(TimeRange{m_look.axis.nsAt(from.x()), m_look.axis.nsAt(to.x())});
}

void Timeline::hover(const QPointF& position, const QPoint& global) {
  const bool inside = m_look.axis.plot.contains(position);
  m_window->setHover(inside ? std::optional<double>(m_look.axis.nsAt(position.x())) : std::nullopt);
  const TraceBarPlace place = placeAt(position);
  setCursor(place.valid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (place != m_look.hovered) {
    m_look.hovered = place;
    update();
  }
  m_card->present(place.valid() && m_look.content.facts ? m_look.content.facts(m_look.span(place)) : HoverFacts{},
                  m_context.themes->current(), global);
}

void Timeline::click(const QPointF& at, Qt::MouseButton button) {
  if (button != Qt::LeftButton) return;
  selectPlace(placeAt(at));
  if (m_look.axis.plot.contains(at)) m_window->chooseMoment(m_look.axis.nsAt(at.x()));
}

void Timeline::doubleClick(const QPointF& at) {
  const TraceBarPlace place = placeAt(at);
  if (!place.valid() || !m_window->showsAll()) return m_window->fit();
  const TraceBar& bar = m_look.bar(place);
  const double length = static_cast<double>(bar.endNs - bar.startNs);
  m_window->show(static_cast<double>(bar.startNs) - length * 0.1, static_cast<double>(bar.endNs) + length * 0.1);
}

void Timeline::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
    return QWidget::keyPressEvent(event);
  Chart::keyPressEvent(event);
}

bool Timeline::key(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Home:
      fit();
      return true;
    case Qt::Key_M:
      m_window->toggleMark(m_look.current.valid() && !m_look.hoverNs
                               ? static_cast<double>(m_look.bar(m_look.current).startNs)
                               : anchorNs());
      return true;
    case Qt::Key_Escape:
      if (m_window->range()) {
        m_window->setRange({});
        m_window->settleRange();
      } else {
        m_context.document->selection().clear();
      }
      return true;
    default:
      return false;
  }
}

void Timeline::closer() {
  if (!m_look.current.valid()) return m_window->fit();
  const TraceBar& bar = m_look.bar(m_look.current);
  const double middle = (static_cast<double>(bar.startNs) + static_cast<double>(bar.endNs)) / 2,
               length = m_look.axis.view.lengthNs();
  const TimeRange before = m_window->view();
  m_window->show(middle - length / 2, middle + length / 2);
  if (m_window->view() == before)
    return showSpan(bar.span);  // it stands in the middle already, or as near as the ends allow
  reveal(m_look.current);
}

void Timeline::rangeOfCurrent() {
  if (m_look.current.valid()) {
    m_window->setRange(TimeRange{static_cast<double>(m_look.bar(m_look.current).startNs),
                                 static_cast<double>(m_look.bar(m_look.current).endNs)});
  } else if (m_look.marks.size() >= 2) {
    m_window->setRange(TimeRange{m_look.marks[m_look.marks.size() - 2], m_look.marks.back()});
  } else {
    return;
  }
  m_window->settleRange();
}

void Timeline::hoverEnds() {
  m_card->hide();
  m_look.hovered = {};
  m_window->setHover({});
  update();
}

}  // namespace cutaway::ui
