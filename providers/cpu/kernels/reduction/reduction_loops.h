#pragma once
// Folding runs of elements: the inner loops of every Reduce operator.
//
// A reduction is a map (identity, size, square), a fold (sum, product, maximum, minimum) and a last step on the result.
// Floats are summed in fp32 over short blocks and the blocks in double, always in the same order, so that a result
// depends on the shape only and never on the number of threads. Integers wrap. Thread rule: pure functions. Example:
// const double total = segment<float>(Fold::kSum, Map::kIdentity, x, count);

#include <cstdint>
#include <limits>
#include <type_traits>

#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

enum class Fold : uint8_t { kSum, kProduct, kMaximum, kMinimum };
enum class Map : uint8_t { kIdentity, kSize, kSquare };

// What T is folded in: double for every float, 64 bits of the same signedness for integers.
template <typename T>
using Accumulator =
    std::conditional_t<std::is_integral_v<T>, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>, double>;

template <typename T>
Accumulator<T> foldIdentity(Fold fold) {
  using A = Accumulator<T>;
  if (fold == Fold::kSum) return 0;
  if (fold == Fold::kProduct) return 1;
  if constexpr (std::is_same_v<A, double>) {
    return fold == Fold::kMaximum ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  } else {
    return fold == Fold::kMaximum ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
}

// NaN wins; integers wrap.
template <typename A>
A foldPair(Fold fold, A a, A b) {
  if constexpr (std::is_integral_v<A>) {
    const auto left = static_cast<uint64_t>(a);
    const auto right = static_cast<uint64_t>(b);
    if (fold == Fold::kSum) return static_cast<A>(left + right);
    if (fold == Fold::kProduct) return static_cast<A>(left * right);
  } else {
    if (fold == Fold::kSum) return a + b;
    if (fold == Fold::kProduct) return a * b;
    if (a != a) return a;
    if (b != b) return b;
  }
  return (fold == Fold::kMaximum) == (a > b) ? a : b;
}

// Folds `count` neighbouring elements.
template <typename T>
Accumulator<T> segment(Fold fold, Map map, const T* x, int64_t count);

// Sum of exp(x - shift) over neighbouring elements.
template <typename T>
double exponentialSum(const T* x, int64_t count, double shift);

// totals[i] += exp(row[i] - shifts[i]) over one row of columns, width <= kColumnTile.
template <typename T>
void addExponentials(const T* row, const Accumulator<T>* shifts, double* totals, int64_t width);

// Columns folded row by row. Rows are given in order; finish() leaves the results in totals().
inline constexpr int64_t kColumnTile = 128;

template <typename T>
class ColumnFold {
 public:
  ColumnFold(Fold fold, Map map, int64_t width);  // width <= kColumnTile
  void addRow(const T* row);
  void finish() { flush(); }
  const Accumulator<T>* totals() const { return m_totals; }

 private:
  void flush();
  Fold m_fold;
  Map m_map;
  int64_t m_width;
  int64_t m_pendingRows = 0;
  float m_partial[kColumnTile];  // float and half sums
  Accumulator<T> m_totals[kColumnTile];
};

// fp32, vectorised (reduction_vector.cpp). Sums give the sum of one block of at most kSumBlock elements.
inline constexpr int64_t kSumBlock = 2048;
float vectorBlockSum(Map map, const float* x, int64_t count);
float vectorExtreme(bool maximum, const float* x, int64_t count);  // NaN when there is one; count >= 1
// The first (last) position of the extreme along a row, a NaN being the extreme; count >= 1.
int64_t vectorArgExtreme(bool maximum, const float* x, int64_t count, bool last);
// Columns: takes row number `index` into the best values and their positions, the first (last) of equal ones winning.
void vectorArgRow(bool maximum, const float* row, float* best, int32_t* positions, int32_t index, int64_t width,
                  bool last);
void vectorAddRow(Map map, const float* row, float* sums, int64_t width);

}  // namespace cutaway::cpu
