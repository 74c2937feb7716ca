#pragma once
// One frame's work on the GPU: its compute stream, scratch, copies with their streams, notifications, recordings and times.
//
// Thread rule: as ProviderRun. Example: see gpu_kernel.cpp.

#include <memory>

#include "engine/provider/provider_run.h"
#include "providers/cuda/functors/index_fault.h"
#include "providers/cuda/gpu_resources.h"

namespace cutaway::cuda {

class GpuRun final : public ProviderRun {
 public:
  static Result<std::unique_ptr<GpuRun>> create(std::shared_ptr<GpuResources> resources);
  ~GpuRun() override;

  Machine& machine() const { return *m_resources->machine(); }
  Stream stream() const { return m_compute; }
  const GpuResources& resources() const { return *m_resources; }

  // Device scratch that work told to stream() may use until the step ends; blocks of one step do not overlap. Grows to its high-water mark, so a steady run allocates nothing.
  Result<void*> scratch(size_t sizeBytes);
  // Where functors leave word of an index out of range; end() makes an error of it. Device memory, the same for the whole life of the run.
  Result<IndexFault*> faultRecord();

  Result<void> begin(bool profiled) override;
  Result<void> end(bool completed) override;
  void beginStep(int32_t step) override;
  void endStep() override;
  Result<void> copy(const Tensor& from, Tensor& to) override;
  Result<void> signal(int32_t number) override;
  Result<void> waitOnHost(int32_t number) override;
  std::vector<std::string> lanes() const override;
  const std::vector<DeviceSpan>& spans() const override { return m_spans; }
  DeviceMemory memory() const override;

 private:
  explicit GpuRun(std::shared_ptr<GpuResources> resources) : m_resources(std::move(resources)) {}
  Result<void> checkFault();
  struct ScratchBlock { void* data = nullptr; size_t sizeBytes = 0; };

  std::shared_ptr<GpuResources> m_resources;
  Stream m_compute = nullptr;
  std::vector<ScratchBlock> m_scratch;  // of the open step
  size_t m_scratchUsed = 0;
  std::vector<Event> m_notifications;
  std::vector<DeviceSpan> m_spans;
  int32_t m_step = -1;
  IndexFault* m_fault = nullptr;  // on the device
};

}  // namespace cutaway::cuda
