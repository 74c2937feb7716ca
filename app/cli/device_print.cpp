#include "app/cli/device_print.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/node_label.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {
namespace {

constexpr size_t kReasons = 12;
constexpr size_t kNodesOfReason = 3;

std::string known(int64_t sizeBytes) {
  return sizeBytes < 0 ? "-" : formatBytes(sizeBytes);
}

void printMemory(const RunReport& run) {
  using Device = DeviceMemoryReport;
  const TableOf<Device> table({{"device memory", &Device::device},
                               {">planned peak", written(&Device::plannedPeakBytes, known)},
                               {">lower bound", written(&Device::lowerBoundBytes, known)},
                               {">measured", written(&Device::measuredPeakBytes, known)},
                               {">held", written(&Device::heldBytes, known)},
                               {">workspace", written(&Device::scratchBytes, known)},
                               {">weights", written(&Device::weightsBytes, known)},
                               {">pool", written(&Device::poolBytes, known)}},
                              run.deviceMemory);
  put("\n");
  table.print();
}

// Copies by lane: how much, how long, and how near to what the bus can do.
void printCopies(const RunReport& run) {
  struct Sum {
    int64_t copies = 0, bytes = 0, timeNs = 0;
  };
  std::map<int32_t, Sum> sums;
  for (const TraceSpan& span : run.spans) {
    if (span.category != "Copy" || span.bytes < 0) continue;
    Sum& sum = sums[span.thread];
    ++sum.copies;
    sum.bytes += span.bytes;
    sum.timeNs += span.durationNs;
  }
  if (sums.empty()) return;
  TextTable table({"copies of the fastest run", ">copies", ">bytes", ">time", ">GB/s", ">of the bus"});
  for (const auto& [thread, sum] : sums) {
    const auto lane = std::ranges::find(run.deviceLanes, thread, &DeviceLane::thread);
    if (lane == run.deviceLanes.end()) continue;
    const auto memory = std::ranges::find(run.deviceMemory, lane->device, &DeviceMemoryReport::device);
    const double rate = sum.timeNs > 0 ? static_cast<double>(sum.bytes) / static_cast<double>(sum.timeNs) : 0;
    const double bus = memory == run.deviceMemory.end() ? 0 : memory->linkBytesPerSecond * 1e-9;
    table.add({lane->name, formatCount(sum.copies), formatBytes(sum.bytes), formatTime(sum.timeNs),
               fmt::format("{:.2f}", rate), bus > 0 ? fmt::format("{:.1f} %", 100 * rate / bus) : "-"});
  }
  put("\n");
  table.print();
}

void printCapturedSegments(const RunReport& run) {
  if (run.capturedSegments.empty()) return;
  using Segment = CapturedSegmentReport;
  const TableOf<Segment> table({{"captured segment",
                                 [](const Segment& each) {
                                   return fmt::format("{} steps {} to {}{}", each.provider, each.firstStep,
                                                      each.firstStep + each.steps - 1,
                                                      each.graph == 0 ? "" : fmt::format(" of graph {}", each.graph));
                                 }},
                                {">steps", written(&Segment::steps, formatCount)},
                                {">recorded", written(&Segment::recordings, formatCount)},
                                {">replayed", written(&Segment::replays, formatCount)},
                                {"why not", &Segment::problem}},
                               run.capturedSegments);
  put("\n");
  table.print(20, 90);
}

}  // namespace

void putSimulated(const std::vector<std::string>& providers) {
  if (providers.empty()) return;
  put("simulated: {} computed on hardware that is not here; the times are those of this computer, not of that "
      "hardware\n",
      fmt::join(providers, ", "));
}

void printDevices(const RunReport& run) {
  if (run.deviceMemory.empty()) return;
  printMemory(run);
  printCopies(run);
  printCapturedSegments(run);
}

void printSegmentBreaks(const WalkReport& walk) {
  if (!walk.run || walk.run->segmentBreaks.empty() || !walk.partitionedGraphs) return;
  struct Sum {
    size_t nodes = 0;
    std::string labels;
  };
  std::map<std::string, Sum> sums;
  for (const SegmentBreak& each : walk.run->segmentBreaks) {
    Sum& sum = sums[each.reason];
    if (sum.nodes++ < kNodesOfReason)
      sum.labels += (sum.labels.empty() ? "" : ", ") +
                    nodeLabel(walk.partitionedGraphs->graphs[static_cast<size_t>(each.graph)], each.node);
  }
  std::vector<std::pair<std::string, Sum>> ordered(sums.begin(), sums.end());
  std::ranges::stable_sort(ordered, [](const auto& a, const auto& b) { return a.second.nodes > b.second.nodes; });
  TextTable table({"what ends a captured segment", ">nodes", "among them"});
  for (const auto& [reason, sum] : ordered)
    table.add({reason, formatCount(static_cast<int64_t>(sum.nodes)),
               sum.labels + (sum.nodes > kNodesOfReason ? ", ..." : "")});
  put("\n");
  table.print(kReasons, 80);
}

}  // namespace cutaway::cli
