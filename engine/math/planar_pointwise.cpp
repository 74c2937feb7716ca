// Scratch, for each thread: a block of cells [channel][cell], and its products with a few filters. Neither is used
// where cells are read in place and products are finished as they are written.

#include "engine/math/planar_pointwise.h"

#include <algorithm>

#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"

namespace cutaway::math {

namespace {

constexpr int64_t kFiltersTogether = 48;  // whose products stay in the nearest cache until they are finished
constexpr int64_t kFewChannels = 64;      // a block of so many is read as often as there are filters, wherever it lies
constexpr int64_t kNearFloats = 4096;     // of a block that is read in place: it stays in the nearest cache
constexpr int64_t kMostPanels = 4;

int64_t cellsOf(const ConvolutionShape& shape, const SpatialDims& size) {
  int64_t cells = 1;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    cells *= size[axis];
  return cells;
}

int64_t vectorsOf(int64_t cells) {
  return (cells + channelLoops()->lanes - 1) / channelLoops()->lanes;
}

// Of the cells that are computed, how many are there: the last vector of a plane may be nearly empty. Beyond this share
// two reorders cost less. Measured on a core of AMD EPYC with AVX-512: 512 to 2048 channels of 49 cells take 1.4 of the
// library's time, larger planes 0.6 to 0.8.
constexpr double kMostComputed = 1.15;

}  // namespace

bool PlanarPointwise::can(const ConvolutionShape& shape) {
  if (channelLoops() == nullptr || shape.transposed || shape.groups != 1 || shape.spatialRank < 1 ||
      shape.spatialRank > 2 || shape.inputLayout != Layout::kPlain || shape.outputLayout != Layout::kPlain)
    return false;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis) {
    if (shape.kernel[axis] != 1 || shape.strides[axis] < 1 || shape.padsBegin[axis] != 0 || shape.padsEnd[axis] > 0 ||
        shape.output[axis] < 1)
      return false;
  }
  return shape.batch > 0 && shape.inChannels > 0 && shape.outChannels > 0;
}

bool PlanarPointwise::suits(const ConvolutionShape& shape) {
  if (!can(shape)) return false;
  const int64_t cells = cellsOf(shape, shape.output);
  return static_cast<double>(vectorsOf(cells) * channelLoops()->lanes) <= kMostComputed * static_cast<double>(cells);
}

PlanarPointwise::PlanarPointwise(const ConvolutionShape& shape)
    : m_images(shape.batch),
      m_channels(shape.inChannels),
      m_filters(shape.outChannels),
      m_width(shape.output[shape.spatialRank - 1]),
      m_inputWidth(shape.input[shape.spatialRank - 1]),
      m_inputCells(cellsOf(shape, shape.input)),
      m_cells(cellsOf(shape, shape.output)),
      m_stepDown(shape.spatialRank == 2 ? shape.strides[0] : 1),
      m_stepAcross(shape.strides[shape.spatialRank - 1]),
      m_vectors(vectorsOf(m_cells)),
      m_threads(currentThreads()) {
  const ChannelLoops& loops = *channelLoops();
  m_readsInPlace = m_stepDown == 1 && m_stepAcross == 1 && m_channels <= kFewChannels;
  const int64_t panelFloats = m_channels * loops.panelVectors * loops.lanes;
  const int64_t panels = m_readsInPlace ? std::clamp<int64_t>(kNearFloats / panelFloats, 1, kMostPanels) : 1;
  m_blocks = (m_vectors + panels * loops.panelVectors - 1) / (panels * loops.panelVectors);
  m_blockCells = (m_vectors + m_blocks - 1) / m_blocks * loops.lanes;
}

void PlanarPointwise::transformWeights(const float* weights, float* packed) const {
  std::copy_n(weights, weightCount(), packed);
}

size_t PlanarPointwise::scratchBytes() const {
  return static_cast<size_t>(m_threads * (blockFloats() + kFiltersTogether * m_blockCells)) * sizeof(float);
}

void PlanarPointwise::gather(const float* image, int64_t first, int64_t count, int64_t width, float* block) const {
  for (int64_t channel = 0; channel < m_channels; ++channel, block += width) {
    const float* plane = image + channel * m_inputCells;
    if (m_stepDown == 1 && m_stepAcross == 1) {
      std::copy_n(plane + first, count, block);
    } else {
      for (int64_t done = 0; done < count;) {
        const int64_t row = (first + done) / m_width, column = (first + done) % m_width;
        const int64_t length = std::min(count - done, m_width - column);
        const float* from = plane + row * m_stepDown * m_inputWidth + column * m_stepAcross;
        for (int64_t i = 0; i < length; ++i)
          block[done + i] = from[i * m_stepAcross];
        done += length;
      }
    }
    std::fill_n(block + count, width - count, 0.0f);
  }
}

void PlanarPointwise::run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
                          std::span<std::byte> scratch) const {
  constexpr int64_t kWorkOfPart = int64_t{1} << 17;  // multiplications that pay for another part
  const ThreadShare share(m_threads);                // scratch is for so many
  const ChannelLoops& loops = *channelLoops();
  const int64_t groups = (m_filters + kFiltersTogether - 1) / kFiltersTogether;
  const int64_t work = m_blockCells * m_channels * std::min(m_filters, kFiltersTogether);
  const int64_t floatsOfPart = blockFloats() + kFiltersTogether * m_blockCells;
  parallelFor(m_images * m_blocks * groups, std::max<int64_t>(1, kWorkOfPart / work), [&](int64_t begin, int64_t end) {
    float* cells = reinterpret_cast<float*>(scratch.data()) + loopPart() * floatsOfPart;
    float* products = cells + blockFloats();
    int64_t gathered = -1;
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t block = unit / groups, image = block / m_blocks;
      const int64_t vector = m_vectors * (block % m_blocks) / m_blocks, first = vector * loops.lanes;
      const int64_t vectors = m_vectors * (block % m_blocks + 1) / m_blocks - vector, width = vectors * loops.lanes;
      const int64_t count = std::min(width, m_cells - first);
      const bool isWhole = count == width;
      const float* planes = input + image * m_channels * m_inputCells;
      int64_t planeStride = m_inputCells;
      if (m_readsInPlace && isWhole) {
        planes += first;
      } else {
        if (gathered != block) gather(planes, first, count, width, cells);
        gathered = block;
        planes = cells;
        planeStride = width;
      }
      const int64_t filter = m_filters * (unit % groups) / groups, last = m_filters * (unit % groups + 1) / groups;
      const ChannelRows rows{.first = filter,
                             .count = last - filter,
                             .data = const_cast<float*>(packed) + filter * m_channels,
                             .tileStride = m_channels};
      const int64_t place = (image * m_filters + filter) * m_cells + first;
      const ChannelEpilogue here{.bias = epilogue.bias != nullptr ? epilogue.bias + filter : nullptr,
                                 .residual = epilogue.residual != nullptr ? epilogue.residual + place : nullptr,
                                 .activation = epilogue.activation};
      if (isWhole && here.residual == nullptr) {
        loops.multiplyPlanes(m_channels, rows, planes, planeStride, vectors, here, m_cells, output + place);
        continue;
      }
      loops.multiplyPlanes(m_channels, rows, planes, planeStride, vectors, {}, width, products);
      loops.finishPlanes({.first = filter, .count = last - filter, .data = products, .tileStride = width}, count, here,
                         m_cells, output + place);
    }
  });
}

}  // namespace cutaway::math
