#include "providers/cuda/module/device_pool.h"

#include <algorithm>

#include "providers/cuda/module/errors.h"

namespace cutaway::cuda {

DevicePool::~DevicePool() {
  if (m_pool != nullptr) cudaMemPoolDestroy(m_pool);
}

Status DevicePool::open(int device) {
  m_device = device;
  int supported = 0;
  if (Status failure = statusOf(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device),
                                "cudaDeviceGetAttribute");
      !failure.ok())
    return failure;
  if (supported == 0) return {};
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  if (Status failure = statusOf(cudaMemPoolCreate(&m_pool, &properties), "cudaMemPoolCreate"); !failure.ok())
    return failure;
  uint64_t keepAll = UINT64_MAX;
  return statusOf(cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &keepAll),
                  "cudaMemPoolSetAttribute");
}

bool DevicePool::recording() const {
  const std::scoped_lock lock(m_mutex);
  return m_recordings > 0;
}

bool DevicePool::isRecorded(cudaStream_t stream) const {
  if (!recording()) return false;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  return status != cudaStreamCaptureStatusNone;
}

cudaError_t DevicePool::take(size_t sizeBytes, cudaStream_t stream, void*& block) const {
  return m_pool == nullptr ? cudaMalloc(&block, sizeBytes) : cudaMallocFromPoolAsync(&block, sizeBytes, m_pool, stream);
}

cudaError_t DevicePool::give(void* block, cudaStream_t stream) const {
  return m_pool == nullptr ? cudaFree(block) : cudaFreeAsync(block, stream);
}

Status DevicePool::allocate(size_t sizeBytes, cudaStream_t stream, void*& block) {
  const size_t wanted = std::max<size_t>(sizeBytes, 1);
  block = nullptr;
  if (isRecorded(stream))
    return {StatusCode::kCaptureRefused,
            "memory cannot be taken while work is recorded (" + std::to_string(wanted) + " bytes)"};
  cudaError_t error = take(wanted, stream, block);
  if (error == cudaErrorMemoryAllocation && !recording()) {
    // What finished graphs and the pool hold unused may be enough.
    cudaGetLastError();
    cudaStreamSynchronize(stream);
    cudaDeviceGraphMemTrim(m_device);
    trim(0);
    error = take(wanted, stream, block);
  }
  Status failure = statusOf(error, "cudaMallocFromPoolAsync");
  if (failure.code == StatusCode::kOutOfMemory) {
    const MemoryFigures now = figures();
    failure.text += "; " + std::to_string(wanted) + " bytes were wanted, " + std::to_string(now.freeBytes) + " of " +
                    std::to_string(now.totalBytes) + " are free, and this program uses " +
                    std::to_string(now.usedBytes);
  }
  return failure;
}

Status DevicePool::release(void* block, cudaStream_t stream) {
  if (block == nullptr) return {};
  {
    const std::scoped_lock lock(m_mutex);
    if (m_recordings > 0) {
      m_waiting.push_back({block, stream});
      return {};
    }
  }
  return statusOf(give(block, stream), "cudaFreeAsync");
}

Status DevicePool::trim(size_t keepBytes) {
  return m_pool == nullptr ? Status{} : statusOf(cudaMemPoolTrimTo(m_pool, keepBytes), "cudaMemPoolTrimTo");
}

MemoryFigures DevicePool::figures() const {
  MemoryFigures figures;
  size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) == cudaSuccess) {
    figures.freeBytes = static_cast<int64_t>(free);
    figures.totalBytes = static_cast<int64_t>(total);
  }
  uint64_t held = 0, used = 0;
  if (m_pool != nullptr) {
    cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrReservedMemCurrent, &held);
    cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrUsedMemCurrent, &used);
  }
  figures.pooledBytes = static_cast<int64_t>(held);
  figures.usedBytes = static_cast<int64_t>(used);
  cudaGetLastError();
  return figures;
}

void DevicePool::recordingBegun() {
  const std::scoped_lock lock(m_mutex);
  ++m_recordings;
}

Status DevicePool::recordingEnded() {
  std::vector<Waiting> waiting;
  {
    const std::scoped_lock lock(m_mutex);
    if (m_recordings == 0 || --m_recordings > 0) return {};
    waiting.swap(m_waiting);
  }
  Status first;
  for (const Waiting& each : waiting) {
    Status failure = statusOf(give(each.block, each.stream), "cudaFreeAsync");
    if (!failure.ok() && first.ok()) first = std::move(failure);
  }
  return first;
}

}  // namespace cutaway::cuda
