#include "ui/panels/tensor/histogram_chart.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr double kLeastBar = 0.012;
constexpr int kTop = 28, kBottom = 26;
}  // namespace

std::vector<double> barHeights(const std::vector<int64_t>& counts, bool logarithmic) {
  const auto size = [&](int64_t count) {
    return logarithmic ? std::log1p(static_cast<double>(count)) : static_cast<double>(count);
  };
  double most = 0;
  for (const int64_t count : counts)
    most = std::max(most, size(count));
  std::vector<double> heights;
  for (const int64_t count : counts)
    heights.push_back(count <= 0 || most <= 0 ? 0 : std::max(kLeastBar, size(count) / most));
  return heights;
}

HistogramChart::HistogramChart(const ThemeStore* themes, QWidget* parent) : Chart(themes, tr("Histogram"), parent) {
  takeKeys();
  setMinimumSize(120, 100);
}

void HistogramChart::present(std::shared_ptr<const study::TensorContent> content) {
  m_content = std::move(content);
  m_heights = m_content ? barHeights(m_content->statistics().histogram, m_logarithmic) : std::vector<double>();
  point(-1);
}

void HistogramChart::setLogarithmic(bool logarithmic) {
  m_logarithmic = logarithmic;
  present(m_content);
}

QRectF HistogramChart::plot() const {
  return QRectF(rect()).adjusted(kSpaceLarge, kTop, -kSpaceLarge, -kBottom);
}

double HistogramChart::xOf(double number) const {
  const study::TensorStatistics& numbers = m_content->statistics();
  const double width = numbers.largest - numbers.smallest;
  return plot().left() + (width > 0 ? (number - numbers.smallest) / width : 0.5) * plot().width();
}

int HistogramChart::binAt(double x) const {
  const QRectF inside = plot();
  if (m_heights.empty() || x < inside.left() || x >= inside.right()) return -1;
  return std::min(static_cast<int>((x - inside.left()) / inside.width() * static_cast<double>(m_heights.size())),
                  static_cast<int>(m_heights.size()) - 1);
}

QString HistogramChart::binText(int bin) const {
  if (bin < 0 || bin >= static_cast<int>(m_heights.size())) return {};
  const study::TensorStatistics& numbers = m_content->statistics();
  const double width = (numbers.largest - numbers.smallest) / static_cast<double>(m_heights.size());
  const int64_t count = numbers.histogram[static_cast<size_t>(bin)];
  const auto write = [](double number) { return QString::number(number, 'g', 5); };
  return tr("%1 to %2: %3 (%4)")
      .arg(write(numbers.smallest + width * bin), write(numbers.smallest + width * (bin + 1)), countText(count),
           percentText(numbers.count > 0 ? static_cast<double>(count) / static_cast<double>(numbers.count) : 0));
}

void HistogramChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = themes().current();
  painter.fillRect(rect(), theme.surface);
  if (!m_content || m_heights.empty()) {
    painter.setPen(theme.textFaint);
    painter.drawText(rect(), Qt::AlignCenter, m_content ? tr("No finite numbers") : QString());
    return;
  }
  const QRectF inside = plot();
  const double step = inside.width() / static_cast<double>(m_heights.size());
  for (size_t bin = 0; bin < m_heights.size(); ++bin) {
    const double height = m_heights[bin] * inside.height();
    const QRectF bar(inside.left() + step * static_cast<double>(bin), inside.bottom() - height,
                     std::max(1.0, step - (step > 4 ? 1 : 0)), height);
    painter.fillRect(bar, static_cast<int>(bin) == m_bin ? theme.accent : mix(theme.surface, theme.accent, 0.55));
  }
  painter.setPen(theme.borderStrong);
  painter.drawLine(inside.bottomLeft(), inside.bottomRight());
  const study::TensorStatistics& numbers = m_content->statistics();
  painter.setFont(interfaceFont(-2));
  if (numbers.smallest < 0 && numbers.largest > 0)
    paintMark(painter, 0, QStringLiteral("0"), theme.textSecondary, false);
  paintMark(painter, numbers.mean, tr("mean %1").arg(QString::number(numbers.mean, 'g', 4)), theme.hit, true);
  painter.setPen(theme.textSecondary);
  const QRectF below(inside.left(), inside.bottom() + 4, inside.width(), kBottom - 4);
  painter.drawText(below, Qt::AlignLeft, QString::number(numbers.smallest, 'g', 5));
  painter.drawText(below, Qt::AlignRight, QString::number(numbers.largest, 'g', 5));
  paintFocus(painter);
}

void HistogramChart::paintMark(QPainter& painter, double number, const QString& words, const QColor& color,
                               bool above) const {
  const QRectF inside = plot();
  const double x = xOf(number);
  painter.setPen(QPen(color, 1, above ? Qt::DashLine : Qt::SolidLine));
  painter.drawLine(QPointF(x, inside.top()), QPointF(x, inside.bottom()));
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(words) + 4;
  const double left = std::clamp(x - width / 2, 0.0, std::max(0.0, this->width() - width));
  painter.setPen(color);
  painter.drawText(QRectF(left, above ? inside.top() - 18 : inside.bottom() + 4, width, 16), Qt::AlignCenter, words);
}

void HistogramChart::hover(const QPointF& at, const QPoint&) {
  point(binAt(at.x()));
}

bool HistogramChart::step(int by) {
  point(by < 0 ? std::max(0, m_bin - 1) : std::min(static_cast<int>(m_heights.size()) - 1, m_bin + 1));
  return true;
}

bool HistogramChart::stepToEnd(bool last) {
  point(last ? static_cast<int>(m_heights.size()) - 1 : 0);
  return true;
}

void HistogramChart::point(int bin) {
  m_bin = bin;
  emit pointed(binText(bin));
  update();
}

}  // namespace cutaway::ui
