#pragma once
// Pooling a row of output cells at a time: one kernel cell after the other is folded into the whole row, so that the
// inner loop runs over neighbouring cells.
//
// What oneDNN does not take (other types than float, places of maxima, more than three axes, p-norms) goes through
// here. Any rank up to kMaxWindowRank; halves come as float. A fold says where a row starts, how one value is added and
// how the row ends, given the number of input cells that each output cell covers. Thread rule: pure functions, split
// over threads by plane (one image of one channel each). Example: maxPoolRows<float>(planes, window, x, y);

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

// Output columns [begin, end) whose window has cell k of the last axis inside the input.
struct ColumnRange {
  int64_t begin = 0, end = 0;
};

inline ColumnRange columnsInside(const Window& window, int64_t k) {
  const size_t axis = window.rank - 1;
  const int64_t stride = window.strides[axis], shift = k * window.dilations[axis] - window.padsBegin[axis];
  const int64_t begin = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  const int64_t room = window.input[axis] - 1 - shift;
  const int64_t end = room < 0 ? 0 : std::min(window.output[axis], room / stride + 1);
  return {std::min(begin, end), end};
}

// Kernel cells of one axis that lie inside the input, for one output index.
inline int64_t cellsInside(const Window& window, size_t axis, int64_t out) {
  int64_t count = 0;
  for (int64_t k = 0; k < window.kernel[axis]; ++k) {
    const int64_t position = window.start(axis, out) + k * window.dilations[axis];
    count += position >= 0 && position < window.input[axis];
  }
  return count;
}

// Calls visit(position per outer axis) for every outer kernel cell inside the input, in row-major order.
template <typename Visit>
void visitOuterCells(const Window& window, const WindowDims& out, Visit&& visit) {
  const size_t outer = window.rank - 1;
  WindowDims k{}, position{};
  do {
    bool inside = true;
    for (size_t axis = 0; axis < outer && inside; ++axis) {
      position[axis] = window.start(axis, out[axis]) + k[axis] * window.dilations[axis];
      inside = position[axis] >= 0 && position[axis] < window.input[axis];
    }
    if (inside) visit(position);
  } while (nextIndex(k, window.kernel, outer));
}

// fold.begin(row, count); fold.add(cell, value); fold.end(row, out): out names the row's outer output indices, its last
// entry is 0.
template <typename T, typename Fold>
void poolRows(int64_t planes, const Window& window, const T* x, T* y, const Fold& fold) {
  const size_t outer = window.rank - 1;
  const int64_t inCells = window.inputCells(), outCells = window.outputCells();
  const int64_t width = window.input[outer], columns = window.output[outer], stride = window.strides[outer];
  parallelFor(planes, 1, [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      WindowDims out{};
      T* row = y + plane * outCells;
      do {
        fold.begin(row, columns);
        visitOuterCells(window, out, [&](const WindowDims& position) {
          int64_t offset = 0;
          for (size_t axis = 0; axis < outer; ++axis)
            offset = offset * window.input[axis] + position[axis];
          for (int64_t k = 0; k < window.kernel[outer]; ++k) {
            const ColumnRange range = columnsInside(window, k);
            const T* from = x + plane * inCells + offset * width + range.begin * stride + k * window.dilations[outer] -
                            window.padsBegin[outer];
            T* to = row + range.begin;
            const int64_t count = range.end - range.begin;
            if (stride == 1) {
              for (int64_t i = 0; i < count; ++i)
                fold.add(to[i], from[i]);
            } else {
              for (int64_t i = 0; i < count; ++i)
                fold.add(to[i], from[i * stride]);
            }
          }
        });
        fold.end(row, out);
        row += columns;
      } while (nextIndex(out, window.output, outer));
    }
  });
}

template <typename T>
struct MaxFold {
  const Window& window;
  void begin(T* row, int64_t count) const { std::fill_n(row, count, math::kLowestMaximum<T>); }
  void add(T& cell, T value) const { cell = math::isNewMaximum(value, cell) ? value : cell; }
  void end(T*, const WindowDims&) const {}
};

template <typename T>
void maxPoolRows(int64_t planes, const Window& window, const T* x, T* y) {
  poolRows<T>(planes, window, x, y, MaxFold<T>{window});
}

// The same with the place of each maximum in the whole input, the first one when several are equal; -1 where a window
// covers nothing.
template <typename T>
void maxPoolPlaces(int64_t planes, const Window& window, const T* x, T* y, int64_t* places, bool columnMajor) {
  const size_t outer = window.rank - 1;
  const int64_t inCells = window.inputCells(), outCells = window.outputCells();
  const int64_t width = window.input[outer], columns = window.output[outer], stride = window.strides[outer];
  int64_t placeStep = 1;
  for (size_t axis = 0; axis < outer && columnMajor; ++axis)
    placeStep *= window.input[axis];
  parallelFor(planes, 1, [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      WindowDims out{};
      T* row = y + plane * outCells;
      int64_t* rowPlaces = places + plane * outCells;
      do {
        std::fill_n(row, columns, math::kLowestMaximum<T>);
        std::fill_n(rowPlaces, columns, int64_t{-1});
        visitOuterCells(window, out, [&](const WindowDims& position) {
          int64_t offset = 0, outerPlace = 0;
          for (size_t axis = 0; axis < outer; ++axis)
            offset = offset * window.input[axis] + position[axis];
          for (size_t axis = outer; axis-- > 0;)
            outerPlace = outerPlace * window.input[axis] + position[axis];
          const int64_t placeBase = plane * inCells + (columnMajor ? outerPlace : offset * width);
          for (int64_t k = 0; k < window.kernel[outer]; ++k) {
            const ColumnRange range = columnsInside(window, k);
            const int64_t shift = k * window.dilations[outer] - window.padsBegin[outer];
            const T* from = x + plane * inCells + offset * width;
            for (int64_t i = range.begin; i < range.end; ++i) {
              const int64_t column = i * stride + shift;
              if (rowPlaces[i] >= 0 && !math::isNewMaximum(from[column], row[i])) continue;
              row[i] = from[column];
              rowPlaces[i] = placeBase + column * placeStep;
            }
          }
        });
        row += columns;
        rowPlaces += columns;
      } while (nextIndex(out, window.output, outer));
    }
  });
}

// Cells of one axis that count when padding counts: those before the end of the padding. What ceil mode adds beyond it
// never counts.
inline int64_t paddedCells(const Window& window, size_t axis, int64_t out) {
  const int64_t room = window.input[axis] + window.padsEnd[axis] - window.start(axis, out);
  return std::min(window.kernel[axis], (room + window.dilations[axis] - 1) / window.dilations[axis]);
}

template <typename T>
struct AverageFold {
  const Window& window;
  bool includePadding;
  int64_t cells(size_t axis, int64_t out) const {
    return includePadding ? paddedCells(window, axis, out) : cellsInside(window, axis, out);
  }
  void begin(T* row, int64_t count) const { std::fill_n(row, count, T(0)); }
  void add(T& cell, T value) const { cell += value; }
  void end(T* row, const WindowDims& out) const {
    int64_t outer = 1;
    for (size_t axis = 0; axis + 1 < window.rank; ++axis)
      outer *= cells(axis, out[axis]);
    for (int64_t i = 0; i < window.output[window.rank - 1]; ++i) {
      const int64_t count = outer * cells(window.rank - 1, i);
      row[i] = count > 0 ? row[i] / static_cast<T>(count) : T(0);
    }
  }
};

template <typename T>
void averagePoolRows(int64_t planes, const Window& window, bool includePadding, const T* x, T* y) {
  poolRows<T>(planes, window, x, y, AverageFold<T>{window, includePadding});
}

// The p-norm; sums of absolutes and of squares need no powers.
template <typename T, typename Power, typename Root>
struct NormFold {
  const Window& window;
  Power power;
  Root root;
  void begin(T* row, int64_t count) const { std::fill_n(row, count, T(0)); }
  void add(T& cell, T value) const { cell += power(value); }
  void end(T* row, const WindowDims&) const {
    for (int64_t i = 0; i < window.output[window.rank - 1]; ++i)
      row[i] = root(row[i]);
  }
};

template <typename T>
void lpPoolRows(int64_t planes, const Window& window, T p, const T* x, T* y) {
  const auto run = [&](auto power, auto root) {
    poolRows<T>(planes, window, x, y, NormFold<T, decltype(power), decltype(root)>{window, power, root});
  };
  if (p == T(1))
    run([](T v) { return std::abs(v); }, [](T sum) { return sum; });
  else if (p == T(2))
    run([](T v) { return v * v; }, [](T sum) { return std::sqrt(sum); });
  else if (p == T(3))
    run([](T v) { return std::abs(v * v * v); }, [](T sum) { return std::cbrt(sum); });
  else
    run([p](T v) { return std::pow(std::abs(v), p); }, [p](T sum) { return std::pow(sum, T(1) / p); });
}

}  // namespace cutaway::cpu
