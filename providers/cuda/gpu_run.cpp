// Streams, copies and scratch of one frame. Recordings are in gpu_recordings.cpp.

#include "providers/cuda/gpu_run.h"

#include <algorithm>
#include <cstring>

namespace cutaway::cuda {
namespace {

enum Lane : int32_t { kCompute, kToDevice, kToHost };

}  // namespace

GpuRun::GpuRun(std::shared_ptr<GpuResources> resources) : m_resources(std::move(resources)) {
  m_broken = makeStreams();
  m_pinned.emplace(backend());
}

Status GpuRun::makeStreams() {
  for (Stream* stream : {&m_compute, &m_toDevice, &m_toHost}) {
    if (Status status = backend().makeStream(*stream); !status.ok()) {
      *stream = nullptr;
      return status;
    }
  }
  return backend().makeEvent(false, m_order);
}

GpuRun::~GpuRun() {
  for (Stream stream : {m_compute, m_toDevice, m_toHost}) {
    if (stream != nullptr) backend().synchronize(stream);
  }
  m_pinned.reset();
  for (const SegmentRecordings& each : m_recordings) {
    for (const SegmentRecording& kept : each.kept)
      backend().dropRecording(kept.recording);
  }
  for (const ScratchBlock& block : m_scratch)
    backend().release(block.data, m_compute);
  for (const Notification& each : m_notifications) {
    if (each.event != nullptr) backend().endEvent(each.event);
  }
  if (m_fault != nullptr) backend().release(m_fault, m_compute);
  if (m_faultSeen != nullptr) backend().releasePinned(m_faultSeen);
  m_times.release(backend());
  if (m_order != nullptr) backend().endEvent(m_order);
  for (Stream stream : {m_compute, m_toDevice, m_toHost}) {
    if (stream != nullptr) backend().endStream(stream);
  }
}

Error GpuRun::failed(const Status& status, std::string_view doing) {
  if (status.code == StatusCode::kDeviceLost) m_resources->noteLost(status.text);
  return asError(status, doing);
}

Result<void*> GpuRun::scratch(size_t sizeBytes) {
  constexpr size_t kAlignment = 256;
  const size_t wanted = (std::max<size_t>(sizeBytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  while (m_scratchBlock < m_scratch.size() && m_scratchUsed + wanted > m_scratch[m_scratchBlock].sizeBytes) {
    ++m_scratchBlock;
    m_scratchUsed = 0;
  }
  if (m_scratchBlock == m_scratch.size()) {
    // Memory that is taken inside a recording belongs to the recording.
    if (m_recording) return fail(ErrorCode::kNotImplemented, "its workspace grew while it was recorded");
    void* data = nullptr;
    if (Status status = backend().allocate(wanted, m_compute, data); !status.ok())
      return fail(failed(status, "workspace"));
    m_scratch.push_back({data, wanted});
    m_scratchUsed = 0;
    ++m_scratchVersion;
  }
  void* data = static_cast<std::byte*>(m_scratch[m_scratchBlock].data) + m_scratchUsed;
  m_scratchUsed += wanted;
  m_scratchTaken += wanted;
  m_scratchMost = std::max(m_scratchMost, m_scratchTaken);
  return data;
}

void GpuRun::rewindScratch(const ScratchMark& mark) {
  m_scratchBlock = mark.block;
  m_scratchUsed = mark.used;
}

void GpuRun::resetScratch() {
  m_scratchBlock = m_scratchUsed = m_scratchTaken = 0;
}

Result<IndexFault*> GpuRun::faultRecord() {
  if (m_fault != nullptr) return m_fault;
  if (m_recording) return fail(ErrorCode::kNotImplemented, "its record of indexes is not there yet");
  void *block = nullptr, *seen = nullptr;
  if (Status status = backend().allocatePinned(sizeof(IndexFault), seen); !status.ok())
    return fail(failed(status, "the record of indexes out of range"));
  m_faultSeen = static_cast<IndexFault*>(seen);
  if (Status status = backend().allocate(sizeof(IndexFault), m_compute, block); !status.ok())
    return fail(failed(status, "the record of indexes out of range"));
  if (Status status = backend().fill(block, 0, sizeof(IndexFault), m_compute); !status.ok())
    return fail(failed(status, "the record of indexes out of range"));
  m_fault = static_cast<IndexFault*>(block);
  return m_fault;
}

// Told before the end of the run is waited for.
Status GpuRun::askFault() {
  if (m_fault == nullptr) return {};
  *m_faultSeen = {};
  return backend().copy(m_faultSeen, m_fault, sizeof(IndexFault), CopyKind::kToHost, m_compute);
}

// The functors used another place instead, so memory is whole; but what was computed is wrong.
Result<void> GpuRun::checkFault() {
  if (m_fault == nullptr || m_faultSeen->who == 0) return {};
  const IndexFault seen = *m_faultSeen;
  if (Status status = backend().fill(m_fault, 0, sizeof(IndexFault), m_compute); !status.ok())
    return fail(failed(status, "the record of indexes out of range"));
  return fail(ErrorCode::kInvalidArgument, "{}: {} (element {}) is outside [0, {})",
              *reinterpret_cast<const std::string*>(seen.who), seen.index, seen.place, seen.bound);
}

Result<void> GpuRun::begin(bool profiled) {
  if (!m_broken.ok()) return fail(failed(m_broken, "streams and events"));
  if (const std::string lost = m_resources->lost(); !lost.empty())
    return fail(
        ErrorCode::kDeviceReset,
        "the device was lost in an earlier run ({}): nothing runs on it in this session any more; open the model again",
        lost);
  for (Notification& each : m_notifications)
    each.given = each.hostWaited = each.deviceWaited = false;
  m_enqueued = false;
  m_running = true;
  m_scratchMost = 0;
  m_times.stop();
  if (profiled) {
    if (Status status = m_times.begin(backend(), m_compute); !status.ok())
      return fail(failed(status, "the begin of the profile"));
  }
  return {};
}

Result<void> GpuRun::end(bool completed) {
  if (!m_running) return {};
  if (m_recording) std::ignore = endRecording(-1, {});
  Status first = askFault();
  for (Stream stream : {m_compute, m_toDevice, m_toHost}) {
    if (Status status = backend().synchronize(stream); !status.ok() && first.ok()) first = std::move(status);
  }
  // After an error the places may be gone.
  for (Notification& each : m_notifications) {
    if (each.staged == nullptr) continue;
    if (completed && first.ok() && each.target != nullptr) std::memcpy(each.target, each.staged, each.sizeBytes);
    m_pinned->giveBack(each.staged);
    each.staged = nullptr;
  }
  m_pinned->allReached();
  resetScratch();
  m_enqueued = true;
  if (completed) m_running = false;
  if (!first.ok()) return fail(failed(first, "the end of the run"));
  if (m_times.on() && completed) m_times.read(backend());
  const Result<void> checked = checkFault();
  return completed ? checked : Result<void>();
}

void GpuRun::beginStep(int32_t step) {
  m_step = step;
  m_inKernel = true;
  m_enqueuedBefore = std::exchange(m_enqueued, true);
  if (m_times.on()) m_times.open(backend(), step, kCompute, DeviceSpan::Kind::kKernel, 0, m_compute);
}

// Work enqueued later runs after work enqueued before, so the next step may use the same bytes. Several blocks become
// one.
void GpuRun::endStep() {
  if (m_times.on() && m_inKernel) m_times.close(backend(), m_compute);
  m_inKernel = false;
  m_step = -1;
  resetScratch();
  if (m_scratch.size() > 1 && !m_recording) mergeScratch();
}

void GpuRun::mergeScratch() {
  size_t total = 0;
  for (const ScratchBlock& block : m_scratch) {
    total += block.sizeBytes;
    backend().release(block.data, m_compute);
  }
  m_scratch.clear();
  ++m_scratchVersion;
  void* data = nullptr;
  if (backend().allocate(total, m_compute, data).ok()) m_scratch.push_back({data, total});
}

Result<GpuRun::Notification*> GpuRun::notification(int32_t number) {
  const auto place = static_cast<size_t>(number);
  if (place >= m_notifications.size()) m_notifications.resize(place + 1);
  Notification& each = m_notifications[place];
  if (each.event == nullptr) {
    if (Status status = backend().makeEvent(false, each.event); !status.ok()) return fail(failed(status, "an event"));
  }
  // Given before in this run (a body's copy): what it brought goes to its place first.
  if (each.staged != nullptr) CUTAWAY_CHECK(waitOnHost(number));
  return &each;
}

Status GpuRun::timedCopy(void* to, const void* from, size_t sizeBytes, CopyKind kind, Stream stream, int32_t lane) {
  if (!m_times.on()) return backend().copy(to, from, sizeBytes, kind, stream);
  const DeviceSpan::Kind what = kind == CopyKind::kToDevice ? DeviceSpan::Kind::kCopyToDevice
                                : kind == CopyKind::kToHost ? DeviceSpan::Kind::kCopyToHost
                                                            : DeviceSpan::Kind::kCopyOnDevice;
  m_times.open(backend(), m_step, lane, what, static_cast<int64_t>(sizeBytes), stream);
  Status status = backend().copy(to, from, sizeBytes, kind, stream);
  m_times.close(backend(), stream);
  return status;
}

Status GpuRun::copyToDevice(void* to, const void* from, size_t sizeBytes, Notification& done) {
  // The memory may be that of values which work enqueued before still uses.
  if (m_enqueued) {
    if (Status status = backend().record(m_order, m_compute); !status.ok()) return status;
    if (Status status = backend().wait(m_toDevice, m_order); !status.ok()) return status;
  }
  Status status;
  void* staged = m_pinned->take(sizeBytes, status);
  if (!status.ok()) return status;
  if (staged != nullptr) std::memcpy(staged, from, sizeBytes);
  // Memory that is not pinned is read before the call returns.
  status = timedCopy(to, staged != nullptr ? staged : from, sizeBytes, CopyKind::kToDevice, m_toDevice, kToDevice);
  if (status.ok()) status = backend().record(done.event, m_toDevice);
  if (staged != nullptr) !status.ok() ? m_pinned->giveBack(staged) : m_pinned->freeAfter(staged, done.event);
  if (status.ok() && staged == nullptr) status = backend().synchronize(m_toDevice);
  return status;
}

Status GpuRun::copyToHost(void* to, const void* from, size_t sizeBytes, Notification& done) {
  if (Status status = backend().record(m_order, m_compute); !status.ok()) return status;
  if (Status status = backend().wait(m_toHost, m_order); !status.ok()) return status;
  Status status;
  void* staged = m_pinned->take(sizeBytes, status);
  if (!status.ok()) return status;
  status = timedCopy(staged != nullptr ? staged : to, from, sizeBytes, CopyKind::kToHost, m_toHost, kToHost);
  if (status.ok()) status = backend().record(done.event, m_toHost);
  if (!status.ok() && staged != nullptr) m_pinned->giveBack(staged);
  if (!status.ok() || staged == nullptr) return status;
  done.staged = staged;
  done.target = to;
  done.sizeBytes = sizeBytes;
  return {};
}

Status GpuRun::copyOnDevice(void* to, const void* from, size_t sizeBytes, Notification& done) {
  m_enqueued = true;
  if (Status status = timedCopy(to, from, sizeBytes, CopyKind::kOnDevice, m_compute, kCompute); !status.ok())
    return status;
  return backend().record(done.event, m_compute);
}

Result<void> GpuRun::copyAside(const Tensor& from, Tensor& to, int32_t number) {
  const auto sizeBytes = static_cast<size_t>(from.sizeBytes());
  // The step that was begun is no kernel.
  if (std::exchange(m_inKernel, false)) {
    m_enqueued = m_enqueuedBefore;
    if (m_times.on()) m_times.drop();
  }
  CUTAWAY_TRY(Notification * done, notification(number));
  done->given = sizeBytes > 0;
  done->hostWaited = done->deviceWaited = false;
  if (sizeBytes == 0) return {};
  const bool up = from.device().type == DeviceType::kCpu, down = to.device().type == DeviceType::kCpu;
  Status status = up     ? copyToDevice(to.mutableData(), from.data(), sizeBytes, *done)
                  : down ? copyToHost(to.mutableData(), from.data(), sizeBytes, *done)
                         : copyOnDevice(to.mutableData(), from.data(), sizeBytes, *done);
  if (!status.ok())
    return fail(failed(status, up ? "a copy to the device" : down ? "a copy to the host" : "a copy on the device"));
  return {};
}

Status GpuRun::finishCopy(Notification& done) {
  if (Status status = backend().synchronize(done.event); !status.ok()) return status;
  done.hostWaited = true;
  if (done.staged == nullptr) return {};
  std::memcpy(done.target, done.staged, done.sizeBytes);
  m_pinned->giveBack(std::exchange(done.staged, nullptr));
  return {};
}

Result<void> GpuRun::signal(int32_t number) {
  CUTAWAY_TRY(Notification * each, notification(number));
  each->given = true;
  each->hostWaited = each->deviceWaited = false;
  if (Status status = backend().record(each->event, m_compute); !status.ok())
    return fail(failed(status, "a notification"));
  return {};
}

// A number that this run has not given belongs to a step that it left out.
Result<void> GpuRun::waitOnHost(int32_t number) {
  if (static_cast<size_t>(number) >= m_notifications.size()) return {};
  Notification& each = m_notifications[static_cast<size_t>(number)];
  if (!each.given || each.hostWaited) return {};
  if (Status status = finishCopy(each); !status.ok()) return fail(failed(status, "waiting for a copy"));
  return {};
}

Result<void> GpuRun::waitOnDevice(int32_t number) {
  if (static_cast<size_t>(number) >= m_notifications.size()) return {};
  Notification& each = m_notifications[static_cast<size_t>(number)];
  if (!each.given || each.deviceWaited) return {};
  each.deviceWaited = true;
  if (each.hostWaited) return {};
  if (Status status = backend().wait(m_compute, each.event); !status.ok())
    return fail(failed(status, "waiting for a copy"));
  return {};
}

std::vector<std::string> GpuRun::lanes() const {
  const int index = backend().facts().index;
  return {fmt::format("cuda:{} compute", index), fmt::format("cuda:{} to device", index),
          fmt::format("cuda:{} to host", index)};
}

DeviceMemory GpuRun::memory() const {
  const MemoryFigures figures = backend().memory();
  return {.inUseBytes = figures.usedBytes,
          .peakBytes = figures.usedBytes,
          .heldBytes = figures.pooledBytes,
          .scratchBytes = static_cast<int64_t>(m_scratchMost)};
}

}  // namespace cutaway::cuda
