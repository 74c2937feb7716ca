#pragma once
// What every kernel of one provider instance is made with: the backend, the options, and what is kept over kernels
// (weights on the device, artifacts).
//
// Without a backend the provider only answers questions: kernels are made to see whether they can be, and never
// prepared or run. Thread rule: kernels are made on one thread; weights and artifacts may be asked for from several.
// Example: GpuResources& resources = gpuResources(info);  if (resources.backend() != nullptr) ...

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "engine/provider/kernel.h"
#include "engine/provider/provider_run.h"
#include "providers/cuda/backend/device_backend.h"
#include "providers/cuda/options.h"

namespace cutaway::cuda {

// EP_FAIL, FAIL (memory), DEVICE_RESET (device lost), NOT_IMPLEMENTED (unsupported): with what was done, and what to do
// about it.
Error asError(const Status& status, std::string_view doing);

class GpuResources final : public ProviderResources {
 public:
  // backend: nullptr: plan-only. artifacts: found results of searches and compilations.
  GpuResources(std::shared_ptr<DeviceBackend> backend, CudaOptions options, std::shared_ptr<ArtifactStore> artifacts);
  ~GpuResources() override;

  DeviceBackend* backend() const { return m_backend.get(); }
  const std::shared_ptr<DeviceBackend>& sharedBackend() const { return m_backend; }
  const CudaOptions& options() const { return m_options; }
  ArtifactStore& artifacts() const { return *m_artifacts; }
  // The stream of set-up work: uploads, packing. Synchronised by whoever uses it.
  Stream setupStream() const { return m_setupStream; }

  // Why the device was lost; empty: it was not. It stays lost for this session.
  std::string lost() const;
  void noteLost(const std::string& why);

  // nullptr-launch and no error without a backend (looking); NOT_IMPLEMENTED naming the kernel when there is none of
  // that name.
  Result<DeviceKernel> find(std::string_view name) const;
  // A constant on the device, uploaded once for equal bytes and type; kept as long as somebody holds it. convert:
  // nullptr, or changes the bytes before (packing); key then says how.
  Result<std::shared_ptr<void>> upload(std::span<const std::byte> bytes) const;

 private:
  std::shared_ptr<DeviceBackend> m_backend;
  CudaOptions m_options;
  std::shared_ptr<ArtifactStore> m_artifacts;
  Stream m_setupStream = nullptr;
  mutable std::mutex m_mutex;
  std::atomic<bool> m_isLost = false;
  std::string m_lost;
};

inline GpuResources& gpuResources(const KernelInfo& info) {
  return static_cast<GpuResources&>(*info.resources());
}

}  // namespace cutaway::cuda
