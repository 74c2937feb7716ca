#include "engine/session/device_figures.h"

#include <algorithm>

#include "engine/execute/device/stretch_player.h"
#include "engine/execute/frame/frame_bodies.h"

namespace cutaway {
namespace {

DeviceMemoryReport memoryByPlan(const Program& program, const ProgramRun& run) {
  const Device& device = run.provider->device();
  const GraphProgram& main = *program.graphs.front();
  DeviceMemoryReport report;
  report.device = device.name;
  report.linkBytesPerSecond = run.provider->speed() ? run.provider->speed()->linkBytesPerSecond : 0;
  for (const auto& [where, bytes] : program.uploadedBytes) {
    if (where == device) report.weightsBytes += bytes;
  }
  if (main.staticPattern == nullptr) return report;
  report.plannedPeakBytes = report.lowerBoundBytes = 0;
  for (const MemoryPattern& pattern : main.staticPattern->patterns) {
    if (!(pattern.device == device)) continue;
    report.plannedPeakBytes = pattern.peakBytes;
    report.lowerBoundBytes = pattern.lowerBoundBytes;
  }
  return report;
}

// Several frames record for themselves: what happened in all of them together.
void addStretches(std::vector<StretchReport>& sums, Frame& frame) {
  std::vector<StretchReport> found;
  frame.stretches().describe(found);
  frame.forEachBodyFrame([&](Frame& body) { addStretches(sums, body); });
  for (StretchReport& each : found) {
    const auto same = std::ranges::find_if(
        sums, [&](const StretchReport& sum) { return sum.graph == each.graph && sum.firstStep == each.firstStep; });
    if (same == sums.end()) {
      sums.push_back(std::move(each));
      continue;
    }
    same->recordings += each.recordings;
    same->replays += each.replays;
    if (same->problem.empty()) same->problem = std::move(each.problem);
  }
}

void addHeld(DeviceMemoryReport& report, Frame& frame) {
  for (size_t i = 0; i < frame.program().devices.size(); ++i) {
    if (frame.program().devices[i].device.name == report.device) report.heldBytes += frame.heldOn(i);
  }
  frame.forEachBodyFrame([&](Frame& body) { addHeld(report, body); });
}

}  // namespace

DeviceFigures describeDevices(const Program& program, const RunFrames& frames) {
  DeviceFigures figures;
  const GraphProgram& main = *program.graphs.front();
  for (size_t i = 0; i < main.runs.size(); ++i) {
    DeviceMemoryReport report = memoryByPlan(program, main.runs[i]);
    frames.forEachIdle([&](Frame& frame) {
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
  frames.forEachIdle([&](Frame& frame) { addStretches(figures.stretches, frame); });
  std::ranges::sort(figures.stretches, {},
                    [](const StretchReport& each) { return std::pair(each.graph, each.firstStep); });
  for (const auto& graph : program.graphs)
    figures.stretchBreaks.insert(figures.stretchBreaks.end(), graph->stretchBreaks.begin(), graph->stretchBreaks.end());
  return figures;
}

}  // namespace cutaway
