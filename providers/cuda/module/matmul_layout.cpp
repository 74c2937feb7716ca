#include "providers/cuda/module/matmul_layout.h"

#include <algorithm>

namespace cutaway::cuda {
namespace {

// rows and columns as they are stored, row-major.
StoredMatrix stored(int64_t rows, int64_t columns, int64_t rowStride, int64_t batchStride, bool transposed) {
  const int64_t leading = rowStride == 0 || rows == 1 ? std::max(rowStride, columns) : rowStride;
  return {.rows = columns, .columns = rows, .leading = leading, .batchStride = batchStride, .transposed = transposed};
}

}  // namespace

ProductLayout productLayout(const MatmulDescription& d) {
  ProductLayout layout;
  layout.first = d.transposeB ? stored(d.n, d.k, d.rowStrideB, d.batchStrideB, true)
                              : stored(d.k, d.n, d.rowStrideB, d.batchStrideB, false);
  layout.second = d.transposeA ? stored(d.k, d.m, d.rowStrideA, d.batchStrideA, true)
                               : stored(d.m, d.k, d.rowStrideA, d.batchStrideA, false);
  layout.result = stored(d.m, d.n, d.rowStrideY, d.batchStrideY, false);
  if (d.batch > 1 && layout.result.batchStride == 0) layout.result.batchStride = d.m * layout.result.leading;
  return layout;
}

}  // namespace cutaway::cuda
