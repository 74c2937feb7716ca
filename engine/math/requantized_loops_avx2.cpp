// The loops of requantized_loops.h with AVX2. Its products of bytes add pairs in 16 bits, where they saturate: here
// bytes are widened to 16 bits and pairs of products added in 32, which is as fast, because the other way takes a
// second instruction to get from 16 bits to 32.

#include <hwy/base.h>

#include "engine/math/requantized_loops.h"

#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <immintrin.h>

// The compiler's headers make undefined vectors by reading one that nothing was written to.
HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4701, ignored "-Wmaybe-uninitialized")
HWY_DIAGNOSTICS_OFF(disable : 4700, ignored "-Wuninitialized")
HWY_PUSH_ATTRIBUTES("avx2")

namespace cutaway::math {
namespace {

// Sums are vectors of 32-bit numbers to the compiler, too: as __m256i (of 64-bit ones) it moves them to and fro.
using Sums256 = int32_t __attribute__((vector_size(32)));

constexpr int kMiddle = 0b11011000;  // quarters 0, 2, 1, 3
constexpr int64_t kHalfMaps = 8;     // maps of a tile: half a vector of the panel, 32 bytes of weights
constexpr int kMostRows = 5;         // ten sums, two columns, a row, a product and zero, of 16 registers

// sum * scale as whole numbers, at most `high` where they might not fit (kBounds). A value that is no number becomes
// the smallest one.
template <bool kBounds>
HWY_INLINE __m256i rounded(Sums256 sum, __m256 scale, __m256 high) {
  __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps((__m256i)sum), scale);
  if constexpr (kBounds) value = _mm256_min_ps(high, value);
  return _mm256_cvtps_epi32(value);
}

HWY_INLINE Sums256 addPairs(Sums256 sums, __m256i x, __m256i weights) {
  return sums + (Sums256)_mm256_madd_epi16(x, weights);
}

HWY_INLINE __m256i saturate(__m256i low, __m256i high, bool isSigned) {
  return isSigned ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high);
}

// Everywhere in a vector. As a float, because the compiler makes three instructions of a number's way there.
HWY_INLINE __m256i fourBytes(const uint8_t* from) {
  return _mm256_castps_si256(_mm256_broadcast_ss(reinterpret_cast<const float*>(from)));
}

// A tile of results: kRows cells, eight maps. A step's weights are four vectors' quarters: the sums of a map are two
// neighbours, of channels 0 and 1 and of channels 2 and 3, and come together at the end. Sums stay in registers only
// if every loop over them is gone before the compiler places them; hence functions that call themselves for the next
// row. kFlips: whether there is something to flip.
template <int kRows, bool kFlips>
struct DenseTile {
  const int8_t* weights;  // of the eight maps' first step
  int64_t weightStep;     // bytes from step to step
  int64_t channelOffset, maps;
  __m256i flip;

  template <int kRow = 0>
  HWY_INLINE void add(const uint8_t* const* cells, int64_t place, __m256i column, __m256i next,
                      Sums256 (&sums)[kRows * 2]) const {
    __m256i x = fourBytes(cells[kRow] + place);
    if constexpr (kFlips) x = _mm256_xor_si256(flip, x);
    x = _mm256_unpacklo_epi8(x, _mm256_setzero_si256());  // twice as fast as the instruction that widens
    sums[2 * kRow] = addPairs(sums[2 * kRow], x, column);
    sums[2 * kRow + 1] = addPairs(sums[2 * kRow + 1], x, next);
    if constexpr (kRow + 1 < kRows) add<kRow + 1>(cells, place, column, next, sums);
  }

  // Adding neighbours of two vectors interleaves their halves: the sums of maps 0, 1, 4, 5, 2, 3, 6, 7, which is the
  // order of `added` and `scales`, too.
  template <bool kBounds>
  HWY_INLINE static __m256i resultsOf(Sums256 first, Sums256 second, __m256i added, __m256 scales, __m256 high) {
    const __m256i sums = _mm256_add_epi32(_mm256_hadd_epi32((__m256i)first, (__m256i)second), added);
    return rounded<kBounds>((Sums256)sums, scales, high);
  }

  HWY_INLINE void store(int64_t eight, uint8_t* at) const {
    if (maps == kHalfMaps)
      std::memcpy(at, &eight, sizeof(eight));
    else
      std::memcpy(at, &eight, static_cast<size_t>(maps));
  }

  // What follows sums: of the eight maps, added and scales in the order that resultsOf() wants.
  struct Finish {
    __m256i added;
    __m256 scales, high;
    __m256i zero;
    bool isSigned;
  };

  // Two rows leave together.
  template <bool kBounds, int kRow = 0>
  HWY_INLINE void finish(const Finish& how, const Sums256 (&sums)[kRows * 2], uint8_t* at, int64_t toStride) const {
    constexpr int kNext = kRow + 1 < kRows ? kRow + 1 : kRow;
    const __m256i first = resultsOf<kBounds>(sums[2 * kRow], sums[2 * kRow + 1], how.added, how.scales, how.high);
    const __m256i second =
        kNext == kRow ? first
                      : resultsOf<kBounds>(sums[2 * kNext], sums[2 * kNext + 1], how.added, how.scales, how.high);
    const __m256i both = _mm256_adds_epi16(_mm256_packs_epi32(first, second), how.zero);
    const __m256i bytes = saturate(both, both, how.isSigned);
    const __m128i ordered = _mm_unpacklo_epi16(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
    store(_mm_cvtsi128_si64(ordered), at);
    if constexpr (kNext != kRow) store(_mm_extract_epi64(ordered, 1), at + toStride);
    if constexpr (kRow + 2 < kRows) finish<kBounds, kRow + 2>(how, sums, at + 2 * toStride, toStride);
  }

  template <int kRow = 0>
  HWY_INLINE void storeSums(const Sums256 (&sums)[kRows * 2], int32_t* at, int64_t toStride) const {
    const __m256i eight =
        _mm256_permute4x64_epi64(_mm256_hadd_epi32((__m256i)sums[2 * kRow], (__m256i)sums[2 * kRow + 1]), kMiddle);
    if (maps == kHalfMaps)
      std::memcpy(at, &eight, sizeof(eight));
    else
      std::memcpy(at, &eight, static_cast<size_t>(maps) * sizeof(int32_t));
    if constexpr (kRow + 1 < kRows) storeSums<kRow + 1>(sums, at + toStride, toStride);
  }

  template <int kAt = 0>
  HWY_INLINE static void start(Sums256 (&sums)[kRows * 2]) {
    sums[kAt] = Sums256{};
    if constexpr (kAt + 1 < kRows * 2) start<kAt + 1>(sums);
  }

  HWY_INLINE void addAll(const DenseCells& cells, int64_t first, Sums256 (&sums)[kRows * 2]) const {
    const int8_t* from = weights;
    // There is a tap and a step at least; a loop that may not run at all would keep every sum twice.
    const uint8_t* const* at = cells.table + first;
    const uint8_t* const* const lastTap = at + (cells.taps - 1) * cells.tableStride;
    const int64_t end = channelOffset + cells.steps * 4;
    while (true) {
      int64_t place = channelOffset;
      do {
        add(at, place, _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))),
            _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16))), sums);
        from += weightStep;
        place += 4;
      } while (place < end);
      if (at == lastTap) return;
      at += cells.tableStride;
    }
  }

  template <bool kBounds>
  void run(const DenseCells& cells, int64_t begin, int64_t end, const SumsToBytes& terms, uint8_t* to,
           int64_t toStride) const {
    const Finish how{
        .added = _mm256_permute4x64_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(terms.added)), kMiddle),
        .scales = _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(_mm256_loadu_ps(terms.scales)), kMiddle)),
        .high = _mm256_set1_ps(highOf(terms)),
        .zero = _mm256_set1_epi16(static_cast<int16_t>(terms.zeroPoint)),
        .isSigned = terms.isSigned};
    for (int64_t first = begin; first < end; first += kRows) {
      Sums256 sums[kRows * 2];
      start(sums);
      addAll(cells, first, sums);
      finish<kBounds>(how, sums, to + first * toStride, toStride);
    }
  }

  void runSums(const DenseCells& cells, int64_t begin, int64_t end, int32_t* to, int64_t toStride) const {
    for (int64_t first = begin; first < end; first += kRows) {
      Sums256 sums[kRows * 2];
      start(sums);
      addAll(cells, first, sums);
      storeSums(sums, to + first * toStride, toStride);
    }
  }
};

// Cells in tiles of kRows, and the rest of them in a smaller one. each: what is done with a tile and the cells it
// covers.
template <bool kFlips, int kRows = kMostRows, typename Each>
HWY_INLINE void denseCells(const DenseCells& cells, int64_t begin, const MapPanel& panel, int64_t map,
                           const Each& each) {
  const int64_t end = begin + (cells.count - begin) / kRows * kRows;
  if (begin < end)
    each(DenseTile<kRows, kFlips>{.weights = panel.weights + map * 4,
                                  .weightStep = panel.vectors * 64,
                                  .channelOffset = panel.channelOffset,
                                  .maps = std::min(panel.maps - map, kHalfMaps),
                                  .flip = _mm256_set1_epi32(static_cast<int32_t>(cells.flip))},
         begin, end);
  if constexpr (kRows > 1) denseCells<kFlips, kRows - 1>(cells, end, panel, map, each);
}

template <bool kFlips>
void densePanel(const DenseCells& cells, const MapPanel& panel, const SumsToBytes& terms, uint8_t* to,
                int64_t toStride) {
  for (int64_t map = 0; map < panel.maps; map += kHalfMaps) {
    SumsToBytes own = terms;
    own.added += map;
    own.scales += map;
    denseCells<kFlips>(cells, 0, panel, map, [&](const auto& tile, int64_t begin, int64_t end) {
      if (own.mayOverflow)
        tile.template run<true>(cells, begin, end, own, to + map, toStride);
      else
        tile.template run<false>(cells, begin, end, own, to + map, toStride);
    });
  }
}

void dense(const DenseCells& cells, const MapPanel& panel, const SumsToBytes& terms, uint8_t* to, int64_t toStride) {
  if (cells.flip != 0) return densePanel<true>(cells, panel, terms, to, toStride);
  densePanel<false>(cells, panel, terms, to, toStride);
}

template <bool kFlips>
void sumsOfPanel(const DenseCells& cells, const MapPanel& panel, int32_t* to, int64_t toStride) {
  for (int64_t map = 0; map < panel.maps; map += kHalfMaps)
    denseCells<kFlips>(cells, 0, panel, map, [&](const auto& tile, int64_t begin, int64_t end) {
      tile.runSums(cells, begin, end, to + map, toStride);
    });
}

void sums(const DenseCells& cells, const MapPanel& panel, int32_t* to, int64_t toStride) {
  if (cells.flip != 0) return sumsOfPanel<true>(cells, panel, to, toStride);
  sumsOfPanel<false>(cells, panel, to, toStride);
}

// A block of 32 channels of a row of results. The bytes of two taps are interleaved and widened, so that the pairs of a
// channel lie side by side. kRows, kColumns: of the window, 0: any. kWidth: channels of the block that are there: 32,
// 24, 16, 8, or 0 for any number. kFlips: whether there is something to flip.
template <int kRows, int kColumns, int kWidth, bool kFlips>
struct DepthwiseBlock {
  static constexpr int64_t kBlock = 32;
  static constexpr size_t kWindowRows = kRows != 0 ? kRows : DepthwiseRow::kMostRows;
  const DepthwiseRow& row;
  const SumsToBytes& terms;  // of the block
  const int8_t* weights;     // of the block
  int64_t channel, there;

  void run(uint8_t* to) const {
    // Results whose windows lie inside of the input's columns.
    const int64_t columns = kColumns != 0 ? kColumns : row.kernelColumns;
    const int64_t stride = row.stride, last = row.inputColumns - columns - row.firstColumn;
    const int64_t begin = std::clamp<int64_t>((stride - 1 - row.firstColumn) / stride, 0, row.count);
    const int64_t end = last < 0 ? begin : std::clamp<int64_t>(last / stride + 1, begin, row.count);
    results<false>(0, begin, to + channel);
    results<true>(begin, end, to + channel);
    results<false>(end, row.count, to + channel);
  }

  HWY_INLINE static __m256i vectorAt(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
  // AVX2 has no masks for bytes: what is not whole goes through memory.
  HWY_INLINE static __m256i load(const uint8_t* from, int64_t there) {
    if constexpr (kWidth == 32) return vectorAt(from);
    if constexpr (kWidth == 16 || kWidth == 24) {
      const __m256i first = _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
      return kWidth == 16 ? first : _mm256_inserti128_si256(first, _mm_loadu_si64(from + 16), 1);
    }
    if constexpr (kWidth == 8) return _mm256_castsi128_si256(_mm_loadu_si64(from));
    uint8_t bytes[kBlock] = {};
    std::memcpy(bytes, from, static_cast<size_t>(there));
    return vectorAt(bytes);
  }
  HWY_INLINE static void store(__m256i bytes, int64_t there, uint8_t* to) {
    if constexpr (kWidth != 0)
      std::memcpy(to, &bytes, kWidth);
    else
      std::memcpy(to, &bytes, static_cast<size_t>(there));
  }

  // Everything is copied first: what is stored are bytes, which might be anything to the compiler.
  template <bool kInside>
  void results(int64_t begin, int64_t end, uint8_t* to) const {
    const int64_t rows = kRows != 0 ? kRows : row.kernelRows, columns = kColumns != 0 ? kColumns : row.kernelColumns;
    const int64_t taps = rows * columns, stride = row.stride, channels = row.channels, width = there;
    const auto inputColumns = static_cast<uint64_t>(row.inputColumns);
    const int8_t* const allWeights = weights;
    const uint8_t* lines[kWindowRows];
    int64_t steps[kWindowRows], places[kWindowRows];
    for (size_t k = 0; k < static_cast<size_t>(rows); ++k) {
      lines[k] = row.rows[k] + channel;
      steps[k] = row.rowSteps[k];
      places[k] = (row.firstColumn + begin * stride) * steps[k];
    }
    const SumsToBytes own = terms;
    const __m256 high = _mm256_set1_ps(highOf(terms));
    const __m256i zero = _mm256_set1_epi16(static_cast<int16_t>(own.zeroPoint)), none = _mm256_setzero_si256();
    const __m256i padding = _mm256_set1_epi8(static_cast<char>(row.padding)),
                  flip = _mm256_set1_epi8(static_cast<char>(row.flip));
    const auto cell = [&](size_t k, int64_t first, int64_t column) {
      __m256i x = padding;
      if (kInside || static_cast<uint64_t>(first + column) < inputColumns)
        x = load(lines[k] + places[k] + column * steps[k], width);
      return kFlips ? _mm256_xor_si256(flip, x) : x;
    };
    const auto round = [&](Sums256 sums, int64_t quarter) {
      return rounded<true>(sums, _mm256_loadu_ps(own.scales + 8 * quarter), high);
    };
    to += begin * channels;
    for (int64_t result = begin; result < end; ++result, to += channels) {
      const int64_t first = row.firstColumn + result * stride;
      Sums256 sums[4];
      for (int64_t quarter = 0; quarter < 4; ++quarter)
        sums[quarter] = (Sums256)vectorAt(own.added + 8 * quarter);
      const int8_t* from = allWeights;
      size_t k = 0;
      int64_t column = 0;
#pragma GCC unroll 13
      for (int64_t tap = 0; tap < taps; tap += 2, from += 128) {
        const __m256i one = cell(k, first, column);
        if (++column == columns) ++k, column = 0;
        __m256i other = none;
        if (tap + 1 < taps) other = cell(k, first, column);
        if (++column == columns) ++k, column = 0;
        const __m256i low = _mm256_unpacklo_epi8(one, other), more = _mm256_unpackhi_epi8(one, other);
        sums[0] = addPairs(sums[0], _mm256_unpacklo_epi8(low, none), vectorAt(from));
        sums[1] = addPairs(sums[1], _mm256_unpackhi_epi8(low, none), vectorAt(from + 32));
        sums[2] = addPairs(sums[2], _mm256_unpacklo_epi8(more, none), vectorAt(from + 64));
        sums[3] = addPairs(sums[3], _mm256_unpackhi_epi8(more, none), vectorAt(from + 96));
      }
      for (size_t each = 0; each < static_cast<size_t>(rows); ++each)
        places[each] += steps[each] * stride;
      const __m256i half = _mm256_adds_epi16(_mm256_packs_epi32(round(sums[0], 0), round(sums[1], 1)), zero);
      const __m256i rest = _mm256_adds_epi16(_mm256_packs_epi32(round(sums[2], 2), round(sums[3], 3)), zero);
      store(saturate(half, rest, own.isSigned), width, to);
    }
  }
};

template <int kRows, int kColumns, bool kFlips>
void depthwiseBlocks(const DepthwiseRow& row, const SumsToBytes& terms, uint8_t* to) {
  const int64_t eachPlace = depthwisePlaceBytes(DepthwiseOrder::kTwoTaps, row.kernelRows, row.kernelColumns);
  for (int64_t channel = 0; channel < row.channels; channel += 32) {
    SumsToBytes own = terms;
    own.added += channel;
    own.scales += channel;
    const int8_t* const weights = row.weights + channel * eachPlace;
    const int64_t left = row.channels - channel;
    const auto run = [&](auto width) {
      DepthwiseBlock<kRows, kColumns, width(), kFlips>{row, own, weights, channel, left}.run(to);
    };
    if (left >= 32)
      run(std::integral_constant<int, 32>());
    else if (left == 24)
      run(std::integral_constant<int, 24>());
    else if (left == 16)
      run(std::integral_constant<int, 16>());
    else if (left == 8)
      run(std::integral_constant<int, 8>());
    else
      run(std::integral_constant<int, 0>());
  }
}

template <bool kFlips>
void depthwiseWindow(const DepthwiseRow& row, const SumsToBytes& terms, uint8_t* to) {
  if (row.kernelRows == 3 && row.kernelColumns == 3) return depthwiseBlocks<3, 3, kFlips>(row, terms, to);
  if (row.kernelRows == 5 && row.kernelColumns == 5) return depthwiseBlocks<5, 5, kFlips>(row, terms, to);
  depthwiseBlocks<0, 0, kFlips>(row, terms, to);
}

void depthwise(const DepthwiseRow& row, const SumsToBytes& terms, uint8_t* to) {
  if (row.flip != 0) return depthwiseWindow<true>(row, terms, to);
  depthwiseWindow<false>(row, terms, to);
}

}  // namespace
}  // namespace cutaway::math

HWY_POP_ATTRIBUTES
HWY_DIAGNOSTICS(pop)

namespace cutaway::math {

const RequantizedLoops* avx2Loops() {
  static constexpr RequantizedLoops kLoops{.instructions = "avx2",
                                           .dense = dense,
                                           .depthwise = depthwise,
                                           .depthwiseOrder = DepthwiseOrder::kTwoTaps,
                                           .sums = sums};
  static const bool usable = __builtin_cpu_supports("avx2") != 0;
  return usable ? &kLoops : nullptr;
}

}  // namespace cutaway::math

#else

namespace cutaway::math {

const RequantizedLoops* avx2Loops() {
  return nullptr;
}

}  // namespace cutaway::math

#endif
