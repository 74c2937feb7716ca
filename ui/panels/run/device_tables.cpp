// Rows and series about devices, from the run's report.
#include "ui/panels/run/device_tables.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/document/window_words.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

QString tr(const char* words) {
  return QObject::tr(words);
}
QString known(int64_t sizeBytes) {
  return sizeBytes < 0 ? QStringLiteral("\u2013") : sizeText(sizeBytes);
}

MemorySeries seriesOf(const DeviceMemoryReport& device) {
  MemorySeries series;
  series.samples.reserve(device.samples.size());
  for (const DeviceMemoryReport::Sample& sample : device.samples)
    series.samples.push_back({sample.timeNs, sample.step, sample.plannedBytes, sample.measuredBytes, device.heldBytes});
  series.plannedPeakBytes = std::max<int64_t>(0, device.plannedPeakBytes);
  series.lowerBoundBytes = std::max<int64_t>(0, device.lowerBoundBytes);
  series.empty = tr("Memory of %1 was not recorded.").arg(text(device.device));
  return series;
}

std::vector<int32_t> copySpans(const RunReport& run) {
  std::vector<int32_t> spans;
  for (size_t i = 0; i < run.spans.size(); ++i)
    if (run.spans[i].category == "Copy" && run.spans[i].bytes >= 0) spans.push_back(static_cast<int32_t>(i));
  return spans;
}

// Bytes per nanosecond, which are gigabytes per second; negative: too short to say.
double rateOf(const TraceSpan& span) {
  return span.durationNs > 0 ? static_cast<double>(span.bytes) / static_cast<double>(span.durationNs) : -1;
}

const DeviceLane* laneOf(const RunReport& run, const TraceSpan& span) {
  const auto lane = std::ranges::find(run.deviceLanes, span.thread, &DeviceLane::thread);
  return lane == run.deviceLanes.end() ? nullptr : &*lane;
}

// Share of what the bus can do in one direction; negative: not known.
double shareOfBus(const RunReport& run, const TraceSpan& span) {
  const DeviceLane* lane = laneOf(run, span);
  if (!lane || rateOf(span) < 0) return -1;
  const auto device = std::ranges::find(run.deviceMemory, lane->device, &DeviceMemoryReport::device);
  return device == run.deviceMemory.end() || device->linkBytesPerSecond <= 0
             ? -1
             : rateOf(span) * 1e9 / device->linkBytesPerSecond;
}

QString stateOf(const CapturedSegmentReport& segment) {
  if (!segment.problem.empty()) return told(segment.problem);
  return segment.replays > 0 ? tr("replayed as one") : tr("will be replayed from the third run on");
}

}  // namespace

std::vector<PlaceMemory> memoryOf(const RunView& view) {
  PlaceMemory host{tr("all devices"), {}};
  host.series.empty = tr("Memory was not recorded.");
  host.series.samples = view.memory;
  host.series.plannedOnly = view.memoryFromPlan;
  host.series.plannedPeakBytes = view.run->plannedPeakBytes;
  host.series.lowerBoundBytes = view.run->lowerBoundBytes;
  std::vector<PlaceMemory> places = {std::move(host)};
  for (const DeviceMemoryReport& device : view.run->deviceMemory)
    places.push_back({text(device.device), seriesOf(device)});
  return places;
}

bool deviceTookPart(const RunView& view) {
  return !view.run->deviceMemory.empty() || !view.run->deviceLanes.empty() || !view.run->capturedSegments.empty();
}

ReportRows deviceRows(const RunViewPtr& view) {
  using Devices = ColumnOf<DeviceMemoryReport>;
  return rowsOf<DeviceMemoryReport>(
      partOf(view, view->run->deviceMemory),
      {{.title = tr("Device"), .text = &DeviceMemoryReport::device},
       Devices::figure(tr("Planned peak"), &DeviceMemoryReport::plannedPeakBytes, known,
                       tr("Of values, without weights and workspace")),
       Devices::figure(tr("Lower bound"), &DeviceMemoryReport::lowerBoundBytes, known),
       Devices::figure(tr("Measured peak"), &DeviceMemoryReport::measuredPeakBytes, known),
       Devices::figure(tr("Held"), &DeviceMemoryReport::heldBytes, known,
                       tr("By this session's runs: blocks and arenas")),
       Devices::figure(tr("Workspace"), &DeviceMemoryReport::scratchBytes, known, tr("Most scratch of kernels")),
       Devices::figure(tr("Weights"), &DeviceMemoryReport::weightsBytes, known, tr("Uploaded once per session")),
       Devices::figure(tr("Pool"), &DeviceMemoryReport::poolBytes, known,
                       tr("What the device's allocator holds, all sessions of this process"))});
}

ReportRows copyRows(const RunViewPtr& view) {
  using Copies = ColumnOf<int32_t>;  // spans
  const auto at = [view](int32_t span) -> const TraceSpan& { return view->run->spans[static_cast<size_t>(span)]; };
  std::vector<Copies> columns = {
      {.title = tr("Copy"), .text = [view, at](const int32_t& span) { return view->spanLabel(at(span)); }},
      {.title = tr("Lane"),
       .text =
           [view, at](const int32_t& span) {
             const DeviceLane* lane = laneOf(*view->run, at(span));
             return lane ? text(lane->name) : threadText(at(span).thread);
           }},
      Copies::figure(
          tr("Bytes"), [at](const int32_t& span) { return at(span).bytes; }, sizeText),
      Copies::figure(
          tr("Time"), [at](const int32_t& span) { return at(span).durationNs; }, timeText),
      {.title = tr("GB/s"),
       .kind = Copies::kNumber,
       .text =
           [at](const int32_t& span) {
             const double rate = rateOf(at(span));
             return rate < 0 ? QStringLiteral("\u2013") : QString::number(rate, 'f', 2);
           },
       .key = [at](const int32_t& span) { return rateOf(at(span)); }},
      {.title = tr("Of the bus"),
       .kind = Copies::kNumber,
       .help = tr("Against what the bus can do in one direction"),
       .text =
           [view, at](const int32_t& span) {
             const double share = shareOfBus(*view->run, at(span));
             return share < 0 ? QStringLiteral("\u2013") : percentText(share);
           },
       .key = [view, at](const int32_t& span) { return shareOfBus(*view->run, at(span)); }},
      Copies::figure(tr("Starts at"), [at](const int32_t& span) { return at(span).startNs; }, timeText)};
  return rowsOf<int32_t>(copySpans(*view->run), std::move(columns), [at](const int32_t& span) {
    return RowTarget{{GraphVersion::kPartitioned, at(span).graph, at(span).node}, {}};
  });
}

ReportRows capturedSegmentRows(const RunViewPtr& view) {
  using Segments = ColumnOf<CapturedSegmentReport>;
  std::vector<Segments> columns = {
      {.title = tr("Steps"),
       .text =
           [view](const CapturedSegmentReport& segment) {
             const QString steps =
                 QStringLiteral("%1\u2013%2").arg(segment.firstStep).arg(segment.firstStep + segment.steps - 1);
             const bool inside =
                 segment.graph > 0 && view->graphs && segment.graph < static_cast<int>(view->graphs->graphs.size());
             return inside ? tr("%1 of %2")
                                 .arg(steps, text(view->graphs->graphs[static_cast<size_t>(segment.graph)].title))
                           : steps;
           },
       .key = &CapturedSegmentReport::firstStep},
      {.title = tr("Runs on"), .text = &CapturedSegmentReport::provider},
      Segments::figure(tr("Nodes"), &CapturedSegmentReport::steps, countText),
      Segments::figure(tr("Recorded"), &CapturedSegmentReport::recordings, countText),
      Segments::figure(tr("Replayed"), &CapturedSegmentReport::replays, countText,
                       tr("Runs in which the device replayed it as one")),
      {.title = tr("State"), .text = stateOf}};
  return rowsOf<CapturedSegmentReport>(partOf(view, view->run->capturedSegments), std::move(columns));
}

ReportRows breakRows(const RunViewPtr& view) {
  using Breaks = ColumnOf<SegmentBreak>;
  std::vector<Breaks> columns = {
      {.title = tr("Node"),
       .text = [view](const SegmentBreak& each) { return nodeName(view->graphs.get(), each.graph, each.node); }},
      {.title = tr("Operator"),
       .text = [view](const SegmentBreak& each) { return view->operatorOf(each.graph, each.node); }},
      {.title = tr("Step"),
       .kind = Breaks::kNumber,
       .text = [](const SegmentBreak& each) { return QString::number(each.step); },
       .key = &SegmentBreak::step},
      {.title = tr("Runs on"),
       .text =
           [view](const SegmentBreak& each) {
             const NodeReport* node = view->node(each.graph, each.node);
             return node ? text(node->provider) : QString();
           }},
      {.title = tr("Why a captured segment ends here"),
       .text = [](const SegmentBreak& each) { return told(each.reason); }}};
  return rowsOf<SegmentBreak>(partOf(view, view->run->segmentBreaks), std::move(columns), [](const SegmentBreak& each) {
    return RowTarget{{GraphVersion::kPartitioned, each.graph, each.node}, {}};
  });
}

std::vector<NodeTarget> segmentNodes(const RunView& view, const WalkReport& walk, int row) {
  std::vector<NodeTarget> nodes;
  if (row < 0 || row >= static_cast<int>(view.run->capturedSegments.size())) return nodes;
  const CapturedSegmentReport& segment = view.run->capturedSegments[static_cast<size_t>(row)];
  const GraphSchedule* schedule = scheduleOf(walk, segment.graph);
  if (!schedule) return nodes;
  const int end = std::min(segment.firstStep + segment.steps, static_cast<int>(schedule->steps.size()));
  for (int step = std::max(0, segment.firstStep); step < end; ++step)
    nodes.push_back({GraphVersion::kPartitioned, segment.graph, schedule->steps[static_cast<size_t>(step)].node});
  return nodes;
}

}  // namespace cutaway::ui
