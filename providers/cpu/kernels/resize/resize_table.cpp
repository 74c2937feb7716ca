// Formulas from the text of the Resize operator (version 19); the antialiasing filter stretches the kernel by 1 / scale
// when shrinking, as it says.

#include "providers/cpu/kernels/resize/resize_table.h"

#include <algorithm>
#include <cmath>

namespace cutaway::cpu {
namespace {

double sourcePosition(const ResizeAttributes& attributes, const ResizeGeometry& geometry, size_t axis,
                      int64_t position) {
  const double x = static_cast<double>(position), scale = geometry.scale[axis];
  const double input = static_cast<double>(geometry.input[axis]),
               output = scale * input;  // the wanted length, which may be fractional
  switch (attributes.coordinates) {
    case CoordinateMode::kHalfPixel:
      return (x + 0.5) / scale - 0.5;
    case CoordinateMode::kHalfPixelSymmetric: {
      const double adjustment = static_cast<double>(geometry.output[axis]) / output;
      return input / 2 * (1 - adjustment) + (x + 0.5) / scale - 0.5;
    }
    case CoordinateMode::kPytorchHalfPixel:
      return geometry.output[axis] > 1 ? (x + 0.5) / scale - 0.5 : 0.0;
    case CoordinateMode::kAlignCorners:
      return output == 1 ? 0.0 : x * (input - 1) / (output - 1);
    case CoordinateMode::kTfHalfPixelForNearest:
      return (x + 0.5) / scale;  // version 11 only
    case CoordinateMode::kAsymmetric:
      return x / scale;
    case CoordinateMode::kCropAndResize: {
      const double start = geometry.roiStart[axis], end = geometry.roiEnd[axis];
      if (output == 1) return (start + end) * (input - 1) / 2;
      return start * (input - 1) + x * (end - start) * (input - 1) / (output - 1);
    }
  }
  return x;
}

int64_t nearest(NearestMode mode, double position, double scale) {
  switch (mode) {
    case NearestMode::kRoundPreferFloor:
      return static_cast<int64_t>(std::ceil(position - 0.5));
    case NearestMode::kRoundPreferCeil:
      return static_cast<int64_t>(std::floor(position + 0.5));
    case NearestMode::kFloor:
      return static_cast<int64_t>(std::floor(position));
    case NearestMode::kCeil:
      return static_cast<int64_t>(std::ceil(position));
    case NearestMode::kLegacy:
      return static_cast<int64_t>(scale < 1.0 ? std::ceil(position) : std::floor(position));
  }
  return 0;
}

// The kernel at a distance, in input cells before stretching. Cubic: equation 4 of R. Keys, Cubic convolution
// interpolation, 1981.
double kernelAt(const ResizeAttributes& attributes, double distance) {
  const double x = std::abs(distance), a = attributes.cubicA;
  if (attributes.mode == ResizeMode::kLinear) return std::max(1.0 - x, 0.0);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0.0;
}

void fillTaps(const ResizeAttributes& attributes, double position, double stretch, int64_t size, int64_t first,
              int64_t taps, int64_t* index, double* weight) {
  double total = 0;
  for (int64_t tap = 0; tap < taps; ++tap) {
    const int64_t cell = first + tap;
    weight[tap] = kernelAt(attributes, (static_cast<double>(cell) - position) * stretch);
    if (attributes.excludeOutside && (cell < 0 || cell >= size)) weight[tap] = 0;
    total += weight[tap];
    index[tap] = std::clamp<int64_t>(cell, 0, size - 1);
  }
  // Without stretching and cutting the weights add up to one by themselves.
  if ((stretch != 1.0 || attributes.excludeOutside) && total != 0) {
    for (int64_t tap = 0; tap < taps; ++tap)
      weight[tap] /= total;
  }
}

}  // namespace

AxisTable axisTable(const ResizeAttributes& attributes, const ResizeGeometry& geometry, size_t axis) {
  const int64_t size = geometry.input[axis], count = geometry.output[axis];
  const double scale = geometry.scale[axis];
  const double stretch = attributes.antialias ? std::min(scale, 1.0) : 1.0;
  AxisTable table;
  int64_t reach = 0;  // cells before the position's own cell
  if (attributes.mode != ResizeMode::kNearest) {
    const double radius = (attributes.mode == ResizeMode::kLinear ? 1.0 : 2.0) / stretch;
    // Beyond the input every cell is a copy of the edge, so a kernel wider than that is cut.
    reach = static_cast<int64_t>(std::min(std::ceil(radius), static_cast<double>(2 * size + 2))) - 1;
    table.taps = 2 * reach + 2;
    table.weight.resize(static_cast<size_t>(count * table.taps));
  }
  table.index.resize(static_cast<size_t>(count * table.taps));
  const bool extrapolates = attributes.coordinates == CoordinateMode::kCropAndResize;
  if (extrapolates) table.outside.resize(static_cast<size_t>(count));
  const double farthest = static_cast<double>(size) * 4 + 16;  // keeps the conversion to integers defined
  for (int64_t i = 0; i < count; ++i) {
    const double position = std::clamp(sourcePosition(attributes, geometry, axis, i), -farthest, farthest);
    if (extrapolates) table.outside[static_cast<size_t>(i)] = position < 0 || position > static_cast<double>(size - 1);
    int64_t* index = table.index.data() + i * table.taps;
    if (attributes.mode == ResizeMode::kNearest) {
      *index = std::clamp<int64_t>(nearest(attributes.nearest, position, scale), 0, size - 1);
      continue;
    }
    const int64_t first = static_cast<int64_t>(std::floor(position)) - reach;
    fillTaps(attributes, position, stretch, size, first, table.taps, index, table.weight.data() + i * table.taps);
  }
  return table;
}

}  // namespace cutaway::cpu
