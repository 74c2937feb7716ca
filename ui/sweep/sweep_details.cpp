#include "ui/sweep/sweep_details.h"

#include <algorithm>

#include <QObject>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/window_words.h"
#include "ui/panels/page_writer.h"
#include "ui/sweep/sweep_faces.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostVersions = 12;

QString truthWords(const std::string& truth) {
  if (truth == "exact") return QObject::tr("exact");
  if (truth == "estimated") return QObject::tr("estimated");
  if (truth == "simulated") return QObject::tr("simulated");
  return truth == "measured" ? QObject::tr("measured") : text(truth);
}

QString figureWords(const sweep::Figure& figure) {
  QString words = text(sweep::figureText(figure));
  if (figure.low != figure.high) {
    const sweep::Figure low = {.value = figure.low, .unit = figure.unit},
                        high = {.value = figure.high, .unit = figure.unit};
    words = QObject::tr("%1 (%2 to %3)").arg(words, text(sweep::figureText(low)), text(sweep::figureText(high)));
  }
  return words + QStringLiteral(" \u00b7 ") + truthWords(figure.truth);
}

void writeOutcomes(PageWriter& page, const sweep::MatrixCell& cell) {
  for (const sweep::CellResult* each : cell.results) {
    const QString measure = text(sweep::measureName(each->cell.measure));
    if (!each->isDone)
      page.verdict(measure, PageWriter::kQuiet, QStringLiteral("\u2026"), QObject::tr("open"), {});
    else if (each->record.outcome != sweep::Outcome::kOk)
      page.verdict(measure, PageWriter::kBad, QStringLiteral("\u2717"), outcomeTitle(each->record.outcome),
                   shortened(told(each->record.message).simplified(), 400));
  }
}

void writeChange(PageWriter& page, const SweepSnapshot& sweep, size_t place) {
  if (!sweep.comparison) return;
  const sweep::CellChange& change = sweep.comparison->cells[place];
  page.section(QObject::tr("Beside %1").arg(text(sweep.request.baselineProgram)));
  if (!change.isCompared) return page.paragraph(QObject::tr("It has no result on both sides."));
  for (const sweep::GateFinding& finding : change.worse)
    page.verdict(text(sweep::measureName(finding.cell.measure)), PageWriter::kBad, QStringLiteral("\u25bc"),
                 QObject::tr("worse"), text(finding.text));
  for (const sweep::GateFinding& finding : change.better)
    page.verdict(text(sweep::measureName(finding.cell.measure)), PageWriter::kGood, QStringLiteral("\u25b2"),
                 QObject::tr("better"), QObject::tr("It was: %1").arg(text(finding.text)));
  if (change.worse.empty() && change.better.empty())
    page.paragraph(QObject::tr("Nothing differs by more than the gate's shares and beyond noise."));
}

void writeProviders(PageWriter& page, const sweep::MatrixCell& cell) {
  const std::vector<sweep::ProviderShare>* providers = cell.providers();
  if (providers == nullptr) return;
  page.section(QObject::tr("Nodes per provider"));
  int64_t all = 1;
  for (const sweep::ProviderShare& share : *providers)
    all = std::max(all, share.nodes);
  for (const sweep::ProviderShare& share : *providers)
    page.bar(
        text(share.provider), static_cast<double>(share.nodes) / static_cast<double>(all), &share != &providers->back(),
        share.groups > 0 ? QObject::tr("%1, groups: %2").arg(share.nodes).arg(share.groups) : countText(share.nodes));
  for (const sweep::CellResult* each : cell.results) {
    if (each->record.findings.refusals.empty()) continue;
    page.section(QObject::tr("Refused"));
    for (const sweep::RefusalCount& refusal : each->record.findings.refusals)
      page.text(QStringLiteral("%1, %2").arg(text(refusal.provider), countText(refusal.nodes)), told(refusal.reason));
    return;
  }
}

void writeTrend(PageWriter& page, const sweep::Trend& trend, const char* name, const QString& title) {
  std::vector<const sweep::TrendPoint*> points;
  double most = 0;
  for (const sweep::TrendPoint& point : trend) {
    const auto found = point.figures.find(name);
    if (found == point.figures.end()) continue;
    points.push_back(&point);
    most = std::max(most, found->second.value);
  }
  if (points.size() < 2) return;
  page.section(QObject::tr("%1, version by version").arg(title));
  for (size_t i = points.size() > kMostVersions ? points.size() - kMostVersions : 0; i < points.size(); ++i) {
    const sweep::Figure& figure = points[i]->figures.at(name);
    page.bar(shortened(text(points[i]->program), 28), most > 0 ? figure.value / most : 0, i + 1 == points.size(),
             text(sweep::figureText(figure)));
  }
}

}  // namespace

QString sweepDetails(const SweepSnapshot& sweep, size_t place, const sweep::Trend& trend, const Theme& theme) {
  const size_t columns = sweep.matrix.configurations.size();
  const sweep::MatrixCell& cell = sweep.matrix.cells[place];
  PageWriter page(theme);
  page.heading(text(sweep.matrix.models[place / columns]), text(sweep.matrix.configurations[place % columns]));
  if (cell.isEmpty()) {
    page.paragraph(QObject::tr("The plan has no job here."));
    return page.finish();
  }
  writeOutcomes(page, cell);
  writeChange(page, sweep, place);
  if (const auto figures = cell.figures(); !figures.empty()) {
    page.section(QObject::tr("Figures"));
    for (const auto& [name, figure] : figures)
      page.text(text(name), figureWords(figure));
  }
  writeProviders(page, cell);
  writeTrend(page, trend, "median_ms", QObject::tr("Time"));
  writeTrend(page, trend, "planned_peak_bytes", QObject::tr("Planned memory"));
  writeTrend(page, trend, "max_abs_error", QObject::tr("Error"));
  writeTrend(page, trend, "fallback_nodes", QObject::tr("Nodes on the last provider"));
  if (cell.results.front()->isDone)
    page.section(QObject::tr("Machine")), page.paragraph(text(cell.results.front()->record.machine.className()));
  return page.finish();
}

}  // namespace cutaway::ui
