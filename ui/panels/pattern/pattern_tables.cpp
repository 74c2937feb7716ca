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
  enum { kValue, kSize, kShare, kSaves, kMadeBy, kKeptBy, kUntil };
  const Place place{walk, which};
  const auto at = [place](int row) -> const PeakPart& { return place.pattern().peak[static_cast<size_t>(row)]; };
  int64_t largest = 1, mostSaved = 1;
  for (const PeakPart& part : place.pattern().peak)
    largest = std::max(largest, part.sizeBytes), mostSaved = std::max(mostSaved, part.savesBytes);
  return {.columns = {{QObject::tr("Value")},
                      {QObject::tr("Size"), Column::kNumber},
                      {QObject::tr("Share"), Column::kNumber, QObject::tr("Of all bytes alive at the peak step")},
                      {QObject::tr("Would save"), Column::kNumber,
                       QObject::tr("By how much the lower bound would fall if this value needed no memory")},
                      {QObject::tr("Made by")},
                      {QObject::tr("Kept alive by"), Column::kText, QObject::tr("The node of its last use")},
                      {QObject::tr("Until step"), Column::kNumber}},
          .rows = static_cast<int>(place.pattern().peak.size()),
          .cell =
              [place, at](int row, int column) {
                const PeakPart& part = at(row);
                switch (column) {
                  case kValue:
                    return place.title(part.value, part.producer);
                  case kSize:
                    return sizeText(part.sizeBytes);
                  case kShare:
                    return percentText(ratio(part.sizeBytes, place.pattern().lowerBoundBytes));
                  case kSaves:
                    return sizeText(part.savesBytes);
                  case kMadeBy:
                    return place.nodeOf(part.producer);
                  case kKeptBy:
                    return place.nodeOf(part.keptAliveBy);
                  default:
                    return QString::number(part.lastStep);
                }
              },
          .sortKey =
              [at](int row, int column) {
                const PeakPart& part = at(row);
                return column == kSize || column == kShare ? QVariant(qlonglong(part.sizeBytes))
                       : column == kSaves                  ? QVariant(qlonglong(part.savesBytes))
                       : column == kUntil                  ? QVariant(part.lastStep)
                                                           : QVariant();
              },
          .target = [place, at](int row) { return place.target(at(row).value, at(row).producer); },
          .share =
              [at, largest, mostSaved](int row, int column) {
                return column == kSize    ? QVariant(ratio(at(row).sizeBytes, largest))
                       : column == kSaves ? QVariant(ratio(at(row).savesBytes, mostSaved))
                                          : QVariant();
              }};
}

ReportRows strategyRows(const std::shared_ptr<const WalkReport>& walk, int which) {
  enum { kName, kPeak, kAbove, kTime };
  const Place place{walk, which};
  const auto at = [place](int row) -> const StrategyResult& {
    return place.pattern().strategies[static_cast<size_t>(row)];
  };
  int64_t largest = 1;
  for (const StrategyResult& strategy : place.pattern().strategies)
    largest = std::max(largest, strategy.peakBytes);
  return {
      .columns = {{QObject::tr("Strategy")},
                  {QObject::tr("Peak"), Column::kNumber},
                  {QObject::tr("Above the bound"), Column::kNumber},
                  {QObject::tr("Time"), Column::kNumber}},
      .rows = static_cast<int>(place.pattern().strategies.size()),
      .cell =
          [place, at](int row, int column) {
            const StrategyResult& strategy = at(row);
            switch (column) {
              case kName:
                return (strategy.chosen ? QStringLiteral("\u2713 ") : QStringLiteral("\u2003")) + text(strategy.name);
              case kPeak:
                return sizeText(strategy.peakBytes);
              case kAbove:
                return percentText(
                    ratio(strategy.peakBytes - place.pattern().lowerBoundBytes, place.pattern().lowerBoundBytes));
              default:
                return timeText(strategy.timeNs);
            }
          },
      .sortKey =
          [at](int row, int column) {
            return column == kPeak || column == kAbove ? QVariant(qlonglong(at(row).peakBytes))
                   : column == kTime                   ? QVariant(qlonglong(at(row).timeNs))
                                                       : QVariant();
          },
      .share = [at, largest](
                   int row,
                   int column) { return column == kPeak ? QVariant(ratio(at(row).peakBytes, largest)) : QVariant(); }};
}

ReportRows blockRows(const std::shared_ptr<const WalkReport>& walk, int which) {
  enum { kValue, kOffset, kSize, kNeeded, kFrom, kTo, kParts };
  const Place place{walk, which};
  const auto at = [place](int row) -> const PatternBlock& { return place.pattern().blocks[static_cast<size_t>(row)]; };
  const auto key = [at](int row, int column) -> int64_t {
    const PatternBlock& block = at(row);
    const int64_t keys[] = {0,
                            block.offset,
                            block.sizeBytes,
                            block.neededBytes,
                            block.firstStep,
                            block.lastStep,
                            static_cast<int64_t>(block.starts.size())};
    return keys[column];
  };
  return {
      .columns = {{QObject::tr("Value")},
                  {QObject::tr("Offset"), Column::kNumber},
                  {QObject::tr("Size"), Column::kNumber, QObject::tr("Rounded up to the alignment")},
                  {QObject::tr("Needed"), Column::kNumber},
                  {QObject::tr("From step"), Column::kNumber},
                  {QObject::tr("To step"), Column::kNumber},
                  {QObject::tr("Intervals"), Column::kNumber,
                   QObject::tr("More than one: between them the memory is somebody else's")}},
      .rows = static_cast<int>(place.pattern().blocks.size()),
      .cell =
          [place, at, key](int row, int column) {
            if (column == kValue) return place.title(at(row).value, at(row).node);
            if (column == kOffset) return countText(key(row, column));
            if (column == kSize || column == kNeeded) return sizeText(key(row, column));
            return QString::number(key(row, column));
          },
      .sortKey = [key](int row,
                       int column) { return column == kValue ? QVariant() : QVariant(qlonglong(key(row, column))); },
      .target = [place, at](int row) { return place.target(at(row).value, at(row).node); }};
}

ReportRows unplannedRows(const std::shared_ptr<const WalkReport>& walk, int which) {
  const Place place{walk, which};
  const auto at = [place](int row) { return place.pattern().unplanned[static_cast<size_t>(row)]; };
  return {.columns = {{QObject::tr("Value")}, {QObject::tr("Type")}},
          .rows = static_cast<int>(place.pattern().unplanned.size()),
          .cell =
              [place, at](int row, int column) {
                const int graph = place.pattern().graph;
                return column == 0 ? valueName(&place.graphs(), graph, at(row))
                                   : text(place.graphs()
                                              .graphs[static_cast<size_t>(graph)]
                                              .values[static_cast<size_t>(at(row))]
                                              .type);
              },
          .target = [place, at](int row) { return place.target(at(row), kNone); }};
}

}  // namespace cutaway::ui
