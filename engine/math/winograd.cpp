// Blocks of tiles go through all steps while their numbers are in the cache; each thread has memory of its own for one
// block.
//
// Scratch, each part at a multiple of 64 bytes: zeros for what lies outside of the image; the transformed input of a
// block (one for each thread, or one of all tiles where there are few); products of a block with one group of filters
// (one for each thread). Points are 16 floats further apart than they need, or else those of large powers of two would
// fall into the same few lines of the cache.

#include "engine/math/winograd.h"

#include <algorithm>
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/format.h"
#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"
#include "engine/tensor/allocator.h"

namespace cutaway::math {

namespace {

constexpr int64_t kGroupFilters = 64;  // floats of a row of products
constexpr int64_t kMostTiles = 48;     // of a block: its products with a group take 442 KB
constexpr int64_t kLeastTiles = 12;    // of a block: each block reads all weights
constexpr int64_t kManyBlocks = 16;    // for each thread: one more or less does not matter
constexpr int64_t kApart = 16;
constexpr int64_t kSmallWeights = int64_t{1} << 18;  // floats that a core's own cache keeps from block to block

int64_t tilesAlong(int64_t size, int64_t edge) {
  return (size + edge - 1) / edge;
}

int64_t tilesOf(const ConvolutionShape& shape, int64_t edge) {
  return shape.batch * tilesAlong(shape.output[0], edge) * tilesAlong(shape.output[1], edge);
}

size_t bytesOf(int64_t floats) {
  return static_cast<size_t>(alignUp(floats * static_cast<int64_t>(sizeof(float)), kBlockAlignment));
}

// Weights that a core's own cache does not keep from run to run. Transformed, they are 4 times (edge 4) or 1.8 times
// (edge 2) as large as they were, and a run reads them once: few tiles do not pay for that.
constexpr int64_t kLargeWeights = int64_t{2} << 20;
constexpr int64_t kTilesForLargeWeights = 12;

// Of the results of all tiles, how many are there. Tiles at the lower and right edge may reach beyond.
bool wastesMore(const ConvolutionShape& shape, int64_t edge, double most) {
  const double computed = static_cast<double>(tilesOf(shape, edge) * edge * edge);
  const double wanted = static_cast<double>(shape.batch * shape.output[0] * shape.output[1]);
  return computed > most * wanted;
}

// The rule: 4 where it wastes no more than half of its work and its weights are read for enough tiles, else 2 on the
// same conditions; 0: a direct convolution is expected to be faster. Measured on a core of AMD EPYC with AVX-512, over
// 60 shapes of 3 to 1024 channels and images of 2x2 to 256x256 (direct: oneDNN 2.6.3): 1.5 to 3.3 times faster where 4
// is chosen, 1.1 to 2 where 2 is, and never slower. Within models, on a core of Intel Xeon that multiplies twice as
// fast, images of 7x7 (4 tiles) took 1.7 to 2.5 times as long as directly where weights were larger than its own cache.
int64_t edgeFor(const ConvolutionShape& shape) {
  if (shape.inChannels < 16) return 0;  // transforms cost more than the products
  for (const int64_t edge : {4, 2}) {
    if (shape.output[0] < 4 || shape.output[1] < 4 || wastesMore(shape, edge, edge == 4 ? 2.0 : 1.5)) continue;
    const int64_t points = (edge + 2) * (edge + 2);
    const int64_t bytes = points * shape.inChannels * shape.outChannels * static_cast<int64_t>(sizeof(float));
    if (bytes <= kLargeWeights || tilesOf(shape, edge) >= kTilesForLargeWeights) return edge;
  }
  return 0;
}

// Few tiles are shared out by groups: an odd one would keep one of two threads waiting. The order of packed weights
// depends on the groups, and these on the filters alone.
int64_t groupsFor(int64_t filters) {
  const int64_t groups = (filters + kGroupFilters - 1) / kGroupFilters;
  return groups > 1 ? alignUp(groups, 2) : groups;
}

}  // namespace

bool Winograd::can(const ConvolutionShape& shape) {
  if (channelLoops() == nullptr || shape.transposed || shape.spatialRank != 2 || shape.groups != 1) return false;
  for (size_t axis = 0; axis < 2; ++axis) {
    if (shape.kernel[axis] != 3 || shape.strides[axis] != 1 || shape.dilations[axis] != 1 || shape.output[axis] < 1 ||
        shape.padsBegin[axis] < 0)
      return false;
  }
  return shape.batch > 0 && shape.inChannels > 0 && shape.outChannels > 0;
}

bool Winograd::suits(const ConvolutionShape& shape) {
  return can(shape) && edgeFor(shape) != 0;
}

Winograd::Winograd(const ConvolutionShape& shape, int64_t edge) : m_threads(currentThreads()) {
  const int64_t lanes = channelLoops()->lanes;
  if (edge == 0) edge = std::max<int64_t>(2, edgeFor(shape));
  m_geometry = {.height = shape.input[0],
                .width = shape.input[1],
                .outHeight = shape.output[0],
                .outWidth = shape.output[1],
                .padTop = shape.padsBegin[0],
                .padLeft = shape.padsBegin[1],
                .tilesDown = tilesAlong(shape.output[0], edge),
                .tilesAcross = tilesAlong(shape.output[1], edge),
                .channels = shape.inChannels,
                .filters = shape.outChannels,
                .edge = edge,
                .lanes = lanes};
  m_tiles = tilesOf(shape, edge);
  m_vectors = (shape.outChannels + lanes - 1) / lanes;
  m_groups = groupsFor(m_vectors * lanes);
  m_blocks = (m_tiles + kMostTiles - 1) / kMostTiles;
  if (m_blocks < 2 * m_threads && m_threads > 1) {
    // Smaller blocks, or groups of filters, so that a thread that starts late does not keep the others waiting.
    const int64_t smaller = std::min<int64_t>(4 * m_threads, m_tiles / kLeastTiles / m_threads * m_threads);
    m_sharesInput = smaller < 2 * m_threads || weightCount() > kSmallWeights;
    if (!m_sharesInput) m_blocks = smaller;
  } else if (m_blocks < kManyBlocks * m_threads) {
    m_blocks = alignUp(m_blocks, m_threads);
  }
  m_blockTiles = (m_tiles + m_blocks - 1) / m_blocks;

  const int64_t inputTiles = m_sharesInput ? m_tiles : m_blockTiles;
  m_pointsBytes = bytesOf(m_geometry.points() * (inputTiles * m_geometry.paddedChannels() + kApart));
  m_resultsBytes = bytesOf(m_geometry.points() * (m_blockTiles * std::min(m_vectors * lanes, kGroupFilters) + kApart));
  m_pointsOffset = bytesOf(m_geometry.paddedChannels());
  m_resultsOffset = m_pointsOffset + m_pointsBytes * static_cast<size_t>(m_sharesInput ? 1 : m_threads);
  m_scratchBytes = m_resultsOffset + m_resultsBytes * static_cast<size_t>(m_threads);
}

std::string Winograd::implementation() const {
  return fmt::format("winograd:{0}x{0}", m_geometry.edge);
}

std::array<int64_t, 4> Winograd::weightStrides() const {
  const int64_t cell = m_geometry.channels * m_geometry.filters;
  return {1, m_geometry.filters, 3 * cell, cell};
}

int64_t Winograd::weightCount() const {
  return m_geometry.points() * m_geometry.channels * m_vectors * m_geometry.lanes;
}

ChannelGroup Winograd::group(int64_t index) const {
  const int64_t first = m_vectors * index / m_groups;
  return {first, m_vectors * (index + 1) / m_groups - first};
}

int64_t Winograd::groupOffset(int64_t index) const {
  return m_geometry.points() * m_geometry.channels * group(index).first * m_geometry.lanes;
}

void Winograd::transformWeights(const float* weights, float* packed) const {
  parallelFor(m_groups, 1, [&](int64_t begin, int64_t end) {
    for (int64_t each = begin; each < end; ++each)
      channelLoops()->transformWeights(m_geometry, weights, group(each), packed + groupOffset(each));
  });
}

void Winograd::multiplyGroup(int64_t index, const ChannelRows& points, const float* packed, float* results,
                             const ChannelEpilogue& epilogue, float* output) const {
  const ChannelGroup filters = group(index);
  const int64_t width = filters.vectors * m_geometry.lanes;
  const ChannelRows products{points.first, points.count, results, m_blockTiles * width + kApart, width};
  channelLoops()->multiply(m_geometry.points(), m_geometry.channels, points, packed + groupOffset(index), filters,
                           products);
  channelLoops()->transformResults(m_geometry, products, filters, epilogue, output);
}

void Winograd::run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
                   std::span<std::byte> scratch) const {
  const ThreadShare share(m_threads);  // scratch is for so many
  const int64_t channels = m_geometry.paddedChannels();
  auto* zeros = reinterpret_cast<float*>(scratch.data());
  std::fill_n(zeros, channels, 0.0f);
  const auto points = [&](int part) {
    return reinterpret_cast<float*>(scratch.data() + m_pointsOffset + static_cast<size_t>(part) * m_pointsBytes);
  };
  const auto results = [&](int part) {
    return reinterpret_cast<float*>(scratch.data() + m_resultsOffset + static_cast<size_t>(part) * m_resultsBytes);
  };
  // Blocks have the same number of tiles, or one less.
  const auto firstOfBlock = [&](int64_t block) { return m_tiles * block / m_blocks; };
  const auto tilesOfBlock = [&](int64_t block) { return firstOfBlock(block + 1) - firstOfBlock(block); };
  const ChannelLoops& loops = *channelLoops();

  if (!m_sharesInput) {
    const int64_t pointStride = m_blockTiles * channels + kApart;
    parallelFor(m_blocks, 1, [&](int64_t begin, int64_t end) {
      const int part = loopPart();
      for (int64_t block = begin; block < end; ++block) {
        const ChannelRows tiles{firstOfBlock(block), tilesOfBlock(block), points(part), pointStride, channels};
        loops.transformInput(m_geometry, input, zeros, tiles);
        for (int64_t each = 0; each < m_groups; ++each)
          multiplyGroup(each, tiles, packed, results(part), epilogue, output);
      }
    });
    return;
  }
  const int64_t pointStride = m_tiles * channels + kApart;
  const auto tiles = [&](int64_t first, int64_t count) {
    return ChannelRows{first, count, points(0) + first * channels, pointStride, channels};
  };
  parallelFor(m_tiles, 2, [&](int64_t begin, int64_t end) {
    loops.transformInput(m_geometry, input, zeros, tiles(begin, end - begin));
  });
  parallelFor(m_blocks * m_groups, 1, [&](int64_t begin, int64_t end) {
    const int part = loopPart();
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t block = unit % m_blocks;
      multiplyGroup(unit / m_blocks, tiles(firstOfBlock(block), tilesOfBlock(block)), packed, results(part), epilogue,
                    output);
    }
  });
}

}  // namespace cutaway::math
