#include "providers/cuda/run_times.h"

#include <algorithm>

#include "engine/base/clock.h"

namespace cutaway::cuda {

Event RunTimes::next(Machine& machine) {
  if (m_used == m_events.size()) {
    Event event = nullptr;
    if (machine.makeEvent(true, event)) return nullptr;
    m_events.push_back(event);
  }
  return m_events[m_used++];
}

Problem RunTimes::begin(Machine& machine, Stream stream) {
  stop();
  m_base = next(machine);
  if (m_base == nullptr) return {};
  if (Problem problem = machine.record(m_base, stream)) return problem;
  if (Problem problem = machine.synchronize(m_base)) return problem;
  m_baseNs = nowNs();
  m_on = true;
  return {};
}

void RunTimes::stop() {
  m_on = false;
  m_used = 0;
  m_marks.clear();
  m_spans.clear();
}

// A time that cannot be taken is missing from the profile; the run goes on.
void RunTimes::open(Machine& machine, int32_t step, int32_t lane, DeviceSpan::Kind kind, int64_t bytes, Stream stream) {
  Mark mark{
      .span = {.step = step, .lane = lane, .kind = kind, .startNs = 0, .endNs = 0, .bytes = bytes, .name = nullptr},
      .from = next(machine),
      .to = next(machine)};
  if (mark.from != nullptr && machine.record(mark.from, stream)) mark.from = nullptr;
  m_marks.push_back(mark);
}

void RunTimes::close(Machine& machine, Stream stream) {
  Mark& mark = m_marks.back();
  if (mark.to != nullptr && machine.record(mark.to, stream)) mark.to = nullptr;
}

void RunTimes::read(Machine& machine) {
  for (Mark& mark : m_marks) {
    int64_t from = 0, length = 0;
    if (mark.from == nullptr || mark.to == nullptr || machine.elapsed(m_base, mark.from, from) ||
        machine.elapsed(mark.from, mark.to, length))
      continue;
    mark.span.startNs = m_baseNs + from;
    mark.span.endNs = mark.span.startNs + std::max<int64_t>(0, length);
    m_spans.push_back(mark.span);
  }
  m_on = false;
}

void RunTimes::release(Machine& machine) {
  for (Event event : m_events)
    machine.endEvent(event);
  m_events.clear();
}

}  // namespace cutaway::cuda
