#include "engine/session/device_figures.h"

#include <algorithm>

#include "engine/execute/device/captured_segment_player.h"
#include "engine/execute/frame/frame_bodies.h"

namespace cutaway::session {
namespace {

DeviceMemoryReport memoryByPlan(const execute::Program& program, const execute::ProgramRun& run) {
  const Device& device = run.provider->device();
  const execute::GraphProgram& main = *program.graphs.front();
  DeviceMemoryReport report;
  report.device = device.name;
  report.linkBytesPerSecond = run.provider->speed() ? run.provider->speed()->linkBytesPerSecond : 0;
  for (const auto& [where, bytes] : program.uploadedBytes) {
    if (where == device) report.weightsBytes += bytes;
  }
  if (main.staticPattern == nullptr) return report;
  report.plannedPeakBytes = report.lowerBoundBytes = 0;
  for (const pattern::MemoryPattern& pattern : main.staticPattern->patterns) {
    if (!(pattern.device == device)) continue;
    report.plannedPeakBytes = pattern.peakBytes;
    report.lowerBoundBytes = pattern.lowerBoundBytes;
  }
  return report;
}

// Several frames record for themselves: what happened in all of them together.
void addCapturedSegments(std::vector<CapturedSegmentReport>& sums, execute::Frame& frame) {
  std::vector<CapturedSegmentReport> found;
  frame.capturedSegments().describe(found);
  frame.forEachBodyFrame([&](execute::Frame& body) { addCapturedSegments(sums, body); });
  for (CapturedSegmentReport& each : found) {
    const auto same = std::ranges::find_if(sums, [&](const CapturedSegmentReport& sum) {
      return sum.graph == each.graph && sum.firstStep == each.firstStep;
    });
    if (same == sums.end()) {
      sums.push_back(std::move(each));
      continue;
    }
    same->recordings += each.recordings;
    same->replays += each.replays;
    if (same->problem.empty()) same->problem = std::move(each.problem);
  }
}

void addHeld(DeviceMemoryReport& report, execute::Frame& frame) {
  for (size_t i = 0; i < frame.program().devices.size(); ++i) {
    if (frame.program().devices[i].device.name == report.device) report.heldBytes += frame.heldOn(i);
  }
  frame.forEachBodyFrame([&](execute::Frame& body) { addHeld(report, body); });
}

}  // namespace

execute::DeviceFigures describeDevices(const execute::Program& program, const RunFrames& frames) {
  execute::DeviceFigures figures;
  const execute::GraphProgram& main = *program.graphs.front();
  for (size_t i = 0; i < main.runs.size(); ++i) {
    DeviceMemoryReport report = memoryByPlan(program, main.runs[i]);
    frames.forEachIdle([&](execute::Frame& frame) {
      addHeld(report, frame);
      const DeviceRun* const run = frame.run(static_cast<int32_t>(i));
      if (run == nullptr) return;
      const DeviceMemory memory = run->memory();
      report.scratchBytes = std::max(report.scratchBytes, memory.scratchBytes);
      report.poolBytes = memory.heldBytes;
    });
    report.measuredPeakBytes = report.heldBytes;
    figures.memory.push_back(std::move(report));
  }
  frames.forEachIdle([&](execute::Frame& frame) { addCapturedSegments(figures.capturedSegments, frame); });
  std::ranges::sort(figures.capturedSegments, {},
                    [](const CapturedSegmentReport& each) { return std::pair(each.graph, each.firstStep); });
  for (const auto& graph : program.graphs)
    figures.segmentBreaks.insert(figures.segmentBreaks.end(), graph->segmentBreaks.begin(), graph->segmentBreaks.end());
  return figures;
}

}  // namespace cutaway::session
