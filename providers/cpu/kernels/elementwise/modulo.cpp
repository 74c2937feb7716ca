// Mod: sign of the divisor (fmod = 0) or of the dividend (fmod = 1), for integers and floats.

#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/binary_kernel.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};

struct FloatTruncMod {
  template <typename T>
  static T apply(T a, T b) {
    return std::fmod(a, b);
  }
};

struct FloatFloorMod {
  template <typename T>
  static T apply(T a, T b) {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(T{0}, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;  // an infinite b of the other sign gives b; NaN stays
  }
};

template <typename Integer, typename Float, typename T>
BinaryLoop loopFor() {
  if constexpr (isHalf<T>) {
    return &halfRun<&binaryRun<Float, float>, T>;
  } else if constexpr (std::is_floating_point_v<T>) {
    return &binaryRun<Float, T>;
  } else {
    return &checkedRun<Integer, T>;
  }
}

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), 2));
  const bool truncating = operators::readRemainder(info.node()) == operators::Remainder::kTruncated;
  BinaryDefinition definition{.outputType = commonElementType(info), .grain = 4096, .failure = "modulo zero"};
  dispatchType(NumericTypes{}, commonElementType(info), [&]<typename T>(TypeTag<T>) {
    definition.loop =
        truncating ? loopFor<IntegerTruncMod, FloatTruncMod, T>() : loopFor<IntegerFloorMod, FloatFloorMod, T>();
  });
  return makeBinaryKernel(info, definition);
}

}  // namespace

KernelRows kernel_modulo() {
  static constexpr KernelRow rows[] = {{.opType = "Mod",
                                        .versions = {10},
                                        .types = kRules,
                                        .inplace = kEitherInPlace,
                                        .fastPath = "threads",
                                        .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
