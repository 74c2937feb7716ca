// What vector loops of pooling share, compiled for each instruction set: names of their vectors, the larger of two by
// the rule of engine/math/exact_maximum.h, counts known to the compiler.
//
// No #pragma once: a file of loops reads itself again for every set of instructions, and this one with it. Include it
// behind highway.h. Thread rule: pure. Example: best = larger<false>(best, value);

#if defined(CUTAWAY_CPU_POOL_VECTORS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef CUTAWAY_CPU_POOL_VECTORS_H
#undef CUTAWAY_CPU_POOL_VECTORS_H
#else
#define CUTAWAY_CPU_POOL_VECTORS_H
#endif

#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr bool kHasMasks = HWY_TARGET <= HWY_AVX2;  // loads and stores of a part of a vector touch nothing else

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

// Calls run with `count` as a constant where it is 2, 3 or 5, as it mostly is, and 0 where only `count` says it.
template <typename Run>
HWY_INLINE void withCount(int64_t count, const Run& run) {
  if (count == 2) return run(std::integral_constant<int64_t, 2>());
  if (count == 3) return run(std::integral_constant<int64_t, 3>());
  if (count == 5) return run(std::integral_constant<int64_t, 5>());
  run(std::integral_constant<int64_t, 0>());
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#endif
