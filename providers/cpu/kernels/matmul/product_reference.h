#pragma once
// The matrix product as plain loops, for every number type.
//
// Thread rule: pure function, split over threads by row.
// Example: multiplyReference<double>({.rows = m, .columns = n, .depth = k, .rowStrideA = k, .rowStrideB = n}, a, b, c);

#include <algorithm>
#include <type_traits>

#include "engine/base/parallel.h"

namespace cutaway::cpu {

struct ProductGeometry {
  int64_t rows = 0, columns = 0, depth = 0;
  bool transposeA = false, transposeB = false;
  int64_t rowStrideA = 0, rowStrideB = 0;
};

// Signed integers go through unsigned ones, where overflow wraps.
template <typename T>
T multiplyAdd(T sum, T left, T right) {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Wide>(sum) + static_cast<Wide>(left) * static_cast<Wide>(right));
  } else {
    return sum + left * right;
  }
}

// c[i, j] = sum over d of a[i, d] * b[d, j], where a transposed operand is stored the other way round. Integers wrap.
template <typename T>
void multiplyReference(const ProductGeometry& geometry, const T* a, const T* b, T* c) {
  parallelFor(geometry.rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* row = c + i * geometry.columns;
      std::fill_n(row, geometry.columns, T(0));
      for (int64_t d = 0; d < geometry.depth; ++d) {
        const T left = geometry.transposeA ? a[d * geometry.rowStrideA + i] : a[i * geometry.rowStrideA + d];
        const T* right = geometry.transposeB ? b + d : b + d * geometry.rowStrideB;
        const int64_t step = geometry.transposeB ? geometry.rowStrideB : 1;
        for (int64_t j = 0; j < geometry.columns; ++j)
          row[j] = multiplyAdd(row[j], left, right[j * step]);
      }
    }
  });
}

}  // namespace cutaway::cpu
