// BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot: signed and unsigned elements have the same bits, so one loop a width.

#include "providers/cpu/kernels/elementwise/binary_kernel.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(IntegerTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};

struct AndElement {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct OrElement {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct XorElement {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

template <typename T>
void invert(const void* from, void* to, int64_t count) {
  const T* source = static_cast<const T*>(from);
  T* target = static_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i)
    target[i] = static_cast<T>(~source[i]);
}

template <typename Visit>
void byWidth(ElementType type, Visit&& visit) {
  switch (bitsOf(type)) {
    case 8:
      return visit(TypeTag<uint8_t>{});
    case 16:
      return visit(TypeTag<uint16_t>{});
    case 32:
      return visit(TypeTag<uint32_t>{});
    default:
      return visit(TypeTag<uint64_t>{});
  }
}

template <typename Op>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), 2));
  const ElementType type = commonElementType(info);
  BinaryDefinition definition{.outputType = type};
  if (isInteger(type)) byWidth(type, [&]<typename T>(TypeTag<T>) { definition.loop = &binaryRun<Op, T>; });
  return makeBinaryKernel(info, definition);
}

Result<std::unique_ptr<Kernel>> createNot(const KernelInfo& info) {
  RunLoop loop = nullptr;
  byWidth(info.inputElement(0), [&]<typename T>(TypeTag<T>) { loop = invert<T>; });
  return makeRunKernel(loop, info.inputElement(0), info.inputElement(0));
}

}  // namespace

KernelRows kernel_bitwise() {
  static constexpr KernelRow rows[] = {
      {.opType = "BitwiseAnd",
       .versions = {18},
       .types = kRules,
       .inplace = kEitherInPlace,
       .fastPath = "threads",
       .create = create<AndElement>},
      {.opType = "BitwiseOr",
       .versions = {18},
       .types = kRules,
       .inplace = kEitherInPlace,
       .fastPath = "threads",
       .create = create<OrElement>},
      {.opType = "BitwiseXor",
       .versions = {18},
       .types = kRules,
       .inplace = kEitherInPlace,
       .fastPath = "threads",
       .create = create<XorElement>},
      {.opType = "BitwiseNot",
       .versions = {18},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "threads",
       .create = createNot},
  };
  return rows;
}

}  // namespace cutaway::cpu
