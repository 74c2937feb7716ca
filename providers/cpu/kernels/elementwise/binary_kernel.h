#pragma once
// Kernels of two tensors with broadcasting: a loop over one run, and the kernel around it.
//
// Thread rule: as Kernel; loops are pure.
// Example: return makeBinaryKernel(info, {.loop = &binaryRun<AddElement, int32_t>, .outputType =
// info.inputElement(0)});

#include "engine/operators/arithmetic.h"
#include "engine/operators/broadcast.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/elementwise/broadcast.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

inline constexpr InplaceHint kEitherInPlace[] = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};

// Over one run: an operand's step is 1, or 0 when one element meets the whole run. Gives the first position that has no
// result (a division by zero), -1 when all have.
using BinaryLoop = int64_t (*)(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep);

struct BinaryDefinition {
  BinaryLoop loop = nullptr;
  ElementType outputType = ElementType::kUndefined;
  ElementType inputType = ElementType::kUndefined;  // where the operator takes one type only
  int64_t grain = 16384;
  std::string_view failure = "";  // why a position has no result: "division by zero"
  std::string_view variant = "threads";
};

using operators::LegacyBroadcast;

Result<std::unique_ptr<Kernel>> makeBinaryKernel(const KernelInfo& info, const BinaryDefinition& definition,
                                                 bool legacyBroadcast = false);

// The element type that both inputs share, where at least one is known before the run; undefined when neither is.
inline ElementType commonElementType(const KernelInfo& info) {
  return operators::commonInputType(info.graph(), info.node(), 2);
}

// Runs the loop over two tensors into y, whose dims are set. The failing element is named by its position.
Result<void> runBinary(const BinaryDefinition& definition, const Tensor& a, const Dims& aDims, const Tensor& b,
                       const Dims& bDims, Tensor& y);

// y = Op::apply(a, b) for element types that need no conversion. Y may differ from T (comparisons).
template <typename Op, typename T, typename Y = T>
int64_t binaryRun(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  const T* left = static_cast<const T*>(a);
  const T* right = static_cast<const T*>(b);
  Y* target = static_cast<Y*>(y);
  if (aStep == 1 && bStep == 1) {
    for (int64_t i = 0; i < count; ++i)
      target[i] = Op::apply(left[i], right[i]);
  } else if (aStep == 1) {
    const T other = *right;
    for (int64_t i = 0; i < count; ++i)
      target[i] = Op::apply(left[i], other);
  } else if (bStep == 1) {
    const T other = *left;
    for (int64_t i = 0; i < count; ++i)
      target[i] = Op::apply(other, right[i]);
  } else {
    std::fill_n(target, count, static_cast<Y>(Op::apply(*left, *right)));
  }
  return -1;
}

// Halves through a float loop: y is of the same half type, or as Y says when the loop writes something else
// (comparisons write bool).
template <BinaryLoop floatLoop, typename Half, typename Y = Half>
int64_t halfRun(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  float left[kConversionRun];
  float right[kConversionRun];
  float result[kConversionRun];
  for (int64_t i = 0; i < count; i += kConversionRun) {
    const int64_t length = std::min(kConversionRun, count - i);
    widenRun(static_cast<const Half*>(a) + i * aStep, left, aStep == 1 ? length : 1);
    widenRun(static_cast<const Half*>(b) + i * bStep, right, bStep == 1 ? length : 1);
    if constexpr (std::is_same_v<Y, Half>) {
      floatLoop(left, right, result, length, aStep, bStep);
      narrowRun(result, static_cast<Half*>(y) + i, length);
    } else {
      floatLoop(left, right, static_cast<Y*>(y) + i, length, aStep, bStep);
    }
  }
  return -1;
}

}  // namespace cutaway::cpu
