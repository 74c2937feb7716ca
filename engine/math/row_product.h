#pragma once
// One row of floats times a matrix: a fully connected layer with a batch of one, a step of a language model.
//
// Such a product takes as long as its matrix takes to be read once, so it is read where it lies, whichever way: a
// packed copy would cost its memory again and gain nothing. A sum's order depends on the depth alone, not on threads.
// Thread rule: pure; runs on the caller's threads. Example: multiplyRow(x, weights, {.columns = 4096, .depth = 9216},
// y);

#include <cstdint>

namespace cutaway::math {

struct RowProductShape {
  int64_t columns = 0, depth = 0;
  bool rowByRow = false;  // the matrix lies row after row; else column after column
};

// y[column] = sum of row[k] * matrix[column * depth + k], or row by row: matrix[k * columns + column].
void multiplyRow(const float* row, const float* matrix, const RowProductShape& shape, float* y);

}  // namespace cutaway::math
