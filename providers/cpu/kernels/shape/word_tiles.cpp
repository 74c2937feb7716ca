// See word_tiles.h. Compiled once per instruction set by Highway.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/shape/word_tiles.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/shape/word_tiles.h"

#include <algorithm>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kWord = 4;

HWY_INLINE void turnPlainly(const std::byte* from, int64_t fromStep, std::byte* to, int64_t toStep, int64_t rows,
                            int64_t columns) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c)
      std::memcpy(to + r * toStep + c * kWord, from + c * fromStep + r * kWord, kWord);
  }
}

// Four by four.
HWY_INLINE void turnSquare(const std::byte* from, int64_t fromStep, std::byte* to, int64_t toStep) {
#if HWY_TARGET == HWY_SCALAR
  turnPlainly(from, fromStep, to, toStep, 4, 4);
#else
  const hn::FixedTag<uint32_t, 4> d;
  const hn::FixedTag<uint64_t, 2> pairs;
  const auto line = [&](int64_t i)
                        HWY_ATTR { return hn::LoadU(d, reinterpret_cast<const uint32_t*>(from + i * fromStep)); };
  const auto store = [&](int64_t i, auto v)
                         HWY_ATTR { hn::StoreU(hn::BitCast(d, v), d, reinterpret_cast<uint32_t*>(to + i * toStep)); };
  const auto first = line(0), second = line(1), third = line(2), fourth = line(3);
  const auto low = hn::BitCast(pairs, hn::InterleaveLower(d, first, second)),
             lowNext = hn::BitCast(pairs, hn::InterleaveLower(d, third, fourth));
  const auto high = hn::BitCast(pairs, hn::InterleaveUpper(d, first, second)),
             highNext = hn::BitCast(pairs, hn::InterleaveUpper(d, third, fourth));
  store(0, hn::InterleaveLower(pairs, low, lowNext));
  store(1, hn::InterleaveUpper(pairs, low, lowNext));
  store(2, hn::InterleaveLower(pairs, high, highNext));
  store(3, hn::InterleaveUpper(pairs, high, highNext));
#endif
}

void turn(const std::byte* from, int64_t fromStep, std::byte* to, int64_t toStep, int64_t rows, int64_t columns) {
  constexpr int64_t kStrip = 16;  // rows at once: a cache line of every input line
  const int64_t wholeRows = rows / 4 * 4;
  const int64_t wholeColumns = columns / 4 * 4;
  for (int64_t row = 0; row < wholeRows; row += kStrip) {
    const int64_t end = std::min(wholeRows, row + kStrip);
    for (int64_t c = 0; c < wholeColumns; c += 4) {
      for (int64_t r = row; r < end; r += 4)
        turnSquare(from + c * fromStep + r * kWord, fromStep, to + r * toStep + c * kWord, toStep);
    }
  }
  turnPlainly(from + wholeColumns * fromStep, fromStep, to + wholeColumns * kWord, toStep, wholeRows,
              columns - wholeColumns);
  turnPlainly(from + wholeRows * kWord, fromStep, to + wholeRows * toStep, toStep, rows - wholeRows, columns);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(turn);

void turnWords(const std::byte* from, int64_t fromStep, std::byte* to, int64_t toStep, int64_t rows, int64_t columns) {
  HWY_DYNAMIC_DISPATCH(turn)(from, fromStep, to, toStep, rows, columns);
}

}  // namespace cutaway::cpu
#endif
