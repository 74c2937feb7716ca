#include "providers/cuda/gpu_resources.h"

namespace cutaway::cuda {

Error asError(const Problem& problem, std::string_view doing) {
  switch (problem.kind) {
    case ProblemKind::kOutOfMemory:
      return {ErrorCode::kFail,
              fmt::format("the device is out of memory at {}: {}; what lowers the need: a smaller batch, fp16, --order "
                          "memory, or more nodes on cpu (--pin, cuda{{memory_limit=...}})",
                          doing, problem.text),
              {}};
    case ProblemKind::kDeviceLost:
      return {ErrorCode::kDeviceReset,
              fmt::format("the device was lost at {}: {}; open the model again, and with cuda{{blocking=1}} the "
                          "message names the node that did it",
                          doing, problem.text),
              {}};
    case ProblemKind::kUnsupported:
      return {ErrorCode::kNotImplemented, fmt::format("{}: {}", doing, problem.text), {}};
    default:
      return {ErrorCode::kEpFail, fmt::format("{}: {}", doing, problem.text), {}};
  }
}

GpuResources::GpuResources(std::shared_ptr<Machine> machine, CudaOptions options,
                           std::shared_ptr<ArtifactStore> artifacts)
    : m_machine(std::move(machine)), m_options(std::move(options)), m_artifacts(std::move(artifacts)) {
  if (m_machine != nullptr && m_machine->makeStream(m_setupStream)) m_setupStream = nullptr;
}

GpuResources::~GpuResources() {
  if (m_setupStream != nullptr) m_machine->endStream(m_setupStream);
}

std::string GpuResources::lost() const {
  if (!m_isLost) return {};
  const std::scoped_lock lock(m_mutex);
  return m_lost;
}

void GpuResources::noteLost(const std::string& why) {
  const std::scoped_lock lock(m_mutex);
  if (m_lost.empty()) m_lost = why.empty() ? "no reason was given" : why;
  m_isLost = true;
}

Result<DeviceKernel> GpuResources::find(std::string_view name) const {
  if (m_machine == nullptr) return DeviceKernel{};
  const DeviceKernel kernel = m_machine->find(name);
  if (!kernel) return fail(ErrorCode::kNotImplemented, "the module has no kernel '{}'", name);
  return kernel;
}

Result<std::shared_ptr<void>> GpuResources::upload(std::span<const std::byte> bytes) const {
  void* block = nullptr;
  if (Problem problem = m_machine->allocate(std::max<size_t>(bytes.size(), 1), m_setupStream, block))
    return fail(asError(problem, "memory for a constant"));
  std::shared_ptr<void> owned(
      block, [machine = m_machine, stream = m_setupStream](void* each) { machine->release(each, stream); });
  if (Problem problem = m_machine->copy(block, bytes.data(), bytes.size(), CopyKind::kToDevice, m_setupStream))
    return fail(asError(problem, "upload of a constant"));
  if (Problem problem = m_machine->synchronize(m_setupStream)) return fail(asError(problem, "upload of a constant"));
  return owned;
}

}  // namespace cutaway::cuda
