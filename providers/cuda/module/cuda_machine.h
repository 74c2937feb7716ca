#pragma once
// The machine on CUDA: memory, order and work on one device. Library work and compiled kernels are made by the files
// beside it.
//
// Thread rule: as Machine. Every call makes its device the calling thread's current one.
// Example: std::unique_ptr<Machine> machine;  if (Problem problem = openCudaMachine(0, machine)) ...

#include <memory>

#include "providers/cuda/machine/machine.h"

namespace cutaway::cuda {

// kUnsupported naming the architecture when the module's kernels do not run on this device.
Problem openCudaMachine(int device, std::unique_ptr<Machine>& machine);

}  // namespace cutaway::cuda
