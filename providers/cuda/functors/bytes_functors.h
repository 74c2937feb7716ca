#pragma once
// Products of 8-bit integers in 32-bit sums, and what becomes of the sums: themselves, scaled floats, or bytes again.
// (a - a zero)(b - b zero) is summed as a b - a zero sum(b) - b zero sum(a) + k a zero b zero where a library makes the
// product, directly where a functor does.
//
// Zero points and scales lie on the device, one for all, for each row of A or for each column of B (also of each
// matrix): place = (matrix * rows + row) % count. Thread rule: as shared.h. Example: BytesPlain{p}(index); see
// kernels/matmul/byte_product.h.

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

enum class ScaleType : int32_t { kFloat, kHalf, kBrain, kDouble };
enum class BytesResult : int32_t { kSums, kFloat, kHalf, kBrain, kInt8, kUint8 };

CUTAWAY_SHARED float scaleAt(const void* values, ScaleType type, int64_t at) {
  switch (type) {
    case ScaleType::kHalf:
      return load(static_cast<const Half*>(values)[at]);
    case ScaleType::kBrain:
      return load(static_cast<const Brain*>(values)[at]);
    case ScaleType::kDouble:
      return static_cast<float>(static_cast<const double*>(values)[at]);
    default:
      return static_cast<const float*>(values)[at];
  }
}
CUTAWAY_SHARED int32_t byteAt(const void* values, bool isSigned, int64_t at) {
  return isSigned ? int32_t{static_cast<const int8_t*>(values)[at]} : int32_t{static_cast<const uint8_t*>(values)[at]};
}

struct BytesSide {
  const void* data = nullptr;
  const void* zero = nullptr;  // of data's type; absent: 0
  const int32_t* sums =
      nullptr;  // of the lines along the depth, of data as signed bytes: only where a library makes the product
  const void* scale = nullptr;  // absent: 1
  int64_t zeroCount = 1, scaleCount = 1;
  ScaleType scaleType = ScaleType::kFloat;
  bool isSigned = false;
};

struct BytesParameters {
  BytesSide a, b;
  void* y = nullptr;
  const int32_t* products = nullptr;  // of the library: signed bytes without zero points
  int64_t m = 0, n = 0, k = 0;
  int64_t rowA = 0, stepA = 1, stepB = 0, columnB = 1;
  int64_t matrixA = 1, matrixB = 1;  // elements of a matrix, to number the matrices
  IndexMap<2> batch;
  int64_t count = 0;
  BytesResult result = BytesResult::kSums;
  const int32_t* addend = nullptr;  // to the sums, by these strides over lines of A and columns
  int64_t addendRow = 0, addendColumn = 0;
  const void* bias = nullptr;  // to the scaled value, one for each column
  ScaleType biasType = ScaleType::kFloat;
  const void* yScale = nullptr;
  const void* yZero = nullptr;
  ScaleType yScaleType = ScaleType::kFloat;
  int64_t yScaleCount = 1, yZeroCount = 1;
  float alpha = 1;
};

// Half to even.
CUTAWAY_SHARED float roundEven(float value) {
  return rintf(value);
}

CUTAWAY_SHARED void storeBytesResult(const BytesParameters& p, int64_t index, int32_t sum, int64_t column,
                                     int64_t lineA, int64_t lineB) {
  if (p.addend != nullptr)
    sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                               static_cast<uint32_t>(p.addend[lineA * p.addendRow + column * p.addendColumn]));
  if (p.result == BytesResult::kSums) {
    static_cast<int32_t*>(p.y)[index] = sum;
    return;
  }
  const float aScale = p.a.scale == nullptr ? 1.0f : scaleAt(p.a.scale, p.a.scaleType, lineA % p.a.scaleCount);
  const float bScale = p.b.scale == nullptr ? 1.0f : scaleAt(p.b.scale, p.b.scaleType, lineB % p.b.scaleCount);
  float factor = (p.alpha == 1.0f ? aScale : p.alpha * aScale) * bScale;
  if (p.yScale != nullptr) factor /= scaleAt(p.yScale, p.yScaleType, lineA % p.yScaleCount);
  float value = static_cast<float>(sum) * factor;
  if (p.bias != nullptr) value += scaleAt(p.bias, p.biasType, column);
  const bool toInt8 = p.result == BytesResult::kInt8;
  switch (p.result) {
    case BytesResult::kHalf:
      static_cast<Half*>(p.y)[index] = store<Half>(value);
      return;
    case BytesResult::kBrain:
      static_cast<Brain*>(p.y)[index] = store<Brain>(value);
      return;
    case BytesResult::kInt8:
    case BytesResult::kUint8: {
      const float zero = p.yZero == nullptr ? 0.0f : static_cast<float>(byteAt(p.yZero, toInt8, lineA % p.yZeroCount));
      const float low = toInt8 ? -128.0f : 0.0f, high = toInt8 ? 127.0f : 255.0f;
      value = roundEven(value) + zero;
      value = value > low ? (value < high ? value : high) : low;
      if (toInt8)
        static_cast<int8_t*>(p.y)[index] = static_cast<int8_t>(value);
      else
        static_cast<uint8_t*>(p.y)[index] = static_cast<uint8_t>(value);
      return;
    }
    default:
      static_cast<float*>(p.y)[index] = value;
      return;
  }
}

struct BytesPlace {
  int64_t column, lineA, lineB, a, b;
};

CUTAWAY_SHARED BytesPlace bytesPlace(const BytesParameters& p, int64_t index) {
  const int64_t all = index / p.n, j = index - all * p.n, pair = all / p.m, i = all - pair * p.m;
  int64_t at[2];
  p.batch.offsets(pair, at);
  return {j, at[0] / p.matrixA * p.m + i, at[1] / p.matrixB * p.n + j, at[0] + i * p.rowA, at[1] + j * p.columnB};
}

struct BytesPlain {
  BytesParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const BytesPlace at = bytesPlace(p, index);
    const int32_t aZero = p.a.zero == nullptr ? 0 : byteAt(p.a.zero, p.a.isSigned, at.lineA % p.a.zeroCount);
    const int32_t bZero = p.b.zero == nullptr ? 0 : byteAt(p.b.zero, p.b.isSigned, at.lineB % p.b.zeroCount);
    uint32_t sum = 0;
    for (int64_t d = 0; d < p.k; ++d)
      sum += static_cast<uint32_t>((byteAt(p.a.data, p.a.isSigned, at.a + d * p.stepA) - aZero) *
                                   (byteAt(p.b.data, p.b.isSigned, at.b + d * p.stepB) - bZero));
    storeBytesResult(p, index, static_cast<int32_t>(sum), at.column, at.lineA, at.lineB);
  }
};

// After the library: its products are of signed bytes, so an unsigned operand counts 128 less, and so does its zero
// point.
struct BytesFinish {
  BytesParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const BytesPlace at = bytesPlace(p, index);
    const int32_t aZero =
        (p.a.zero == nullptr ? 0 : byteAt(p.a.zero, p.a.isSigned, at.lineA % p.a.zeroCount)) - (p.a.isSigned ? 0 : 128);
    const int32_t bZero =
        (p.b.zero == nullptr ? 0 : byteAt(p.b.zero, p.b.isSigned, at.lineB % p.b.zeroCount)) - (p.b.isSigned ? 0 : 128);
    uint32_t sum =
        static_cast<uint32_t>(p.products[index]) + static_cast<uint32_t>(p.k) * static_cast<uint32_t>(aZero * bZero);
    if (aZero != 0) sum -= static_cast<uint32_t>(aZero) * static_cast<uint32_t>(p.b.sums[at.lineB]);
    if (bZero != 0) sum -= static_cast<uint32_t>(bZero) * static_cast<uint32_t>(p.a.sums[at.lineA]);
    storeBytesResult(p, index, static_cast<int32_t>(sum), at.column, at.lineA, at.lineB);
  }
};

// Lines of bytes as dense signed bytes with the sum of each: one block a line. Line l of matrix q begins at q * matrix
// + l * line, its bytes lie `step` apart.
struct BytesLines {
  const void* from = nullptr;
  int8_t* to = nullptr;  // absent: only sums
  int32_t* sums = nullptr;
  int64_t lines = 0, matrices = 1, depth = 0;
  int64_t matrix = 0, line = 0, step = 1;
  bool isSigned = false;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t index) const {
    const int64_t q = index / lines, l = index - q * lines;
    const int64_t first = q * matrix + l * line;
    int32_t sum = 0;
    for (int64_t d = block.thread(); d < depth; d += block.threads()) {
      const int32_t value = byteAt(from, isSigned, first + d * step) - (isSigned ? 0 : 128);
      if (to != nullptr) to[index * depth + d] = static_cast<int8_t>(value);
      sum += value;
    }
    sum = block.sum(sum);
    if (block.thread() == 0) sums[index] = sum;
  }
};

// Windows of an image as lines: to[n, group, cell, channel of the group x kernel], cells in order of the output;
// outside the image stands the zero point. Channels first or last, up to three spatial axes.
struct WindowLines {
  const void* from = nullptr;
  const void* zero = nullptr;  // absent: 0
  void* to = nullptr;
  int64_t batch = 1, channels = 1, groups = 1;
  int64_t input[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, output[3] = {1, 1, 1}, stride[3] = {1, 1, 1},
          dilation[3] = {1, 1, 1}, pad[3] = {0, 0, 0};
  bool channelsLast = false;
  int64_t count = 0;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t taps = kernel[0] * kernel[1] * kernel[2], each = channels / groups,
                  cells = output[0] * output[1] * output[2];
    int64_t rest = index;
    const int64_t tap = rest % taps;
    rest /= taps;
    const int64_t channel = rest % each;
    rest /= each;
    const int64_t cell = rest % cells;
    rest /= cells;
    const int64_t group = rest % groups, item = rest / groups;
    const int64_t t[3] = {tap / (kernel[1] * kernel[2]), tap / kernel[2] % kernel[1], tap % kernel[2]},
                  o[3] = {cell / (output[1] * output[2]), cell / output[2] % output[1], cell % output[2]};
    int64_t at = 0;
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int64_t x = o[axis] * stride[axis] - pad[axis] + t[axis] * dilation[axis];
      inside = inside && x >= 0 && x < input[axis];
      at = at * input[axis] + x;
    }
    const int64_t c = group * each + channel, pixels = input[0] * input[1] * input[2];
    uint8_t value = zero == nullptr ? uint8_t{0} : *static_cast<const uint8_t*>(zero);
    if (inside)
      value = static_cast<const uint8_t*>(
          from)[channelsLast ? (item * pixels + at) * channels + c : (item * channels + c) * pixels + at];
    static_cast<uint8_t*>(to)[index] = value;
  }
};

}  // namespace cutaway::cuda
