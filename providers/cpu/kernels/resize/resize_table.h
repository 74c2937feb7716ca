#pragma once
// Where the elements of one resized axis come from, and with which weights. Resizing is separable: each axis has its
// own table.
//
// Thread rule: plain values.
// Example: const AxisTable table = axisTable(attributes, geometry, 2);   // output i = sum over taps of weight *
// input[index]

#include "engine/operators/resize.h"

namespace cutaway::cpu {

using operators::CoordinateMode;
using operators::kMaxResizeRank;
using operators::NearestMode;
using operators::ResizeAttributes;
using operators::ResizeGeometry;
using operators::ResizeMode;

struct AxisTable {
  int64_t taps = 1;
  std::vector<int64_t> index;    // [output size, taps], inside the input
  std::vector<double> weight;    // the same; empty for nearest
  std::vector<uint8_t> outside;  // one an output; empty unless positions beyond the input take the extrapolation value
};

AxisTable axisTable(const ResizeAttributes& attributes, const ResizeGeometry& geometry, size_t axis);

}  // namespace cutaway::cpu
