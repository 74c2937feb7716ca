#include "ui/panels/run/run_view.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ui/base/format.h"
#include "ui/base/group_words.h"
#include "ui/base/operator_family.h"

namespace cutaway::ui {
namespace {

constexpr int kShapesShown = 4;

QString tr(const char* words) {
  return QObject::tr(words);
}

QString rateText(double rate) {
  return rate < 0 ? QStringLiteral("\u2013") : QString::number(rate, 'f', rate < 10 ? 2 : rate < 100 ? 1 : 0);
}

QString shapesText(const std::vector<std::string>& shapes) {
  QStringList texts;
  for (size_t i = 0; i < shapes.size() && i < kShapesShown; ++i)
    texts << shortened(text(shapes[i]), 46);
  if (shapes.size() > kShapesShown) texts << tr("and %1 more").arg(shapes.size() - kShapesShown);
  return texts.join(QLatin1Char('\n'));
}

// How deep a graph lies within bodies.
int bodyDepth(const ModelGraphs* graphs, int graph) {
  int depth = 0;
  while (graphs && graph > 0 && graph < static_cast<int>(graphs->graphs.size()) && depth < 16) {
    graph = graphs->graphs[static_cast<size_t>(graph)].parentGraph;
    ++depth;
  }
  return depth;
}

std::shared_ptr<const std::vector<TraceSpan>> spansOf(const std::shared_ptr<const RunReport>& run,
                                                      const ModelGraphs* graphs, bool& made) {
  if (!run->spans.empty() || run->nodes.empty()) return {run, &run->spans};
  made = true;
  auto spans = std::make_shared<std::vector<TraceSpan>>();
  spans->reserve(run->nodes.size());
  for (const NodeTiming& timing : run->nodes)
    if (timing.startNs >= 0)
      spans->push_back({{},
                        "Node",
                        timing.graph,
                        timing.node,
                        timing.thread,
                        bodyDepth(graphs, timing.graph),
                        timing.startNs,
                        timing.totalNs});
  std::stable_sort(spans->begin(), spans->end(),
                   [](const TraceSpan& a, const TraceSpan& b) { return a.startNs < b.startNs; });
  // Starts are of one run, lengths are medians of all: a bar ends where the next one beside it starts.
  std::map<std::pair<int32_t, int32_t>, TraceSpan*> open;
  for (TraceSpan& span : *spans) {
    TraceSpan*& before = open[{span.thread, span.depth}];
    if (before) before->durationNs = std::min(before->durationNs, span.startNs - before->startNs);
    before = &span;
  }
  return spans;
}

// Where no memory was measured, the plan's live bytes at the time of each step.
std::vector<MemorySample> plannedMemory(const WalkReport& walk, const RunReport& run) {
  std::vector<MemorySample> samples;
  if (!walk.pattern || !run.source.empty()) return samples;
  for (const GraphPattern& pattern : walk.pattern->graphs) {
    if (pattern.graph != 0 || pattern.liveBytes.empty()) continue;
    for (const NodeTiming& timing : run.nodes) {
      if (timing.graph != 0 || timing.step < 0 || timing.step >= static_cast<int32_t>(pattern.liveBytes.size()))
        continue;
      samples.push_back(
          {timing.startNs + timing.totalNs, timing.step, pattern.liveBytes[static_cast<size_t>(timing.step)], 0, 0});
    }
    break;
  }
  std::sort(samples.begin(), samples.end(),
            [](const MemorySample& a, const MemorySample& b) { return a.timeNs < b.timeNs; });
  return samples;
}

int64_t clipped(const TraceBar& bar, const TimeRange& range) {
  const double length =
      std::min(static_cast<double>(bar.endNs), range.endNs) - std::max(static_cast<double>(bar.startNs), range.beginNs);
  return length > 0 ? static_cast<int64_t>(length) : 0;
}

bool isNode(const TraceSpan& span) {
  return span.node >= 0 && span.name.empty();
}

}  // namespace

double gigaflops(const NodeTiming& timing) {
  return timing.flops < 0 || timing.totalNs <= 0
             ? -1
             : static_cast<double>(timing.flops) * static_cast<double>(std::max<int64_t>(1, timing.calls)) /
                   static_cast<double>(timing.totalNs);
}
double gigabytes(const NodeTiming& timing) {
  const int64_t bytes = timing.inputBytes + timing.outputBytes;
  return bytes <= 0 || timing.totalNs <= 0
             ? -1
             : static_cast<double>(bytes) * static_cast<double>(std::max<int64_t>(1, timing.calls)) /
                   static_cast<double>(timing.totalNs);
}
QString gigaflopsText(const NodeTiming& timing) {
  return rateText(gigaflops(timing));
}
QString gigabytesText(const NodeTiming& timing) {
  return rateText(gigabytes(timing));
}
QString threadText(int32_t thread) {
  return thread == 0 ? tr("Caller") : tr("Worker %1").arg(thread);
}

const NodeReport* RunView::node(int graph, int node) const {
  if (!graphs || graph < 0 || graph >= static_cast<int>(graphs->graphs.size())) return nullptr;
  const std::vector<NodeReport>& nodes = graphs->graphs[static_cast<size_t>(graph)].nodes;
  return node >= 0 && node < static_cast<int>(nodes.size()) ? &nodes[static_cast<size_t>(node)] : nullptr;
}

int RunView::timingIndex(int graph, int node) const {
  if (graph < 0 || node < 0 || static_cast<size_t>(graph) >= timingOf.size()) return kNone;
  const auto& nodes = timingOf[static_cast<size_t>(graph)];
  return static_cast<size_t>(node) < nodes.size() ? nodes[static_cast<size_t>(node)] : kNone;
}

const NodeTiming* RunView::timing(int graph, int node) const {
  const int index = timingIndex(graph, node);
  return index < 0 ? nullptr : &run->nodes[static_cast<size_t>(index)];
}

QString RunView::nameOf(const NodeTiming& timing) const {
  return node(timing.graph, timing.node) ? nodeTitle(graphs->graphs[static_cast<size_t>(timing.graph)], timing.node)
         : timing.variant.empty()        ? tr("(not in this model)")
                                         : text(timing.variant);
}

QString RunView::operatorOf(int graph, int index) const {
  const NodeReport* report = node(graph, index);
  return report ? operatorOf(*report) : QString();
}

QString RunView::operatorOf(const NodeReport& node) const {
  const auto group = groupNodes.find(node.name);
  return group == groupNodes.end() ? operatorText(node) : groupTitle(group->second);
}

QString RunView::operatorOf(const NodeTiming& timing) const {
  return operatorOf(timing.graph, timing.node);
}

QString RunView::providerOf(const NodeTiming& timing) const {
  if (!timing.provider.empty()) return text(timing.provider);
  const NodeReport* report = node(timing.graph, timing.node);
  return report ? text(report->provider) : QString();
}

QString RunView::spanLabel(const TraceSpan& span) const {
  if (!span.name.empty()) return text(span.name);
  const NodeReport* report = node(span.graph, span.node);
  if (!report) return text(span.category);
  return report->rewrite.starts_with("fused by ") || report->name.empty() ? operatorOf(*report)
                                                                          : shortName(report->name);
}

namespace {

// How much, how fast, and what share of what the bus can do.
void addCopyFacts(const TraceSpan& span, const RunReport& run, HoverFacts& facts) {
  facts.rows.emplace_back(tr("Copied"), sizeText(span.bytes));
  if (span.durationNs <= 0) return;
  const double rate = static_cast<double>(span.bytes) / static_cast<double>(span.durationNs);
  QString words = tr("%1 GB/s").arg(rate, 0, 'f', 2);
  const auto lane = std::ranges::find(run.deviceLanes, span.thread, &DeviceLane::thread);
  const auto memory = lane == run.deviceLanes.end()
                          ? run.deviceMemory.end()
                          : std::ranges::find(run.deviceMemory, lane->device, &DeviceMemoryReport::device);
  if (memory != run.deviceMemory.end() && memory->linkBytesPerSecond > 0)
    words += tr(", %1 of the bus").arg(percentText(rate * 1e9 / memory->linkBytesPerSecond));
  facts.rows.emplace_back(tr("Bandwidth"), words);
}

}  // namespace

HoverFacts RunView::spanFacts(const TraceSpan& span) const {
  HoverFacts facts;
  const NodeReport* report = node(span.graph, span.node);
  const NodeTiming* it = timing(span.graph, span.node);
  const double whole = lanes ? static_cast<double>(std::max<int64_t>(1, lanes->endNs - lanes->beginNs)) : 1;
  facts.title = report ? nodeTitle(graphs->graphs[static_cast<size_t>(span.graph)], span.node) : spanLabel(span);
  if (report) {
    if (!span.name.empty()) facts.title = tr("%1, of %2").arg(text(span.name), facts.title);
    const QString provider = it ? providerOf(*it) : text(report->provider);
    facts.subtitle = provider.isEmpty() ? operatorOf(*report) : tr("%1 on %2").arg(operatorOf(*report), provider);
    if (it && !it->variant.empty()) facts.subtitle += QStringLiteral(", ") + text(it->variant);
  } else {
    facts.subtitle = text(span.category);
  }
  if (!spansFromTimes)
    facts.rows.emplace_back(tr("This call"), tr("%1, %2 of the run")
                                                 .arg(timeText(span.durationNs),
                                                      percentText(static_cast<double>(span.durationNs) / whole)));
  facts.rows.emplace_back(tr("Starts at"), timeText(span.startNs));
  if (span.bytes >= 0) addCopyFacts(span, *run, facts);
  if (!it || !span.name.empty()) return facts;
  facts.rows.emplace_back(
      tr("Median per run"),
      tr("%1 \u00b1 %2").arg(timeText(it->totalNs), timeText(static_cast<int64_t>(it->deviationNs))) +
          (it->calls > 1 ? tr(", %1 calls").arg(countText(it->calls)) : QString()));
  if (it->flops >= 0)
    facts.rows.emplace_back(tr("Work"), tr("%1, %2 GFLOP/s").arg(workText(it->flops), gigaflopsText(*it)));
  if (it->inputBytes > 0)
    facts.rows.emplace_back(
        tr("Reads, writes"),
        tr("%1, %2; %3 GB/s").arg(sizeText(it->inputBytes), sizeText(it->outputBytes), gigabytesText(*it)));
  if (!it->inputShapes.empty()) facts.rows.emplace_back(tr("Inputs"), shapesText(it->inputShapes));
  if (!it->outputShapes.empty()) facts.rows.emplace_back(tr("Outputs"), shapesText(it->outputShapes));
  if (it->scratchBytes > 0) facts.rows.emplace_back(tr("Workspace"), sizeText(it->scratchBytes));
  if (it->allocatedBytes > 0) facts.rows.emplace_back(tr("From the arena"), sizeText(it->allocatedBytes));
  for (const SubStepTiming& part : it->subSteps)
    facts.rows.emplace_back(QStringLiteral("  ") + text(part.name), timeText(part.totalNs));
  return facts;
}

std::shared_ptr<const RunView> runView(const WalkReport& walk) {
  if (!walk.run) return nullptr;
  auto view = std::make_shared<RunView>();
  view->run = walk.run;
  view->graphs = walk.partitionedGraphs;
  view->marks = providerMarks(walk);
  if (walk.partition)
    for (const GroupReport& group : walk.partition->groups)
      if (group.compiled && !group.name.empty()) view->groupNodes.emplace(group.name, group.nodes.size());
  const size_t graphCount = view->graphs ? view->graphs->graphs.size() : 0;
  view->timingOf.resize(graphCount);
  for (size_t g = 0; g < graphCount; ++g)
    view->timingOf[g].assign(view->graphs->graphs[g].nodes.size(), kNone);
  for (size_t i = 0; i < walk.run->nodes.size(); ++i) {
    const NodeTiming& timing = walk.run->nodes[i];
    view->allNs += timing.totalNs;
    if (view->node(timing.graph, timing.node))
      view->timingOf[static_cast<size_t>(timing.graph)][static_cast<size_t>(timing.node)] = static_cast<int32_t>(i);
  }
  std::map<std::string, int8_t> providers;
  const auto categories = [&](const TraceSpan& span) -> BarCategories {
    const NodeReport* report = view->node(span.graph, span.node);
    if (!report) return {kEngineCategory, kEngineCategory};
    const auto [entry, added] = providers.try_emplace(report->provider, int8_t{-1});
    if (added) entry->second = static_cast<int8_t>(std::min(view->marks.indexOf(report->provider), 100));
    return {static_cast<int8_t>(operatorFamily(*report)), entry->second};
  };
  view->lanes = std::make_shared<const TraceLanes>(traceLanes(
      spansOf(walk.run, view->graphs.get(), view->spansFromTimes), categories, [&run = *walk.run](int32_t thread) {
        const auto lane = std::ranges::find(run.deviceLanes, thread, &DeviceLane::thread);
        return lane != run.deviceLanes.end() ? text(lane->name) : threadText(thread);
      }));
  view->memory = walk.run->memory;
  if (view->memory.empty()) {
    view->memory = plannedMemory(walk, *walk.run);
    view->memoryFromPlan = true;
  }
  return view;
}

RangeTotals rangeTotals(const RunView& view, const TimeRange& range) {
  RangeTotals totals;
  totals.timings.resize(view.run->nodes.size());
  std::unordered_map<std::string_view, int64_t> operators;  // names point into the graphs
  const auto operatorKey = [&view](const TraceSpan& span) -> std::string_view {
    const NodeReport* report = view.node(span.graph, span.node);
    return !report ? std::string_view() : report->rewrite.starts_with("fused by ") ? report->rewrite : report->opType;
  };
  for (size_t r = 0; r < view.lanes->rows.size(); ++r) {
    const TraceRow& row = view.lanes->rows[r];
    const bool busy = view.lanes->lanes[static_cast<size_t>(row.lane)].busyRow == static_cast<int>(r);
    const auto begin = static_cast<int64_t>(range.beginNs);
    auto bar = std::lower_bound(row.bars.begin(), row.bars.end(), begin,
                                [](const TraceBar& it, int64_t ns) { return it.endNs < ns; });
    for (; bar != row.bars.end() && static_cast<double>(bar->startNs) < range.endNs; ++bar) {
      const TraceSpan& span = (*view.lanes->spans)[static_cast<size_t>(bar->span)];
      const int64_t inside = clipped(*bar, range);
      if (busy) totals.busyNs += inside;
      if (!isNode(span) || (inside == 0 && bar->endNs > bar->startNs)) continue;
      ++totals.calls;
      operators[operatorKey(span)] += inside;
      const int timing = view.timingIndex(span.graph, span.node);
      if (timing >= 0 && !totals.timings[static_cast<size_t>(timing)]) {
        totals.timings[static_cast<size_t>(timing)] = true;
        ++totals.nodes;
      }
      if (row.depth == 0) continue;
      const TraceRow& outer = view.lanes->rows[r - 1];
      const int parent =
          barAt(outer, static_cast<double>(bar->startNs) + 0.5 * static_cast<double>(bar->endNs - bar->startNs), 0);
      if (parent < 0) continue;
      const TraceSpan& holder = (*view.lanes->spans)[static_cast<size_t>(outer.bars[static_cast<size_t>(parent)].span)];
      if (isNode(holder)) operators[operatorKey(holder)] -= inside;
    }
  }
  for (const auto& [name, timeNs] : operators)
    totals.operators.push_back({text(name), std::max<int64_t>(0, timeNs)});
  std::stable_sort(totals.operators.begin(), totals.operators.end(),
                   [](const OperatorShare& a, const OperatorShare& b) {
                     return a.timeNs != b.timeNs ? a.timeNs > b.timeNs : a.name < b.name;
                   });
  return totals;
}

}  // namespace cutaway::ui
