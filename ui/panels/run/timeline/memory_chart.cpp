#include "ui/panels/run/timeline/memory_chart.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/panels/chart_geometry.h"
#include "ui/panels/run/timeline/timeline_painter.h"

namespace cutaway::ui {
namespace {

constexpr double kLegendRow = 24, kBottom = 8;
constexpr double kLegendLine = 18, kLegendGap = 16, kLegendSpace = 5;
constexpr int64_t kMostHeld = 2;                    // times what lives
constexpr int kPlannedLook = 0, kMeasuredLook = 3;  // blue and vermilion: told apart by everybody, and by dash

struct SeriesLook {
  int64_t MemorySample::* member;
  const char* name;
};
constexpr SeriesLook kSeries[] = {{&MemorySample::heldBytes, QT_TR_NOOP("held")},
                                  {&MemorySample::measuredBytes, QT_TR_NOOP("measured live")},
                                  {&MemorySample::plannedBytes, QT_TR_NOOP("planned live")}};

QPen penOf(const Theme& theme, int series) {
  if (series == 0) return QPen(theme.borderStrong, 1);
  if (series == 1) return QPen(theme.category(kMeasuredLook).color, 1.6);
  return QPen(theme.category(kPlannedLook).color, 1.6, Qt::DashLine);
}

// Steps: a value holds until the next sample.
QPainterPath stepPath(const std::vector<SeriesPoint>& points, double endX, const std::function<double(int64_t)>& y) {
  QPainterPath path;
  for (size_t i = 0; i < points.size(); ++i) {
    const QPointF point(points[i].x, y(points[i].bytes));
    i == 0 ? path.moveTo(point) : path.lineTo(point.x(), path.currentPosition().y());
    path.lineTo(point);
  }
  if (!points.empty()) path.lineTo(endX, path.currentPosition().y());
  return path;
}

}  // namespace

int sampleAt(const std::vector<MemorySample>& samples, double ns) {
  const auto after = std::upper_bound(
      samples.begin(), samples.end(), ns,
      [](double moment, const MemorySample& sample) { return moment < static_cast<double>(sample.timeNs); });
  return static_cast<int>(after - samples.begin()) - 1;
}

std::vector<SeriesPoint> seriesPoints(const std::vector<MemorySample>& samples, int64_t MemorySample::* member,
                                      const TimeAxis& axis) {
  std::vector<SeriesPoint> points;
  if (samples.empty()) return points;
  const int before = sampleAt(samples, axis.view.beginNs);
  if (before >= 0) points.push_back({axis.plot.left(), samples[static_cast<size_t>(before)].*member});
  int64_t pixel = -1;
  for (auto i = static_cast<size_t>(before + 1);
       i < samples.size() && static_cast<double>(samples[i].timeNs) <= axis.view.endNs; ++i) {
    const double x = axis.x(static_cast<double>(samples[i].timeNs));
    const auto column = static_cast<int64_t>(std::floor(x));
    if (column != pixel) {
      points.push_back({x, samples[i].*member});
      pixel = column;
    } else {
      points.back().bytes = std::max(points.back().bytes, samples[i].*member);
    }
  }
  return points;
}

MemoryChart::MemoryChart(const ThemeStore* themes, TimeWindow* window, QWidget* parent)
    : Chart(themes, tr("Memory over time, planned and measured"), parent), m_window(window) {
  const auto repaint = [this] { update(); };
  connect(window, &TimeWindow::viewChanged, this, repaint);
  connect(window, &TimeWindow::rangeChanged, this, repaint);
  connect(window, &TimeWindow::hoverChanged, this, repaint);
  connect(window, &TimeWindow::playChanged, this, repaint);
}

void MemoryChart::present(MemorySeries series) {
  m_series = std::move(series);
  int64_t high = std::max(m_series.plannedPeakBytes, m_series.lowerBoundBytes), most = -1, held = 0;
  m_peak = -1;
  for (size_t i = 0; i < m_series.samples.size(); ++i) {
    const MemorySample& sample = m_series.samples[i];
    high = std::max({high, sample.plannedBytes, sample.measuredBytes});
    held = std::max(held, sample.heldBytes);
    const int64_t amount = m_series.plannedOnly ? sample.plannedBytes : sample.measuredBytes;
    if (amount <= most) continue;
    most = amount;
    m_peak = static_cast<int>(i);
  }
  // What is held may be far above what lives: then it is a figure in the legend, and the curves keep the room.
  m_heldOffScale = held > kMostHeld * high ? held : 0;
  if (m_heldOffScale == 0) high = std::max(high, held);
  m_high = std::max(1.0, static_cast<double>(high) * 1.12);
  update();
}

TimeAxis MemoryChart::axis() const {
  const double top = legendHeight();
  return {QRectF(kTimeGutter, top, std::max(1.0, width() - kTimeGutter - kTimeRightMargin),
                 std::max(1.0, height() - top - kBottom)),
          m_window->view()};
}

void MemoryChart::paintAmounts(QPainter& painter, const TimeAxis& axis) const {
  const Theme& theme = themes().current();
  painter.setFont(interfaceFont(-2));
  for (const double tick : axisTicks(0, m_high, std::max(2, static_cast<int>(axis.plot.height() / 34)))) {
    const double at = std::round(y(axis, tick)) + 0.5;
    painter.setPen(QPen(mix(theme.surface, theme.border, 0.75), 1));
    painter.drawLine(QPointF(axis.plot.left(), at), QPointF(axis.plot.right(), at));
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(0, at - 9, axis.plot.left() - 7, 18), Qt::AlignRight | Qt::AlignVCenter,
                     tick == 0 ? QStringLiteral("0") : sizeText(static_cast<int64_t>(tick)));
  }
  for (const TimeTick& tick : timeTicks(axis, 84)) {
    painter.setPen(QPen(mix(theme.surface, theme.border, 0.5), 1));
    const double x = std::round(axis.x(tick.ns)) + 0.5;
    painter.drawLine(QPointF(x, axis.plot.top()), QPointF(x, axis.plot.bottom()));
  }
}

void MemoryChart::paintSeries(QPainter& painter, const TimeAxis& axis) const {
  const Theme& theme = themes().current();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(axis.plot.adjusted(0, -4, 0, 2));
  const double endX = std::min(axis.plot.right(), axis.x(m_window->full().endNs));
  for (int series = m_series.plannedOnly ? 2 : 0; series < 3; ++series) {
    const QPainterPath path = stepPath(seriesPoints(m_series.samples, kSeries[series].member, axis), endX,
                                       [&](int64_t bytes) { return y(axis, static_cast<double>(bytes)); });
    if (path.isEmpty()) continue;
    const bool filled = series == (m_series.plannedOnly ? 2 : 1);
    if (filled) {
      QPainterPath area = path;
      area.lineTo(endX, axis.plot.bottom());
      area.lineTo(path.elementAt(0).x, axis.plot.bottom());
      QColor fill = penOf(theme, series).color();
      fill.setAlpha(theme.dark ? 48 : 36);
      painter.fillPath(area, fill);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(theme, series));
    painter.drawPath(path);
  }
  painter.setClipping(false);
}

void MemoryChart::paintPeak(QPainter& painter, const TimeAxis& axis) const {
  if (m_peak < 0) return;
  const Theme& theme = themes().current();
  const MemorySample& peak = m_series.samples[static_cast<size_t>(m_peak)];
  const int64_t bytes = m_series.plannedOnly ? peak.plannedBytes : peak.measuredBytes;
  const double x = axis.x(static_cast<double>(peak.timeNs)), at = y(axis, static_cast<double>(bytes));
  if (x < axis.plot.left() - 1 || x > axis.plot.right() + 1) return;
  painter.setPen(QPen(theme.surface, 1.5));
  painter.setBrush(theme.text);
  painter.drawEllipse(QPointF(x, at), 4, 4);
  painter.setFont(interfaceFont(-2, QFont::DemiBold));
  const QString words = tr("peak %1, step %2").arg(sizeText(bytes)).arg(peak.step);
  const double width = painter.fontMetrics().horizontalAdvance(words);
  const double left = x + 8 + width > axis.plot.right() ? x - 8 - width : x + 8;
  painter.setPen(theme.text);
  painter.drawText(QRectF(left, std::max(axis.plot.top() - 6, at - 18), width + 2, 16),
                   Qt::AlignLeft | Qt::AlignVCenter, words);
}

std::vector<MemoryChart::LegendEntry> MemoryChart::legend() const {
  std::vector<LegendEntry> entries;
  const QFontMetricsF metrics(interfaceFont(-2));
  const double row = scaled(static_cast<int>(kLegendRow)), right = width() - kTimeRightMargin;
  double x = kTimeGutter, y = 0;
  for (int series = 2; series >= (m_series.plannedOnly ? 2 : 0); --series) {
    const QString words = series == 0 && m_heldOffScale > 0
                              ? tr("held: up to %1, off the scale").arg(sizeText(m_heldOffScale))
                              : tr(kSeries[series].name);
    const double wanted = kLegendLine + kLegendSpace + metrics.horizontalAdvance(words) + 1;
    if (x > kTimeGutter && x + wanted > right) x = kTimeGutter, y += row;
    entries.push_back({series, words, QRectF(x, y, std::clamp(right - x, 1.0, wanted), row)});
    x += wanted + kLegendGap;
  }
  return entries;
}

double MemoryChart::legendHeight() const {
  return legend().back().place.bottom();
}

void MemoryChart::paintLegend(QPainter& painter) const {
  const Theme& theme = themes().current();
  const std::vector<LegendEntry> entries = legend();
  painter.setFont(interfaceFont(-2));
  for (const LegendEntry& entry : entries) {
    const double middle = entry.place.center().y();
    painter.setPen(penOf(theme, entry.series));
    painter.drawLine(QPointF(entry.place.left(), middle), QPointF(entry.place.left() + kLegendLine, middle));
    painter.setPen(theme.textSecondary);
    const QRectF words = entry.place.adjusted(kLegendLine + kLegendSpace, 0, 1, 0);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(entry.words, Qt::ElideRight, static_cast<int>(words.width())));
  }
  // In the last row, which may have none.
  const QRectF last = entries.back().place;
  const double left = last.right() + kLegendGap, room = width() - kTimeRightMargin - left;
  if (room <= 0) return;
  painter.setPen(theme.text);
  painter.setFont(interfaceFont(-2, QFont::DemiBold));
  painter.drawText(QRectF(left, last.top(), room, last.height()), Qt::AlignVCenter | Qt::AlignRight,
                   painter.fontMetrics().elidedText(readout(), Qt::ElideLeft, static_cast<int>(room)));
}

QString MemoryChart::readout() const {
  if (!m_window->hover() && m_window->play()) return readoutAt(m_window->play()->endNs);
  if (!m_window->hover()) return m_series.plannedOnly ? tr("measured memory was not recorded") : QString();
  return readoutAt(*m_window->hover());
}

QString MemoryChart::readoutAt(double ns) const {
  const int index = sampleAt(m_series.samples, ns);
  if (index < 0) return {};
  const MemorySample& sample = m_series.samples[static_cast<size_t>(index)];
  if (m_series.plannedOnly) return tr("step %1: %2 planned").arg(sample.step).arg(sizeText(sample.plannedBytes));
  return tr("step %1: %2 planned, %3 measured, %4 held")
      .arg(sample.step)
      .arg(sizeText(sample.plannedBytes), sizeText(sample.measuredBytes), sizeText(sample.heldBytes));
}

void MemoryChart::paintEvent(QPaintEvent*) {
  const Theme& theme = themes().current();
  QPainter painter(this);
  painter.fillRect(rect(), theme.surface);
  if (m_series.samples.empty()) {
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(rect()).adjusted(20, 8, -20, -8), Qt::AlignCenter | Qt::TextWordWrap, m_series.empty);
    return;
  }
  const TimeAxis time = axis();
  paintAmounts(painter, time);
  paintSeries(painter, time);
  paintPeak(painter, time);
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintMoments(painter, time, *m_window, theme);
  paintLegend(painter);
}

void MemoryChart::zoom(const QPointF& at, double factor, bool) {
  m_window->zoomAt(axis().nsAt(at.x()), factor);
}

void MemoryChart::pan(const QPointF& by) {
  m_window->panBy(-by.x() * axis().nsPerPixel());
}

Chart::Press MemoryChart::press(const QMouseEvent& event) {
  if (event.modifiers().testFlag(Qt::ShiftModifier) || event.button() == Qt::MiddleButton)
    return {.drag = Drag::kPan, .slack = 0, .clicks = false};
  return {.drag = Drag::kRange};
}

void MemoryChart::click(const QPointF& at, Qt::MouseButton) {
  m_window->chooseMoment(axis().nsAt(at.x()));
}

void MemoryChart::dragRange(const QPointF& from, const QPointF& to) {
  const TimeAxis time = axis();
  m_window->setRange(TimeRange{time.nsAt(from.x()), time.nsAt(to.x())});
}

void MemoryChart::hover(const QPointF& at, const QPoint&) {
  const TimeAxis time = axis();
  m_window->setHover(at.x() >= time.plot.left() && at.x() <= time.plot.right()
                         ? std::optional<double>(time.nsAt(at.x()))
                         : std::nullopt);
}

}  // namespace cutaway::ui
