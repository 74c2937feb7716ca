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
  Machine* machine = m_resources->machine();
  if (machine == nullptr) return nullptr;
  void* block = nullptr;
  if (machine->allocate(std::max<size_t>(sizeBytes, 1), m_resources->setupStream(), block)) return nullptr;
  if (machine->synchronize(m_resources->setupStream())) return nullptr;
  return block;
}

void DeviceAllocator::release(void* block) {
  if (block != nullptr) m_resources->machine()->release(block, m_resources->setupStream());
}

}  // namespace cutaway::cuda
