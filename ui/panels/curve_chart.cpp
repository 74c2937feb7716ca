// Axes, curves, legend and the line below the pointer.
#include "ui/panels/curve_chart.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr double kLeft = 70, kTop = 32, kRight = 16, kBottom = 36;
constexpr double kRoomAbove = 1.06;
}  // namespace

CurveChart::CurveChart(const ThemeStore* themes, QWidget* parent) : Chart(themes, tr("Curves"), parent) {
  setMinimumHeight(120);
}

void CurveChart::present(CurveChartData data) {
  m_data = std::move(data);
  m_count = 0;
  double most = 0;
  QStringList names;
  for (const Curve& curve : m_data.curves) {
    m_count = std::max(m_count, curve.amounts.size());
    names << curve.label;
    for (const double amount : curve.amounts)
      most = std::max(most, amount);
    for (const auto& [low, high] : curve.spread)
      most = std::max(most, high);
  }
  m_geometry.low = 0;
  m_geometry.high = most > 0 ? most * kRoomAbove : 1.0;
  m_geometry.firstStep = m_data.stepped ? 0 : -0.5;
  m_geometry.endStep = std::max(1.0, static_cast<double>(m_count) - (m_data.stepped ? 0 : 0.5));
  setAccessibleDescription(names.join(QStringLiteral(", ")));
  place();
  update();
}

void CurveChart::place() {
  m_geometry.plot =
      QRectF(kLeft, kTop, std::max(1.0, width() - kLeft - kRight), std::max(1.0, height() - kTop - kBottom));
}

void CurveChart::resizeEvent(QResizeEvent*) {
  place();
}

QString CurveChart::written(double amount) const {
  return m_data.write ? m_data.write(amount) : sizeText(static_cast<int64_t>(amount));
}

double CurveChart::xOf(size_t index) const {
  return m_geometry.x(static_cast<double>(index));
}

QString CurveChart::textAt(double x) const {
  const double at = m_geometry.stepAt(x);
  const auto index = static_cast<ptrdiff_t>(m_data.stepped ? std::floor(at) : std::lround(at));
  if (index < 0 || index >= static_cast<ptrdiff_t>(m_count)) return {};
  const auto place = static_cast<size_t>(index);
  QStringList words = {(m_data.axis.isEmpty() ? QString() : m_data.axis + QLatin1Char(' ')) +
                       (place < m_data.ticks.size() ? m_data.ticks[place] : QString::number(place))};
  for (const Curve& curve : m_data.curves)
    if (place < curve.amounts.size() && curve.amounts[place] >= 0)
      words << QStringLiteral("%1 %2").arg(curve.label, written(curve.amounts[place]));
  return words.join(QStringLiteral(" \u00b7 "));
}

void CurveChart::paintAxes(QPainter& painter) const {
  const Theme& theme = themes().current();
  const QRectF& plot = m_geometry.plot;
  painter.setFont(interfaceFont(-2));
  for (const double tick : axisTicks(0, m_geometry.high, std::max(2, static_cast<int>(plot.height() / 44)))) {
    const double y = std::round(m_geometry.y(tick)) + 0.5;
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(0, y - 9, plot.left() - 7, 18), Qt::AlignRight | Qt::AlignVCenter, written(tick));
  }
  painter.setPen(theme.textFaint);
  const auto label = [&](double x, const QString& words) {
    painter.drawText(QRectF(x - 36, plot.bottom() + 4, 72, 14), Qt::AlignHCenter | Qt::AlignTop, words);
  };
  if (m_data.ticks.empty()) {
    for (const double tick : axisTicks(0, m_geometry.endStep, std::max(2, static_cast<int>(plot.width() / 70))))
      label(m_geometry.x(tick), QString::number(static_cast<int64_t>(tick)));
  } else {
    const auto stride = std::max<size_t>(
        1, static_cast<size_t>(std::ceil(static_cast<double>(m_data.ticks.size()) * 48 / plot.width())));
    for (size_t i = 0; i < m_data.ticks.size(); i += stride)
      label(xOf(i), m_data.ticks[i]);
  }
  painter.setPen(QPen(theme.borderStrong, 1));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  const QFontMetricsF metrics(painter.font());
  double x = plot.left();
  for (const Curve& curve : m_data.curves) {
    painter.setPen(QPen(theme.category(curve.category).color, 2.2, curve.dashed ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(x, plot.top() - 16), QPointF(x + 22, plot.top() - 16));
    painter.setPen(theme.textSecondary);
    painter.drawText(QPointF(x + 28, plot.top() - 16 + metrics.ascent() / 2 - 1), curve.label);
    x += 28 + metrics.horizontalAdvance(curve.label) + 18;
  }
}

// Stepped curves of many steps keep their extremes: least and most of what falls on a pixel.
void CurveChart::paintCurve(QPainter& painter, const Curve& curve) const {
  const CategoryLook& look = themes().current().category(curve.category);
  QPainterPath path;
  bool open = false;
  const size_t perPoint =
      m_data.stepped
          ? std::max<size_t>(1, curve.amounts.size() / static_cast<size_t>(std::max(1.0, m_geometry.plot.width())))
          : 1;
  for (size_t i = 0; i < curve.amounts.size(); i += perPoint) {
    const size_t end = std::min(curve.amounts.size(), i + perPoint);
    const auto [least, most] = std::minmax_element(curve.amounts.begin() + static_cast<ptrdiff_t>(i),
                                                   curve.amounts.begin() + static_cast<ptrdiff_t>(end));
    if (*most < 0) {
      open = false;
      continue;
    }
    const double x = xOf(i), high = m_geometry.y(*most), low = m_geometry.y(std::max(0.0, *least));
    open ? path.lineTo(x, high) : path.moveTo(x, high);
    if (low != high) path.lineTo(x, low), path.lineTo(x, high);
    if (m_data.stepped) path.lineTo(xOf(end), high);
    open = true;
  }
  if (curve.filled && m_data.stepped && !path.isEmpty()) {
    QPainterPath area = path;
    area.lineTo(path.currentPosition().x(), m_geometry.plot.bottom());
    area.lineTo(m_geometry.plot.left(), m_geometry.plot.bottom());
    painter.fillPath(area, mix(look.fill, look.color, 0.16));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.color, curve.dashed ? 2.0 : 1.8, curve.dashed ? Qt::DashLine : Qt::SolidLine));
  painter.drawPath(path);
  if (m_data.stepped) return;
  for (size_t i = 0; i < curve.spread.size() && i < curve.amounts.size(); ++i)
    if (curve.amounts[i] >= 0 && curve.spread[i].second > curve.spread[i].first)
      painter.drawLine(QPointF(xOf(i), m_geometry.y(curve.spread[i].first)),
                       QPointF(xOf(i), m_geometry.y(curve.spread[i].second)));
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.color);
  for (size_t i = 0; i < curve.amounts.size(); ++i)
    if (curve.amounts[i] >= 0)
      curve.dashed ? painter.drawRect(QRectF(xOf(i) - 3, m_geometry.y(curve.amounts[i]) - 3, 6, 6))
                   : painter.drawEllipse(QPointF(xOf(i), m_geometry.y(curve.amounts[i])), 3.5, 3.5);
}

void CurveChart::paintEvent(QPaintEvent*) {
  const Theme& theme = themes().current();
  QPainter painter(this);
  painter.fillRect(rect(), theme.surface);
  if (m_count == 0) {
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(rect()).adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_data.empty);
    return;
  }
  paintAxes(painter);
  painter.setRenderHint(QPainter::Antialiasing, !m_data.stepped);
  for (const Curve& curve : m_data.curves)
    if (curve.filled) paintCurve(painter, curve);
  for (const Curve& curve : m_data.curves)
    if (!curve.filled) paintCurve(painter, curve);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const double x = pointer() ? pointer()->x() : -1;
  const QString words = x >= m_geometry.plot.left() && x <= m_geometry.plot.right() ? textAt(x) : QString();
  painter.setFont(interfaceFont(-2));
  painter.setPen(words.isEmpty() ? theme.textFaint : theme.textSecondary);
  painter.drawText(QRectF(12, m_geometry.plot.bottom() + 19, width() - 28, 15), Qt::AlignRight | Qt::AlignVCenter,
                   words.isEmpty() ? m_data.axis : words);
  if (words.isEmpty()) return;
  painter.setPen(QPen(theme.borderStrong, 1));
  painter.drawLine(QPointF(std::round(x) + 0.5, m_geometry.plot.top()),
                   QPointF(std::round(x) + 0.5, m_geometry.plot.bottom()));
}

}  // namespace cutaway::ui
