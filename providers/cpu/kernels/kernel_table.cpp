#include "providers/cpu/kernels/kernel_table.h"

#include <vector>

#include "providers/cpu/kernels/kernel_settings.h"

namespace cutaway::cpu {

#define CUTAWAY_UNIT(name) KernelRows kernel_##name();
#include "kernel_table.inc"
#undef CUTAWAY_UNIT

static std::vector<KernelRows> allRows() {
  return {
#define CUTAWAY_UNIT(name) kernel_##name(),
#include "kernel_table.inc"
#undef CUTAWAY_UNIT
  };
}

const KernelRegistry& cpuKernels() {
  static const KernelRegistry registry(allRows());
  return registry;
}

const KernelRegistry& exactCpuKernels() {
  static KernelSettings settings(true);
  static const KernelRegistry registry(allRows(), &settings);
  return registry;
}

}  // namespace cutaway::cpu
