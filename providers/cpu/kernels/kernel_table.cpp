#include "providers/cpu/kernels/kernel_table.h"

#include <vector>

namespace cutaway::cpu {

#define CUTAWAY_UNIT(name) KernelRows kernel_##name();
#include "kernel_table.inc"
#undef CUTAWAY_UNIT

const KernelRegistry& cpuKernels() {
  static const KernelRegistry registry = [] {
    const std::vector<KernelRows> tables{
#define CUTAWAY_UNIT(name) kernel_##name(),
#include "kernel_table.inc"
#undef CUTAWAY_UNIT
    };
    return KernelRegistry(tables);
  }();
  return registry;
}

}  // namespace cutaway::cpu
