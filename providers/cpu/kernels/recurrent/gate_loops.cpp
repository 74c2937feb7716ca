#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/recurrent/gate_loops.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/recurrent/gate_loops.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

template <typename Body>
HWY_INLINE void eachVector(int64_t count, Body&& body) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
  for (int64_t i = 0; i < count; i += lanes)
    body(i);
}

HWY_INLINE V at(const float* row, int64_t i) {
  return hn::LoadU(D(), row + i);
}

void addProductHere(const float* a, const float* b, float* sum, int64_t count) {
  eachVector(count, [&](int64_t i) { hn::StoreU(hn::MulAdd(at(a, i), at(b, i), at(sum, i)), D(), sum + i); });
}

void multiplyHere(const float* a, const float* b, float* product, int64_t count) {
  eachVector(count, [&](int64_t i) { hn::StoreU(hn::Mul(at(a, i), at(b, i)), D(), product + i); });
}

void oneMinusHere(const float* x, float* y, int64_t count) {
  const V one = hn::Set(D(), 1.0f);
  eachVector(count, [&](int64_t i) { hn::StoreU(hn::Sub(one, at(x, i)), D(), y + i); });
}

void updateCellHere(float* cell, const float* forget, const float* in, const float* candidate, int64_t count) {
  eachVector(count, [&](int64_t i) {
    hn::StoreU(hn::MulAdd(at(forget, i), at(cell, i), hn::Mul(at(in, i), at(candidate, i))), D(), cell + i);
  });
}

void mixHiddenHere(float* hidden, const float* update, const float* candidate, int64_t count) {
  const V one = hn::Set(D(), 1.0f);
  eachVector(count, [&](int64_t i) {
    const V z = at(update, i);
    hn::StoreU(hn::MulAdd(z, at(hidden, i), hn::Mul(hn::Sub(one, z), at(candidate, i))), D(), hidden + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(addProductHere);
HWY_EXPORT(multiplyHere);
HWY_EXPORT(oneMinusHere);
HWY_EXPORT(updateCellHere);
HWY_EXPORT(mixHiddenHere);

void addProduct(const float* a, const float* b, float* sum, int64_t count) {
  HWY_DYNAMIC_DISPATCH(addProductHere)(a, b, sum, count);
}
void multiplyRows(const float* a, const float* b, float* product, int64_t count) {
  HWY_DYNAMIC_DISPATCH(multiplyHere)(a, b, product, count);
}
void oneMinus(const float* x, float* y, int64_t count) {
  HWY_DYNAMIC_DISPATCH(oneMinusHere)(x, y, count);
}
void updateCell(float* cell, const float* forget, const float* in, const float* candidate, int64_t count) {
  HWY_DYNAMIC_DISPATCH(updateCellHere)(cell, forget, in, candidate, count);
}
void mixHidden(float* hidden, const float* update, const float* candidate, int64_t count) {
  HWY_DYNAMIC_DISPATCH(mixHiddenHere)(hidden, update, candidate, count);
}

}  // namespace cutaway::cpu
#endif
