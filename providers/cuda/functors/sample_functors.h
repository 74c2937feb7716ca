#pragma once
// GridSample: each thread makes one element, read at the place that the grid names, in any number of spatial axes up to
// kMaximumRank - 2.
//
// Formulas from the text of the GridSample operator (version 20). Cubic: equation 4 of R. Keys, Cubic convolution
// interpolation, 1981, with a = -0.75. Places are computed in double, as on the host. Thread rule: as shared.h.
// Example: see sample_table.cpp, "grid_sample.float".

#include <cmath>

#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

enum class SampleMode : int32_t { kNearest, kLinear, kCubic };
enum class SamplePadding : int32_t { kZeros, kBorder, kReflection };
inline constexpr int kMostSampledAxes = kMaximumRank - 2;

struct SampleParameters {
  const void* x = nullptr;
  const void* grid = nullptr;
  void* y = nullptr;
  int64_t count = 0;                     // elements of y
  int64_t channels = 0, places = 0;      // places of one batch entry
  int64_t cells[kMostSampledAxes] = {};  // the input's spatial axes
  int32_t axes = 0;
  SampleMode mode = SampleMode::kLinear;
  SamplePadding padding = SamplePadding::kZeros;
  bool alignCorners = false;
  bool tapsOnly = false;  // border brings cubic taps inside, but not the place between them
};

struct SampleTaps {
  int count = 0;
  int64_t cells[4] = {};  // -1 reads zero
  double weights[4] = {};
};

// Folds a place into [low, high] as between two mirrors.
CUTAWAY_SHARED double sampleReflected(double place, double low, double high) {
  const double range = high - low;
  if (range <= 0) return low;
  const double distance = place < low ? low - place : place - high;
  if (distance <= 0) return place;
  const double turns = std::floor(distance / range);
  const double rest = distance - turns * range;
  const bool fromNear = (std::fmod(turns, 2.0) == 0) == (place < low);
  return fromNear ? low + rest : high - rest;
}

CUTAWAY_SHARED int64_t sampleCell(const SampleParameters& p, int64_t cell, int64_t size, double low, double high) {
  if (cell >= 0 && cell < size) return cell;
  if (p.padding == SamplePadding::kZeros) return -1;
  if (p.padding == SamplePadding::kReflection)
    cell = static_cast<int64_t>(sampleReflected(static_cast<double>(cell), low, high));
  return cell < 0 ? 0 : cell >= size ? size - 1 : cell;
}

CUTAWAY_SHARED SampleTaps sampleTaps(const SampleParameters& p, int axis, double normalized) {
  const int64_t cells = p.cells[axis];
  const double size = static_cast<double>(cells), low = p.alignCorners ? 0.0 : -0.5,
               high = size - (p.alignCorners ? 1.0 : 0.5);
  double place = p.alignCorners ? (normalized + 1) / 2 * (size - 1) : ((normalized + 1) * size - 1) / 2;
  if (p.mode == SampleMode::kNearest) place = std::nearbyint(place);
  if (place < low || place > high) {
    if (p.padding == SamplePadding::kBorder && !p.tapsOnly) place = place < 0 ? 0 : place > size - 1 ? size - 1 : place;
    if (p.padding == SamplePadding::kReflection) place = sampleReflected(place, low, high);
  }
  SampleTaps taps;
  constexpr double kFar =
      1e15;  // far away, or not a number: everything is padding; the bound keeps the conversions defined
  if (!(place > -kFar && place < kFar)) return taps;
  const double floor = std::floor(place), t = place - floor;
  int64_t first = static_cast<int64_t>(floor);
  if (p.mode == SampleMode::kNearest) {
    taps.count = 1;
    taps.weights[0] = 1;
    first = static_cast<int64_t>(place);
  } else if (p.mode == SampleMode::kLinear) {
    taps.count = 2;
    taps.weights[0] = 1 - t;
    taps.weights[1] = t;
  } else {
    constexpr double kA = -0.75;
    taps.count = 4;
    --first;
    for (int i = 0; i < 4; ++i) {
      const double d = i < 2 ? t + 1 - i : i - 1 - t;  // from the tap to the place
      taps.weights[i] = d <= 1 ? ((kA + 2) * d - (kA + 3)) * d * d + 1 : ((kA * d - 5 * kA) * d + 8 * kA) * d - 4 * kA;
    }
  }
  for (int i = 0; i < taps.count; ++i)
    taps.cells[i] = sampleCell(p, first + i, cells, low, high);
  return taps;
}

template <typename T>
struct GridSample {
  SampleParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t place = index % p.places, plane = index / p.places;
    const T* grid = static_cast<const T*>(p.grid) + (plane / p.channels * p.places + place) * p.axes;
    SampleTaps taps[kMostSampledAxes];
    int64_t combinations = 1, cellsOfPlane = 1;
    for (int axis = 0; axis < p.axes; ++axis) {
      taps[axis] = sampleTaps(
          p, axis, static_cast<double>(load(grid[p.axes - 1 - axis])));  // the grid names the last axis first
      combinations *= taps[axis].count;
      cellsOfPlane *= p.cells[axis];
    }
    const T* from = static_cast<const T*>(p.x) + plane * cellsOfPlane;
    double total = 0;
    for (int64_t c = 0; c < combinations; ++c) {
      int64_t rest = c, offset = 0, stride = 1;
      double weight = 1;
      bool inside = true;
      for (int axis = p.axes - 1; axis >= 0; --axis) {
        const int tap = static_cast<int>(rest % taps[axis].count);
        rest /= taps[axis].count;
        inside = inside && taps[axis].cells[tap] >= 0;
        offset += taps[axis].cells[tap] * stride;
        stride *= p.cells[axis];
        weight *= taps[axis].weights[tap];
      }
      if (inside) total += weight * static_cast<double>(load(from[offset]));
    }
    static_cast<T*>(p.y)[index] = store<T>(static_cast<Compute<T>>(total));
  }
};

}  // namespace cutaway::cuda
