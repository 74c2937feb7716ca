#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/elementwise/binary_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/elementwise/binary_vector.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

template <VectorBinary op>
HWY_INLINE V applyOp(V a, V b) {
  if constexpr (op == VectorBinary::kAdd) return hn::Add(a, b);
  if constexpr (op == VectorBinary::kSub) return hn::Sub(a, b);
  if constexpr (op == VectorBinary::kMul) return hn::Mul(a, b);
  if constexpr (op == VectorBinary::kDiv) return hn::Div(a, b);
  // A NaN on either side is the result, as numpy has it.
  if constexpr (op == VectorBinary::kMax)
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::IsNaN(b), b, hn::Max(a, b)));
  if constexpr (op == VectorBinary::kMin)
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::IsNaN(b), b, hn::Min(a, b)));
  if constexpr (op == VectorBinary::kPRelu) return hn::IfThenElse(hn::Lt(a, hn::Zero(D())), hn::Mul(a, b), a);
}

template <VectorBinary op>
int64_t loop(const void* aData, const void* bData, void* yData, int64_t count, int aStep, int bStep) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* a = static_cast<const float*>(aData);
  const float* b = static_cast<const float*>(bData);
  float* y = static_cast<float*>(yData);
  const V aFixed = hn::Set(d, aStep == 0 ? *a : 0.0f);
  const V bFixed = hn::Set(d, bStep == 0 ? *b : 0.0f);
  int64_t i = 0;
  if (aStep == 1 && bStep == 1) {
    for (; i + lanes <= count; i += lanes)
      hn::StoreU(applyOp<op>(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, y + i);
  } else if (aStep == 1) {
    for (; i + lanes <= count; i += lanes)
      hn::StoreU(applyOp<op>(hn::LoadU(d, a + i), bFixed), d, y + i);
  } else if (bStep == 1) {
    for (; i + lanes <= count; i += lanes)
      hn::StoreU(applyOp<op>(aFixed, hn::LoadU(d, b + i)), d, y + i);
  } else {
    const V result = applyOp<op>(aFixed, bFixed);
    for (; i + lanes <= count; i += lanes)
      hn::StoreU(result, d, y + i);
  }
  if (i == count) return -1;
  HWY_ALIGN float aRest[HWY_MAX_BYTES / sizeof(float)] = {};
  HWY_ALIGN float bRest[HWY_MAX_BYTES / sizeof(float)] = {};
  for (int64_t k = i; k < count; ++k) {
    aRest[k - i] = a[k * aStep];
    bRest[k - i] = b[k * bStep];
  }
  hn::Store(applyOp<op>(hn::Load(d, aRest), hn::Load(d, bRest)), d, aRest);
  for (int64_t k = i; k < count; ++k)
    y[k] = aRest[k - i];
  return -1;
}

BinaryLoop binaryLoopFor(VectorBinary op) {
  switch (op) {
    case VectorBinary::kAdd:
      return &loop<VectorBinary::kAdd>;
    case VectorBinary::kSub:
      return &loop<VectorBinary::kSub>;
    case VectorBinary::kMul:
      return &loop<VectorBinary::kMul>;
    case VectorBinary::kDiv:
      return &loop<VectorBinary::kDiv>;
    case VectorBinary::kMax:
      return &loop<VectorBinary::kMax>;
    case VectorBinary::kMin:
      return &loop<VectorBinary::kMin>;
    case VectorBinary::kPRelu:
      return &loop<VectorBinary::kPRelu>;
  }
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(binaryLoopFor);

BinaryLoop vectorBinaryLoop(VectorBinary op) {
  return HWY_DYNAMIC_DISPATCH(binaryLoopFor)(op);
}

}  // namespace cutaway::cpu
#endif
