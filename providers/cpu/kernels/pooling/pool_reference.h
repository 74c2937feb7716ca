#pragma once
// Pooling as plain loops over planes (one image of one channel each).
//
// Thread rule: pure functions, split over threads by plane.
// Example: maxPoolReference<float>(planes, window, x, y, nullptr, false);

#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway {

// Calls visit(position per axis) for every kernel cell of the window at `out` that lies inside the input.
template <typename Visit>
void visitWindow(const Window& window, const WindowDims& out, Visit&& visit) {
  WindowDims k{}, position{};
  const int64_t cells = window.kernelCells();
  for (int64_t cell = 0; cell < cells; ++cell, nextIndex(k, window.kernel, window.rank)) {
    bool inside = true;
    for (size_t axis = 0; axis < window.rank && inside; ++axis) {
      position[axis] = window.start(axis, out[axis]) + k[axis] * window.dilations[axis];
      inside = position[axis] >= 0 && position[axis] < window.input[axis];
    }
    if (inside) visit(position);
  }
}

inline int64_t rowMajor(const Window& window, const WindowDims& position) {
  int64_t offset = 0;
  for (size_t axis = 0; axis < window.rank; ++axis) offset = offset * window.input[axis] + position[axis];
  return offset;
}

inline int64_t columnMajor(const Window& window, const WindowDims& position) {
  int64_t offset = 0;
  for (size_t axis = window.rank; axis-- > 0;) offset = offset * window.input[axis] + position[axis];
  return offset;
}

// indices (may be null): place of the largest element in the whole input, the first one when several are equal.
template <typename T>
void maxPoolReference(int64_t planes, const Window& window, const T* x, T* y, int64_t* indices, bool columnMajorIndices) {
  const int64_t inCells = window.inputCells(), outCells = window.outputCells();
  parallelFor(planes, 1, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const T* source = x + plane * inCells;
      WindowDims out{};
      for (int64_t cell = 0; cell < outCells; ++cell, nextIndex(out, window.output, window.rank)) {
        T best = std::numeric_limits<T>::lowest();
        int64_t place = -1;
        visitWindow(window, out, [&](const WindowDims& position) {
          const T value = source[rowMajor(window, position)];
          if (place >= 0 && !(value > best)) return;
          best = value;
          place = columnMajorIndices ? columnMajor(window, position) : rowMajor(window, position);
        });
        y[plane * outCells + cell] = best;
        if (indices != nullptr) indices[plane * outCells + cell] = place < 0 ? -1 : plane * inCells + place;
      }
    }
  });
}

// Cells of the window that count when padding counts: those before the end of the padding. What ceil mode adds beyond it never counts.
inline int64_t paddedCells(const Window& window, const WindowDims& out) {
  int64_t count = 1;
  for (size_t axis = 0; axis < window.rank; ++axis) {
    const int64_t room = window.input[axis] + window.padsEnd[axis] - window.start(axis, out[axis]);
    count *= std::min(window.kernel[axis], (room + window.dilations[axis] - 1) / window.dilations[axis]);
  }
  return count;
}

template <typename T>
void averagePoolReference(int64_t planes, const Window& window, bool includePadding, const T* x, T* y) {
  const int64_t inCells = window.inputCells(), outCells = window.outputCells();
  parallelFor(planes, 1, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const T* source = x + plane * inCells;
      WindowDims out{};
      for (int64_t cell = 0; cell < outCells; ++cell, nextIndex(out, window.output, window.rank)) {
        T sum = 0;
        int64_t count = 0;
        visitWindow(window, out, [&](const WindowDims& position) {
          sum += source[rowMajor(window, position)];
          ++count;
        });
        if (includePadding) count = paddedCells(window, out);
        y[plane * outCells + cell] = count > 0 ? sum / static_cast<T>(count) : T(0);
      }
    }
  });
}

template <typename T>
void lpPoolReference(int64_t planes, const Window& window, T p, const T* x, T* y) {
  const int64_t inCells = window.inputCells(), outCells = window.outputCells();
  parallelFor(planes, 1, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const T* source = x + plane * inCells;
      WindowDims out{};
      for (int64_t cell = 0; cell < outCells; ++cell, nextIndex(out, window.output, window.rank)) {
        T sum = 0;
        visitWindow(window, out, [&](const WindowDims& position) { sum += std::pow(std::abs(source[rowMajor(window, position)]), p); });
        y[plane * outCells + cell] = std::pow(sum, T(1) / p);
      }
    }
  });
}

}  // namespace cutaway
