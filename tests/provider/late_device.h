#pragma once
// A provider whose device does its copies as late as it may: a missing wait gives a wrong result.
//
// Kernels are those of another provider and run when they are told, on memory of the host under another name. A copy to
// the device arrives when later work waits for it, one to the host when the host or later work waits for it, and both
// at the latest at the end of a run; until then neither side sees anything of it, and what stands in the source then is
// what is copied. Thread rule: as any provider. Example: ProviderTable table{lateDevice(settings), cpuProvider()};

#include <functional>
#include <memory>

#include "engine/provider/device_run.h"
#include "engine/provider/execution_provider.h"

namespace cutaway {

struct LateDeviceSettings {
  const KernelRegistry* kernels = nullptr;
  std::function<bool(const Node&)> takes;              // of what `kernels` have
  std::function<Result<void>(int32_t step)> onStep{};  // an error is that of the end of the run
  bool lost = false;                                   // begin() fails
  bool missing = false;                                // the device is not there: it only plans
};
// How often things happened in all runs.
struct LateDeviceCounts {
  int64_t runsMade = 0;  // by createRun(), begun or not
  int64_t runs = 0, ends = 0, copiesToDevice = 0, copiesToHost = 0, hostWaits = 0, copiesAtEnd = 0;
};

std::unique_ptr<ExecutionProvider> makeLateDevice(std::shared_ptr<LateDeviceSettings> settings,
                                                  std::shared_ptr<LateDeviceCounts> counts);

}  // namespace cutaway
