// Equal, Less, Greater, LessOrEqual, GreaterOrEqual. A NaN is equal to nothing, and neither less nor greater.

#include <string>

#include "providers/cpu/kernels/elementwise/binary_kernel.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

using EqualTypes = Join<NumericTypes, TypeList<bool, std::string>>;
constexpr auto kEqual = elementTypes(EqualTypes{});
constexpr auto kOrdered = elementTypes(NumericTypes{});
constexpr TypeRule kEqualRules[] = {{0, kEqual}, {1, kEqual}};
constexpr TypeRule kOrderedRules[] = {{0, kOrdered}, {1, kOrdered}};

struct EqualElement {
  template <typename T>
  static bool apply(const T& a, const T& b) {
    return a == b;
  }
};
struct LessElement {
  template <typename T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct LessOrEqualElement {
  template <typename T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};

// a > b is b < a: one loop serves both.
template <BinaryLoop loop>
int64_t swapped(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  return loop(b, a, y, count, bStep, aStep);
}

template <typename Op, typename T>
int64_t compareRun(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  if constexpr (isHalf<T>) {
    return halfRun<&binaryRun<Op, float, bool>, T, bool>(a, b, y, count, aStep, bStep);
  } else {
    return binaryRun<Op, T, bool>(a, b, y, count, aStep, bStep);
  }
}

template <typename Op, typename Types, bool swap, bool legacy>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), 2));
  BinaryDefinition definition{.outputType = ElementType::kBool};
  dispatchType(Types{}, commonElementType(info), [&]<typename T>(TypeTag<T>) {
    definition.loop = swap ? &swapped<&compareRun<Op, T>> : &compareRun<Op, T>;
  });
  return makeBinaryKernel(info, definition, legacy);
}

// Before opset 7 only floats are ordered, and no bool fits over one.
template <typename Op, bool swap, bool legacy>
constexpr KernelRow ordered(std::string_view opType, VersionSpan versions) {
  return {.opType = opType,
          .versions = versions,
          .types = kOrderedRules,
          .inplace = legacy ? std::span<const InplaceHint>() : std::span<const InplaceHint>(kEitherInPlace),
          .fastPath = "threads",
          .create = create<Op, NumericTypes, swap, legacy>};
}

template <bool legacy>
constexpr KernelRow equal(VersionSpan versions) {
  return {.opType = "Equal",
          .versions = versions,
          .types = kEqualRules,
          .inplace = kEitherInPlace,
          .fastPath = "threads",
          .create = create<EqualElement, EqualTypes, false, legacy>};
}

}  // namespace

KernelRows kernel_comparison() {
  static constexpr KernelRow rows[] = {
      equal<true>({1, 6}),
      equal<false>({7}),
      ordered<LessElement, false, true>("Less", {1, 6}),
      ordered<LessElement, false, false>("Less", {7}),
      ordered<LessElement, true, true>("Greater", {1, 6}),
      ordered<LessElement, true, false>("Greater", {7}),
      ordered<LessOrEqualElement, false, false>("LessOrEqual", {12}),
      ordered<LessOrEqualElement, true, false>("GreaterOrEqual", {12}),
  };
  return rows;
}

}  // namespace cutaway::cpu
