#pragma once
// The backend on CUDA: memory, order and work on one device. Library work and compiled kernels are made by the files
// beside it.
//
// Thread rule: as DeviceBackend. Every call makes its device the calling thread's current one.
// Example: std::unique_ptr<DeviceBackend> backend;  if (Status status = openCudaBackend(0, backend); !status.ok()) ...

#include <memory>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

// kUnsupported naming the architecture when the module's kernels do not run on this device.
Status openCudaBackend(int device, std::unique_ptr<DeviceBackend>& backend);

}  // namespace cutaway::cuda
