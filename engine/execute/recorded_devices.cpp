// What devices that work on their own did in a profiled run: their spans, the times of their nodes, their memory.

#include <algorithm>

#include "engine/execute/frame/frame.h"
#include "engine/execute/run_recorder.h"
#include "engine/execute/run_types.h"

namespace cutaway {
namespace {

// Steps are counted over all graphs: which graph has this one.
const GraphProgram* programOf(const std::vector<const GraphProgram*>& programs, int32_t step) {
  for (const GraphProgram* each : programs) {
    if (each != nullptr && step >= each->firstStep && step < each->firstStep + static_cast<int32_t>(each->steps.size()))
      return each;
  }
  return nullptr;
}

const char* categoryOf(DeviceSpan::Kind kind) {
  switch (kind) {
    case DeviceSpan::Kind::kKernel:
      return "Device";
    case DeviceSpan::Kind::kReplay:
      return "Replay";
    default:
      return "Copy";
  }
}

}  // namespace

void RunRecorder::findDevices() {
  for (const ProgramRun& run : graph(0).program->runs) {
    DeviceRecord record;
    record.device = &run.provider->device();
    record.linkBytesPerSecond = run.provider->speed() ? run.provider->speed()->linkBytesPerSecond : 0;
    record.planned.assign(graph(0).steps.size(), 0);
    m_devices.push_back(std::move(record));
  }
  if (m_devices.empty()) return;
  for (GraphRecord& each : m_graphs) {
    if (each.program == nullptr) continue;
    each.deviceOf.assign(each.program->values.size(), -1);
    for (size_t value = 0; value < each.deviceOf.size(); ++value) {
      const Device& device = each.program->devices[each.program->values[value].device].device;
      const auto found =
          std::ranges::find_if(m_devices, [&](const DeviceRecord& record) { return *record.device == device; });
      if (found != m_devices.end()) each.deviceOf[value] = static_cast<int32_t>(found - m_devices.begin());
    }
  }
}

void RunRecorder::addDevices(Frame& main) {
  std::vector<const GraphProgram*> programs;
  for (const GraphRecord& each : m_graphs)
    programs.push_back(each.program);
  for (size_t i = 0; i < m_devices.size() && i < main.runCount(); ++i) {
    const DeviceRun* const run = main.run(static_cast<int32_t>(i));
    DeviceRecord& record = m_devices[i];
    record.spans.clear();
    if (run == nullptr) continue;
    record.lanes = run->lanes();
    record.spans = run->spans();
    record.memory = run->memory();
    for (const DeviceSpan& span : record.spans) {
      const GraphProgram* const program = programOf(programs, span.step);
      if (program == nullptr) continue;
      StepRecord& step = graph(program->graphIndex).steps[static_cast<size_t>(span.step - program->firstStep)];
      const int64_t timeNs = span.endNs - span.startNs;
      step.deviceMinNs = step.deviceCalls == 0 ? timeNs : std::min(step.deviceMinNs, timeNs);
      step.deviceMaxNs = std::max(step.deviceMaxNs, timeNs);
      step.deviceNs += timeNs;
      ++step.deviceCalls;
    }
  }
}

void RunRecorder::collectDevices(RunResult& result, const std::vector<const GraphProgram*>& programs) const {
  auto firstLane = static_cast<int32_t>(m_lanesUsed);
  for (const DeviceRecord& record : m_devices) {
    for (size_t lane = 0; lane < record.lanes.size(); ++lane)
      result.deviceLanes.push_back({.thread = firstLane + static_cast<int32_t>(lane),
                                    .name = record.lanes[lane],
                                    .device = record.device->name});
    for (const DeviceSpan& from : record.spans) {
      TraceSpan span;
      if (from.name != nullptr) span.name = from.name;
      span.category = categoryOf(from.kind);
      if (const GraphProgram* program = programOf(programs, from.step); program != nullptr) {
        span.graph = program->graphIndex;
        span.node =
            static_cast<int32_t>(program->steps[static_cast<size_t>(from.step - program->firstStep)].node.index());
      }
      span.thread = firstLane + from.lane;
      span.startNs = from.startNs - m_startNs;
      span.durationNs = from.endNs - from.startNs;
      if (span.category == "Copy") span.bytes = from.bytes;
      result.spans.push_back(std::move(span));
    }
    firstLane += static_cast<int32_t>(record.lanes.size());
    DeviceMemoryReport memory{.device = record.device->name,
                              .measuredPeakBytes = record.peakBytes,
                              .scratchBytes = record.memory.scratchBytes,
                              .poolBytes = record.memory.heldBytes,
                              .linkBytesPerSecond = record.linkBytesPerSecond,
                              .samples = {}};
    for (const MemorySample& sample : m_samples) {
      if (sample.timeNs < 0) continue;
      const auto step = static_cast<size_t>(sample.step);
      memory.samples.push_back(
          {sample.timeNs, sample.step, step < record.planned.size() ? record.planned[step] : 0, record.measured[step]});
    }
    result.deviceMemory.push_back(std::move(memory));
  }
}

}  // namespace cutaway
