#include "providers/cuda/device.h"

#include <algorithm>

namespace cutaway::cuda {

Device gpuDevice(int index) {
  return {.type = DeviceType::kGpu, .index = index, .name = fmt::format("cuda:{}", index)};
}

DeviceAllocator::DeviceAllocator(std::shared_ptr<GpuResources> resources)
    : m_resources(std::move(resources)), m_device(gpuDevice(m_resources->options().device)) {}

// Visible to every stream when this returns.
void* DeviceAllocator::allocate(size_t sizeBytes) {
  DeviceBackend* backend = m_resources->backend();
  if (backend == nullptr) return nullptr;
  void* block = nullptr;
  if (!backend->allocate(std::max<size_t>(sizeBytes, 1), m_resources->setupStream(), block).ok()) return nullptr;
  if (!backend->synchronize(m_resources->setupStream()).ok()) return nullptr;
  return block;
}

void DeviceAllocator::release(void* block) {
  if (block != nullptr) m_resources->backend()->release(block, m_resources->setupStream());
}

}  // namespace cutaway::cuda
