#pragma once
// Stream-ordered memory of one device (cudaMallocFromPoolAsync) from a pool of the machine's own: it keeps what it was
// given until trimmed, so that a steady run asks the driver for nothing.
//
// While a stream records, its blocks cannot be released (the recording would hold the release); they wait until the
// recording has ended. Thread rule: any thread; the device is the current one. Example: DevicePool pool;  pool.open(0);
// void* block = nullptr;  if (Status status = pool.allocate(1024, stream, block); !status.ok()) ...

#include <mutex>
#include <vector>

#include <cuda_runtime_api.h>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

class DevicePool {
 public:
  DevicePool() = default;
  ~DevicePool();
  DevicePool(const DevicePool&) = delete;
  DevicePool& operator=(const DevicePool&) = delete;

  Status open(int device);
  Status allocate(size_t sizeBytes, cudaStream_t stream, void*& block);
  Status release(void* block, cudaStream_t stream);
  Status trim(size_t keepBytes);
  MemoryFigures figures() const;

  // Whether what is enqueued on the stream now goes into a recording.
  bool isRecorded(cudaStream_t stream) const;
  void recordingBegun();
  Status recordingEnded();

 private:
  struct Waiting {
    void* block;
    cudaStream_t stream;
  };
  bool recording() const;
  cudaError_t take(size_t sizeBytes, cudaStream_t stream, void*& block) const;
  cudaError_t give(void* block, cudaStream_t stream) const;

  int m_device = 0;
  cudaMemPool_t m_pool = nullptr;  // nullptr: the device has no pools, and every block is the driver's
  mutable std::mutex m_mutex;      // guards what follows
  int m_recordings = 0;
  std::vector<Waiting> m_waiting;
};

}  // namespace cutaway::cuda
