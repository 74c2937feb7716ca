// From pattern report to chart.
#include "ui/panels/pattern/pattern_chart.h"

#include <algorithm>
#include <unordered_set>

#include <QObject>

#include "ui/base/format.h"
#include "ui/document/window_words.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr int kColours = 6;

struct Source {
  std::shared_ptr<const WalkReport> walk;
  const GraphPattern* pattern;
  const GraphSchedule* schedule;  // null: none
  const ModelGraphs& graphs() const { return *walk->partitionedGraphs; }
};

void addBlocks(LifeChartData& data, const GraphPattern& pattern) {
  std::unordered_set<int64_t> atPeak;  // values, and nodes of workspaces below zero
  for (const PeakPart& part : pattern.peak)
    atPeak.insert(part.value >= 0 ? part.value : -2 - static_cast<int64_t>(part.producer));
  data.blocks.reserve(pattern.blocks.size());
  for (size_t i = 0; i < pattern.blocks.size(); ++i) {
    const PatternBlock& source = pattern.blocks[i];
    LifeBlock block;
    block.item = static_cast<int32_t>(i);
    block.from = static_cast<double>(source.offset);
    block.to = static_cast<double>(source.offset + source.sizeBytes);
    block.category = static_cast<int16_t>(source.value < 0 ? -1 : static_cast<int>(i % kColours));
    block.shape = source.value < 0 ? BlockShape::kHatched : BlockShape::kPlain;
    block.emphasised = atPeak.count(source.value >= 0 ? source.value : -2 - static_cast<int64_t>(source.node)) > 0;
    const auto add = [&](int32_t first, int32_t last) {
      block.begin = first;
      block.end = static_cast<double>(last) + 1;
      data.blocks.push_back(block);
    };
    const size_t intervals = std::min(source.starts.size(), source.ends.size());
    for (size_t k = 0; k < intervals; ++k)
      add(source.starts[k], source.ends[k]);
    if (intervals == 0) add(source.firstStep, source.lastStep);
  }
}

// What lives in a block: its owner, and everything that took the buffer over.
void addItems(LifeChartData& data, const WalkReport& walk, const GraphPattern& pattern) {
  const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(pattern.graph)];
  data.itemOfValue.assign(graph.values.size(), kNone);
  data.itemOfNode.assign(graph.nodes.size(), kNone);
  for (size_t i = 0; i < pattern.blocks.size(); ++i) {
    const PatternBlock& block = pattern.blocks[i];
    if (block.value >= 0 && block.value < static_cast<int32_t>(graph.values.size()))
      data.itemOfValue[static_cast<size_t>(block.value)] = static_cast<int32_t>(i);
    if (block.value < 0 && block.node >= 0 && block.node < static_cast<int32_t>(graph.nodes.size()))
      data.itemOfNode[static_cast<size_t>(block.node)] = static_cast<int32_t>(i);
  }
  if (!walk.allocate) return;
  for (const GraphAllocation& plan : walk.allocate->graphs) {
    if (plan.graph != pattern.graph) continue;
    for (const ValueAllocation& value : plan.values) {
      const auto index = static_cast<size_t>(value.value), root = static_cast<size_t>(value.rootValue);
      if (value.value >= 0 && value.rootValue >= 0 && index < data.itemOfValue.size() &&
          root < data.itemOfValue.size() && data.itemOfValue[index] < 0)
        data.itemOfValue[index] = data.itemOfValue[root];
    }
  }
}

QString lifeOf(const PatternBlock& block) {
  QStringList spans;
  for (size_t i = 0; i < block.starts.size() && i < block.ends.size() && i < 6; ++i)
    spans << QStringLiteral("%1\u2013%2").arg(block.starts[i]).arg(block.ends[i]);
  if (block.starts.size() > 6) spans << QStringLiteral("\u2026");
  return spans.isEmpty() ? QStringLiteral("%1\u2013%2").arg(block.firstStep).arg(block.lastStep)
                         : spans.join(QStringLiteral(", "));
}

QString tipOf(const Source& source, int item) {
  const PatternBlock& block = source.pattern->blocks[static_cast<size_t>(item)];
  const int graph = source.pattern->graph;
  QStringList lines = {blockTitle(source.graphs(), graph, block.value, block.node),
                       QObject::tr("%1 at offset %2").arg(sizeText(block.sizeBytes), countText(block.offset)),
                       QObject::tr("steps %1").arg(lifeOf(block))};
  if (block.neededBytes != block.sizeBytes) lines[1] += QObject::tr(", needs %1").arg(sizeText(block.neededBytes));
  if (block.value >= 0) {
    const int producer =
        source.graphs().graphs[static_cast<size_t>(graph)].values[static_cast<size_t>(block.value)].producer;
    if (producer >= 0) lines << QObject::tr("producer: %1").arg(nodeName(&source.graphs(), graph, producer));
  }
  return lines.join(QLatin1Char('\n'));
}

QString stepTextOf(const Source& source, const std::vector<double>& measured, double at) {
  const auto step = static_cast<size_t>(std::max(0.0, at));
  QString words = QObject::tr("step %1").arg(step);
  if (source.schedule && step < source.schedule->steps.size())
    words += QStringLiteral(" \u00b7 ") +
             shortened(nodeName(&source.graphs(), source.pattern->graph, source.schedule->steps[step].node), 32);
  if (step < source.pattern->liveBytes.size())
    words += QObject::tr(" \u00b7 live %1")
                 .arg((source.pattern->unplanned.empty() ? QString() : QStringLiteral("\u2265 ")) +
                      sizeText(source.pattern->liveBytes[step]));
  if (step < measured.size() && measured[step] >= 0)
    words += QObject::tr(", measured %1").arg(sizeText(static_cast<int64_t>(measured[step])));
  return words;
}

// Where it is not that sizes are open.
QString whyNoBlocks(const WalkReport& walk, const GraphPattern& pattern) {
  // Without a pattern nothing has a place before a run: what is alive is all there is to draw.
  if (!walk.pattern->eligible)
    return QObject::tr("No place is planned: buffers come from an arena when their nodes ask for them.");
  if (!pattern.blocks.empty() || !pattern.unplanned.empty()) return {};
  // Compiled into groups, a model leaves nothing between its inputs and outputs.
  if (walk.partition && std::ranges::any_of(walk.partition->groups, &GroupReport::compiled))
    return QObject::tr(
        "Nothing is left to plan: compiled groups keep what passes inside them to themselves, and outputs are handed "
        "to the caller.");
  return QObject::tr("Nothing is left to plan: what this graph makes is written into its outputs or its inputs.");
}

}  // namespace

QString blockTitle(const ModelGraphs& graphs, int graph, int value, int node) {
  return value >= 0 ? valueName(&graphs, graph, value)
                    : QObject::tr("workspace of %1").arg(nodeName(&graphs, graph, node));
}

std::vector<double> measuredCurve(const WalkReport& walk, int steps, const std::string& device) {
  std::vector<double> amounts;
  if (!walk.run || steps <= 0) return amounts;
  const auto add = [&](const auto& samples) {
    if (samples.empty()) return;
    amounts.assign(static_cast<size_t>(steps), -1);
    for (const auto& sample : samples)
      if (sample.step >= 0 && sample.step < steps)
        amounts[static_cast<size_t>(sample.step)] =
            std::max(amounts[static_cast<size_t>(sample.step)], static_cast<double>(sample.measuredBytes));
  };
  const auto own = std::ranges::find(walk.run->deviceMemory, device, &DeviceMemoryReport::device);
  own != walk.run->deviceMemory.end() ? add(own->samples) : add(walk.run->memory);
  return amounts;
}

LifeChartData patternChart(const std::shared_ptr<const WalkReport>& walk, int which) {
  LifeChartData data;
  data.bytes = true;
  data.empty = QObject::tr(
      "Nothing could be planned: no value of this graph has a size that is known before running. Bind the open "
      "dimensions to see its memory.");
  if (!walk->pattern || !walk->partitionedGraphs || which < 0 ||
      which >= static_cast<int>(walk->pattern->graphs.size())) {
    if (walk->pattern && !walk->pattern->reason.empty()) data.empty = told(walk->pattern->reason);
    return data;
  }
  const bool planned = walk->pattern->eligible;
  const GraphPattern& pattern = walk->pattern->graphs[static_cast<size_t>(which)];
  if (const QString why = whyNoBlocks(*walk, pattern); !why.isEmpty()) data.empty = why;
  if (pattern.graph < 0 || pattern.graph >= static_cast<int>(walk->partitionedGraphs->graphs.size())) return data;
  const Source source{walk, &pattern, scheduleOf(*walk, pattern.graph)};
  const size_t steps = std::max(pattern.liveBytes.size(), source.schedule ? source.schedule->steps.size() : 0);
  const std::vector<double> measured =
      pattern.graph == 0 ? measuredCurve(*walk, static_cast<int>(steps), pattern.device) : std::vector<double>();
  data.graph = pattern.graph;
  data.played = isMainOrder(*walk, pattern.graph);
  data.width = static_cast<double>(std::max<size_t>(1, steps));
  // Arenas take regions that may be many times what is alive: their line is left to the legend then.
  const bool isFarAbove = !planned && pattern.peakBytes / 3 > pattern.lowerBoundBytes;
  data.high = static_cast<double>(std::max<int64_t>(1, isFarAbove ? pattern.lowerBoundBytes : pattern.peakBytes));
  for (const double amount : measured)
    data.high = std::max(data.high, amount);
  data.curvesAlone = !planned && pattern.lowerBoundBytes > 0;
  data.markedStep = pattern.blocks.empty() && !data.curvesAlone ? -1 : pattern.peakStep;
  const QString least = pattern.unplanned.empty() ? QString() : QStringLiteral("\u2265 ");
  const QString peak = least + sizeText(pattern.peakBytes), bound = least + sizeText(pattern.lowerBoundBytes);
  data.lines = {{static_cast<double>(pattern.peakBytes),
                 planned ? QObject::tr("peak %1").arg(peak) : QObject::tr("the arena holds %1, simulated").arg(peak),
                 LineLook::kPeak},
                {static_cast<double>(pattern.lowerBoundBytes),
                 planned ? QObject::tr("lower bound %1").arg(bound) : QObject::tr("most bytes alive %1").arg(bound),
                 LineLook::kBound}};
  data.curves = {{{pattern.liveBytes.begin(), pattern.liveBytes.end()},
                  measured.empty() ? QObject::tr("live") : QObject::tr("live, planned"),
                  LineLook::kLive}};
  if (!measured.empty()) data.curves.push_back({measured, QObject::tr("measured"), LineLook::kMeasured});
  addBlocks(data, pattern);
  addItems(data, *walk, pattern);
  if (std::any_of(pattern.blocks.begin(), pattern.blocks.end(),
                  [](const PatternBlock& block) { return block.value < 0; }))
    data.legend.push_back({QObject::tr("bodies"), -1, BlockShape::kHatched});
  data.summary =
      planned ? QObject::tr("%1 blocks over %2 steps, peak %3 at step %4, lower bound %5")
                    .arg(pattern.blocks.size())
                    .arg(steps)
                    .arg(peak)
                    .arg(pattern.peakStep)
                    .arg(bound)
              : QObject::tr("bytes alive over %1 steps, at most %2 at step %3; the arena would hold %4, simulated")
                    .arg(steps)
                    .arg(bound)
                    .arg(pattern.peakStep)
                    .arg(peak);
  data.label = [source](int item) {
    const PatternBlock& block = source.pattern->blocks[static_cast<size_t>(item)];
    const QString title = blockTitle(source.graphs(), source.pattern->graph, block.value, block.node);
    return block.value >= 0 ? shortName(title.toStdString()) : title;
  };
  data.toolTip = [source](int item) { return tipOf(source, item); };
  data.target = [source](int item) {
    const PatternBlock& block = source.pattern->blocks[static_cast<size_t>(item)];
    const int graph = source.pattern->graph;
    return block.value >= 0 ? RowTarget{{}, {graph, valueName(&source.graphs(), graph, block.value)}}
                            : RowTarget{{GraphVersion::kPartitioned, graph, block.node}, {}};
  };
  data.stepText = [source, measured](double step) { return stepTextOf(source, measured, step); };
  return data;
}

}  // namespace cutaway::ui
