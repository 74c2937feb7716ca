// Rows of the side-by-side figures.
#include "ui/panels/partition/comparison_model.h"

#include <algorithm>

#include <QObject>
#include <QStringList>

#include "engine/report/within_noise.h"
#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

const ProviderFigures* figuresOf(const PartitionFigures& side, const std::string& provider) {
  for (const ProviderFigures& figures : side.providers)
    if (figures.provider == provider) return &figures;
  return nullptr;
}

std::vector<std::string> allProviders(const PartitionComparison& comparison) {
  std::vector<std::string> names;
  for (const PartitionFigures* side : {&comparison.a, &comparison.b})
    for (const ProviderFigures& figures : side->providers)
      if (std::find(names.begin(), names.end(), figures.provider) == names.end()) names.push_back(figures.provider);
  return names;
}

void addProviders(std::vector<FigureRow>& rows, const PartitionComparison& comparison) {
  rows.push_back(figureHeading(QObject::tr("Nodes per provider")));
  for (const std::string& name : allProviders(comparison)) {
    const ProviderFigures* before = figuresOf(comparison.a, name);
    const ProviderFigures* after = figuresOf(comparison.b, name);
    FigureRow figure = figureRow(text(name), before ? static_cast<double>(before->nodes) : 0,
                                 after ? static_cast<double>(after->nodes) : 0, BetterWhen::kNeither, countText);
    if (!before) figure.now = QObject::tr("not asked");
    if (!after) figure.then = QObject::tr("not asked");
    figure.provider = text(name);
    figure.simulated = (before && before->simulated) || (after && after->simulated);
    rows.push_back(std::move(figure));
  }
  const auto nobody = [](const PartitionFigures& side) { return static_cast<double>(side.unassignedNodes); };
  if (nobody(comparison.a) > 0 || nobody(comparison.b) > 0)
    rows.push_back(figureRow(QObject::tr("not assigned"), nobody(comparison.a), nobody(comparison.b), BetterWhen::kLess,
                             countText));
}

void addNotes(std::vector<FigureRow>& rows, const PartitionComparison& comparison) {
  QStringList notes;
  for (const std::string& line : comparison.estimateBasis)
    notes << text(line);
  if (comparison.a.simulated || comparison.b.simulated)
    notes << QObject::tr("Simulated hardware is not here: measured times are those of the CPU kernels in its place.");
  for (const std::string& line : comparison.b.warnings)
    notes << told(line);
  if (notes.isEmpty()) return;
  rows.push_back(figureHeading(QObject::tr("Where estimates come from, and notes")));
  for (const QString& note : notes)
    rows.push_back({FigureRow::kNote, note, {}, {}, {}});
}

// Better or worse only where both sides ran on what is here and differ by more than chance.
FigureRow measuredRow(const PartitionComparison& comparison) {
  const PartitionFigures &a = comparison.a, &b = comparison.b;
  FigureRow row = figureRow(QObject::tr("measured time"), static_cast<double>(a.measuredNs),
                            static_cast<double>(b.measuredNs), BetterWhen::kLess, timeText);
  row.simulated = a.simulated || b.simulated;
  if (a.measuredNs < 0 || b.measuredNs < 0 || (!row.simulated && !measuredWithinNoise(comparison))) return row;
  row.kind = FigureRow::kNeutral;
  row.change = row.simulated ? QObject::tr("not compared: simulated hardware") : QObject::tr("within noise");
  return row;
}

}  // namespace

std::vector<FigureRow> figureRows(const PartitionComparison& comparison) {
  const PartitionFigures& a = comparison.a;
  const PartitionFigures& b = comparison.b;
  const auto number = [](int64_t count) { return static_cast<double>(count); };
  std::vector<FigureRow> rows;
  addProviders(rows, comparison);
  rows.push_back(figureHeading(QObject::tr("Partition boundaries")));
  rows.push_back(figureRow(QObject::tr("groups"), number(a.groups), number(b.groups), BetterWhen::kLess, countText));
  rows.push_back(figureRow(QObject::tr("of them compiled"), number(a.compiledGroups), number(b.compiledGroups),
                           BetterWhen::kNeither, countText));
  rows.push_back(figureRow(QObject::tr("copies"), number(a.copies), number(b.copies), BetterWhen::kLess, countText));
  rows.push_back(figureRow(QObject::tr("casts"), number(a.casts), number(b.casts), BetterWhen::kLess, countText));
  rows.push_back(figureRow(QObject::tr("bytes copied"), PartialFigure{a.copiedBytes, a.copiesOfUnknownSize},
                           PartialFigure{b.copiedBytes, b.copiesOfUnknownSize}, BetterWhen::kLess, sizeText));
  if (a.copiesOfUnknownSize > 0 || b.copiesOfUnknownSize > 0)
    rows.push_back(figureRow(QObject::tr("copies of unknown size"), number(a.copiesOfUnknownSize),
                             number(b.copiesOfUnknownSize), BetterWhen::kNeither, countText));
  rows.push_back(figureHeading(QObject::tr("Memory and time")));
  rows.push_back(figureRow(QObject::tr("planned peak"), number(a.plannedPeakBytes), number(b.plannedPeakBytes),
                           BetterWhen::kLess, sizeText));
  rows.push_back(figureRow(QObject::tr("estimated time"), a.estimatedNs, b.estimatedNs, BetterWhen::kLess, timeText));
  rows.push_back(
      figureRow(QObject::tr("of it copying"), a.estimatedCopyNs, b.estimatedCopyNs, BetterWhen::kLess, timeText));
  rows.push_back(measuredRow(comparison));
  addNotes(rows, comparison);
  return rows;
}

QString comparisonSentence(const PartitionComparison& comparison) {
  QStringList parts;
  const auto moved = static_cast<int64_t>(comparison.moved.size());
  parts << (moved == 0   ? QObject::tr("No node moves")
            : moved == 1 ? QObject::tr("1 node moves")
                         : QObject::tr("%1 nodes move").arg(countText(moved)));
  const int64_t copies = comparison.b.copies + comparison.b.casts - comparison.a.copies - comparison.a.casts;
  if (copies != 0)
    parts << QObject::tr("%1 %2 %3")
                 .arg(countText(std::abs(copies)), std::abs(copies) == 1 ? QObject::tr("copy") : QObject::tr("copies"),
                      copies < 0 ? QObject::tr("fewer") : QObject::tr("more"));
  const bool ran = comparison.a.measuredNs > 0 && comparison.b.measuredNs > 0;
  const bool simulated = comparison.a.simulated || comparison.b.simulated;
  if (ran && !simulated && measuredWithinNoise(comparison)) {
    parts << QObject::tr("measured times are within noise");
    return parts.join(QStringLiteral(", ")) + QLatin1Char('.');
  }
  // Simulated hardware was not measured: what ran are CPU kernels in its place.
  const bool measured = ran && !simulated;
  const double before = measured ? static_cast<double>(comparison.a.measuredNs) : comparison.a.estimatedNs;
  const double after = measured ? static_cast<double>(comparison.b.measuredNs) : comparison.b.estimatedNs;
  if (before > 0 && after > 0) {
    const double factor = std::max(before, after) / std::min(before, after);
    const QString how = measured ? QObject::tr("measured") : QObject::tr("estimated");
    parts << (factor < 1.005 ? QObject::tr("%1 as fast").arg(how)
                             : QObject::tr("%1 %2 times as %3")
                                   .arg(how, QString::number(factor, 'f', factor < 10 ? 2 : 0),
                                        after < before ? QObject::tr("fast") : QObject::tr("slow")));
  }
  return parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

}  // namespace cutaway::ui
