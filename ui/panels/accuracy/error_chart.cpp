#include "ui/panels/accuracy/error_chart.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {
constexpr double kLowest = -9, kHighest = 1;  // powers of ten
double heightOf(double relative) {
  return !std::isfinite(relative) ? 1
         : relative <= 0          ? 0
                                  : std::clamp((std::log10(relative) - kLowest) / (kHighest - kLowest), 0.0, 1.0);
}
}  // namespace

double errorHeight(const ValueAccuracy& value) {
  return value.problem.empty() ? value.nonFiniteMismatches > 0 ? 1.0 : heightOf(value.maxRelative) : -1;
}

ErrorChart::ErrorChart(const ThemeStore* themes, QWidget* parent)
    : Chart(themes, tr("Error along the execution order"), parent) {
  takeKeys();
  setFixedHeight(84);
}

void ErrorChart::present(std::shared_ptr<const AccuracyReport> report) {
  m_report = std::move(report);
  m_current = -1;
  update();
}

void ErrorChart::setCurrent(int row) {
  m_current = row;
  update();
}

QRectF ErrorChart::plot() const {
  return QRectF(rect()).adjusted(52, 8, -12, -16);
}

int ErrorChart::rowAt(double x) const {
  const QRectF inside = plot();
  if (!m_report || m_report->values.empty() || x < inside.left() || x >= inside.right()) return -1;
  return std::min(static_cast<int>((x - inside.left()) / inside.width() * static_cast<double>(m_report->values.size())),
                  static_cast<int>(m_report->values.size()) - 1);
}

void ErrorChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = themes().current();
  painter.fillRect(rect(), theme.surface);
  if (!m_report || m_report->values.empty()) return;
  const QRectF inside = plot();
  const double step = inside.width() / static_cast<double>(m_report->values.size());
  painter.setFont(interfaceFont(-3));
  for (const int power : {-9, -6, -3, 0}) {
    const double y = inside.bottom() - (power - kLowest) / (kHighest - kLowest) * inside.height();
    painter.setPen(mix(theme.surface, theme.border, 0.7));
    painter.drawLine(QPointF(inside.left(), y), QPointF(inside.right(), y));
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(0, y - 8, inside.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     power == 0 ? QStringLiteral("1") : QStringLiteral("1e%1").arg(power));
  }
  // Many values share a pixel: the largest is drawn.
  double drawn = -1;
  for (size_t row = 0; row < m_report->values.size(); ++row) {
    const ValueAccuracy& value = m_report->values[row];
    const double height = errorHeight(value);
    const double x = inside.left() + step * static_cast<double>(row);
    const bool outside = value.outsideTolerance > 0 || value.nonFiniteMismatches > 0;
    if (height < 0) {
      painter.fillRect(QRectF(x, inside.bottom() - 2, std::max(1.0, step - 1), 2), theme.textFaint);
      continue;
    }
    if (!outside && step < 1 && std::floor(x) == drawn) continue;
    drawn = std::floor(x);
    painter.fillRect(QRectF(x, inside.bottom() - std::max(1.0, height * inside.height()),
                            std::max(1.0, step - (step > 4 ? 1 : 0)), std::max(1.0, height * inside.height())),
                     outside ? theme.error : mix(theme.surface, theme.accent, 0.6));
  }
  const double y = inside.bottom() - heightOf(m_report->relativeTolerance) * inside.height();
  painter.setPen(QPen(theme.hit, 1, Qt::DashLine));
  painter.drawLine(QPointF(inside.left(), y), QPointF(inside.right(), y));
  const auto mark = [&](int row, const QString& words) {
    if (row < 0) return;
    const double x = inside.left() + step * (row + 0.5);
    painter.setPen(theme.text);
    painter.drawText(QRectF(std::clamp(x - 40, 0.0, std::max(0.0, width() - 80.0)), inside.bottom(), 80, 15),
                     Qt::AlignCenter, words);
  };
  if (m_report->worst != m_report->firstDivergence && m_report->firstDivergence >= 0)
    mark(m_report->worst, QStringLiteral("\u25b2"));
  mark(m_report->firstDivergence, QStringLiteral("\u25b6 ") + tr("first"));
  if (m_current >= 0) {
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawLine(QPointF(inside.left() + step * (m_current + 0.5), inside.top()),
                     QPointF(inside.left() + step * (m_current + 0.5), inside.bottom()));
  }
  paintFocus(painter);
}

Chart::Press ErrorChart::press(const QMouseEvent& event) {
  if (const int row = rowAt(event.position().x()); row >= 0) emit chosen(row);
  return {.clicks = false};
}

void ErrorChart::hover(const QPointF& at, const QPoint& global) {
  const int row = rowAt(at.x());
  if (row < 0) return showTip(global, {});
  const ValueAccuracy& value = m_report->values[static_cast<size_t>(row)];
  showTip(global, QStringLiteral("%1 %2\n%3")
                      .arg(row)
                      .arg(text(value.value), value.problem.empty() ? tr("relative error %1").arg(value.maxRelative)
                                                                    : told(value.problem)));
}

bool ErrorChart::step(int by) {
  const int last = m_report ? static_cast<int>(m_report->values.size()) - 1 : -1;
  if (last < 0) return false;
  emit chosen(std::clamp(m_current + by, 0, last));
  return true;
}

}  // namespace cutaway::ui
