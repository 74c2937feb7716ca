#pragma once
// The emulator: the device interface on the CPU with the same functors, so that everything above it is
// tested without a GPU.
//
// Plain: work is done at once. Strict: device memory can be touched only by work enqueued on a stream (anybody else
// faults), and streams do their work as late as they may (at a synchronisation), one stream as far as it can before the
// next, so that a missing wait gives a wrong result. Copies from memory that is not pinned take the bytes at once,
// copies to it wait for the stream, as CUDA has it. Library work (products, convolutions, attention) is done by loops
// of its own, so it is also a check of the functors that stand in where libraries are missing; libraries = false says
// there are none. Thread rule: as DeviceBackend. Example: std::shared_ptr<DeviceBackend> backend =
// makeEmulator({.strict = true});

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "providers/cuda/backend/device_backend.h"
#include "providers/cuda/functors/block_threads.h"

namespace cutaway::cuda {

// Which call fails, counted from 1; 0: none. For tests of what happens then.
struct InjectedFailures {
  int64_t allocation = 0, copy = 0, launch = 0, operation = 0, compile = 0, synchronize = 0;
  int64_t lose = 0;  // the device is lost at this call of any kind
};
// "launch:3;lose:40". INVALID_ARGUMENT naming what there is.
Result<InjectedFailures> readInjectedFailures(const std::string& text);

struct EmulatorOptions {
  int device = 0;
  bool strict = false;
  HostBlocks blocks = HostBlocks::kSingle;
  int64_t memoryLimitBytes = 0;  // 0: none; allocate() then says kOutOfMemory
  bool libraries = true;
  InjectedFailures failures{};
};

std::shared_ptr<DeviceBackend> makeEmulator(const EmulatorOptions& options);

}  // namespace cutaway::cuda
