// The loops of requantized_loops.h with AVX-512 VNNI, which adds four products of bytes to a sum at a time.
// Instructions are named one by one, because the vector library this project stands on has no sums of four products.

#include <hwy/base.h>

#include "engine/math/integer_exact.h"
#include "engine/math/requantized_loops.h"

#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)

#include <algorithm>
#include <cstring>
#include <limits>

#include <immintrin.h>

// The compiler's headers make undefined vectors by reading one that nothing was written to.
HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4701, ignored "-Wmaybe-uninitialized")
HWY_DIAGNOSTICS_OFF(disable : 4700, ignored "-Wuninitialized")
HWY_PUSH_ATTRIBUTES("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace cutaway::math {
namespace {

// Sums are vectors of 32-bit numbers to the compiler, too: as __m512i (of 64-bit ones) it moves them to and fro.
using Sums512 = int32_t __attribute__((vector_size(64)));
using Sums256 = int32_t __attribute__((vector_size(32)));

constexpr DepthwiseOrder kOrder = DepthwiseOrder::kFourRows;
constexpr int64_t kLanes = 16;
constexpr int64_t kAhead = 2048;  // bytes of weights
constexpr int kMostRows = 14;     // 28 sums, two columns, a row and the flip are 32 registers

// sum * scale as whole numbers, at most `high` where they might not fit (kBounds). A value that is no number becomes
// the smallest one.
template <bool kBounds>
HWY_INLINE __m512i rounded(Sums512 sum, __m512 scale, __m512 high) {
  __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps((__m512i)sum), scale);
  if constexpr (kBounds) value = _mm512_min_ps(high, value);
  return _mm512_cvtps_epi32(value);
}
template <bool kBounds>
HWY_INLINE __m256i rounded(Sums256 sum, __m256 scale, __m256 high) {
  __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps((__m256i)sum), scale);
  if constexpr (kBounds) value = _mm256_min_ps(high, value);
  return _mm256_cvtps_epi32(value);
}

HWY_INLINE Sums512 addProducts(Sums512 sums, __m512i x, __m512i weights) {
  return (Sums512)_mm512_dpbusd_epi32((__m512i)sums, x, weights);
}
HWY_INLINE Sums256 addProducts(Sums256 sums, __m256i x, __m256i weights) {
  return (Sums256)_mm256_dpbusd_epi32((__m256i)sums, x, weights);
}

HWY_INLINE __m512i saturate(__m512i low, __m512i high, bool isSigned) {
  return isSigned ? _mm512_packs_epi16(low, high) : _mm512_packus_epi16(low, high);
}
HWY_INLINE __m256i saturate(__m256i low, __m256i high, bool isSigned) {
  return isSigned ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high);
}

HWY_INLINE void store(__m256i bytes, int64_t count, uint8_t* to) {
  if (count == 32) return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
  _mm256_mask_storeu_epi8(to, static_cast<__mmask32>((uint64_t{1} << count) - 1), bytes);
}
HWY_INLINE void store(__m128i bytes, int64_t count, uint8_t* to) {
  if (count == 16) return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  _mm_mask_storeu_epi8(to, static_cast<__mmask16>((1u << count) - 1), bytes);
}

HWY_INLINE uint32_t fourBytes(const uint8_t* from) {
  uint32_t four;
  std::memcpy(&four, from, sizeof(four));
  return four;
}

// A tile of results: kRows cells, kVectors vectors of maps. Its sums stay in registers only if every loop over them is
// gone before the compiler places them; hence functions that call themselves for the next row. kFlips: whether there is
// something to flip, which takes the units that multiply for half as long as the products do.
template <int kRows, int kVectors, bool kFlips>
struct DenseTile {
  const SumsToBytes& terms;
  const MapPanel& panel;
  uint8_t* to;
  int64_t toStride;
  __m512i flip, zero;
  __m512 high;

  template <int kRow = 0>
  HWY_INLINE void add(const uint8_t* const* cells, int64_t place, __m512i column, __m512i next,
                      Sums512 (&sums)[kRows * kVectors]) const {
    constexpr size_t kAt = kRow * kVectors;
    __m512i x = _mm512_set1_epi32(static_cast<int32_t>(fourBytes(cells[kRow] + place)));
    if constexpr (kFlips) x = _mm512_xor_si512(flip, x);
    sums[kAt] = addProducts(sums[kAt], x, column);
    if constexpr (kVectors == 2) sums[kAt + 1] = addProducts(sums[kAt + 1], x, next);
    if constexpr (kRow + 1 < kRows) add<kRow + 1>(cells, place, column, next, sums);
  }

  // Two rows leave together: packing interleaves the quarters of its operands, and `order` puts them side by side.
  template <bool kBounds, int kRow = 0>
  HWY_INLINE void finish(__m512 scales, __m512 more, __m512i order, const Sums512 (&sums)[kRows * kVectors]) const {
    constexpr int kNext = kRow + 1 < kRows ? kRow + 1 : kRow;
    if constexpr (kVectors == 2) {
      const __m512i first = _mm512_packs_epi32(rounded<kBounds>(sums[2 * kRow], scales, high),
                                               rounded<kBounds>(sums[2 * kRow + 1], more, high));
      const __m512i second = _mm512_packs_epi32(rounded<kBounds>(sums[2 * kNext], scales, high),
                                                rounded<kBounds>(sums[2 * kNext + 1], more, high));
      const __m512i bytes = _mm512_permutexvar_epi32(
          order, saturate(_mm512_adds_epi16(first, zero), _mm512_adds_epi16(second, zero), terms.isSigned));
      store(_mm512_castsi512_si256(bytes), panel.maps, to + kRow * toStride);
      if constexpr (kNext != kRow) store(_mm512_extracti64x4_epi64(bytes, 1), panel.maps, to + kNext * toStride);
    } else {
      const __m512i both = _mm512_adds_epi16(
          _mm512_packs_epi32(rounded<kBounds>(sums[kRow], scales, high), rounded<kBounds>(sums[kNext], scales, high)),
          zero);
      const __m512i bytes = _mm512_permutexvar_epi32(order, saturate(both, both, terms.isSigned));
      store(_mm512_castsi512_si128(bytes), panel.maps, to + kRow * toStride);
      if constexpr (kNext != kRow) store(_mm512_extracti32x4_epi32(bytes, 1), panel.maps, to + kNext * toStride);
    }
    if constexpr (kRow + 2 < kRows) finish<kBounds, kRow + 2>(scales, more, order, sums);
  }

  template <int kAt = 0>
  HWY_INLINE void start(Sums512 (&sums)[kRows * kVectors]) const {
    sums[kAt] = (Sums512)_mm512_loadu_si512(terms.added + kAt % kVectors * kLanes);
    if constexpr (kAt + 1 < kRows * kVectors) start<kAt + 1>(sums);
  }

  HWY_INLINE void run(const DenseCells& cells, int64_t first) const {
    Sums512 sums[kRows * kVectors];
    start(sums);
    const int8_t* weights = panel.weights;
    // There is a tap and a step at least; a loop that may not run at all would keep every sum twice.
    const uint8_t* const* at = cells.table + first;
    const uint8_t* const* const lastTap = at + (cells.taps - 1) * cells.tableStride;
    const int64_t end = panel.channelOffset + cells.steps * 4;
    while (true) {
      int64_t place = panel.channelOffset;
      do {
        // Weights come from far, once for a tile: at a page's end the processor does not look ahead by itself.
        _mm_prefetch(reinterpret_cast<const char*>(weights) + kAhead, _MM_HINT_T0);
        if constexpr (kVectors == 2) _mm_prefetch(reinterpret_cast<const char*>(weights) + kAhead + 64, _MM_HINT_T0);
        add(at, place, _mm512_loadu_si512(weights), _mm512_loadu_si512(weights + 64 * (kVectors - 1)), sums);
        weights += 64 * kVectors;
        place += 4;
      } while (place < end);
      if (at == lastTap) break;
      at += cells.tableStride;
    }
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512 scales = _mm512_loadu_ps(terms.scales), more = _mm512_loadu_ps(terms.scales + kLanes * (kVectors - 1));
    if (terms.mayOverflow)
      finish<true>(scales, more, order, sums);
    else
      finish<false>(scales, more, order, sums);
  }
};

template <int kVectors, bool kFlips, int kRows = kMostRows>
void denseTileOf(int64_t rows, const DenseCells& cells, int64_t first, const MapPanel& panel, const SumsToBytes& terms,
                 uint8_t* to, int64_t toStride) {
  if (rows == kRows) {
    return DenseTile<kRows, kVectors, kFlips>{.terms = terms,
                                              .panel = panel,
                                              .to = to + first * toStride,
                                              .toStride = toStride,
                                              .flip = _mm512_set1_epi32(static_cast<int32_t>(cells.flip)),
                                              .zero = _mm512_set1_epi16(static_cast<int16_t>(terms.zeroPoint)),
                                              .high = _mm512_set1_ps(highOf(terms))}
        .run(cells, first);
  }
  if constexpr (kRows > 1) denseTileOf<kVectors, kFlips, kRows - 1>(rows, cells, first, panel, terms, to, toStride);
}

// Cells are shared out evenly among as few tiles as there can be.
template <int kVectors, bool kFlips>
void densePanel(const DenseCells& cells, const MapPanel& panel, const SumsToBytes& terms, uint8_t* to,
                int64_t toStride) {
  const int64_t tiles = (cells.count + kMostRows - 1) / kMostRows;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const int64_t begin = cells.count * tile / tiles, end = cells.count * (tile + 1) / tiles;
    denseTileOf<kVectors, kFlips>(end - begin, cells, begin, panel, terms, to, toStride);
  }
}

void dense(const DenseCells& cells, const MapPanel& panel, const SumsToBytes& terms, uint8_t* to, int64_t toStride) {
  const bool flips = cells.flip != 0;
  if (panel.vectors == 2)
    return flips ? densePanel<2, true>(cells, panel, terms, to, toStride)
                 : densePanel<2, false>(cells, panel, terms, to, toStride);
  if (flips) return densePanel<1, true>(cells, panel, terms, to, toStride);
  densePanel<1, false>(cells, panel, terms, to, toStride);
}

// Vectors of 64 and 32 channels.
struct Wide {
  static constexpr int64_t kBytes = 64;
  using V = __m512i;
  static HWY_INLINE V all(uint8_t byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }
  static HWY_INLINE V load(const uint8_t* from, uint64_t there) { return _mm512_maskz_loadu_epi8(there, from); }
  using Sums = Sums512;
  static HWY_INLINE V load(const void* from) { return _mm512_loadu_si512(from); }
  static HWY_INLINE V flip(V a, V b) { return _mm512_xor_si512(a, b); }
  static HWY_INLINE V low8(V a, V b) { return _mm512_unpacklo_epi8(a, b); }
  static HWY_INLINE V high8(V a, V b) { return _mm512_unpackhi_epi8(a, b); }
  static HWY_INLINE V low16(V a, V b) { return _mm512_unpacklo_epi16(a, b); }
  static HWY_INLINE V high16(V a, V b) { return _mm512_unpackhi_epi16(a, b); }
  template <bool kBounds>
  static HWY_INLINE V round(Sums sum, const float* scales, float high) {
    return rounded<kBounds>(sum, _mm512_loadu_ps(scales), _mm512_set1_ps(high));
  }
  static HWY_INLINE V narrow(V a, V b, int16_t zero) {
    return _mm512_adds_epi16(_mm512_packs_epi32(a, b), _mm512_set1_epi16(zero));
  }
  static HWY_INLINE void store(V bytes, uint64_t there, uint8_t* to) {
    if (there == ~uint64_t{0}) return _mm512_storeu_si512(to, bytes);
    _mm512_mask_storeu_epi8(to, there, bytes);
  }
};

struct Half {
  static constexpr int64_t kBytes = 32;
  using V = __m256i;
  static HWY_INLINE V all(uint8_t byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }
  static HWY_INLINE V load(const uint8_t* from, uint64_t there) {
    return _mm256_maskz_loadu_epi8(static_cast<__mmask32>(there), from);
  }
  using Sums = Sums256;
  static HWY_INLINE V load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
  static HWY_INLINE V flip(V a, V b) { return _mm256_xor_si256(a, b); }
  static HWY_INLINE V low8(V a, V b) { return _mm256_unpacklo_epi8(a, b); }
  static HWY_INLINE V high8(V a, V b) { return _mm256_unpackhi_epi8(a, b); }
  static HWY_INLINE V low16(V a, V b) { return _mm256_unpacklo_epi16(a, b); }
  static HWY_INLINE V high16(V a, V b) { return _mm256_unpackhi_epi16(a, b); }
  template <bool kBounds>
  static HWY_INLINE V round(Sums sum, const float* scales, float high) {
    return rounded<kBounds>(sum, _mm256_loadu_ps(scales), _mm256_set1_ps(high));
  }
  static HWY_INLINE V narrow(V a, V b, int16_t zero) {
    return _mm256_adds_epi16(_mm256_packs_epi32(a, b), _mm256_set1_epi16(zero));
  }
  static HWY_INLINE void store(V bytes, uint64_t there, uint8_t* to) {
    if (there == 0xFFFFFFFFu) return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
    _mm256_mask_storeu_epi8(to, static_cast<__mmask32>(there), bytes);
  }
};

// One block of channels of neighbouring results. A column of the input is read once for all results that see it: four
// of its rows are interleaved, so that the bytes of a channel lie side by side.
template <typename Block, bool kBounds>
struct DepthwiseBlock {
  using V = typename Block::V;
  using Sums = typename Block::Sums;
  const DepthwiseRow& row;
  const SumsToBytes& terms;  // of the block
  const int8_t* weights;     // of the block
  int64_t channel;
  uint64_t there;

  // Four rows of the window at a column. What lies beyond the window has weights of zero.
  struct Rows {
    const uint8_t* at[4];
    int64_t steps[4];
    int64_t column;
    bool hasFourth;
  };
  HWY_INLINE Rows rowsAt(int64_t column, int64_t firstRow) const {
    Rows rows{.column = column, .hasFourth = firstRow + 3 < row.kernelRows};
    for (int64_t k = 0; k < 4; ++k) {
      const size_t from = static_cast<size_t>(std::min(firstRow + k, row.kernelRows - 1));
      rows.steps[k] = row.rowSteps[from];
      rows.at[k] = row.rows[from] + column * rows.steps[k] + channel;
    }
    return rows;
  }

  HWY_INLINE void next(Rows& rows, V (&x)[4]) const {
    V first = Block::all(row.padding), second = first, third = first, fourth = first;
    if (static_cast<uint64_t>(rows.column) < static_cast<uint64_t>(row.inputColumns)) {
      first = Block::load(rows.at[0], there);
      second = Block::load(rows.at[1], there);
      third = Block::load(rows.at[2], there);
      fourth = rows.hasFourth ? Block::load(rows.at[3], there) : third;
    }
    ++rows.column;
    rows.at[0] += rows.steps[0];
    rows.at[1] += rows.steps[1];
    rows.at[2] += rows.steps[2];
    rows.at[3] += rows.steps[3];
    const V low = Block::low8(first, second), high = Block::high8(first, second);
    const V lowNext = Block::low8(third, fourth), highNext = Block::high8(third, fourth);
    x[0] = Block::low16(low, lowNext);
    x[1] = Block::high16(low, lowNext);
    x[2] = Block::low16(high, highNext);
    x[3] = Block::high16(high, highNext);
    if (row.flip == 0) return;
    const V flip = Block::all(row.flip);
    x[0] = Block::flip(x[0], flip);
    x[1] = Block::flip(x[1], flip);
    x[2] = Block::flip(x[2], flip);
    x[3] = Block::flip(x[3], flip);
  }

  HWY_INLINE static V rounded(Sums sum, const float* scales, float high) {
    return Block::template round<kBounds>(sum, scales, high);
  }
  HWY_INLINE void finish(const Sums* sums, uint8_t* to) const {
    const float high = highOf(terms);
    const int16_t zero = static_cast<int16_t>(terms.zeroPoint);
    constexpr int64_t kQuarter = Block::kBytes / 4;
    const V first =
        Block::narrow(rounded(sums[0], terms.scales, high), rounded(sums[1], terms.scales + kQuarter, high), zero);
    const V second = Block::narrow(rounded(sums[2], terms.scales + 2 * kQuarter, high),
                                   rounded(sums[3], terms.scales + 3 * kQuarter, high), zero);
    Block::store(saturate(first, second, terms.isSigned), there, to + channel);
  }

  // What a column of the input adds to results that see it as column kColumn, kColumn - kStride ... of their windows.
  template <int kResults, int kColumns, int kStride, int kColumn, int kResult = 0>
  HWY_INLINE void add(const V (&x)[4], const int8_t* group, Sums (&sums)[kResults * 4]) const {
    constexpr int kOwn = kColumn - kResult * kStride;
    if constexpr (kOwn >= 0 && kOwn < kColumns) addColumn(x, group + kOwn * 4 * Block::kBytes, sums + kResult * 4);
    if constexpr (kResult + 1 < kResults) add<kResults, kColumns, kStride, kColumn, kResult + 1>(x, group, sums);
  }
  HWY_INLINE static void addColumn(const V (&x)[4], const int8_t* from, Sums* sums) {
    sums[0] = addProducts(sums[0], x[0], Block::load(from));
    sums[1] = addProducts(sums[1], x[1], Block::load(from + Block::kBytes));
    sums[2] = addProducts(sums[2], x[2], Block::load(from + 2 * Block::kBytes));
    sums[3] = addProducts(sums[3], x[3], Block::load(from + 3 * Block::kBytes));
  }

  template <int kResults, int kColumns, int kStride, int kColumn = 0>
  HWY_INLINE void addColumns(Rows& rows, const int8_t* group, Sums (&sums)[kResults * 4]) const {
    V x[4];
    next(rows, x);
    add<kResults, kColumns, kStride, kColumn>(x, group, sums);
    if constexpr (kColumn + 1 < (kResults - 1) * kStride + kColumns)
      addColumns<kResults, kColumns, kStride, kColumn + 1>(rows, group, sums);
  }

  template <int kCount, int kAt = 0>
  HWY_INLINE void start(Sums (&sums)[kCount]) const {
    sums[kAt] = (Sums)Block::load(terms.added + kAt % 4 * Block::kBytes / 4);
    if constexpr (kAt + 1 < kCount) start<kCount, kAt + 1>(sums);
  }

  // kColumns, kStride: of the window.
  template <int kResults, int kColumns, int kStride>
  HWY_INLINE void results(int64_t first, uint8_t* to) const {
    Sums sums[kResults * 4];
    start(sums);
    const int8_t* group = weights;
    int64_t firstRow = 0;
    do {
      Rows rows = rowsAt(row.firstColumn + first * kStride, firstRow);
      addColumns<kResults, kColumns, kStride>(rows, group, sums);
      group += kColumns * Block::kBytes * 4;
      firstRow += 4;
    } while (firstRow < row.kernelRows);
    for (int result = 0; result < kResults; ++result)
      finish(sums + result * 4, to + (first + result) * row.channels);
  }

  HWY_INLINE void anyResult(int64_t result, uint8_t* to) const {
    Sums sums[4];
    start(sums);
    const int8_t* group = weights;
    for (int64_t firstRow = 0; firstRow < row.kernelRows; firstRow += 4) {
      Rows rows = rowsAt(row.firstColumn + result * row.stride, firstRow);
      for (int64_t k = 0; k < row.kernelColumns; ++k, group += Block::kBytes * 4) {
        V x[4];
        next(rows, x);
        addColumn(x, group, sums);
      }
    }
    finish(sums, to + result * row.channels);
  }

  template <int kColumns, int kStride>
  void whole(uint8_t* to) const {
    int64_t result = 0;
    if constexpr (kColumns != 0) {
      for (; result + 4 <= row.count; result += 4)
        results<4, kColumns, kStride>(result, to);
    }
    for (; result < row.count; ++result)
      anyResult(result, to);
  }

  void run(uint8_t* to) const {
    if (row.kernelColumns == 3 && row.stride == 1) return whole<3, 1>(to);
    if (row.kernelColumns == 3 && row.stride == 2) return whole<3, 2>(to);
    if (row.kernelColumns == 5 && row.stride == 1) return whole<5, 1>(to);
    whole<0, 0>(to);
  }
};

template <bool kBounds>
void depthwiseBlocks(const DepthwiseRow& row, const SumsToBytes& terms, uint8_t* to) {
  const int64_t eachPlace = (row.kernelRows + 3) / 4 * row.kernelColumns * 4;
  for (int64_t channel = 0; channel < row.channels;) {
    const int64_t left = row.channels - channel, block = depthwiseBlock(kOrder, left);
    SumsToBytes own = terms;
    own.added += channel;
    own.scales += channel;
    const int8_t* weights = row.weights + channel * eachPlace;
    const uint64_t there = left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
    if (block == 64)
      DepthwiseBlock<Wide, kBounds>{row, own, weights, channel, there}.run(to);
    else
      DepthwiseBlock<Half, kBounds>{row, own, weights, channel, there}.run(to);
    channel += block;
  }
}

void depthwise(const DepthwiseRow& row, const SumsToBytes& terms, uint8_t* to) {
  if (terms.mayOverflow) return depthwiseBlocks<true>(row, terms, to);
  depthwiseBlocks<false>(row, terms, to);
}

}  // namespace
}  // namespace cutaway::math

HWY_POP_ATTRIBUTES
HWY_DIAGNOSTICS(pop)

namespace cutaway::math {

const RequantizedLoops* vnniLoops() {
  static constexpr RequantizedLoops kLoops{
      .instructions = "vnni", .dense = dense, .depthwise = depthwise, .depthwiseOrder = kOrder, .sums = nullptr};
  static const bool usable = addsExactly() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                             __builtin_cpu_supports("avx512vnni");
  return usable ? &kLoops : nullptr;
}

}  // namespace cutaway::math

#else

namespace cutaway::math {

const RequantizedLoops* vnniLoops() {
  return nullptr;
}

}  // namespace cutaway::math

#endif
