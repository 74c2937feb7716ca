#pragma once
// Poolings over 1 to 3 spatial axes (missing ones are of size 1 and come first), channels first or last.
//
// Thread rule: as shared.h. Example: see pooling_table.cpp, "pooling.max.float".

#include <cmath>

#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

struct PoolingParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t* places = nullptr;  // of maxima, counted in channels-first order over the whole tensor; nullptr: not wanted
  int64_t batch = 0, channels = 0;
  int32_t input[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, output[3] = {1, 1, 1}, stride[3] = {1, 1, 1},
          dilation[3] = {1, 1, 1}, padBegin[3] = {}, padEnd[3] = {};
  bool channelsLast = false, countPadding = false, columnMajor = false;
  double power = 2;

  CUTAWAY_SHARED int64_t inputCells() const { return static_cast<int64_t>(input[0]) * input[1] * input[2]; }
  CUTAWAY_SHARED int64_t outputCells() const { return static_cast<int64_t>(output[0]) * output[1] * output[2]; }
};

template <typename T>
struct LowestOf {
  static constexpr bool kFloating = true;
};
template <>
struct LowestOf<int8_t> {
  static constexpr bool kFloating = false;
  static constexpr int8_t value = -128;
};
template <>
struct LowestOf<uint8_t> {
  static constexpr bool kFloating = false;
  static constexpr uint8_t value = 0;
};

// What a maximum starts with: minus infinity, or the least whole number.
template <typename T>
CUTAWAY_SHARED Compute<T> lowest() {
  if constexpr (LowestOf<T>::kFloating)
    return -HUGE_VAL;
  else
    return LowestOf<T>::value;
}

struct PoolingPlace {
  int64_t image = 0, channel = 0;
  int32_t out[3] = {};
};

CUTAWAY_SHARED PoolingPlace poolingPlace(const PoolingParameters& p, int64_t index) {
  PoolingPlace at;
  const int64_t cells = p.outputCells();
  int64_t cell = 0;
  if (p.channelsLast) {
    at.channel = index % p.channels;
    index /= p.channels;
    cell = index % cells;
    at.image = index / cells;
  } else {
    cell = index % cells;
    index /= cells;
    at.channel = index % p.channels;
    at.image = index / p.channels;
  }
  at.out[2] = static_cast<int32_t>(cell % p.output[2]);
  cell /= p.output[2];
  at.out[1] = static_cast<int32_t>(cell % p.output[1]);
  at.out[0] = static_cast<int32_t>(cell / p.output[1]);
  return at;
}

// Calls visit(value, positions) for every cell of the window that lies inside the input, in row-major order.
template <typename T, typename Visit>
CUTAWAY_SHARED void visitWindow(const PoolingParameters& p, const PoolingPlace& at, Visit& visit) {
  const int64_t step = p.channelsLast ? p.channels : 1;
  const T* x = static_cast<const T*>(p.x) + (p.channelsLast ? at.image * p.inputCells() * p.channels + at.channel
                                                            : (at.image * p.channels + at.channel) * p.inputCells());
  for (int32_t a = 0; a < p.kernel[0]; ++a) {
    const int32_t depth = at.out[0] * p.stride[0] - p.padBegin[0] + a * p.dilation[0];
    if (depth < 0 || depth >= p.input[0]) continue;
    for (int32_t b = 0; b < p.kernel[1]; ++b) {
      const int32_t row = at.out[1] * p.stride[1] - p.padBegin[1] + b * p.dilation[1];
      if (row < 0 || row >= p.input[1]) continue;
      for (int32_t c = 0; c < p.kernel[2]; ++c) {
        const int32_t column = at.out[2] * p.stride[2] - p.padBegin[2] + c * p.dilation[2];
        if (column < 0 || column >= p.input[2]) continue;
        visit(load(x[((static_cast<int64_t>(depth) * p.input[1] + row) * p.input[2] + column) * step]), depth, row,
              column);
      }
    }
  }
}

template <typename T>
struct MaximumVisitor {
  Compute<T> best = lowest<T>();
  bool placed = false;  // a place is wanted: the first cell has one, whatever it holds
  int32_t at[3] = {-1, 0, 0};
  CUTAWAY_SHARED void operator()(Compute<T> value, int32_t depth, int32_t row, int32_t column) {
    // Nothing is larger than what is not a number, which so stays.
    if ((at[0] >= 0 || !placed) && !(value > best) && !(value != value && best == best)) return;
    best = value;
    at[0] = depth;
    at[1] = row;
    at[2] = column;
  }
};

// The first of several equal maxima; -1 where a window covers nothing.
template <typename T>
struct MaxPooling {
  PoolingParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const PoolingPlace at = poolingPlace(p, i);
    MaximumVisitor<T> visitor;
    visitor.placed = p.places != nullptr;
    visitWindow<T>(p, at, visitor);
    static_cast<T*>(p.y)[i] = store<T>(visitor.best);
    if (p.places == nullptr) return;
    const int64_t plane = (at.image * p.channels + at.channel) * p.inputCells();
    const int64_t cell =
        p.columnMajor ? (static_cast<int64_t>(visitor.at[2]) * p.input[1] + visitor.at[1]) * p.input[0] + visitor.at[0]
                      : (static_cast<int64_t>(visitor.at[0]) * p.input[1] + visitor.at[1]) * p.input[2] + visitor.at[2];
    p.places[i] = visitor.at[0] < 0 ? -1 : plane + cell;
  }
};

template <typename C>
struct SumVisitor {
  C sum = 0;
  int64_t count = 0;
  CUTAWAY_SHARED void operator()(C value, int32_t, int32_t, int32_t) {
    sum += value;
    ++count;
  }
};

// Padding counts as far as it was asked for: what ceil mode adds beyond it never does.
template <typename T>
struct AveragePooling {
  PoolingParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const PoolingPlace at = poolingPlace(p, i);
    SumVisitor<Compute<T>> visitor;
    visitWindow<T>(p, at, visitor);
    int64_t count = visitor.count;
    if (p.countPadding) {
      count = 1;
      for (int axis = 0; axis < 3; ++axis) {
        const int32_t room = p.input[axis] + p.padEnd[axis] - (at.out[axis] * p.stride[axis] - p.padBegin[axis]);
        const int32_t cells = (room + p.dilation[axis] - 1) / p.dilation[axis];
        count *= cells < p.kernel[axis] ? cells : p.kernel[axis];
      }
    }
    static_cast<T*>(p.y)[i] = store<T>(count > 0 ? visitor.sum / static_cast<Compute<T>>(count) : Compute<T>(0));
  }
};

template <typename C>
CUTAWAY_SHARED C powerOf(C value, C power) {
  const C size = value < C(0) ? -value : value;
  if (power == C(1)) return size;
  return power == C(2) ? size * size : std::pow(size, power);
}
template <typename C>
CUTAWAY_SHARED C rootOf(C value, C power) {
  if (power == C(1)) return value;
  return power == C(2) ? std::sqrt(value) : std::pow(value, C(1) / power);
}

template <typename C>
struct PowerVisitor {
  C power, sum = 0;
  CUTAWAY_SHARED void operator()(C value, int32_t, int32_t, int32_t) { sum += powerOf(value, power); }
};

template <typename T>
struct LpPooling {
  PoolingParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    PowerVisitor<Compute<T>> visitor{static_cast<Compute<T>>(p.power)};
    visitWindow<T>(p, poolingPlace(p, i), visitor);
    static_cast<T*>(p.y)[i] = store<T>(rootOf(visitor.sum, visitor.power));
  }
};

}  // namespace cutaway::cuda
