#include "providers/cuda/gpu_resources.h"

namespace cutaway::cuda {

Error asError(const Status& status, std::string_view doing) {
  switch (status.code) {
    case StatusCode::kOutOfMemory:
      return {ErrorCode::kFail,
              fmt::format("the device is out of memory at {}: {}; what lowers the need: a smaller batch, fp16, --order "
                          "memory, or more nodes on cpu (--pin, cuda{{memory_limit=...}})",
                          doing, status.text),
              {}};
    case StatusCode::kDeviceLost:
      return {ErrorCode::kDeviceReset,
              fmt::format("the device was lost at {}: {}; open the model again, and with cuda{{blocking=1}} the "
                          "message names the node that did it",
                          doing, status.text),
              {}};
    case StatusCode::kUnsupported:
      return {ErrorCode::kNotImplemented, fmt::format("{}: {}", doing, status.text), {}};
    default:
      return {ErrorCode::kEpFail, fmt::format("{}: {}", doing, status.text), {}};
  }
}

GpuResources::GpuResources(std::shared_ptr<DeviceBackend> backend, CudaOptions options,
                           std::shared_ptr<ArtifactStore> artifacts)
    : m_backend(std::move(backend)), m_options(std::move(options)), m_artifacts(std::move(artifacts)) {
  if (m_backend != nullptr && !m_backend->makeStream(m_setupStream).ok()) m_setupStream = nullptr;
}

GpuResources::~GpuResources() {
  if (m_setupStream != nullptr) m_backend->endStream(m_setupStream);
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
  if (m_backend == nullptr) return DeviceKernel{};
  const DeviceKernel kernel = m_backend->find(name);
  if (!kernel) return fail(ErrorCode::kNotImplemented, "the module has no kernel '{}'", name);
  return kernel;
}

Result<std::shared_ptr<void>> GpuResources::upload(std::span<const std::byte> bytes) const {
  void* block = nullptr;
  if (Status status = m_backend->allocate(std::max<size_t>(bytes.size(), 1), m_setupStream, block); !status.ok())
    return fail(asError(status, "memory for a constant"));
  std::shared_ptr<void> owned(
      block, [backend = m_backend, stream = m_setupStream](void* each) { backend->release(each, stream); });
  if (Status status = m_backend->copy(block, bytes.data(), bytes.size(), CopyKind::kToDevice, m_setupStream);
      !status.ok())
    return fail(asError(status, "upload of a constant"));
  if (Status status = m_backend->synchronize(m_setupStream); !status.ok())
    return fail(asError(status, "upload of a constant"));
  return owned;
}

}  // namespace cutaway::cuda
