#pragma once
// Where this provider's values live: one GPU, and the allocator of its memory.
//
// Thread rule: allocate and release from any thread. Example: DeviceAllocator allocator(resources);  void* block =
// allocator.allocate(4096);

#include <memory>

#include "engine/tensor/allocator.h"
#include "providers/cuda/gpu_resources.h"

namespace cutaway::cuda {

// The Device of GPU `index`, as reports name it: "cuda:0".
Device gpuDevice(int index);

class DeviceAllocator final : public Allocator {
 public:
  explicit DeviceAllocator(std::shared_ptr<GpuResources> resources);
  void* allocate(size_t sizeBytes) override;
  void release(void* block) override;
  const Device& device() const override { return m_device; }

 private:
  std::shared_ptr<GpuResources> m_resources;
  Device m_device;
};

}  // namespace cutaway::cuda
