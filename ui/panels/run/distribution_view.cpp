#include "ui/panels/run/distribution_view.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "engine/profile/statistics.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/panels/run/timeline/time_window.h"

namespace cutaway::ui {
namespace {

constexpr double kTitle = 136, kLane = 30, kTop = 6;
constexpr size_t kMostDots = 2'000;

}  // namespace

std::pair<double, double> distributionAxis(const RunReport& a, const RunReport& b) {
  double low = 1e300, high = 0;
  for (const RunReport* run : {&a, &b}) {
    std::vector<double> sorted = run->runMs;
    std::sort(sorted.begin(), sorted.end());
    low = std::min({low, run->medianMs, run->medianLowMs > 0 ? run->medianLowMs : run->medianMs,
                    sorted.empty() ? run->medianMs : sorted.front()});
    high = std::max(
        {high, run->medianMs, run->medianHighMs, sorted.empty() ? run->medianMs : profile::percentile(sorted, 0.95)});
  }
  const double margin = std::max((high - low) * 0.06, std::max(high, 1e-6) * 0.005);
  return {std::max(0.0, low - margin), high + margin};
}

DistributionView::DistributionView(const ThemeStore* themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
  setAccessibleName(tr("Runs of both profiles"));
  connect(themes, &ThemeStore::changed, this, qOverload<>(&QWidget::update));
}

void DistributionView::present(Distribution before, Distribution now) {
  m_sides[0] = std::move(before);
  m_sides[1] = std::move(now);
  if (m_sides[0].run && m_sides[1].run) std::tie(m_low, m_high) = distributionAxis(*m_sides[0].run, *m_sides[1].run);
  update();
}

void DistributionView::paintEvent(QPaintEvent*) {
  if (!m_sides[0].run || !m_sides[1].run) return;
  const Theme& theme = m_themes->current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const TimeAxis axis{QRectF(kTitle, kTop, std::max(1.0, width() - kTitle - 20.0), 2 * kLane),
                      {m_low * 1e6, m_high * 1e6}};
  painter.setFont(interfaceFont(-2));
  for (const TimeTick& tick : timeTicks(axis, 88)) {
    const double x = std::round(axis.x(tick.ns)) + 0.5;
    painter.setPen(QPen(mix(theme.surface, theme.border, 0.75), 1));
    painter.drawLine(QPointF(x, axis.plot.top()), QPointF(x, axis.plot.bottom() + 3));
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(x - 44, axis.plot.bottom() + 4, 88, 14), Qt::AlignCenter, tick.label);
  }
  for (int side = 0; side < 2; ++side) {
    const RunReport& run = *m_sides[side].run;
    const double middle = kTop + side * kLane + kLane / 2;
    const QColor color = side == 0 ? theme.category(-1).color : theme.category(0).color;
    painter.setFont(interfaceFont(-1, side == 1 ? QFont::DemiBold : QFont::Normal));
    painter.setPen(side == 1 ? theme.text : theme.textSecondary);
    painter.drawText(QRectF(kSpaceLarge, middle - 9, kTitle - kSpaceLarge - 8, 18), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_sides[side].title, Qt::ElideRight,
                                                      static_cast<int>(kTitle) - kSpaceLarge - 8));
    if (run.medianHighMs > run.medianLowMs) {
      QColor band = color;
      band.setAlpha(70);
      const double left = axis.x(run.medianLowMs * 1e6), right = std::max(left + 2, axis.x(run.medianHighMs * 1e6));
      painter.fillRect(QRectF(left, middle - 10, right - left, 20), band);
    }
    painter.setPen(Qt::NoPen);
    QColor dot = color;
    dot.setAlpha(run.runMs.size() > 200 ? 90 : 150);
    painter.setBrush(dot);
    const size_t stride = std::max<size_t>(1, run.runMs.size() / kMostDots);
    for (size_t i = 0; i < run.runMs.size(); i += stride) {
      const double x = axis.x(run.runMs[i] * 1e6);
      if (x > axis.plot.right()) continue;
      // A fixed scatter keeps equal runs apart.
      const double off = static_cast<double>((i * 2654435761u >> 8) % 13) - 6;
      painter.drawEllipse(QPointF(x, middle + off), 2.2, 2.2);
    }
    painter.setPen(QPen(theme.text, 2));
    const double x = axis.x(run.medianMs * 1e6);
    painter.drawLine(QPointF(x, middle - 11), QPointF(x, middle + 11));
  }
}

}  // namespace cutaway::ui
