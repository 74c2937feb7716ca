#pragma once
// The host machine: everything behind the door done on the CPU with the same functors, so that all above the door is tested without a GPU.
//
// Plain: work is done at once. Strict: device memory can be touched only by work told to a stream, and streams do their work as late as they may (at a synchronisation), one stream as far as it can
// before the next, so that a missing wait gives a wrong result.
// Thread rule: as Machine. Example: std::shared_ptr<Machine> machine = makeHostMachine({.strict = true});

#include <memory>

#include "providers/cuda/functors/block_threads.h"
#include "providers/cuda/machine/machine.h"

namespace cutaway::cuda {

struct HostMachineOptions {
  int device = 0;
  bool strict = false;
  HostBlocks blocks = HostBlocks::kSingle;
  int64_t memoryLimitBytes = 0;  // 0: none; allocate() then says kOutOfMemory
};

std::shared_ptr<Machine> makeHostMachine(const HostMachineOptions& options);

}  // namespace cutaway::cuda
