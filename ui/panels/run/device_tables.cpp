// Rows and series about devices, from the run's report.
#include "ui/panels/run/device_tables.h"

#include <algorithm>

#include "ui/base/format.h"
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

QString stateOf(const StretchReport& stretch) {
  if (!stretch.problem.empty()) return text(stretch.problem);
  return stretch.replays > 0 ? tr("replayed as one") : tr("will be replayed from the third run on");
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
  return !view.run->deviceMemory.empty() || !view.run->deviceLanes.empty() || !view.run->stretches.empty();
}

ReportRows deviceRows(const RunViewPtr& view) {
  const auto at = [view](int row) -> const DeviceMemoryReport& {
    return view->run->deviceMemory[static_cast<size_t>(row)];
  };
  const auto amount = [at](int row, int column) -> int64_t {
    const DeviceMemoryReport& device = at(row);
    const int64_t amounts[] = {0,
                               device.plannedPeakBytes,
                               device.lowerBoundBytes,
                               device.measuredPeakBytes,
                               device.heldBytes,
                               device.scratchBytes,
                               device.weightsBytes,
                               device.poolBytes};
    return amounts[column];
  };
  return {
      .columns = {{tr("Device")},
                  {tr("Planned peak"), Column::kNumber, tr("Of values, without weights and workspace")},
                  {tr("Lower bound"), Column::kNumber},
                  {tr("Measured peak"), Column::kNumber},
                  {tr("Held"), Column::kNumber, tr("By this session's runs: blocks and arenas")},
                  {tr("Workspace"), Column::kNumber, tr("Most scratch of kernels")},
                  {tr("Weights"), Column::kNumber, tr("Uploaded once per session")},
                  {tr("Pool"), Column::kNumber, tr("What the device's allocator holds, all sessions of this process")}},
      .rows = static_cast<int>(view->run->deviceMemory.size()),
      .cell = [at, amount](int row,
                           int column) { return column == 0 ? text(at(row).device) : known(amount(row, column)); },
      .sortKey = [amount](int row,
                          int column) { return column == 0 ? QVariant() : QVariant(qlonglong(amount(row, column))); }};
}

ReportRows copyRows(const RunViewPtr& view) {
  enum { kWhat, kLane, kBytes, kTime, kRate, kBus, kStart };
  const auto spans = std::make_shared<const std::vector<int32_t>>(copySpans(*view->run));
  const auto at = [view, spans](int row) -> const TraceSpan& {
    return view->run->spans[static_cast<size_t>((*spans)[static_cast<size_t>(row)])];
  };
  return {.columns = {{tr("Copy")},
                      {tr("Lane")},
                      {tr("Bytes"), Column::kNumber},
                      {tr("Time"), Column::kNumber},
                      {tr("GB/s"), Column::kNumber},
                      {tr("Of the bus"), Column::kNumber, tr("Against what the bus can do in one direction")},
                      {tr("Starts at"), Column::kNumber}},
          .rows = static_cast<int>(spans->size()),
          .cell =
              [view, at](int row, int column) {
                const TraceSpan& span = at(row);
                const DeviceLane* lane = laneOf(*view->run, span);
                switch (column) {
                  case kWhat:
                    return view->spanLabel(span);
                  case kLane:
                    return lane ? text(lane->name) : threadText(span.thread);
                  case kBytes:
                    return sizeText(span.bytes);
                  case kTime:
                    return timeText(span.durationNs);
                  case kRate:
                    return rateOf(span) < 0 ? QStringLiteral("\u2013") : QString::number(rateOf(span), 'f', 2);
                  case kBus:
                    return shareOfBus(*view->run, span) < 0 ? QStringLiteral("\u2013")
                                                            : percentText(shareOfBus(*view->run, span));
                  default:
                    return timeText(span.startNs);
                }
              },
          .sortKey =
              [view, at](int row, int column) {
                const TraceSpan& span = at(row);
                switch (column) {
                  case kBytes:
                    return QVariant(qlonglong(span.bytes));
                  case kTime:
                    return QVariant(qlonglong(span.durationNs));
                  case kRate:
                    return QVariant(rateOf(span));
                  case kBus:
                    return QVariant(shareOfBus(*view->run, span));
                  case kStart:
                    return QVariant(qlonglong(span.startNs));
                  default:
                    return QVariant();
                }
              },
          .target = [at](int row) { return RowTarget{{GraphVersion::kPartitioned, at(row).graph, at(row).node}, {}}; }};
}

ReportRows stretchRows(const RunViewPtr& view) {
  enum { kSteps, kProvider, kCount, kRecorded, kReplayed, kState };
  const auto at = [view](int row) -> const StretchReport& { return view->run->stretches[static_cast<size_t>(row)]; };
  return {.columns = {{tr("Steps")},
                      {tr("Runs on")},
                      {tr("Nodes"), Column::kNumber},
                      {tr("Recorded"), Column::kNumber},
                      {tr("Replayed"), Column::kNumber, tr("Runs in which it was told to the device as one thing")},
                      {tr("State")}},
          .rows = static_cast<int>(view->run->stretches.size()),
          .cell =
              [view, at](int row, int column) {
                const StretchReport& stretch = at(row);
                switch (column) {
                  case kSteps: {
                    const QString steps =
                        QStringLiteral("%1\u2013%2").arg(stretch.firstStep).arg(stretch.firstStep + stretch.steps - 1);
                    const bool inside = stretch.graph > 0 && view->graphs &&
                                        stretch.graph < static_cast<int>(view->graphs->graphs.size());
                    return inside
                               ? tr("%1 of %2")
                                     .arg(steps, text(view->graphs->graphs[static_cast<size_t>(stretch.graph)].title))
                               : steps;
                  }
                  case kProvider:
                    return text(stretch.provider);
                  case kCount:
                    return countText(stretch.steps);
                  case kRecorded:
                    return countText(stretch.recordings);
                  case kReplayed:
                    return countText(stretch.replays);
                  default:
                    return stateOf(stretch);
                }
              },
          .sortKey =
              [at](int row, int column) {
                const int64_t keys[] = {at(row).firstStep, 0, at(row).steps, at(row).recordings, at(row).replays, 0};
                return column == kProvider || column == kState ? QVariant() : QVariant(qlonglong(keys[column]));
              }};
}

ReportRows breakRows(const RunViewPtr& view) {
  enum { kNode, kOperator, kStep, kProvider, kWhy };
  const auto at = [view](int row) -> const StretchBreak& { return view->run->stretchBreaks[static_cast<size_t>(row)]; };
  return {.columns = {{tr("Node")},
                      {tr("Operator")},
                      {tr("Step"), Column::kNumber},
                      {tr("Runs on")},
                      {tr("Why a stretch ends here")}},
          .rows = static_cast<int>(view->run->stretchBreaks.size()),
          .cell =
              [view, at](int row, int column) {
                const StretchBreak& each = at(row);
                const NodeReport* node = view->node(each.graph, each.node);
                switch (column) {
                  case kNode:
                    return nodeName(view->graphs.get(), each.graph, each.node);
                  case kOperator:
                    return view->operatorOf(each.graph, each.node);
                  case kStep:
                    return QString::number(each.step);
                  case kProvider:
                    return node ? text(node->provider) : QString();
                  default:
                    return text(each.reason);
                }
              },
          .sortKey = [at](int row, int column) { return column == kStep ? QVariant(at(row).step) : QVariant(); },
          .target = [at](int row) { return RowTarget{{GraphVersion::kPartitioned, at(row).graph, at(row).node}, {}}; }};
}

std::vector<NodeTarget> stretchNodes(const RunView& view, const WalkReport& walk, int row) {
  std::vector<NodeTarget> nodes;
  if (row < 0 || row >= static_cast<int>(view.run->stretches.size())) return nodes;
  const StretchReport& stretch = view.run->stretches[static_cast<size_t>(row)];
  const GraphSchedule* schedule = scheduleOf(walk, stretch.graph);
  if (!schedule) return nodes;
  const int end = std::min(stretch.firstStep + stretch.steps, static_cast<int>(schedule->steps.size()));
  for (int step = std::max(0, stretch.firstStep); step < end; ++step)
    nodes.push_back({GraphVersion::kPartitioned, stretch.graph, schedule->steps[static_cast<size_t>(step)].node});
  return nodes;
}

}  // namespace cutaway::ui
