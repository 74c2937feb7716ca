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
  m_pinned.emplace(machine());
}

Problem GpuRun::makeStreams() {
  for (Stream* stream : {&m_compute, &m_toDevice, &m_toHost}) {
    if (Problem problem = machine().makeStream(*stream)) {
      *stream = nullptr;
      return problem;
    }
  }
  return machine().makeEvent(false, m_order);
}

GpuRun::~GpuRun() {
  for (Stream stream : {m_compute, m_toDevice, m_toHost}) {
    if (stream != nullptr) machine().synchronize(stream);
  }
  m_pinned.reset();
  for (const StretchRecordings& each : m_recordings) {
    for (const StretchRecording& kept : each.kept)
      machine().dropRecording(kept.recording);
  }
  for (const ScratchBlock& block : m_scratch)
    machine().release(block.data, m_compute);
  for (const Notification& each : m_notifications) {
    if (each.event != nullptr) machine().endEvent(each.event);
  }
  if (m_fault != nullptr) machine().release(m_fault, m_compute);
  if (m_faultSeen != nullptr) machine().releasePinned(m_faultSeen);
  m_times.release(machine());
  if (m_order != nullptr) machine().endEvent(m_order);
  for (Stream stream : {m_compute, m_toDevice, m_toHost}) {
    if (stream != nullptr) machine().endStream(stream);
  }
}

Error GpuRun::failed(const Problem& problem, std::string_view doing) {
  if (problem.kind == ProblemKind::kDeviceLost) m_resources->noteLost(problem.text);
  return asError(problem, doing);
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
    if (Problem problem = machine().allocate(wanted, m_compute, data)) return fail(failed(problem, "workspace"));
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
  if (Problem problem = machine().allocatePinned(sizeof(IndexFault), seen))
    return fail(failed(problem, "the record of indexes out of range"));
  m_faultSeen = static_cast<IndexFault*>(seen);
  if (Problem problem = machine().allocate(sizeof(IndexFault), m_compute, block))
    return fail(failed(problem, "the record of indexes out of range"));
  if (Problem problem = machine().fill(block, 0, sizeof(IndexFault), m_compute))
    return fail(failed(problem, "the record of indexes out of range"));
  m_fault = static_cast<IndexFault*>(block);
  return m_fault;
}

// Told before the end of the run is waited for.
Problem GpuRun::askFault() {
  if (m_fault == nullptr) return {};
  *m_faultSeen = {};
  return machine().copy(m_faultSeen, m_fault, sizeof(IndexFault), CopyKind::kToHost, m_compute);
}

// The functors used another place instead, so memory is whole; but what was computed is wrong.
Result<void> GpuRun::checkFault() {
  if (m_fault == nullptr || m_faultSeen->who == 0) return {};
  const IndexFault seen = *m_faultSeen;
  if (Problem problem = machine().fill(m_fault, 0, sizeof(IndexFault), m_compute))
    return fail(failed(problem, "the record of indexes out of range"));
  return fail(ErrorCode::kInvalidArgument, "{}: {} (element {}) is outside [0, {})",
              *reinterpret_cast<const std::string*>(seen.who), seen.index, seen.place, seen.bound);
}

Result<void> GpuRun::begin(bool profiled) {
  if (m_broken) return fail(failed(m_broken, "streams and events"));
  if (const std::string lost = m_resources->lost(); !lost.empty())
    return fail(
        ErrorCode::kDeviceReset,
        "the device was lost in an earlier run ({}): nothing runs on it in this session any more; open the model again",
        lost);
  for (Notification& each : m_notifications)
    each.given = each.hostWaited = each.deviceWaited = false;
  m_told = false;
  m_running = true;
  m_scratchMost = 0;
  m_times.stop();
  if (profiled) {
    if (Problem problem = m_times.begin(machine(), m_compute)) return fail(failed(problem, "the begin of the profile"));
  }
  return {};
}

Result<void> GpuRun::end(bool completed) {
  if (!m_running) return {};
  if (m_recording) std::ignore = endRecording(-1, {});
  Problem first = askFault();
  for (Stream stream : {m_compute, m_toDevice, m_toHost}) {
    if (Problem problem = machine().synchronize(stream); problem && !first) first = std::move(problem);
  }
  // After an error the places may be gone.
  for (Notification& each : m_notifications) {
    if (each.staged == nullptr) continue;
    if (completed && !first && each.target != nullptr) std::memcpy(each.target, each.staged, each.sizeBytes);
    m_pinned->giveBack(each.staged);
    each.staged = nullptr;
  }
  m_pinned->allReached();
  resetScratch();
  m_told = true;
  if (completed) m_running = false;
  if (first) return fail(failed(first, "the end of the run"));
  if (m_times.on() && completed) m_times.read(machine());
  const Result<void> checked = checkFault();
  return completed ? checked : Result<void>();
}

void GpuRun::beginStep(int32_t step) {
  m_step = step;
  m_inKernel = true;
  m_toldBefore = std::exchange(m_told, true);
  if (m_times.on()) m_times.open(machine(), step, kCompute, DeviceSpan::Kind::kKernel, 0, m_compute);
}

// Work told later runs after work told before, so the next step may use the same bytes. Several blocks become one.
void GpuRun::endStep() {
  if (m_times.on() && m_inKernel) m_times.close(machine(), m_compute);
  m_inKernel = false;
  m_step = -1;
  resetScratch();
  if (m_scratch.size() > 1 && !m_recording) mergeScratch();
}

void GpuRun::mergeScratch() {
  size_t total = 0;
  for (const ScratchBlock& block : m_scratch) {
    total += block.sizeBytes;
    machine().release(block.data, m_compute);
  }
  m_scratch.clear();
  ++m_scratchVersion;
  void* data = nullptr;
  if (!machine().allocate(total, m_compute, data)) m_scratch.push_back({data, total});
}

Result<GpuRun::Notification*> GpuRun::notification(int32_t number) {
  const auto place = static_cast<size_t>(number);
  if (place >= m_notifications.size()) m_notifications.resize(place + 1);
  Notification& each = m_notifications[place];
  if (each.event == nullptr) {
    if (Problem problem = machine().makeEvent(false, each.event)) return fail(failed(problem, "an event"));
  }
  // Given before in this run (a body's copy): what it brought goes to its place first.
  if (each.staged != nullptr) CUTAWAY_CHECK(waitOnHost(number));
  return &each;
}

Problem GpuRun::timedCopy(void* to, const void* from, size_t sizeBytes, CopyKind kind, Stream stream, int32_t lane) {
  if (!m_times.on()) return machine().copy(to, from, sizeBytes, kind, stream);
  const DeviceSpan::Kind what = kind == CopyKind::kToDevice ? DeviceSpan::Kind::kCopyToDevice
                                : kind == CopyKind::kToHost ? DeviceSpan::Kind::kCopyToHost
                                                            : DeviceSpan::Kind::kCopyOnDevice;
  m_times.open(machine(), m_step, lane, what, static_cast<int64_t>(sizeBytes), stream);
  Problem problem = machine().copy(to, from, sizeBytes, kind, stream);
  m_times.close(machine(), stream);
  return problem;
}

Problem GpuRun::copyToDevice(void* to, const void* from, size_t sizeBytes, Notification& done) {
  // The memory may be that of values which work told before still uses.
  if (m_told) {
    if (Problem problem = machine().record(m_order, m_compute)) return problem;
    if (Problem problem = machine().wait(m_toDevice, m_order)) return problem;
  }
  Problem problem;
  void* staged = m_pinned->take(sizeBytes, problem);
  if (problem) return problem;
  if (staged != nullptr) std::memcpy(staged, from, sizeBytes);
  // Memory that is not pinned is read before the call returns.
  problem = timedCopy(to, staged != nullptr ? staged : from, sizeBytes, CopyKind::kToDevice, m_toDevice, kToDevice);
  if (!problem) problem = machine().record(done.event, m_toDevice);
  if (staged != nullptr) problem ? m_pinned->giveBack(staged) : m_pinned->freeAfter(staged, done.event);
  if (!problem && staged == nullptr) problem = machine().synchronize(m_toDevice);
  return problem;
}

Problem GpuRun::copyToHost(void* to, const void* from, size_t sizeBytes, Notification& done) {
  if (Problem problem = machine().record(m_order, m_compute)) return problem;
  if (Problem problem = machine().wait(m_toHost, m_order)) return problem;
  Problem problem;
  void* staged = m_pinned->take(sizeBytes, problem);
  if (problem) return problem;
  problem = timedCopy(staged != nullptr ? staged : to, from, sizeBytes, CopyKind::kToHost, m_toHost, kToHost);
  if (!problem) problem = machine().record(done.event, m_toHost);
  if (problem && staged != nullptr) m_pinned->giveBack(staged);
  if (problem || staged == nullptr) return problem;
  done.staged = staged;
  done.target = to;
  done.sizeBytes = sizeBytes;
  return {};
}

Problem GpuRun::copyOnDevice(void* to, const void* from, size_t sizeBytes, Notification& done) {
  m_told = true;
  if (Problem problem = timedCopy(to, from, sizeBytes, CopyKind::kOnDevice, m_compute, kCompute)) return problem;
  return machine().record(done.event, m_compute);
}

Result<void> GpuRun::copyAside(const Tensor& from, Tensor& to, int32_t number) {
  const auto sizeBytes = static_cast<size_t>(from.sizeBytes());
  // The step that was begun is no kernel.
  if (std::exchange(m_inKernel, false)) {
    m_told = m_toldBefore;
    if (m_times.on()) m_times.drop();
  }
  CUTAWAY_TRY(Notification * done, notification(number));
  done->given = sizeBytes > 0;
  done->hostWaited = done->deviceWaited = false;
  if (sizeBytes == 0) return {};
  const bool up = from.device().type == DeviceType::kCpu, down = to.device().type == DeviceType::kCpu;
  Problem problem = up     ? copyToDevice(to.mutableData(), from.data(), sizeBytes, *done)
                    : down ? copyToHost(to.mutableData(), from.data(), sizeBytes, *done)
                           : copyOnDevice(to.mutableData(), from.data(), sizeBytes, *done);
  if (problem)
    return fail(failed(problem, up ? "a copy to the device" : down ? "a copy to the host" : "a copy on the device"));
  return {};
}

Problem GpuRun::finishCopy(Notification& done) {
  if (Problem problem = machine().synchronize(done.event)) return problem;
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
  if (Problem problem = machine().record(each->event, m_compute)) return fail(failed(problem, "a notification"));
  return {};
}

// A number that this run has not given belongs to a step that it left out.
Result<void> GpuRun::waitOnHost(int32_t number) {
  if (static_cast<size_t>(number) >= m_notifications.size()) return {};
  Notification& each = m_notifications[static_cast<size_t>(number)];
  if (!each.given || each.hostWaited) return {};
  if (Problem problem = finishCopy(each)) return fail(failed(problem, "waiting for a copy"));
  return {};
}

Result<void> GpuRun::waitOnDevice(int32_t number) {
  if (static_cast<size_t>(number) >= m_notifications.size()) return {};
  Notification& each = m_notifications[static_cast<size_t>(number)];
  if (!each.given || each.deviceWaited) return {};
  each.deviceWaited = true;
  if (each.hostWaited) return {};
  if (Problem problem = machine().wait(m_compute, each.event)) return fail(failed(problem, "waiting for a copy"));
  return {};
}

std::vector<std::string> GpuRun::lanes() const {
  const int index = machine().facts().index;
  return {fmt::format("cuda:{} compute", index), fmt::format("cuda:{} to device", index),
          fmt::format("cuda:{} to host", index)};
}

DeviceMemory GpuRun::memory() const {
  const MemoryFigures figures = machine().memory();
  return {.inUseBytes = figures.usedBytes,
          .peakBytes = figures.usedBytes,
          .heldBytes = figures.pooledBytes,
          .scratchBytes = static_cast<int64_t>(m_scratchMost)};
}

}  // namespace cutaway::cuda
