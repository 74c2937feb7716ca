// What devices that work on their own did in a profiled run, by their own clocks.

#include <algorithm>

#include "engine/execute/frame/frame.h"
#include "engine/execute/run_recorder.h"

namespace cutaway::execute {

const GraphProgram* programOfStep(const std::vector<const GraphProgram*>& programs, int32_t step) {
  for (const GraphProgram* each : programs) {
    if (each != nullptr && step >= each->firstStep && step < each->firstStep + static_cast<int32_t>(each->steps.size()))
      return each;
  }
  return nullptr;
}

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
      const GraphProgram* const program = programOfStep(programs, span.step);
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

}  // namespace cutaway::execute
