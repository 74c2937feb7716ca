#pragma once
// Convolutions of floats with a window of one cell, from channels last or blocks of sixteen channels to either.
//
// What the library's need longer for: images that do not fit into the caches, whose cells it does not fetch early,
// tensors of two orders, which it does not take, and groups in vectors of eight floats. Blocks are read and written
// where vectors hold sixteen floats. Sums of products in the order of the channels, after bias and
// residual.
//
// Thread rule and example: own_convolution.h.

#include "engine/math/own_convolution.h"

namespace cutaway::math {

class Pointwise final : public OwnConvolution {
 public:
  // Whether it is expected to beat the library's, or is the only one for the shape's layouts.
  static bool suits(const ConvolutionShape& shape);
  // Whether it can: a window of one cell without stride and pads, and without groups where there are blocks.
  static bool can(const ConvolutionShape& shape);

  static bool isThere();      // on this processor
  static bool takesBlocks();  // on this processor

  // For a shape it can do, and the caller's number of threads.
  explicit Pointwise(const ConvolutionShape& shape);

  std::string implementation() const override { return "pointwise"; }
  Layout inputLayout() const override { return m_input; }
  Layout outputLayout() const override { return m_output; }
  std::array<int64_t, 4> weightStrides() const override;  // [in][out] of a group
  int64_t weightCount() const override;
  void transformWeights(const float* weights, float* packed) const override;
  size_t scratchBytes() const override { return 0; }
  void run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
           std::span<std::byte> scratch) const override;

 private:
  int64_t m_images = 1, m_cells = 1;                                   // cells: of an image
  int64_t m_groups = 1, m_channels = 1, m_filters = 1, m_vectors = 1;  // but for the first: of a group
  Layout m_input, m_output;
  int m_threads = 1;
  int64_t m_unit = 1, m_blocks = 1;   // cells that are worked on together, and how many such blocks an image has
  int64_t m_panels = 1, m_parts = 1;  // of filters; parts: of the panels, each worked on by itself
};

}  // namespace cutaway::math
