#include "engine/math/exact_maximum.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/base/parallel.h"

namespace cutaway::math {
namespace {

constexpr int64_t kMostBlock = 16;
constexpr int64_t kPiece = 1024;  // looked at without asking: the loop over it becomes vector instructions

bool pieceIsFinite(const float* values, int64_t count) {
  int odd = 0;
  for (int64_t i = 0; i < count; ++i)
    odd |= !(std::fabs(values[i]) <= std::numeric_limits<float>::max());
  return odd == 0;
}

// One output cell of one block of channels.
void poolCell(const PoolingShape& shape, const float* x, const ActivationStrides& from, const SpatialDims& out,
              std::array<float, kMostBlock>& best) {
  best.fill(kLowestMaximum<float>);
  int64_t cells = 1;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    cells *= shape.kernel[axis];
  for (int64_t cell = 0; cell < cells; ++cell) {
    int64_t rest = cell, offset = 0;
    bool inside = true;
    for (size_t axis = shape.spatialRank; axis-- > 0; rest /= shape.kernel[axis]) {
      const int64_t position =
          out[axis] * shape.strides[axis] - shape.padsBegin[axis] + rest % shape.kernel[axis] * shape.dilations[axis];
      inside = inside && position >= 0 && position < shape.input[axis];
      offset += position * from.cell[axis];
    }
    if (!inside) continue;
    for (int64_t lane = 0; lane < from.block; ++lane) {
      const float value = x[offset + lane];
      if (isNewMaximum(value, best[lane])) best[lane] = value;
    }
  }
}

}  // namespace

bool allFinite(const float* values, int64_t count) {
  std::atomic<bool> finite{true};
  parallelFor((count + kPiece - 1) / kPiece, 32, [&](int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece < end; ++piece) {
      if (pieceIsFinite(values + piece * kPiece, std::min(kPiece, count - piece * kPiece))) continue;
      finite.store(false, std::memory_order_relaxed);
      return;
    }
  });
  return finite.load(std::memory_order_relaxed);
}

void poolMaximum(const PoolingShape& shape, const float* x, const ActivationStrides& from, float* y,
                 const ActivationStrides& to) {
  const int64_t blocks = (shape.channels + from.block - 1) / from.block;
  int64_t cells = 1;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    cells *= shape.output[axis];
  parallelFor(shape.batch * blocks, 1, [&](int64_t begin, int64_t end) {
    std::array<float, kMostBlock> best;
    for (int64_t plane = begin; plane < end; ++plane) {
      const int64_t image = plane / blocks, block = plane % blocks;
      // Lanes beyond the last channel are padding and stay zero.
      const int64_t lanes = std::min(from.block, shape.channels - block * from.block);
      for (int64_t cell = 0; cell < cells; ++cell) {
        SpatialDims out{};
        int64_t rest = cell, offset = image * to.image + block * to.channelBlock;
        for (size_t axis = shape.spatialRank; axis-- > 0; rest /= shape.output[axis]) {
          out[axis] = rest % shape.output[axis];
          offset += out[axis] * to.cell[axis];
        }
        poolCell(shape, x + image * from.image + block * from.channelBlock, from, out, best);
        std::copy_n(best.begin(), lanes, y + offset);
      }
    }
  });
}

}  // namespace cutaway::math
