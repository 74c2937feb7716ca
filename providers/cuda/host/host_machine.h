#pragma once
// The host machine: everything behind the door done on the CPU with the same functors, so that all above the door is
// tested without a GPU.
//
// Plain: work is done at once. Strict: device memory can be touched only by work told to a stream (anybody else
// faults), and streams do their work as late as they may (at a synchronisation), one stream as far as it can before the
// next, so that a missing wait gives a wrong result. Copies from memory that is not pinned take the bytes at once,
// copies to it wait for the stream, as CUDA has it. Library work (products, convolutions, attention) is done by loops
// of its own, so it is also a check of the functors that stand in where libraries are missing; libraries = false says
// there are none. Thread rule: as Machine. Example: std::shared_ptr<Machine> machine = makeHostMachine({.strict =
// true});

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "providers/cuda/functors/block_threads.h"
#include "providers/cuda/machine/machine.h"

namespace cutaway::cuda {

// Which call fails, counted from 1; 0: none. For tests of what happens then.
struct HostFailures {
  int64_t allocation = 0, copy = 0, launch = 0, operation = 0, compile = 0, synchronize = 0;
  int64_t lose = 0;  // the device is lost at this call of any kind
};
// "launch:3;lose:40". INVALID_ARGUMENT naming what there is.
Result<HostFailures> readHostFailures(const std::string& text);

struct HostMachineOptions {
  int device = 0;
  bool strict = false;
  HostBlocks blocks = HostBlocks::kSingle;
  int64_t memoryLimitBytes = 0;  // 0: none; allocate() then says kOutOfMemory
  bool libraries = true;
  HostFailures failures{};
};

std::shared_ptr<Machine> makeHostMachine(const HostMachineOptions& options);

}  // namespace cutaway::cuda
