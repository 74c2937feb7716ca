#pragma once
// Convolutions of images with one to four channels: the first of most networks, and those of sound. In vectors of eight
// floats, those with few filters, and what the library has but a slow form of: groups of few channels, large windows.
//
// What the windows of some cells of a row see is copied side by side, with zeros for what lies outside of the image;
// each factor of a product has its place there. The library's kernels take sixteen channels at a time and ask for
// another order of a plain image. Sums of products in the order of the weights, after bias and residual.
//
// Thread rule and example: own_convolution.h.

#include <vector>

#include "engine/math/own_convolution.h"
#include "engine/math/pointwise_loops.h"

namespace cutaway::math {

class FewChannels final : public OwnConvolution {
 public:
  // Whether it is expected to beat the library's.
  static bool suits(const ConvolutionShape& shape);
  // Whether it is, where the library has but products of gathered columns or a plain loop.
  static bool replacesSlowForm(const ConvolutionShape& shape);
  // Whether it can: images in channels last or plain to channels last, or blocks where vectors hold sixteen floats.
  static bool can(const ConvolutionShape& shape);
  // For a shape it can do, and the caller's number of threads.
  explicit FewChannels(const ConvolutionShape& shape);

  std::string implementation() const override { return m_isPlain ? "few channels:plain" : "few channels"; }
  Layout inputLayout() const override { return m_isPlain ? Layout::kPlain : Layout::kChannelsLast; }
  Layout outputLayout() const override { return m_output; }
  std::array<int64_t, 4> weightStrides() const override;  // in the order of a window's factors, filters last
  int64_t weightCount() const override;
  void transformWeights(const float* weights, float* packed) const override;
  size_t scratchBytes() const override;
  void run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
           std::span<std::byte> scratch) const override;

 private:
  int64_t depth() const { return static_cast<int64_t>(m_offsets.size()); }
  // What cells [cell, cell + cells) of a row of results see.
  void copyWindows(const float* image, int64_t row, int64_t cell, int64_t cells, float* windows) const;

  ConvolutionShape m_shape;
  bool m_isPlain;
  Layout m_output;
  int m_threads = 1;
  int64_t m_channels = 1, m_filters = 1;  // of a group
  int64_t m_planes = 1, m_together = 1;   // rows of a window in memory of their own; numbers of a cell side by side
  int64_t m_segment = 1, m_segments = 1;  // cells of a row that are worked on together; such runs of a row
  int64_t m_rowFloats = 1;                // of a copied row
  int64_t m_vectors = 1, m_panels = 1, m_parts = 1;  // of filters; parts: of the panels, each worked on by itself
  CellStrides m_outputStrides;
  std::vector<int32_t> m_offsets;  // of a window's factors among the copied rows, for the first group
};

}  // namespace cutaway::math
