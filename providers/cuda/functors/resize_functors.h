#pragma once
// Resize and Upsample: each thread makes one element, from the taps of every axis that changes. Any rank up to
// kMaximumRank, any order of axes.
//
// Formulas from the text of the Resize operator (version 19). Cubic: equation 4 of R. Keys, Cubic convolution
// interpolation, 1981. Positions are computed in double, as the operator's text is. Thread rule: as shared.h. Example:
// see resize_table.cpp, "resize.linear.float".

#include <cmath>
#include <type_traits>

#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

enum class ResizeCoordinates : int32_t {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kTfHalfPixelForNearest,
  kAsymmetric,
  kCropAndResize
};
enum class ResizeNearest : int32_t { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil, kLegacy };

struct ResizeParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t count = 0;
  int32_t rank = 0;
  int64_t input[kMaximumRank] = {}, output[kMaximumRank] = {};
  double scale[kMaximumRank] = {}, roiStart[kMaximumRank] = {}, roiEnd[kMaximumRank] = {};
  bool changes[kMaximumRank] = {};  // the others are copied through
  ResizeCoordinates coordinates = ResizeCoordinates::kHalfPixel;
  ResizeNearest nearest = ResizeNearest::kRoundPreferFloor;
  bool cubic = false, excludeOutside = false, antialias = false;
  double cubicA = -0.75;
  double extrapolation = 0;
};

CUTAWAY_SHARED double resizePosition(const ResizeParameters& p, int axis, int64_t index) {
  const double x = static_cast<double>(index), scale = p.scale[axis], input = static_cast<double>(p.input[axis]),
               output = scale * input;
  switch (p.coordinates) {
    case ResizeCoordinates::kHalfPixel:
      return (x + 0.5) / scale - 0.5;
    case ResizeCoordinates::kHalfPixelSymmetric:
      return input / 2 * (1 - static_cast<double>(p.output[axis]) / output) + (x + 0.5) / scale - 0.5;
    case ResizeCoordinates::kPytorchHalfPixel:
      return p.output[axis] > 1 ? (x + 0.5) / scale - 0.5 : 0.0;
    case ResizeCoordinates::kAlignCorners:
      return output == 1 ? 0.0 : x * (input - 1) / (output - 1);
    case ResizeCoordinates::kTfHalfPixelForNearest:
      return (x + 0.5) / scale;
    case ResizeCoordinates::kAsymmetric:
      return x / scale;
    case ResizeCoordinates::kCropAndResize: {
      const double start = p.roiStart[axis], end = p.roiEnd[axis];
      if (output == 1) return (start + end) * (input - 1) / 2;
      return start * (input - 1) + x * (end - start) * (input - 1) / (output - 1);
    }
  }
  return x;
}

CUTAWAY_SHARED double boundedPosition(const ResizeParameters& p, int axis, int64_t index) {
  const double farthest = static_cast<double>(p.input[axis]) * 4 + 16,
               position = resizePosition(p, axis, index);  // keeps the conversion to integers defined
  return position < -farthest ? -farthest : position > farthest ? farthest : position;
}

CUTAWAY_SHARED int64_t boundedCell(int64_t cell, int64_t size) {
  return cell < 0 ? 0 : cell >= size ? size - 1 : cell;
}

// The element that crop and resize fills with its value: outside along this axis.
CUTAWAY_SHARED bool extrapolates(const ResizeParameters& p, int axis, double position) {
  return p.coordinates == ResizeCoordinates::kCropAndResize && p.changes[axis] &&
         (position < 0 || position > static_cast<double>(p.input[axis] - 1));
}

template <typename T>
CUTAWAY_SHARED T fromNumber(double value) {
  if constexpr (std::is_integral_v<T>) {
    // To the nearest, ties to even, and into the range.
    value = std::nearbyint(value);
    constexpr double kLow = std::is_signed_v<T> ? -static_cast<double>(uint64_t{1} << (sizeof(T) * 8 - 1)) : 0.0;
    constexpr double kHigh = static_cast<double>(
        static_cast<T>(std::is_signed_v<T> ? (uint64_t{1} << (sizeof(T) * 8 - 1)) - 1 : ~uint64_t{0}));
    return value < kLow ? static_cast<T>(kLow) : value >= kHigh ? static_cast<T>(kHigh) : static_cast<T>(value);
  } else {
    return store<T>(static_cast<Compute<T>>(value));
  }
}

template <typename T>
struct NearestResize {
  ResizeParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    int64_t rest = i, offset = 0, step = 1;
    bool outside = false;
    for (int axis = p.rank - 1; axis >= 0; --axis) {
      const int64_t index = rest % p.output[axis];
      rest /= p.output[axis];
      int64_t cell = index;
      if (p.changes[axis]) {
        const double position = boundedPosition(p, axis, index);
        outside = outside || extrapolates(p, axis, position);
        cell = boundedCell(nearestCell(position, p.scale[axis]), p.input[axis]);
      }
      offset += cell * step;
      step *= p.input[axis];
    }
    static_cast<T*>(p.y)[i] = outside ? fromNumber<T>(p.extrapolation) : static_cast<const T*>(p.x)[offset];
  }

 private:
  CUTAWAY_SHARED int64_t nearestCell(double position, double scale) const {
    switch (p.nearest) {
      case ResizeNearest::kRoundPreferFloor:
        return static_cast<int64_t>(std::ceil(position - 0.5));
      case ResizeNearest::kRoundPreferCeil:
        return static_cast<int64_t>(std::floor(position + 0.5));
      case ResizeNearest::kFloor:
        return static_cast<int64_t>(std::floor(position));
      case ResizeNearest::kCeil:
        return static_cast<int64_t>(std::ceil(position));
      case ResizeNearest::kLegacy:
        return static_cast<int64_t>(scale < 1.0 ? std::ceil(position) : std::floor(position));
    }
    return 0;
  }
};

// The taps of one axis at one position.
struct ResizeTaps {
  double position = 0, stretch = 1, total = 1;
  int64_t first = 0, count = 1, size = 1, step = 1;
};

CUTAWAY_SHARED double tapWeight(const ResizeParameters& p, const ResizeTaps& taps, int64_t tap) {
  const int64_t cell = taps.first + tap;
  if (p.excludeOutside && (cell < 0 || cell >= taps.size)) return 0;
  double x = (static_cast<double>(cell) - taps.position) * taps.stretch;
  x = x < 0 ? -x : x;
  if (!p.cubic) return x < 1 ? 1 - x : 0;
  if (x <= 1) return ((p.cubicA + 2) * x - (p.cubicA + 3)) * x * x + 1;
  return x < 2 ? ((p.cubicA * x - 5 * p.cubicA) * x + 8 * p.cubicA) * x - 4 * p.cubicA : 0;
}

CUTAWAY_SHARED ResizeTaps tapsOf(const ResizeParameters& p, int axis, int64_t index) {
  ResizeTaps taps;
  taps.position = boundedPosition(p, axis, index);
  taps.size = p.input[axis];
  taps.stretch = p.antialias && p.scale[axis] < 1 ? p.scale[axis] : 1.0;
  // Beyond the input every cell is a copy of the edge, so a kernel wider than that is cut.
  const double radius = (p.cubic ? 2.0 : 1.0) / taps.stretch, most = static_cast<double>(2 * taps.size + 2);
  const int64_t reach = static_cast<int64_t>(std::ceil(radius) < most ? std::ceil(radius) : most) - 1;
  taps.first = static_cast<int64_t>(std::floor(taps.position)) - reach;
  taps.count = 2 * reach + 2;
  if (taps.stretch == 1.0 && !p.excludeOutside) return taps;
  taps.total = 0;
  for (int64_t tap = 0; tap < taps.count; ++tap)
    taps.total += tapWeight(p, taps, tap);
  if (taps.total == 0) taps.total = 1;
  return taps;
}

// At most four axes change at once (makeResize sees to that).
template <typename T>
struct InterpolatingResize {
  ResizeParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    ResizeTaps taps[4];
    int axes = 0;
    int64_t rest = i, offset = 0, step = 1;
    bool outside = false;
    for (int axis = p.rank - 1; axis >= 0; --axis) {
      const int64_t index = rest % p.output[axis];
      rest /= p.output[axis];
      if (p.changes[axis]) {
        ResizeTaps each = tapsOf(p, axis, index);
        outside = outside || extrapolates(p, axis, each.position);
        each.step = step;
        if (axes < 4) taps[axes++] = each;
      } else {
        offset += index * step;
      }
      step *= p.input[axis];
    }
    static_cast<T*>(p.y)[i] = fromNumber<T>(outside ? p.extrapolation : sumOf(taps, axes, offset));
  }

 private:
  // All combinations of taps; the first axis counts fastest.
  CUTAWAY_SHARED double sumOf(const ResizeTaps (&taps)[4], int axes, int64_t offset) const {
    int64_t at[4] = {};
    double sum = 0;
    for (;;) {
      double weight = 1;
      int64_t place = offset;
      for (int a = 0; a < axes; ++a) {
        weight *= tapWeight(p, taps[a], at[a]) / taps[a].total;
        place += boundedCell(taps[a].first + at[a], taps[a].size) * taps[a].step;
      }
      if (weight != 0) sum += weight * static_cast<double>(load(static_cast<const T*>(p.x)[place]));
      int a = 0;
      while (a < axes && ++at[a] == taps[a].count)
        at[a++] = 0;
      if (a == axes) return sum;
    }
  }
};

}  // namespace cutaway::cuda
