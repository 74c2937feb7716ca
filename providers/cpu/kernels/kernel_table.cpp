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

template <math::Precision kPrecision>
static const KernelRegistry& kernelsWith() {
  static KernelSettings settings(kPrecision);
  static const KernelRegistry registry(allRows(), &settings);
  return registry;
}

const KernelRegistry& cpuKernels(math::Precision precision) {
  switch (precision) {
    case math::Precision::kExact:
      return kernelsWith<math::Precision::kExact>();
    case math::Precision::kBfloat16:
      return kernelsWith<math::Precision::kBfloat16>();
    default:
      return cpuKernels();
  }
}

}  // namespace cutaway::cpu
