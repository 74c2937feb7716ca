// Scratch, each part at a multiple of 64 bytes: the bias once for each place of the window; products of a block of
// cells with one group of columns (one for each thread).

#include "engine/math/transposed_tiles.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"
#include "engine/tensor/allocator.h"

namespace cutaway::math {

namespace {

constexpr int64_t kGroupColumns = 64;
constexpr int64_t kBlockCells = 96;  // with a group of columns 24 KB of products

int64_t bytesOf(int64_t floats) {
  return alignUp(floats * static_cast<int64_t>(sizeof(float)), kBlockAlignment);
}

}  // namespace

bool TransposedTiles::suits(const ConvolutionShape& shape) {
  if (channelLoops() == nullptr || !shape.transposed || shape.spatialRank != 2 || shape.groups != 1) return false;
  for (size_t axis = 0; axis < 2; ++axis) {
    if (shape.kernel[axis] != shape.strides[axis] || shape.dilations[axis] != 1 || shape.padsBegin[axis] != 0 ||
        shape.padsEnd[axis] != 0 || shape.output[axis] != shape.input[axis] * shape.strides[axis] ||
        shape.output[axis] < 1)
      return false;
  }
  return shape.batch > 0 && shape.inChannels > 0 && shape.outChannels > 0;
}

TransposedTiles::TransposedTiles(const ConvolutionShape& shape)
    : m_geometry{.height = shape.input[0],
                 .width = shape.input[1],
                 .kernelHeight = shape.kernel[0],
                 .kernelWidth = shape.kernel[1],
                 .channels = shape.inChannels,
                 .filters = shape.outChannels},
      m_threads(currentThreads()),
      m_cells(shape.batch * shape.input[0] * shape.input[1]),
      m_lanes(channelLoops()->lanes) {
  m_vectors = (m_geometry.columns() + m_lanes - 1) / m_lanes;
  m_groups = (m_vectors * m_lanes + kGroupColumns - 1) / kGroupColumns;
}

std::array<int64_t, 4> TransposedTiles::weightStrides() const {
  const int64_t filters = m_geometry.filters;
  return {1, m_geometry.columns(), m_geometry.kernelWidth * filters, filters};
}

int64_t TransposedTiles::weightCount() const {
  return m_geometry.channels * m_vectors * m_lanes;
}

ChannelGroup TransposedTiles::group(int64_t index) const {
  const int64_t first = m_vectors * index / m_groups;
  return {first, m_vectors * (index + 1) / m_groups - first};
}

void TransposedTiles::transformWeights(const float* weights, float* packed) const {
  for (int64_t each = 0; each < m_groups; ++each) {
    channelLoops()->packColumns(m_geometry.channels, m_geometry.columns(), weights, group(each),
                                packed + group(each).first * m_lanes * m_geometry.channels);
  }
}

size_t TransposedTiles::scratchBytes() const {
  return static_cast<size_t>(bytesOf(m_geometry.columns()) + m_threads * bytesOf(kBlockCells * kGroupColumns));
}

void TransposedTiles::run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
                          std::span<std::byte> scratch) const {
  const ThreadShare share(m_threads);  // scratch is for so many
  auto* biases = reinterpret_cast<float*>(scratch.data());
  ChannelEpilogue ofColumns = epilogue;
  if (epilogue.bias != nullptr) {
    for (int64_t column = 0; column < m_geometry.columns(); column += m_geometry.filters)
      std::copy_n(epilogue.bias, m_geometry.filters, biases + column);
    ofColumns.bias = biases;
  }
  std::byte* products = scratch.data() + bytesOf(m_geometry.columns());
  const ChannelLoops& loops = *channelLoops();
  // A unit is a few rows that fill the registers of a product; a range of them is cut into blocks.
  constexpr int64_t kUnit = 12;
  parallelFor((m_cells + kUnit - 1) / kUnit, 2, [&](int64_t firstUnit, int64_t lastUnit) {
    auto* own = reinterpret_cast<float*>(products + loopPart() * bytesOf(kBlockCells * kGroupColumns));
    const int64_t last = std::min(m_cells, lastUnit * kUnit);
    for (int64_t begin = firstUnit * kUnit; begin < last; begin += kBlockCells) {
      const int64_t count = std::min(kBlockCells, last - begin);
      // The loops write to results only.
      const ChannelRows rows{begin, count, const_cast<float*>(input) + begin * m_geometry.channels, 0,
                             m_geometry.channels};
      for (int64_t each = 0; each < m_groups; ++each) {
        const ChannelGroup columns = group(each);
        const ChannelRows results{begin, count, own, 0, columns.vectors * m_lanes};
        loops.multiply(1, m_geometry.channels, rows, packed + columns.first * m_lanes * m_geometry.channels, columns,
                       results);
        loops.interleave(m_geometry, results, columns, ofColumns, output);
      }
    }
  });
}

}  // namespace cutaway::math
