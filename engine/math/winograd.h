#pragma once
// 3x3 convolutions of floats with stride 1 by Winograd's minimal filtering: 4 (or 2.25) times fewer multiplications.
//
// Tiles of the input and the weights are transformed; at each place of the transformed tile the result is a product of
// matrices over the channels; the results are transformed back, with bias, residual sum and activation. Algorithm:
// Lavin and Gray, Fast Algorithms for Convolutional Neural Networks (2015); the points of the transforms and what they
// do to rounding: channel_loops.cpp. Against a sum of products in double the error stays within 1e-5 of the results'
// range. A NaN or an infinity in the input spreads over the results of its tile, at most 4x4, where a direct
// convolution gives it to those that see it only.
//
// Thread rule and example: own_convolution.h.

#include "engine/math/own_convolution.h"

namespace cutaway::math {

class Winograd final : public OwnConvolution {
 public:
  // Whether it is expected to beat a direct convolution: a rule from measured layers, the same on every processor that
  // has the vectors for it. Never for what it cannot do.
  static bool suits(const ConvolutionShape& shape);
  // Whether it can: 3x3 without stride, dilation and groups, on a processor with fused multiply-add.
  static bool can(const ConvolutionShape& shape);

  // For a shape it can do, and the caller's number of threads. edge: of the results of a tile, 2 or 4; 0: by the rule.
  explicit Winograd(const ConvolutionShape& shape, int64_t edge = 0);

  std::string implementation() const override;            // "winograd:4x4"
  std::array<int64_t, 4> weightStrides() const override;  // [3][3][in][out]
  int64_t weightCount() const override;
  void transformWeights(const float* weights, float* packed) const override;
  size_t scratchBytes() const override { return m_scratchBytes; }
  void run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
           std::span<std::byte> scratch) const override;

 private:
  ChannelGroup group(int64_t index) const;
  int64_t groupOffset(int64_t index) const;
  void multiplyGroup(int64_t group, const ChannelRows& points, const float* packed, float* results,
                     const ChannelEpilogue& epilogue, float* output) const;

  WinogradGeometry m_geometry;
  int m_threads = 1;
  int64_t m_tiles = 0, m_blocks = 1, m_blockTiles = 0, m_groups = 1, m_vectors = 1;
  bool m_sharesInput = false;  // few tiles: they are transformed first, then the groups of filters are shared out
  size_t m_pointsOffset = 0, m_resultsOffset = 0, m_pointsBytes = 0, m_resultsBytes = 0, m_scratchBytes = 0;
};

}  // namespace cutaway::math
