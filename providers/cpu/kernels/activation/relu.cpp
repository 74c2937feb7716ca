// Relu: floats through the vectorised loops, signed integers (version 14) with a plain one.

#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(Join<FloatTypes, SignedIntegers>{});
constexpr TypeRule kRules[] = {{0, kTypes}};

template <typename T>
void integerLoop(const void* from, void* to, int64_t count) {
  const T* source = static_cast<const T*>(from);
  T* target = static_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i)
    target[i] = source[i] < 0 ? T{0} : source[i];
}

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const ElementType type = info.inputElement(0);
  RunLoop loop = nullptr;
  dispatchType(SignedIntegers{}, type, [&]<typename T>(TypeTag<T>) { loop = integerLoop<T>; });
  return loop != nullptr ? makeRunKernel(loop, type, type) : makePointwiseKernel(info, PointwiseOp::kRelu);
}

}  // namespace

KernelRows kernel_relu() {
  static constexpr KernelRow rows[] = {{.opType = "Relu",
                                        .versions = {1},
                                        .types = kRules,
                                        .inplace = kFirstInPlace,
                                        .fastPath = "highway",
                                        .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
