// BitShift. A shift that is negative or at least as wide as the type leaves only the sign: -1 for negative numbers to
// the right, 0 otherwise. Right shifts of signed numbers keep the sign.

#include "providers/cpu/kernels/elementwise/binary_kernel.h"

namespace cutaway::cpu {

namespace {

using operators::ShiftDirection;

constexpr auto kTypes = elementTypes(IntegerTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};

template <typename T>
bool outOfRange(T shift) {
  return shift < 0 || static_cast<uint64_t>(shift) >= sizeof(T) * 8;
}

struct LeftShift {
  template <typename T>
  static T apply(T a, T b) {
    return outOfRange(b) ? T{0} : static_cast<T>(static_cast<uint64_t>(a) << b);
  }
};
struct RightShift {
  template <typename T>
  static T apply(T a, T b) {
    if (outOfRange(b)) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
    return static_cast<T>(a >> b);
  }
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), 2));
  CUTAWAY_TRY(const ShiftDirection direction, operators::readShiftDirection(info.node()));
  BinaryDefinition definition{.outputType = commonElementType(info)};
  dispatchType(IntegerTypes{}, commonElementType(info), [&]<typename T>(TypeTag<T>) {
    definition.loop = direction == ShiftDirection::kLeft ? &binaryRun<LeftShift, T> : &binaryRun<RightShift, T>;
  });
  return makeBinaryKernel(info, definition);
}

}  // namespace

KernelRows kernel_bit_shift() {
  static constexpr KernelRow rows[] = {{.opType = "BitShift",
                                        .versions = {11},
                                        .types = kRules,
                                        .inplace = kEitherInPlace,
                                        .fastPath = "threads",
                                        .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
