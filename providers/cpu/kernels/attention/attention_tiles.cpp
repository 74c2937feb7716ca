// The inner loops of attention over blocks of keys, compiled for each vector width by Highway.
//
// Many rows: keys are packed in panels and multiplied in register tiles. Few rows (a decoding step): every key is read
// once, as it lies, for dot products.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/attention/attention_tiles.cpp"
// Register tiles are arrays of vectors, which types without a size do not allow.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/attention/attention_tiles.h"

#include <hwy/cache_control.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "engine/math/exp_vector.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu::attention {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using math::HWY_NAMESPACE::expOfNegative;
using math::HWY_NAMESPACE::expsOfNegative;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr int kTileRows =
    HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM_A64 ? 12 : 6;  // with two vectors a row: what the registers hold
constexpr float kUnseen = -HUGE_VALF;

HWY_INLINE V value(float x) {
  return hn::Set(D(), x);
}

// c[M][N vectors] = (kKeep: c * keep[row] +) a b. a: element (row, depth) at row * RowStep + depth * DepthStep; b: rows
// of `depth`, stepB apart.
template <int M, int N, int RowStep, int DepthStep, bool kKeep>
HWY_INLINE void multiplyTile(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, int64_t stepB, int64_t depth,
                             const float* keep, float* HWY_RESTRICT c, int64_t stepC) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  V sum[M][N];
  HWY_UNROLL(16)
  for (int m = 0; m < M; ++m) {
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n)
      sum[m][n] = kKeep ? hn::Mul(hn::LoadU(d, c + m * stepC + n * kLanes), value(keep[m])) : hn::Zero(d);
  }
  for (int64_t k = 0; k < depth; ++k) {
    V right[N];
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n)
      right[n] = hn::LoadU(d, b + k * stepB + n * kLanes);
    HWY_UNROLL(16)
    for (int m = 0; m < M; ++m) {
      const V left = value(a[m * RowStep + k * DepthStep]);
      HWY_UNROLL(16)
      for (int n = 0; n < N; ++n)
        sum[m][n] = hn::MulAdd(left, right[n], sum[m][n]);
    }
  }
  HWY_UNROLL(16)
  for (int m = 0; m < M; ++m) {
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n)
      hn::StoreU(sum[m][n], d, c + m * stepC + n * kLanes);
  }
}

// Four keys by four channels at a time.
HWY_INLINE void transpose4(const float* from, int64_t step, float* to, int64_t toStep) {
#if HWY_TARGET == HWY_SCALAR
  for (int64_t j = 0; j < 4; ++j) {
    for (int64_t c = 0; c < 4; ++c)
      to[c * toStep + j] = from[j * step + c];
  }
#else
  const hn::FixedTag<float, 4> d4;
  const hn::FixedTag<double, 2> d2;
  const auto a = hn::LoadU(d4, from), b = hn::LoadU(d4, from + step), c = hn::LoadU(d4, from + 2 * step),
             e = hn::LoadU(d4, from + 3 * step);
  const auto lowAb = hn::BitCast(d2, hn::InterleaveLower(d4, a, b)),
             lowCe = hn::BitCast(d2, hn::InterleaveLower(d4, c, e));
  const auto highAb = hn::BitCast(d2, hn::InterleaveUpper(d4, a, b)),
             highCe = hn::BitCast(d2, hn::InterleaveUpper(d4, c, e));
  hn::StoreU(hn::BitCast(d4, hn::InterleaveLower(d2, lowAb, lowCe)), d4, to);
  hn::StoreU(hn::BitCast(d4, hn::InterleaveUpper(d2, lowAb, lowCe)), d4, to + toStep);
  hn::StoreU(hn::BitCast(d4, hn::InterleaveLower(d2, highAb, highCe)), d4, to + 2 * toStep);
  hn::StoreU(hn::BitCast(d4, hn::InterleaveUpper(d2, highAb, highCe)), d4, to + 3 * toStep);
#endif
}

// Panels of two vectors of keys: [panel][channel][key]. Keys after `count` are zero.
void packKeys(const BlockRows& keys, int64_t count, int64_t size, float* packed) {
  constexpr int64_t kWidth = 2 * static_cast<int64_t>(hn::MaxLanes(D()));
  for (int64_t j0 = 0; j0 < count; j0 += kWidth) {
    float* panel = packed + j0 * size;
    const int64_t width = std::min(kWidth, count - j0), wholeKeys = width / 4 * 4, wholeChannels = size / 4 * 4;
    if (width < kWidth) std::fill(panel, panel + kWidth * size, 0.0f);
    for (int64_t j = 0; j < wholeKeys; j += 4) {
      const float* from = keys.data + (j0 + j) * keys.step;
      for (int64_t ahead = 8; ahead < 12 && j0 + j + ahead < count; ++ahead) {
        for (int64_t c = 0; c < size; c += 16)
          hwy::Prefetch(from + ahead * keys.step + c);
      }
      for (int64_t c = 0; c < wholeChannels; c += 4)
        transpose4(from + c, keys.step, panel + c * kWidth + j, kWidth);
      for (int64_t c = wholeChannels; c < size; ++c) {
        for (int64_t i = 0; i < 4; ++i)
          panel[c * kWidth + j + i] = from[i * keys.step + c];
      }
    }
    for (int64_t j = wholeKeys; j < width; ++j) {
      for (int64_t c = 0; c < size; ++c)
        panel[c * kWidth + j] = keys.data[(j0 + j) * keys.step + c];
    }
  }
}

// One group of rows, times `scale`, with the channel outermost: [channel][row]. Rows from `count` on are zero.
void packQueries(const BlockRows& rows, int64_t count, int64_t size, float scale, float* group) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  const int64_t wholeRows = count / 4 * 4, wholeChannels = size / 4 * 4, all = size * kTileRows;
  if (count < kTileRows) std::fill(group, group + all, 0.0f);
  for (int64_t row = 0; row < wholeRows; row += 4) {
    for (int64_t ahead = 4; ahead < 8 && row + ahead < count; ++ahead) {
      for (int64_t c = 0; c < size; c += 16)
        hwy::Prefetch(rows.data + (row + ahead) * rows.step + c);
    }
    for (int64_t c = 0; c < wholeChannels; c += 4)
      transpose4(rows.data + row * rows.step + c, rows.step, group + c * kTileRows + row, kTileRows);
  }
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t c = row < wholeRows ? wholeChannels : 0; c < size; ++c)
      group[c * kTileRows + row] = rows.data[row * rows.step + c];
  }
  int64_t i = 0;
  for (; i + kLanes <= all; i += kLanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, group + i), value(scale)), d, group + i);
  for (; i < all; ++i)
    group[i] *= scale;
}

// scores[kTileRows][kKeyBlock] of one group of packed queries ([channel][row]).
void scoresOfGroup(const float* queries, const float* packed, int64_t count, int64_t size, float* scores) {
  constexpr int64_t kWidth = 2 * static_cast<int64_t>(hn::MaxLanes(D()));
  for (int64_t j = 0; j < count; j += kWidth)
    multiplyTile<kTileRows, 2, 1, kTileRows, false>(queries, packed + j * size, kWidth, size, nullptr, scores + j,
                                                    kKeyBlock);
}

template <int R, int K>
HWY_INLINE void dotTile(const float* HWY_RESTRICT queries, int64_t size, const float* HWY_RESTRICT keys, int64_t step,
                        float* HWY_RESTRICT scores) {
  const D d;
  V sum[R][K];
  HWY_UNROLL(16)
  for (int r = 0; r < R; ++r) {
    HWY_UNROLL(16)
    for (int k = 0; k < K; ++k)
      sum[r][k] = hn::Zero(d);
  }
  for (int64_t c = 0; c < size; c += static_cast<int64_t>(hn::MaxLanes(d))) {
    V key[K];
    HWY_UNROLL(16)
    for (int k = 0; k < K; ++k)
      key[k] = hn::LoadU(d, keys + k * step + c);
    HWY_UNROLL(16)
    for (int r = 0; r < R; ++r) {
      const V query = hn::LoadU(d, queries + r * size + c);
      HWY_UNROLL(16)
      for (int k = 0; k < K; ++k)
        sum[r][k] = hn::MulAdd(query, key[k], sum[r][k]);
    }
  }
  HWY_UNROLL(16)
  for (int r = 0; r < R; ++r) {
    HWY_UNROLL(16)
    for (int k = 0; k < K; ++k)
      scores[r * kKeyBlock + k] = hn::GetLane(hn::SumOfLanes(d, sum[r][k]));
  }
}

template <int R>
void dotRows(const float* queries, int64_t size, const BlockRows& keys, int64_t count, float* scores) {
  int64_t j = 0;
  for (; j + 4 <= count; j += 4)
    dotTile<R, 4>(queries, size, keys.data + j * keys.step, keys.step, scores + j);
  for (; j < count; ++j)
    dotTile<R, 1>(queries, size, keys.data + j * keys.step, keys.step, scores + j);
}

void scoresOfFew(const float* queries, int64_t rows, int64_t size, const BlockRows& keys, int64_t count,
                 float* scores) {
  constexpr int64_t kAtOnce = kTileRows >= 12 ? 4 : 2;
  int64_t r = 0;
  for (; r + kAtOnce <= rows; r += kAtOnce)
    dotRows<kAtOnce>(queries + r * size, size, keys, count, scores + r * kKeyBlock);
  for (; r < rows; ++r)
    dotRows<1>(queries + r * size, size, keys, count, scores + r * kKeyBlock);
}

void capRow(float* scores, int64_t count, float cap) {
  const D d;
  const V inverse = value(1.0f / cap), size = value(cap);
  for (int64_t j = 0; j < count; j += static_cast<int64_t>(hn::MaxLanes(d)))
    hn::StoreU(hn::Mul(size, hn::Tanh(d, hn::Mul(inverse, hn::LoadU(d, scores + j)))), d, scores + j);
}

void addRow(const float* summand, int64_t count, float* scores) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  const V unseen = value(kUnseen);
  int64_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    const V each = hn::LoadU(d, summand + j);
    hn::StoreU(hn::IfThenElse(hn::Eq(each, unseen), unseen, hn::Add(hn::LoadU(d, scores + j), each)), d, scores + j);
  }
  for (; j < count; ++j)
    scores[j] = summand[j] == kUnseen ? kUnseen : scores[j] + summand[j];
}

// Vectors of a row from scores to exponentials; each adds to a sum of its own.
template <size_t n>
HWY_INLINE void addExponentials(float* scores, V shift, V* totals) {
  const D d;
  V x[n];
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::Sub(hn::LoadU(d, scores + i * hn::Lanes(d)), shift);
  expsOfNegative(x);
  for (size_t i = 0; i < n; ++i)
    totals[i] = hn::Add(totals[i], x[i]);
  for (size_t i = 0; i < n; ++i)
    hn::StoreU(x[i], d, scores + i * hn::Lanes(d));
}

float largestOf(const float* scores, int64_t count) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  V best = hn::LoadU(d, scores);
  for (int64_t j = kLanes; j < count; j += kLanes)
    best = hn::Max(best, hn::LoadU(d, scores + j));
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

// Scores to exponentials, row by row; the rows' running maxima and sums move on. keep: what has been summed so far is
// worth now. Rows do not wait for each other's maxima.
void exponentials(float* scores, int64_t rows, int64_t count, float* largest, float* sums, float* keep) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  float shifts[kGroupPad];
  for (int64_t row = 0; row < rows; ++row) {
    const float before = largest[row];
    largest[row] = std::max(before, largestOf(scores + row * kKeyBlock, count));
    shifts[row] = largest[row] == kUnseen ? 0.0f : largest[row];
    keep[row] = before == largest[row] ? 0.0f : before - shifts[row];
  }
  for (int64_t row = 0; row < rows; row += kLanes) {
    const auto some = hn::FirstN(d, static_cast<size_t>(rows - row));
    hn::BlendedStore(expOfNegative(hn::MaskedLoad(some, d, keep + row)), some, d, keep + row);
  }
  for (int64_t row = 0; row < rows; ++row) {
    float* at = scores + row * kKeyBlock;
    const V shift = value(shifts[row]);
    V totals[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    int64_t j = 0;
    for (; j + 4 * kLanes <= count; j += 4 * kLanes)
      addExponentials<4>(at + j, shift, totals);
    for (V* total = totals; j < count; j += kLanes)  // each to the sum that a whole block has it in
      addExponentials<1>(at + j, shift, total++);
    const V total = hn::Add(hn::Add(totals[0], totals[1]), hn::Add(totals[2], totals[3]));
    sums[row] = sums[row] * keep[row] + hn::GetLane(hn::SumOfLanes(d, total));
  }
}

// sums[M][size] = sums * keep + shares[M][kKeyBlock] values[count][size]
template <int M>
void addValues(const float* shares, const BlockRows& values, int64_t count, int64_t size, const float* keep,
               float* sums) {
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(D()));
  constexpr int kVectors = M <= 4 ? 4 : 2;
  int64_t c = 0;
  for (; c + kVectors * kLanes <= size; c += kVectors * kLanes)
    multiplyTile<M, kVectors, kKeyBlock, 1, true>(shares, values.data + c, values.step, count, keep, sums + c, size);
  for (; c < size; c += kLanes)
    multiplyTile<M, 1, kKeyBlock, 1, true>(shares, values.data + c, values.step, count, keep, sums + c, size);
}

void valuesOfGroup(const float* shares, const BlockRows& values, int64_t count, int64_t size, const float* keep,
                   float* sums) {
  addValues<kTileRows>(shares, values, count, size, keep, sums);
}

void valuesOfFew(const float* shares, int64_t rows, const BlockRows& values, int64_t count, int64_t size,
                 const float* keep, float* sums) {
  constexpr int64_t kAtOnce = kTileRows >= 12 ? 4 : 2;
  int64_t r = 0;
  for (; r + kAtOnce <= rows; r += kAtOnce)
    addValues<kAtOnce>(shares + r * kKeyBlock, values, count, size, keep + r, sums + r * size);
  for (; r < rows; ++r)
    addValues<1>(shares + r * kKeyBlock, values, count, size, keep + r, sums + r * size);
}

void scaleRow(const float* from, int64_t count, float factor, float* to) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, from + i), value(factor)), d, to + i);
  for (; i < count; ++i)
    to[i] = from[i] * factor;
}

TileFunctions tileFunctions() {
  return {kTileRows, packKeys,     packQueries,   scoresOfGroup, scoresOfFew, capRow,
          addRow,    exponentials, valuesOfGroup, valuesOfFew,   scaleRow};
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu::attention
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu::attention {

HWY_EXPORT(tileFunctions);

const TileFunctions& tileFunctions() {
  static const TileFunctions chosen = HWY_DYNAMIC_DISPATCH(tileFunctions)();
  return chosen;
}

}  // namespace cutaway::cpu::attention
#endif
