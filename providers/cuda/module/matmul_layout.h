#pragma once
// How a row-major product looks to a library that thinks in columns.
//
// A row-major matrix is its own transpose in columns, so y = a b becomes y' = b' a': the description's second operand
// comes first, and nothing is moved. The bias, one value a column of y, is one value a row of y', which is what such
// libraries add. Thread rule: pure. No CUDA in here: the unit test runs it against plain loops. Example: const
// ProductLayout layout = productLayout(description);  // layout.first is b

#include <cstdint>

#include "providers/cuda/backend/operations.h"

namespace cutaway::cuda {

// Column by column: element (r, c) of matrix `batch` lies at batch * batchStride + c * leading + r.
struct StoredMatrix {
  int64_t rows = 0, columns = 0, leading = 0, batchStride = 0;
  bool transposed = false;  // the product takes it with rows and columns changed
  int64_t elements(int64_t batch) const { return (batch - 1) * batchStride + (columns - 1) * leading + rows; }
};

struct ProductLayout {
  StoredMatrix first, second, result;  // result (n x m) = first (n x k) * second (k x m), after their transpositions
};

ProductLayout productLayout(const MatmulDescription& description);

}  // namespace cutaway::cuda
