#pragma once
// Transposed convolutions whose windows lie side by side: kernel equals stride, nothing is padded.
//
// Each cell of the input gives a window of the output and shares it with no other, so that all windows are one product
// of matrices, cells by channels times channels by (window, output channels); its rows are written to where they
// belong, with bias, residual sum and activation. oneDNN 2.6 adds a bias to a deconvolution in a plain loop, which
// takes several times as long as the deconvolution. Thread rule and example: own_convolution.h.

#include "engine/math/own_convolution.h"

namespace cutaway::math {

class TransposedTiles final : public OwnConvolution {
 public:
  static bool suits(const ConvolutionShape& shape);
  explicit TransposedTiles(const ConvolutionShape& shape);

  std::string implementation() const override { return "product and interleave"; }
  std::array<int64_t, 4> weightStrides() const override;  // [in][height][width][out]
  int64_t weightCount() const override;
  void transformWeights(const float* weights, float* packed) const override;
  size_t scratchBytes() const override;
  void run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
           std::span<std::byte> scratch) const override;

 private:
  ChannelGroup group(int64_t index) const;

  TransposedGeometry m_geometry;
  int m_threads = 1;
  int64_t m_cells = 0, m_vectors = 1, m_groups = 1, m_lanes = 1;
};

}  // namespace cutaway::math
