// Rows of the memory panel's tables.
#include "ui/panels/pattern/pattern_tables.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/panels/pattern/pattern_chart.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

// The pattern of one graph, with the snapshot that holds it.
struct Place {
  std::shared_ptr<const WalkReport> walk;
  int which;
  const GraphPattern& pattern() const { return walk->pattern->graphs[static_cast<size_t>(which)]; }
  const ModelGraphs& graphs() const { return *walk->partitionedGraphs; }
  QString title(int value, int node) const { return blockTitle(graphs(), pattern().graph, value, node); }
  QString nodeOf(int node) const {
    return node < 0 ? QStringLiteral("\u2013") : nodeName(&graphs(), pattern().graph, node);
  }
  RowTarget target(int value, int node) const {
    if (value >= 0) return {{}, {pattern().graph, valueName(&graphs(), pattern().graph, value)}};
    return {{GraphVersion::kPartitioned, pattern().graph, node}, {}};
  }
};

double ratio(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

ReportRows peakRows(const std::shared_ptr<const WalkReport>& walk, int which) {
  using Peak = ColumnOf<PeakPart>;
  const Place place{walk, which};
  int64_t largest = 1, mostSaved = 1;
  for (const PeakPart& part : place.pattern().peak)
    largest = std::max(largest, part.sizeBytes), mostSaved = std::max(mostSaved, part.savesBytes);
  Peak size = Peak::figure(QObject::tr("Size"), &PeakPart::sizeBytes, sizeText);
  size.share = [largest](const PeakPart& part) { return ratio(part.sizeBytes, largest); };
  Peak saves = Peak::figure(QObject::tr("Would save"), &PeakPart::savesBytes, sizeText,
                            QObject::tr("By how much the lower bound would fall if this value needed no memory"));
  saves.share = [mostSaved](const PeakPart& part) { return ratio(part.savesBytes, mostSaved); };
  std::vector<Peak> columns = {
      {.title = QObject::tr("Value"),
       .text = [place](const PeakPart& part) { return place.title(part.value, part.producer); }},
      size,
      {.title = QObject::tr("Share"),
       .kind = Peak::kNumber,
       .help = QObject::tr("Of all bytes alive at the peak step"),
       .text =
           [place](const PeakPart& part) {
             return percentText(ratio(part.sizeBytes, place.pattern().lowerBoundBytes));
           },
       .key = &PeakPart::sizeBytes},
      saves,
      {.title = QObject::tr("Producer"), .text = [place](const PeakPart& part) { return place.nodeOf(part.producer); }},
      {.title = QObject::tr("Kept alive by"),
       .help = QObject::tr("The node of its last use"),
       .text = [place](const PeakPart& part) { return place.nodeOf(part.keptAliveBy); }},
      {.title = QObject::tr("Until step"),
       .kind = Peak::kNumber,
       .text = [](const PeakPart& part) { return QString::number(part.lastStep); },
       .key = &PeakPart::lastStep}};
  return rowsOf<PeakPart>(partOf(walk, place.pattern().peak), std::move(columns),
                          [place](const PeakPart& part) { return place.target(part.value, part.producer); });
}

ReportRows strategyRows(const std::shared_ptr<const WalkReport>& walk, int which) {
  using Strategies = ColumnOf<StrategyResult>;
  const Place place{walk, which};
  int64_t largest = 1;
  for (const StrategyResult& strategy : place.pattern().strategies)
    largest = std::max(largest, strategy.peakBytes);
  Strategies peak = Strategies::figure(QObject::tr("Peak"), &StrategyResult::peakBytes, sizeText);
  peak.share = [largest](const StrategyResult& strategy) { return ratio(strategy.peakBytes, largest); };
  std::vector<Strategies> columns = {
      {.title = QObject::tr("Strategy"),
       .text =
           [](const StrategyResult& strategy) {
             return (strategy.chosen ? QStringLiteral("\u2713 ") : QStringLiteral("\u2003")) + text(strategy.name);
           }},
      peak,
      {.title = QObject::tr("Above the bound"),
       .kind = Strategies::kNumber,
       .text =
           [place](const StrategyResult& strategy) {
             const int64_t bound = place.pattern().lowerBoundBytes;
             return percentText(ratio(strategy.peakBytes - bound, bound));
           },
       .key = &StrategyResult::peakBytes},
      Strategies::figure(QObject::tr("Time"), &StrategyResult::timeNs, timeText)};
  return rowsOf<StrategyResult>(partOf(walk, place.pattern().strategies), std::move(columns));
}

ReportRows blockRows(const std::shared_ptr<const WalkReport>& walk, int which) {
  using Blocks = ColumnOf<PatternBlock>;
  const Place place{walk, which};
  const auto plain = [](int64_t number) { return QString::number(number); };
  std::vector<Blocks> columns = {
      {.title = QObject::tr("Value"),
       .text = [place](const PatternBlock& block) { return place.title(block.value, block.node); }},
      Blocks::figure(QObject::tr("Offset"), &PatternBlock::offset, countText),
      Blocks::figure(QObject::tr("Size"), &PatternBlock::sizeBytes, sizeText,
                     QObject::tr("Rounded up to the alignment")),
      Blocks::figure(QObject::tr("Needed"), &PatternBlock::neededBytes, sizeText),
      Blocks::figure(QObject::tr("From step"), &PatternBlock::firstStep, plain),
      Blocks::figure(QObject::tr("To step"), &PatternBlock::lastStep, plain),
      Blocks::figure(
          QObject::tr("Intervals"), [](const PatternBlock& block) { return static_cast<int64_t>(block.starts.size()); },
          plain, QObject::tr("More than one: between them, other values use the memory"))};
  return rowsOf<PatternBlock>(partOf(walk, place.pattern().blocks), std::move(columns),
                              [place](const PatternBlock& block) { return place.target(block.value, block.node); });
}

ReportRows unplannedRows(const std::shared_ptr<const WalkReport>& walk, int which) {
  using Unplanned = ColumnOf<int32_t>;
  const Place place{walk, which};
  const int graph = place.pattern().graph;
  std::vector<Unplanned> columns = {
      {.title = QObject::tr("Value"),
       .text = [place, graph](const int32_t& value) { return valueName(&place.graphs(), graph, value); }},
      {.title = QObject::tr("Type"), .text = [place, graph](const int32_t& value) {
         return place.graphs().graphs[static_cast<size_t>(graph)].values[static_cast<size_t>(value)].type;
       }}};
  return rowsOf<int32_t>(partOf(walk, place.pattern().unplanned), std::move(columns),
                         [place](const int32_t& value) { return place.target(value, kNone); });
}

ReportRows tracedRows(const std::shared_ptr<const WalkReport>& walk, study::AllocationTrace trace) {
  using Row = study::TracedAllocation;
  using Traced = ColumnOf<Row>;
  const auto name = [walk](int32_t value) { return valueName(walk->partitionedGraphs.get(), 0, value); };
  int64_t largest = 1;
  for (const Row& row : trace.allocations)
    largest = std::max(largest, row.bytes);
  Traced size =
      Traced::figure(QObject::tr("Size"), &Row::bytes, sizeText, QObject::tr("As the last profiled run showed it"));
  size.share = [largest](const Row& row) { return ratio(row.bytes, largest); };
  const auto step = [](const QString& title, int32_t Row::* which, const QString& help) {
    return Traced{.title = title,
                  .kind = Traced::kNumber,
                  .help = help,
                  .text = [which](const Row& row) { return QString::number(row.*which); },
                  .key = which};
  };
  std::vector<Traced> columns = {
      {.title = QObject::tr("Value"), .text = [name](const Row& row) { return name(row.value); }},
      {.title = QObject::tr("Kind"), .text = [](const Row& row) { return text(allocKindName(row.kind)); }},
      {.title = QObject::tr("In the buffer of"),
       .text = [name](const Row& row) { return row.rootValue == row.value ? QString() : name(row.rootValue); }},
      size,
      {.title = QObject::tr("Planned"),
       .kind = Traced::kNumber,
       .help = QObject::tr("Before the run"),
       .text = [](const Row& row) { return row.plannedBytes < 0 ? QObject::tr("open") : sizeText(row.plannedBytes); },
       .key = &Row::plannedBytes},
      {.title = QObject::tr("Offset"),
       .kind = Traced::kNumber,
       .help = QObject::tr("Of its buffer in the block"),
       .text = [](const Row& row) { return row.offset < 0 ? QString() : countText(row.offset); },
       .key = &Row::offset},
      step(QObject::tr("Made at step"), &Row::madeAtStep, {}),
      step(QObject::tr("Free behind step"), &Row::freeAfterStep, QObject::tr("The step of its last reader"))};
  return rowsOf<Row>(std::move(trace.allocations), std::move(columns), [walk](const Row& row) {
    return RowTarget{{}, {0, valueName(walk->partitionedGraphs.get(), 0, row.value)}};
  });
}

}  // namespace cutaway::ui
