// Whole runs of half-precision numbers: with the processor's conversion instructions (F16C, eight at a time) where it
// has them.

#include "engine/tensor/narrow_float.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define CUTAWAY_HAS_F16C_PATH 1
#endif
// clang asks for no F16C by itself; who has AVX2 has it.
#ifdef __clang__
#define CUTAWAY_F16C_FEATURE "avx2"
#else
#define CUTAWAY_F16C_FEATURE "f16c"
#endif

namespace cutaway {
namespace {

#ifdef CUTAWAY_HAS_F16C_PATH
bool processorHasF16c() {
  static const bool has = __builtin_cpu_supports("avx") && __builtin_cpu_supports(CUTAWAY_F16C_FEATURE);
  return has;
}

// Both give the number of elements done: a multiple of 8, the rest is left to the plain loop.
__attribute__((target("avx,f16c"))) int64_t halfToFloatF16c(const Float16* from, float* to, int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  return i;
}

__attribute__((target("avx,f16c"))) int64_t floatToHalfF16c(const float* from, Float16* to, int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  return i;
}
#endif

}  // namespace

void halfToFloat(const Float16* from, float* to, int64_t count) {
  int64_t i = 0;
#ifdef CUTAWAY_HAS_F16C_PATH
  if (processorHasF16c()) i = halfToFloatF16c(from, to, count);
#endif
  for (; i < count; ++i)
    to[i] = from[i].toFloat();
}

void floatToHalf(const float* from, Float16* to, int64_t count) {
  int64_t i = 0;
#ifdef CUTAWAY_HAS_F16C_PATH
  if (processorHasF16c()) i = floatToHalfF16c(from, to, count);
#endif
  for (; i < count; ++i)
    to[i] = Float16::fromFloat(from[i]);
}

}  // namespace cutaway
