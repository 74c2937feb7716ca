#include "providers/cuda/run_times.h"

#include <algorithm>

#include "engine/base/clock.h"

namespace cutaway::cuda {

Event RunTimes::next(DeviceBackend& backend) {
  if (m_used == m_events.size()) {
    Event event = nullptr;
    if (!backend.makeEvent(true, event).ok()) return nullptr;
    m_events.push_back(event);
  }
  return m_events[m_used++];
}

Status RunTimes::begin(DeviceBackend& backend, Stream stream) {
  stop();
  m_base = next(backend);
  if (m_base == nullptr) return {};
  if (Status status = backend.record(m_base, stream); !status.ok()) return status;
  if (Status status = backend.synchronize(m_base); !status.ok()) return status;
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
void RunTimes::open(DeviceBackend& backend, int32_t step, int32_t lane, DeviceSpan::Kind kind, int64_t bytes,
                    Stream stream) {
  Mark mark{
      .span = {.step = step, .lane = lane, .kind = kind, .startNs = 0, .endNs = 0, .bytes = bytes, .name = nullptr},
      .from = next(backend),
      .to = next(backend)};
  if (mark.from != nullptr && !backend.record(mark.from, stream).ok()) mark.from = nullptr;
  m_marks.push_back(mark);
}

void RunTimes::close(DeviceBackend& backend, Stream stream) {
  Mark& mark = m_marks.back();
  if (mark.to != nullptr && !backend.record(mark.to, stream).ok()) mark.to = nullptr;
}

void RunTimes::read(DeviceBackend& backend) {
  for (Mark& mark : m_marks) {
    int64_t from = 0, length = 0;
    if (mark.from == nullptr || mark.to == nullptr || !backend.elapsed(m_base, mark.from, from).ok() ||
        !backend.elapsed(mark.from, mark.to, length).ok())
      continue;
    mark.span.startNs = m_baseNs + from;
    mark.span.endNs = mark.span.startNs + std::max<int64_t>(0, length);
    m_spans.push_back(mark.span);
  }
  m_on = false;
}

void RunTimes::release(DeviceBackend& backend) {
  for (Event event : m_events)
    backend.endEvent(event);
  m_events.clear();
}

}  // namespace cutaway::cuda
