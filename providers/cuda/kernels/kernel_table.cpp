#include "providers/cuda/kernels/kernel_table.h"

#include <vector>

namespace cutaway::cuda {

#define CUTAWAY_UNIT(name) KernelRows kernel_##name();
#include "kernel_table.inc"
#undef CUTAWAY_UNIT

std::span<const KernelRows> kernelTables() {
  static const std::vector<KernelRows> tables{
#define CUTAWAY_UNIT(name) kernel_##name(),
#include "kernel_table.inc"
#undef CUTAWAY_UNIT
  };
  return tables;
}

}  // namespace cutaway::cuda
