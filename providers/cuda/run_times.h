#pragma once
// Times of a profiled run on the GPU: timed events around steps and copies, from a pool, read when the device is done.
//
// Thread rule: one run. Example: times.begin(backend, stream);  times.open(step, 0, DeviceSpan::Kind::kKernel, stream,
// 0);  ...  times.close(stream);  ...  times.read(backend);

#include "engine/provider/provider_run.h"
#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

class RunTimes {
 public:
  bool on() const { return m_on; }
  // The device's clock is read beside the host's.
  Status begin(DeviceBackend& backend, Stream stream);
  void stop();
  // Between these two lies what is enqueued on the stream. Pairs do not nest.
  void open(DeviceBackend& backend, int32_t step, int32_t lane, DeviceSpan::Kind kind, int64_t bytes, Stream stream);
  void close(DeviceBackend& backend, Stream stream);
  // Forgets the pair opened last.
  void drop() { m_marks.pop_back(); }
  // After everything is done: marks become spans.
  void read(DeviceBackend& backend);
  const std::vector<DeviceSpan>& spans() const { return m_spans; }
  void release(DeviceBackend& backend);

 private:
  struct Mark {
    DeviceSpan span;
    Event from = nullptr, to = nullptr;
  };
  Event next(DeviceBackend& backend);

  bool m_on = false;
  int64_t m_baseNs = 0;
  Event m_base = nullptr;
  std::vector<Event> m_events;
  size_t m_used = 0;
  std::vector<Mark> m_marks;
  std::vector<DeviceSpan> m_spans;
};

}  // namespace cutaway::cuda
