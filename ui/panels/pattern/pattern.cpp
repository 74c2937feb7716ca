// Pattern: the planned block of memory as a chart (step across, offset up), and what its peak is made of.
#include <algorithm>
#include <unordered_set>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

LifeChartData chartOf(const GraphPattern& pattern, const GraphReport& graph, int steps) {
  LifeChartData data;
  data.bytes = true;
  data.steps = std::max(1, steps);
  data.high = static_cast<double>(std::max<int64_t>(1, pattern.peakBytes));
  data.empty = QObject::tr("Nothing could be planned: no value of this graph has a size that is known before running.");
  data.markedStep = pattern.blocks.empty() ? -1 : pattern.peakStep;
  data.lines = {{static_cast<double>(pattern.peakBytes), QObject::tr("peak %1").arg(sizeText(pattern.peakBytes)), false},
                {static_cast<double>(pattern.lowerBoundBytes), QObject::tr("lower bound %1").arg(sizeText(pattern.lowerBoundBytes)), true}};
  std::unordered_set<int32_t> atPeak;
  for (const PeakPart& part : pattern.peak) atPeak.insert(part.value);
  for (size_t i = 0; i < pattern.blocks.size(); ++i) {
    const PatternBlock& block = pattern.blocks[i];
    LifeBlock drawn;
    drawn.firstStep = block.firstStep;
    drawn.lastStep = block.lastStep;
    drawn.from = static_cast<double>(block.offset);
    drawn.to = static_cast<double>(block.offset + block.sizeBytes);
    drawn.category = static_cast<int>(i % 6);
    drawn.emphasised = atPeak.count(block.value) > 0;
    drawn.label = text(graph.values[block.value].name);
    drawn.toolTip = QObject::tr("%1\n%2 at offset %3\nsteps %4 to %5").arg(drawn.label, sizeText(block.sizeBytes), sizeText(block.offset)).arg(block.firstStep).arg(block.lastStep);
    if (const int producer = graph.values[block.value].producer; producer >= 0) drawn.toolTip += QObject::tr("\nmade by %1").arg(nodeTitle(graph, producer));
    drawn.target.value = {pattern.graph, drawn.label};
    data.blocks.push_back(std::move(drawn));
  }
  for (const int64_t live : pattern.liveBytes) data.profile.push_back(static_cast<double>(live));
  return data;
}

class PatternPanel : public StagePanel {
 public:
  PatternPanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("pattern"), parent), m_chart(new LifeChart(context)) {
    addTab(m_chart, tr("Memory over steps"));
    m_peak = addTable(tr("What the peak is made of"));
    m_blocks = addTable(tr("Blocks"));
    m_unplanned = addTable(tr("Not planned"));
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.pattern.get(); }

  void fill(const WalkReport& walk) override {
    const auto report = walk.pattern;
    const auto graphs = walk.partitionedGraphs;
    if (!report || !graphs || report->graphs.empty()) {
      setFacts({});
      setNote(report ? text(report->reason) : QString());
      for (ReportModel* model : {m_peak, m_blocks, m_unplanned}) model->present({});
      m_chart->present({.empty = report ? text(report->reason) : QString()});
      return;
    }
    const GraphPattern& main = report->graphs[0];
    const double saved = report->naiveBytes > 0 ? 1 - static_cast<double>(report->peakBytes) / static_cast<double>(report->naiveBytes) : 0;
    setFacts({{tr("Peak"), sizeText(report->peakBytes)},
              {tr("Lower bound"), sizeText(report->lowerBoundBytes)},
              {tr("Without sharing"), tr("%1, saves %2").arg(sizeText(report->naiveBytes), percentText(saved))},
              {tr("Fragmentation"), percentText(main.fragmentation)},
              {tr("Peak at step"), QString::number(main.peakStep)},
              {tr("Strategy"), text(report->strategy)}});
    setNote(text(report->reason));
    int steps = static_cast<int>(main.liveBytes.size());
    if (walk.schedule && !walk.schedule->graphs.empty()) steps = std::max(steps, static_cast<int>(walk.schedule->graphs[0].steps.size()));
    m_chart->present(chartOf(main, graphs->graphs[main.graph], steps));
    fillTables(report, graphs);
  }

  void fillTables(const std::shared_ptr<const PatternReport>& report, const std::shared_ptr<const ModelGraphs>& graphs) {
    const GraphPattern& main = report->graphs[0];
    const auto target = [graphs, graph = main.graph](int value) { return RowTarget{{}, {graph, valueName(graphs.get(), graph, value)}}; };
    m_peak->present({.columns = {{tr("Value")}, {tr("Size"), Column::kNumber}, {tr("Share"), Column::kNumber}, {tr("Made by")}, {tr("Kept alive by")}},
                     .rows = static_cast<int>(main.peak.size()),
                     .cell = [report, graphs](int row, int column) {
                       const GraphPattern& pattern = report->graphs[0];
                       const PeakPart& part = pattern.peak[row];
                       switch (column) {
                         case 0:
                           return valueName(graphs.get(), pattern.graph, part.value);
                         case 1:
                           return sizeText(part.sizeBytes);
                         case 2:
                           return percentText(pattern.peakBytes ? static_cast<double>(part.sizeBytes) / static_cast<double>(pattern.peakBytes) : 0);
                         case 3:
                           return nodeName(graphs.get(), pattern.graph, part.producer);
                         default:
                           return nodeName(graphs.get(), pattern.graph, part.keptAliveBy);
                       }
                     },
                     .sortKey = [report](int row, int column) { return column == 1 || column == 2 ? QVariant(qlonglong(report->graphs[0].peak[row].sizeBytes)) : QVariant(); },
                     .target = [report, target](int row) { return target(report->graphs[0].peak[row].value); }});
    m_blocks->present({.columns = {{tr("Value")}, {tr("Offset"), Column::kNumber}, {tr("Size"), Column::kNumber}, {tr("Needed"), Column::kNumber}, {tr("From step"), Column::kNumber}, {tr("To step"), Column::kNumber}},
                       .rows = static_cast<int>(main.blocks.size()),
                       .cell = [report, graphs](int row, int column) {
                         const PatternBlock& block = report->graphs[0].blocks[row];
                         switch (column) {
                           case 0:
                             return valueName(graphs.get(), report->graphs[0].graph, block.value);
                           case 1:
                             return countText(block.offset);
                           case 2:
                             return sizeText(block.sizeBytes);
                           case 3:
                             return sizeText(block.neededBytes);
                           default:
                             return QString::number(column == 4 ? block.firstStep : block.lastStep);
                         }
                       },
                       .sortKey = [report](int row, int column) {
                         const PatternBlock& block = report->graphs[0].blocks[row];
                         const int64_t keys[] = {0, block.offset, block.sizeBytes, block.neededBytes, block.firstStep, block.lastStep};
                         return column == 0 ? QVariant() : QVariant(qlonglong(keys[column]));
                       },
                       .target = [report, target](int row) { return target(report->graphs[0].blocks[row].value); }});
    m_unplanned->present({.columns = {{tr("Value")}, {tr("Type")}},
                          .rows = static_cast<int>(main.unplanned.size()),
                          .cell = [report, graphs](int row, int column) {
                            const GraphPattern& pattern = report->graphs[0];
                            return column == 0 ? valueName(graphs.get(), pattern.graph, pattern.unplanned[row]) : text(graphs->graphs[pattern.graph].values[pattern.unplanned[row]].type);
                          },
                          .target = [report, target](int row) { return target(report->graphs[0].unplanned[row]); }});
    setTabShown(3, !main.unplanned.empty());
    setTabTitle(3, tr("Not planned (%1)").arg(main.unplanned.size()));
  }

  LifeChart* m_chart;
  ReportModel* m_peak;
  ReportModel* m_blocks;
  ReportModel* m_unplanned;
};

}  // namespace

const PanelDescriptor& panel_pattern() {
  static const PanelDescriptor descriptor{.id = "pattern", .title = "Pattern", .icon = "stage-pattern", .area = PanelArea::kStage, .stage = Stage::kPattern,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new PatternPanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui
