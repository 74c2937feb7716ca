// The larger of two vectors by the rule of engine/math/exact_maximum.h, compiled for each instruction set.
//
// No #pragma once: a file of loops reads itself again for every set of instructions, and this one with it. Include it
// behind highway.h. Thread rule: pure. Example: best = larger<false>(best, value);

#if defined(CUTAWAY_CPU_LARGER_VECTOR_H) == defined(HWY_TARGET_TOGGLE)
#ifdef CUTAWAY_CPU_LARGER_VECTOR_H
#undef CUTAWAY_CPU_LARGER_VECTOR_H
#else
#define CUTAWAY_CPU_LARGER_VECTOR_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// x86 takes the second of two zeros, and of two of which one is no number: where every value is one (odd: may be none),
// that is all of the rule.
template <bool odd, class V>
HWY_INLINE V larger(V best, V value) {
#if HWY_ARCH_X86
  const V both = hn::Max(value, best);
  if constexpr (!odd) return both;
  return hn::IfThenElse(hn::IsNaN(value), value, both);
#else
  if constexpr (!odd) return hn::IfThenElse(hn::Gt(value, best), value, best);
  return hn::IfThenElse(hn::Or(hn::Gt(value, best), hn::IsNaN(value)), value, best);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#endif
