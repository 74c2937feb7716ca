#include "engine/profile/recorded_devices.h"

namespace cutaway::profile {
namespace {

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

void collectDevices(const execute::RunRecorder& recorder, const std::vector<const execute::GraphProgram*>& programs,
                    execute::RunResult& result) {
  auto firstLane = static_cast<int32_t>(recorder.lanesUsed());
  for (const execute::DeviceRecord& record : recorder.devices()) {
    for (size_t lane = 0; lane < record.lanes.size(); ++lane)
      result.deviceLanes.push_back({.thread = firstLane + static_cast<int32_t>(lane),
                                    .name = record.lanes[lane],
                                    .device = record.device->name});
    for (const DeviceSpan& from : record.spans) {
      TraceSpan span;
      if (from.name != nullptr) span.name = from.name;
      span.category = categoryOf(from.kind);
      if (const execute::GraphProgram* program = execute::programOfStep(programs, from.step); program != nullptr) {
        span.graph = program->graphIndex;
        span.node =
            static_cast<int32_t>(program->steps[static_cast<size_t>(from.step - program->firstStep)].node.index());
      }
      span.thread = firstLane + from.lane;
      span.startNs = from.startNs - recorder.startNs();
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
    for (const MemorySample& sample : recorder.samples()) {
      if (sample.timeNs < 0) continue;
      const auto step = static_cast<size_t>(sample.step);
      memory.samples.push_back(
          {sample.timeNs, sample.step, step < record.planned.size() ? record.planned[step] : 0, record.measured[step]});
    }
    result.deviceMemory.push_back(std::move(memory));
  }
}

}  // namespace cutaway::profile
