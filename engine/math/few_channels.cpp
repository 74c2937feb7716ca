// Scratch, for each thread: the copied rows.

#include "engine/math/few_channels.h"

#include <algorithm>

#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"

namespace cutaway::math {

namespace {

constexpr int64_t kMostChannels = 4;
constexpr int64_t kMostFactors = 4096;  // of a window
constexpr int64_t kNearFloats = 8192;   // copied rows that stay in the nearest cache
constexpr int64_t kSmallWindow = 25;    // cells
constexpr int64_t kMostApart = 4;       // cells that windows see, and windows as shares of their width
// Where vectors hold eight floats. The library's take 1.1 to 1.7 times as long there, measured on a core of AMD EPYC
// over 1 to 256 channels; where both tensors are plain, small windows do not pay for turning the results.
constexpr int64_t kFewFilters = 12;
constexpr int64_t kLeastWindow = 7;  // cells
constexpr int64_t kUnit = 24;        // cells that fill the registers of whole products

}  // namespace

bool FewChannels::can(const ConvolutionShape& shape) {
  if (pointwiseLoops() == nullptr || shape.transposed || shape.groups < 1 || shape.spatialRank != 2 ||
      shape.batch < 1 || shape.inChannels < 1 || shape.outChannels < 1)
    return false;
  if (shape.inputLayout == Layout::kBlocked8 || shape.inputLayout == Layout::kBlocked16 ||
      shape.outputLayout == Layout::kBlocked8 ||
      (shape.outputLayout == Layout::kBlocked16 &&
       (pointwiseLoops()->lanes != kBlockChannels || shape.groups > 1 || shape.outChannels % kBlockChannels != 0)))
    return false;
  if (shape.output[0] < 1 || shape.output[1] < 1 || shape.kernel[0] < 1 || shape.kernel[1] < 1) return false;
  if (shape.strides[1] > kMostApart * shape.kernel[1]) return false;  // little of what is copied may go unread
  return shape.kernel[0] * shape.kernel[1] > 1 &&
         shape.inChannels / shape.groups * shape.kernel[0] * shape.kernel[1] <= kMostFactors;
}

bool FewChannels::suits(const ConvolutionShape& shape) {
  if (!can(shape) || shape.groups != 1) return false;
  const int64_t window = shape.kernel[0] * shape.kernel[1];
  if (pointwiseLoops()->lanes < kBlockChannels) {
    const bool isTurned = shape.inputLayout == Layout::kPlain && shape.outputLayout == Layout::kPlain;
    return shape.outChannels <= kFewFilters && window >= kLeastWindow && (!isTurned || window >= kSmallWindow);
  }
  // Of large windows, the library is up to a twentieth faster.
  return shape.inChannels <= kMostChannels && shape.dilations[1] <= kMostApart &&
         (shape.inChannels <= 2 || window <= kSmallWindow);
}

// Measured on a core of AMD EPYC with AVX2: products of columns take 1.3 to 7 times as long, plain loops a hundred
// times.
bool FewChannels::replacesSlowForm(const ConvolutionShape& shape) {
  return can(shape) && pointwiseLoops()->lanes < kBlockChannels;
}

FewChannels::FewChannels(const ConvolutionShape& shape)
    : m_shape(shape),
      m_isPlain(shape.inputLayout == Layout::kPlain),
      m_output(shape.outputLayout == Layout::kBlocked16 ? shape.outputLayout : Layout::kChannelsLast),
      m_threads(currentThreads()),
      m_channels(shape.inChannels / shape.groups),
      m_filters(shape.outChannels / shape.groups),
      m_planes(m_isPlain ? shape.inChannels : 1),
      m_together(m_isPlain ? 1 : shape.inChannels),
      m_vectors((m_filters + pointwiseLoops()->lanes - 1) / pointwiseLoops()->lanes) {
  const int64_t down = shape.kernel[0], across = shape.kernel[1], width = shape.output[1];
  const int64_t extent = (across - 1) * shape.dilations[1] + 1;
  const int64_t room = kNearFloats / (m_planes * down * m_together);
  const int64_t most = std::max(kUnit, (room - extent) / shape.strides[1] / kUnit * kUnit);
  m_segments = (width + most - 1) / most;
  m_segment = std::min(width, ((width + m_segments - 1) / m_segments + kUnit - 1) / kUnit * kUnit);
  m_segments = (width + m_segment - 1) / m_segment;
  m_rowFloats = ((m_segment - 1) * shape.strides[1] + extent) * m_together;
  const int64_t panelVectors = channelLoops()->panelVectors;
  m_panels = (m_vectors + panelVectors - 1) / panelVectors;
  constexpr int64_t kFewUnits = 4;
  if (m_threads > 1 && shape.groups == 1 && shape.batch * shape.output[0] * m_segments < kFewUnits * m_threads)
    m_parts = m_panels;
  m_outputStrides = m_output == Layout::kBlocked16
                        ? CellStrides{kBlockChannels, shape.output[0] * width * kBlockChannels}
                        : CellStrides{shape.outChannels, pointwiseLoops()->lanes};
  for (int64_t plane = 0; plane < (m_isPlain ? m_channels : 1); ++plane) {
    for (int64_t y = 0; y < down; ++y) {
      for (int64_t x = 0; x < across; ++x) {
        for (int64_t channel = 0; channel < (m_isPlain ? 1 : m_channels); ++channel)
          m_offsets.push_back(
              static_cast<int32_t>((plane * down + y) * m_rowFloats + x * shape.dilations[1] * m_together + channel));
      }
    }
  }
}

std::array<int64_t, 4> FewChannels::weightStrides() const {
  const int64_t down = m_shape.kernel[0], across = m_shape.kernel[1];
  if (m_isPlain) return {1, down * across * m_filters, across * m_filters, m_filters};
  return {1, m_filters, across * m_channels * m_filters, m_channels * m_filters};
}

int64_t FewChannels::weightCount() const {
  return m_shape.groups * depth() * m_vectors * pointwiseLoops()->lanes;
}

void FewChannels::transformWeights(const float* weights, float* packed) const {
  for (int64_t group = 0; group < m_shape.groups; ++group)
    channelLoops()->packColumns(depth(), m_filters, weights + group * depth() * m_filters, {0, m_vectors},
                                packed + group * (weightCount() / m_shape.groups));
}

size_t FewChannels::scratchBytes() const {
  return static_cast<size_t>(m_threads * m_planes * m_shape.kernel[0] * m_rowFloats) * sizeof(float);
}

void FewChannels::copyWindows(const float* image, int64_t row, int64_t cell, int64_t cells, float* windows) const {
  const int64_t height = m_shape.input[0], width = m_shape.input[1];
  const int64_t extent = (m_shape.kernel[1] - 1) * m_shape.dilations[1] + 1;
  const int64_t left = cell * m_shape.strides[1] - m_shape.padsBegin[1];
  const int64_t right = left + (cells - 1) * m_shape.strides[1] + extent;
  const int64_t first = std::clamp<int64_t>(left, 0, width), last = std::clamp<int64_t>(right, first, width);
  for (int64_t plane = 0; plane < m_planes; ++plane) {
    for (int64_t down = 0; down < m_shape.kernel[0]; ++down, windows += m_rowFloats) {
      const int64_t y = row * m_shape.strides[0] - m_shape.padsBegin[0] + down * m_shape.dilations[0];
      if (y < 0 || y >= height || first == last) {
        std::fill_n(windows, (right - left) * m_together, 0.0f);
        continue;
      }
      float* to = std::fill_n(windows, (first - left) * m_together, 0.0f);
      to = std::copy_n(image + ((plane * height + y) * width + first) * m_together, (last - first) * m_together, to);
      std::fill_n(to, (right - last) * m_together, 0.0f);
    }
  }
}

void FewChannels::run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
                      std::span<std::byte> scratch) const {
  constexpr int64_t kWorkOfPart = int64_t{1} << 17;  // multiplications that pay for another part
  const ThreadShare share(m_threads);                // scratch is for so many
  const int64_t rows = m_shape.output[0], width = m_shape.output[1], filters = m_shape.outChannels;
  const int64_t imageFloats = m_shape.inChannels * m_shape.input[0] * m_shape.input[1];
  const int64_t ownFloats = m_planes * m_shape.kernel[0] * m_rowFloats;
  const int64_t groupFloats = m_channels * (m_isPlain ? m_shape.kernel[0] * m_rowFloats : 1);  // from group to group
  const int64_t work = m_segment * depth() * ((filters + m_parts - 1) / m_parts);
  const int64_t units = m_shape.batch * rows * m_segments;
  parallelFor(units * m_parts, std::max<int64_t>(1, kWorkOfPart / work), [&](int64_t begin, int64_t end) {
    float* windows = reinterpret_cast<float*>(scratch.data()) + loopPart() * ownFloats;
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t part = unit / units, segment = unit % m_segments, row = unit / m_segments % rows;
      const int64_t image = unit % units / m_segments / rows;
      const int64_t cell = segment * m_segment, cells = std::min(m_segment, width - cell);
      copyWindows(input + image * imageFloats, row, cell, cells, windows);
      const int64_t place = image * rows * width * filters + (row * width + cell) * m_outputStrides.cell;
      for (int64_t group = 0; group < m_shape.groups; ++group) {
        const int64_t first = place + group * m_filters;
        ChannelEpilogue here = epilogue;
        if (epilogue.bias != nullptr) here.bias = epilogue.bias + group * m_filters;
        if (epilogue.residual != nullptr) here.residual = epilogue.residual + first;
        pointwiseLoops()->run({.cells = cells,
                               .channels = depth(),
                               .filters = m_filters,
                               .firstPanel = m_panels * part / m_parts,
                               .endPanel = m_panels * (part + 1) / m_parts,
                               .input = windows + group * groupFloats,
                               .inputStrides = {m_shape.strides[1] * m_together, 0},
                               .offsets = m_offsets.data(),
                               .packed = packed + group * (weightCount() / m_shape.groups),
                               .epilogue = here,
                               .output = output + first,
                               .outputStrides = m_outputStrides});
      }
    }
  });
}

}  // namespace cutaway::math
