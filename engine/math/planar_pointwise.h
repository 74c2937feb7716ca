#pragma once
// Convolutions of plain floats with a window of one cell, as they lie: the library's turn input and output around.
//
// A block of cells is put side by side, one channel after the other, and multiplied with the filters' rows of weights;
// of few channels the cells are read where they lie. Sums of products in the order of the channels, then bias and
// residual.
//
// Thread rule and example: own_convolution.h.

#include "engine/math/own_convolution.h"

namespace cutaway::math {

class PlanarPointwise final : public OwnConvolution {
 public:
  // Whether it is expected to beat the library's.
  static bool suits(const ConvolutionShape& shape);
  // Whether it can: plain tensors of one or two axes, a window of one cell without pads and groups.
  static bool can(const ConvolutionShape& shape);

  // For a shape it can do, and the caller's number of threads.
  explicit PlanarPointwise(const ConvolutionShape& shape);

  std::string implementation() const override { return "pointwise:plain"; }
  Layout inputLayout() const override { return Layout::kPlain; }
  Layout outputLayout() const override { return Layout::kPlain; }
  std::array<int64_t, 4> weightStrides() const override { return {m_channels, 1, 1, 1}; }
  int64_t weightCount() const override { return m_channels * m_filters; }
  void transformWeights(const float* weights, float* packed) const override;
  size_t scratchBytes() const override;
  void run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
           std::span<std::byte> scratch) const override;

 private:
  int64_t blockFloats() const { return m_channels * m_blockCells; }
  // `count` cells from `first` on, side by side; zero up to `width` of them.
  void gather(const float* image, int64_t first, int64_t count, int64_t width, float* block) const;

  int64_t m_images = 1, m_channels = 1, m_filters = 1;
  int64_t m_width = 1, m_inputWidth = 1, m_inputCells = 1, m_cells = 1;  // of a plane; without a name: of the output
  int64_t m_stepDown = 1, m_stepAcross = 1;
  int64_t m_vectors = 1, m_blocks = 1;  // of a plane; blocks share its vectors evenly
  int64_t m_blockCells = 1;             // of the largest block
  bool m_readsInPlace = false;
  int m_threads = 1;
};

}  // namespace cutaway::math
