#include "providers/cpu/kernels/reduction/reduction_loops.h"

#include <algorithm>
#include <cmath>

#include "providers/cpu/kernels/elementwise/pointwise.h"

namespace cutaway::cpu {

namespace {

// Rows that are summed in fp32 before they go to the double totals.
constexpr int64_t kRowsInFloat = 64;

template <Map map, typename A>
A mapped(A x) {
  if constexpr (std::is_integral_v<A>) {
    if constexpr (map == Map::kSquare) return static_cast<A>(static_cast<uint64_t>(x) * static_cast<uint64_t>(x));
    if constexpr (map == Map::kSize) return x < 0 ? static_cast<A>(uint64_t{0} - static_cast<uint64_t>(x)) : x;
  } else {
    if constexpr (map == Map::kSquare) return x * x;
    if constexpr (map == Map::kSize) return std::fabs(x);
  }
  return x;
}

// The plain loop: every type, every fold.
template <Fold fold, Map map, typename T>
Accumulator<T> plainSegment(const T* x, int64_t count) {
  using A = Accumulator<T>;
  A result = foldIdentity<T>(fold);
  for (int64_t i = 0; i < count; ++i)
    result = foldPair<A>(fold, result, mapped<map>(static_cast<A>(widen(x[i]))));
  return result;
}

template <typename T>
Accumulator<T> plainSegment(Fold fold, Map map, const T* x, int64_t count) {
  if (fold == Fold::kProduct) return plainSegment<Fold::kProduct, Map::kIdentity>(x, count);
  if (fold == Fold::kMaximum) return plainSegment<Fold::kMaximum, Map::kIdentity>(x, count);
  if (fold == Fold::kMinimum) return plainSegment<Fold::kMinimum, Map::kIdentity>(x, count);
  if (map == Map::kSquare) return plainSegment<Fold::kSum, Map::kSquare>(x, count);
  return map == Map::kSize ? plainSegment<Fold::kSum, Map::kSize>(x, count)
                           : plainSegment<Fold::kSum, Map::kIdentity>(x, count);
}

double floatSegment(Fold fold, Map map, const float* x, int64_t count) {
  if (count == 0) return foldIdentity<float>(fold);
  if (fold == Fold::kProduct) return plainSegment(fold, map, x, count);
  if (fold != Fold::kSum) return vectorExtreme(fold == Fold::kMaximum, x, count);
  double total = 0;
  for (int64_t i = 0; i < count; i += kSumBlock)
    total += vectorBlockSum(map, x + i, std::min(kSumBlock, count - i));
  return total;
}

}  // namespace

template <typename T>
Accumulator<T> segment(Fold fold, Map map, const T* x, int64_t count) {
  if constexpr (std::is_same_v<T, float>) {
    return floatSegment(fold, map, x, count);
  } else if constexpr (isHalf<T>) {
    float run[kConversionRun];
    double result = foldIdentity<T>(fold);
    for (int64_t i = 0; i < count; i += kConversionRun) {
      const int64_t length = std::min(kConversionRun, count - i);
      widenRun(x + i, run, length);
      result = foldPair(fold, result, floatSegment(fold, map, run, length));
    }
    return result;
  } else {
    return plainSegment(fold, map, x, count);
  }
}

template <typename T>
double exponentialSum(const T* x, int64_t count, double shift) {
  double total = 0;
  if constexpr (std::is_same_v<Computed<T>, float>) {
    const FloatLoop exponential = floatLoop(PointwiseOp::kExp);
    const float offset = static_cast<float>(shift);
    float run[kConversionRun];
    for (int64_t i = 0; i < count; i += kConversionRun) {
      const int64_t length = std::min(kConversionRun, count - i);
      for (int64_t k = 0; k < length; ++k)
        run[k] = widen(x[i + k]) - offset;
      exponential(run, run, length, {});
      total += vectorBlockSum(Map::kIdentity, run, length);
    }
  } else {
    for (int64_t i = 0; i < count; ++i)
      total += std::exp(static_cast<double>(x[i]) - shift);
  }
  return total;
}

template <typename T>
void addExponentials(const T* row, const Accumulator<T>* shifts, double* totals, int64_t width) {
  if constexpr (std::is_same_v<Computed<T>, float>) {
    float run[kColumnTile];
    for (int64_t i = 0; i < width; ++i)
      run[i] = widen(row[i]) - static_cast<float>(shifts[i]);
    floatLoop(PointwiseOp::kExp)(run, run, width, {});
    for (int64_t i = 0; i < width; ++i)
      totals[i] += static_cast<double>(run[i]);
  } else {
    for (int64_t i = 0; i < width; ++i)
      totals[i] += std::exp(static_cast<double>(row[i]) - static_cast<double>(shifts[i]));
  }
}

template <typename T>
ColumnFold<T>::ColumnFold(Fold fold, Map map, int64_t width) : m_fold(fold), m_map(map), m_width(width) {
  std::fill_n(m_partial, width, 0.0f);
  std::fill_n(m_totals, width, foldIdentity<T>(fold));
}

template <typename T>
void ColumnFold<T>::addRow(const T* row) {
  if constexpr (std::is_same_v<Computed<T>, float>) {
    if (m_fold == Fold::kSum) {
      if constexpr (isHalf<T>) {
        float wide[kColumnTile];
        widenRun(row, wide, m_width);
        vectorAddRow(m_map, wide, m_partial, m_width);
      } else {
        vectorAddRow(m_map, row, m_partial, m_width);
      }
      if (++m_pendingRows == kRowsInFloat) flush();
      return;
    }
  }
  const auto foldRow = [&]<Fold fold, Map map>() {
    using A = Accumulator<T>;
    for (int64_t i = 0; i < m_width; ++i)
      m_totals[i] = foldPair<A>(fold, m_totals[i], mapped<map>(static_cast<A>(widen(row[i]))));
  };
  if (m_fold == Fold::kProduct) return foldRow.template operator()<Fold::kProduct, Map::kIdentity>();
  if (m_fold == Fold::kMaximum) return foldRow.template operator()<Fold::kMaximum, Map::kIdentity>();
  if (m_fold == Fold::kMinimum) return foldRow.template operator()<Fold::kMinimum, Map::kIdentity>();
  if (m_map == Map::kSquare) return foldRow.template operator()<Fold::kSum, Map::kSquare>();
  if (m_map == Map::kSize) return foldRow.template operator()<Fold::kSum, Map::kSize>();
  foldRow.template operator()<Fold::kSum, Map::kIdentity>();
}

template <typename T>
void ColumnFold<T>::flush() {
  if (m_pendingRows == 0) return;
  for (int64_t i = 0; i < m_width; ++i) {
    m_totals[i] += static_cast<Accumulator<T>>(m_partial[i]);
    m_partial[i] = 0;
  }
  m_pendingRows = 0;
}

#define CUTAWAY_REDUCTION_LOOPS(T)                                                     \
  template Accumulator<T> segment<T>(Fold, Map, const T*, int64_t);                    \
  template double exponentialSum<T>(const T*, int64_t, double);                        \
  template void addExponentials<T>(const T*, const Accumulator<T>*, double*, int64_t); \
  template class ColumnFold<T>;
CUTAWAY_REDUCTION_LOOPS(float)
CUTAWAY_REDUCTION_LOOPS(double)
CUTAWAY_REDUCTION_LOOPS(Float16)
CUTAWAY_REDUCTION_LOOPS(Bfloat16)
CUTAWAY_REDUCTION_LOOPS(int8_t)
CUTAWAY_REDUCTION_LOOPS(uint8_t)
CUTAWAY_REDUCTION_LOOPS(int32_t)
CUTAWAY_REDUCTION_LOOPS(uint32_t)
CUTAWAY_REDUCTION_LOOPS(int64_t)
CUTAWAY_REDUCTION_LOOPS(uint64_t)
#undef CUTAWAY_REDUCTION_LOOPS

}  // namespace cutaway::cpu
