#include "ui/panels/run/statistics_strip.h"

#include <algorithm>
#include <cmath>

#include <QFileInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "engine/profile/statistics.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/base/truth_words.h"

namespace cutaway::ui {
namespace {

constexpr int kSteps = 28;
constexpr int kHistogramWidth = 128, kLeastCell = 84;
constexpr int kHeight = 84, kLineHeight = 26, kFootHeight = 18;

QString tr(const char* words) {
  return QObject::tr(words);
}
QString milliseconds(double ms) {
  return timeText(static_cast<int64_t>(ms * 1e6));
}

}  // namespace

RunHistogram runHistogram(const std::vector<double>& runMs, int steps) {
  RunHistogram made;
  if (runMs.size() < 2 || steps < 1) return made;
  std::vector<double> sorted = runMs;
  std::sort(sorted.begin(), sorted.end());
  const double p90 = profile::percentile(sorted, 0.9);
  made.lowMs = sorted.front();
  made.highMs = std::min(sorted.back(), p90 + 1.5 * (p90 - made.lowMs));
  if (!(made.highMs > made.lowMs)) made.highMs = sorted.back();
  if (!(made.highMs > made.lowMs)) return {};
  made.counts.assign(static_cast<size_t>(steps), 0);
  for (const double ms : sorted) {
    const auto step = static_cast<int>((ms - made.lowMs) / (made.highMs - made.lowMs) * steps);
    ++made.counts[static_cast<size_t>(std::clamp(step, 0, steps - 1))];
    made.slower += ms > made.highMs;
  }
  return made;
}

std::vector<StatisticsFigure> statisticsFigures(const RunReport& run) {
  std::vector<StatisticsFigure> figures;
  figures.push_back({tr("Median"), milliseconds(run.medianMs), spreadWords(measuredTime(run))});
  figures.push_back({tr("p90"), milliseconds(run.p90Ms), tr("p99 %1").arg(milliseconds(run.p99Ms))});
  figures.push_back({tr("Fastest"), milliseconds(run.minMs), tr("slowest %1").arg(milliseconds(run.maxMs))});
  if (run.firstRunMs > 0)
    figures.push_back({tr("Warm-up run"), milliseconds(run.firstRunMs),
                       run.medianMs > 0 ? tr("%1 \u00d7 median")
                                              .arg(run.firstRunMs < 20 * run.medianMs
                                                       ? QString::number(run.firstRunMs / run.medianMs, 'f', 1)
                                                       : countText(static_cast<int64_t>(run.firstRunMs / run.medianMs)))
                                        : QString()});
  if (run.engineNsPerNode >= 0)
    figures.push_back(
        {tr("Engine, a node"), timeText(static_cast<int64_t>(run.engineNsPerNode)), tr("outside kernels")});
  return figures;
}

QString runSentence(const RunReport& run, const QStringList& simulated) {
  const QString runs = run.runs == 1 ? tr("1 run") : tr("%1 runs").arg(countText(run.runs));
  if (!run.source.empty()) {
    const QString reason = run.executorReason.empty() ? QString() : QStringLiteral(". ") + text(run.executorReason);
    return tr("Read from %1: %2%3").arg(QFileInfo(text(run.source)).fileName(), runs, reason);
  }
  const QString warmups = run.warmups == 0   ? QString()
                          : run.warmups == 1 ? tr(" after 1 warm-up")
                                             : tr(" after %1 warm-ups").arg(run.warmups);
  const QString threads = run.threads == 1 ? tr("1 thread") : tr("%1 threads").arg(run.threads);
  const QString executor = run.workers > 1              ? tr("dataflow with %1 workers").arg(run.workers)
                           : run.executor == "dataflow" ? tr("dataflow, 1 worker")
                                                        : tr("sequential");
  const QString tag = run.tag.empty() ? QString() : tr(", \u201c%1\u201d").arg(text(run.tag));
  const QString sentence = tr("%1%2 on %3, %4%5").arg(runs, warmups, threads, executor, tag);
  if (simulated.isEmpty()) return sentence;
  return tr("Times of a simulator (%1). %2").arg(simulated.join(QStringLiteral(", ")), sentence);
}

StatisticsStrip::StatisticsStrip(const ThemeStore* themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
  setAccessibleName(tr("Statistics of the runs"));
  connect(themes, &ThemeStore::changed, this, qOverload<>(&QWidget::update));
}

void StatisticsStrip::present(std::shared_ptr<const RunReport> run, const QStringList& simulated) {
  m_run = std::move(run);
  m_simulated = simulated;
  m_figures = m_run ? statisticsFigures(*m_run) : std::vector<StatisticsFigure>();
  m_histogram = m_run ? runHistogram(m_run->runMs, kSteps) : RunHistogram();
  QStringList words;
  for (const StatisticsFigure& figure : m_figures)
    words << QStringLiteral("%1 %2, %3").arg(figure.name, figure.value, figure.detail);
  if (m_run) words << runSentence(*m_run, m_simulated);
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  setVisible(m_run != nullptr);
  update();
}

void StatisticsStrip::setCompact(bool compact) {
  if (compact == m_compact) return;
  m_compact = compact;
  updateGeometry();
  update();
}

QSize StatisticsStrip::sizeHint() const {
  return {scaled(420), scaled(m_compact ? kLineHeight : kHeight)};
}
QSize StatisticsStrip::minimumSizeHint() const {
  return {scaled(200), scaled(m_compact ? kLineHeight : kHeight)};
}

// As many figures as have room, whole.
void StatisticsStrip::paintLine(QPainter& painter) const {
  const Theme& theme = m_themes->current();
  const QFont name = interfaceFont(-2), value = interfaceFont(0, QFont::DemiBold);
  double left = kSpaceLarge;
  for (const StatisticsFigure& figure : m_figures) {
    const double nameWidth = QFontMetricsF(name).horizontalAdvance(figure.name) + kSpaceSmall;
    const double valueWidth = QFontMetricsF(value).horizontalAdvance(figure.value);
    if (left + nameWidth + valueWidth > width() - kSpaceLarge) return;
    painter.setFont(name);
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(left, 0, nameWidth, height()), Qt::AlignLeft | Qt::AlignVCenter, figure.name);
    painter.setFont(value);
    painter.setPen(theme.text);
    painter.drawText(QRectF(left + nameWidth, 0, valueWidth + 1, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     figure.value);
    left += nameWidth + valueWidth + kSpaceHuge;
  }
}

void StatisticsStrip::paintHistogram(QPainter& painter, const QRectF& room) const {
  const Theme& theme = m_themes->current();
  const int most = *std::max_element(m_histogram.counts.begin(), m_histogram.counts.end());
  const QRectF plot = room.adjusted(0, 6, 0, -scaled(14));
  const double width = plot.width() / static_cast<double>(m_histogram.counts.size());
  for (size_t i = 0; i < m_histogram.counts.size(); ++i) {
    if (m_histogram.counts[i] == 0) continue;
    const double height = std::max(2.0, plot.height() * m_histogram.counts[i] / most);
    painter.fillRect(
        QRectF(plot.left() + static_cast<double>(i) * width, plot.bottom() - height, std::max(1.0, width - 1), height),
        mix(theme.surface, theme.category(0).color, 0.7));
  }
  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  const double median =
      plot.left() +
      std::clamp((m_run->medianMs - m_histogram.lowMs) / (m_histogram.highMs - m_histogram.lowMs), 0.0, 1.0) *
          plot.width();
  painter.setPen(QPen(theme.text, 1.4));
  painter.drawLine(QPointF(median, plot.top()), QPointF(median, plot.bottom() + 2));
  painter.setFont(interfaceFont(-3));
  painter.setPen(theme.textFaint);
  const QRectF words(room.left(), plot.bottom() + 2, room.width(), scaled(14));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, milliseconds(m_histogram.lowMs));
  painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter,
                   (m_histogram.slower > 0 ? QStringLiteral("> ") : QString()) + milliseconds(m_histogram.highMs));
}

void StatisticsStrip::paintEvent(QPaintEvent*) {
  if (!m_run) return;
  const Theme& theme = m_themes->current();
  QPainter painter(this);
  if (m_compact) return paintLine(painter);
  const double bars = scaled(kHistogramWidth), least = scaled(kLeastCell), footHeight = scaled(kFootHeight);
  QRectF room = QRectF(rect()).adjusted(kSpaceLarge, kSpaceSmall, -kSpaceLarge, -footHeight - 6);
  if (!m_histogram.counts.empty() && room.width() > bars + 2 * least) {
    paintHistogram(painter, QRectF(room.right() - bars, room.top(), bars, room.height()));
    room.setRight(room.right() - bars - kSpaceHuge);
  }
  painter.setFont(interfaceFont(-2));
  painter.setPen(theme.textSecondary);
  const QRectF foot(kSpaceLarge, height() - footHeight - 3, width() - 2.0 * kSpaceLarge, footHeight);
  painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(runSentence(*m_run, m_simulated), Qt::ElideRight,
                                                    static_cast<int>(foot.width())));
  const auto shown =
      std::clamp<size_t>(static_cast<size_t>(room.width() / least), 1, std::max<size_t>(1, m_figures.size()));
  const double width = room.width() / static_cast<double>(std::min(shown, m_figures.size()));
  for (size_t i = 0; i < std::min(shown, m_figures.size()); ++i) {
    const QRectF cell(room.left() + static_cast<double>(i) * width, room.top(), width - 6, room.height());
    const auto line = [&](double top, double height, const QFont& font, const QColor& color, const QString& words) {
      painter.setFont(font);
      painter.setPen(color);
      painter.drawText(QRectF(cell.left(), cell.top() + top, cell.width(), height), Qt::AlignLeft | Qt::AlignVCenter,
                       painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(cell.width())));
    };
    line(0, scaled(16), interfaceFont(-2), theme.textFaint, m_figures[i].name);
    line(scaled(17), scaled(20), interfaceFont(i == 0 ? 3 : 1, QFont::DemiBold), theme.text, m_figures[i].value);
    line(scaled(38), scaled(16), interfaceFont(-2), theme.textSecondary, m_figures[i].detail);
  }
}

bool StatisticsStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !m_run) return QWidget::event(event);
  QStringList words;
  for (const StatisticsFigure& figure : m_figures)
    words << QStringLiteral("%1: %2 (%3)").arg(figure.name, figure.value, figure.detail);
  words << runSentence(*m_run, m_simulated);
  words << tr("Deviation: %1").arg(milliseconds(m_run->deviationMs));
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), words.join(QLatin1Char('\n')), this);
  return true;
}

}  // namespace cutaway::ui
