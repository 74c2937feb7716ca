#include "providers/cuda/gpu_run.h"

#include <algorithm>

namespace cutaway::cuda {

Result<std::unique_ptr<GpuRun>> GpuRun::create(std::shared_ptr<GpuResources> resources) {
  std::unique_ptr<GpuRun> run(new GpuRun(std::move(resources)));
  if (Problem problem = run->machine().makeStream(run->m_compute)) return fail(asError(problem, "a stream"));
  return run;
}

GpuRun::~GpuRun() {
  if (m_compute == nullptr) return;
  machine().synchronize(m_compute);
  for (const ScratchBlock& block : m_scratch) machine().release(block.data, m_compute);
  if (m_fault != nullptr) machine().release(m_fault, m_compute);
  for (Event event : m_notifications) machine().endEvent(event);
  machine().endStream(m_compute);
}

Result<void*> GpuRun::scratch(size_t sizeBytes) {
  constexpr size_t kAlignment = 256;
  const size_t wanted = (std::max<size_t>(sizeBytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  if (m_scratch.empty() || m_scratchUsed + wanted > m_scratch.back().sizeBytes) {
    void* data = nullptr;
    if (Problem problem = machine().allocate(wanted, m_compute, data)) return fail(asError(problem, "workspace"));
    m_scratch.push_back({data, wanted});
    m_scratchUsed = 0;
  }
  void* data = static_cast<std::byte*>(m_scratch.back().data) + m_scratchUsed;
  m_scratchUsed += wanted;
  return data;
}

Result<IndexFault*> GpuRun::faultRecord() {
  if (m_fault != nullptr) return m_fault;
  void* block = nullptr;
  if (Problem problem = machine().allocate(sizeof(IndexFault), m_compute, block)) return fail(asError(problem, "the record of indexes out of range"));
  m_fault = static_cast<IndexFault*>(block);
  if (Problem problem = machine().fill(m_fault, 0, sizeof(IndexFault), m_compute)) return fail(asError(problem, "the record of indexes out of range"));
  return m_fault;
}

// The functors used another place instead, so memory is whole; but what was computed is wrong.
Result<void> GpuRun::checkFault() {
  if (m_fault == nullptr) return {};
  IndexFault seen;
  if (Problem problem = machine().copy(&seen, m_fault, sizeof seen, CopyKind::kToHost, m_compute)) return fail(asError(problem, "the record of indexes out of range"));
  if (Problem problem = machine().synchronize(m_compute)) return fail(asError(problem, "the end of the run"));
  if (seen.who == 0) return {};
  if (Problem problem = machine().fill(m_fault, 0, sizeof(IndexFault), m_compute)) return fail(asError(problem, "the record of indexes out of range"));
  return fail(ErrorCode::kInvalidArgument, "{}: {} (element {}) is outside [0, {})", *reinterpret_cast<const std::string*>(seen.who), seen.index, seen.place, seen.bound);
}

Result<void> GpuRun::begin(bool /*profiled*/) {
  m_spans.clear();
  return {};
}

Result<void> GpuRun::end(bool completed) {
  if (Problem problem = machine().synchronize(m_compute)) return fail(asError(problem, "the end of the run"));
  const Result<void> checked = checkFault();
  return completed ? checked : Result<void>();
}

void GpuRun::beginStep(int32_t step) { m_step = step; }

// Work told later runs after work told before, so the next step may use the same bytes. Several blocks become one.
void GpuRun::endStep() {
  m_scratchUsed = 0;
  if (m_scratch.size() < 2) return;
  size_t total = 0;
  for (const ScratchBlock& block : m_scratch) {
    total += block.sizeBytes;
    machine().release(block.data, m_compute);
  }
  m_scratch.clear();
  void* data = nullptr;
  if (!machine().allocate(total, m_compute, data)) m_scratch.push_back({data, total});
}

Result<void> GpuRun::copy(const Tensor& from, Tensor& to) {
  const bool up = from.device().type == DeviceType::kCpu, down = to.device().type == DeviceType::kCpu;
  const CopyKind kind = up ? CopyKind::kToDevice : down ? CopyKind::kToHost : CopyKind::kOnDevice;
  if (Problem problem = machine().copy(to.mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()), kind, m_compute)) return fail(asError(problem, "a copy"));
  return {};
}

Result<void> GpuRun::signal(int32_t number) {
  while (m_notifications.size() <= static_cast<size_t>(number)) {
    Event event = nullptr;
    if (Problem problem = machine().makeEvent(false, event)) return fail(asError(problem, "an event"));
    m_notifications.push_back(event);
  }
  if (Problem problem = machine().record(m_notifications[static_cast<size_t>(number)], m_compute)) return fail(asError(problem, "a notification"));
  return {};
}

Result<void> GpuRun::waitOnHost(int32_t number) {
  if (static_cast<size_t>(number) >= m_notifications.size()) return fail(ErrorCode::kEngineError, "notification {} was never given", number);
  if (Problem problem = machine().synchronize(m_notifications[static_cast<size_t>(number)])) return fail(asError(problem, "waiting for the device"));
  return {};
}

std::vector<std::string> GpuRun::lanes() const { return {fmt::format("cuda:{} compute", machine().facts().index)}; }

DeviceMemory GpuRun::memory() const { return {}; }

}  // namespace cutaway::cuda
