#pragma once
// The loops of winograd.h and transposed_tiles.h, compiled once per instruction set: what a block of rows goes through.
//
// Rows of numbers, one for each channel, are multiplied with packed weights. Of Winograd's, a tile gives `edge` x
// `edge` results from (edge + 2) x (edge + 2) numbers of the input; its numbers at one place of the transformed tile
// are a *point*. All tensors have their channels last. Thread rule: pure functions. Example: see winograd.cpp.

#include <cstdint>

#include "engine/math/activation.h"

namespace cutaway::math {

struct WinogradGeometry {
  int64_t height = 0, width = 0, outHeight = 0, outWidth = 0, padTop = 0, padLeft = 0;
  int64_t tilesDown = 0, tilesAcross = 0;  // of an image
  int64_t channels = 0, filters = 0;
  int64_t edge = 4;   // 2 or 4
  int64_t lanes = 1;  // floats of a vector
  int64_t points() const { return (edge + 2) * (edge + 2); }
  int64_t tilesOfImage() const { return tilesDown * tilesAcross; }
  int64_t paddedChannels() const { return (channels + lanes - 1) / lanes * lanes; }
};

// Of a transposed convolution whose windows do not overlap: a row of the input gives kernelHeight x kernelWidth places.
struct TransposedGeometry {
  int64_t height = 0, width = 0, kernelHeight = 1, kernelWidth = 1, channels = 0, filters = 0;
  int64_t columns() const { return kernelHeight * kernelWidth * filters; }
};

// Filters (or columns) that are worked on together: vectors [first, first + vectors) of all.
struct ChannelGroup {
  int64_t first = 0, vectors = 0;
};

// A run of tiles (or rows of an image), and where their numbers stand: point p of tile t at data + p * pointStride + t
// * tileStride.
struct ChannelRows {
  int64_t first = 0, count = 0;
  float* data = nullptr;
  int64_t pointStride = 0, tileStride = 0;
};

struct ChannelEpilogue {
  const float* bias = nullptr;      // one for each filter, or none
  const float* residual = nullptr;  // like the output, or none
  Activation activation;
};

struct ChannelLoops {
  int64_t lanes;         // floats of a vector
  int64_t panelVectors;  // a group of so many is packed as one panel
  // weights: [3][3][channels][filters]. packed: of this group, [point][panel][channel][filter of the panel].
  void (*transformWeights)(const WinogradGeometry&, const float* weights, const ChannelGroup&, float* packed);
  // zeros: as many as padded channels.
  void (*transformInput)(const WinogradGeometry&, const float* input, const float* zeros, const ChannelRows&);
  // Of each point, over `depth` channels. results: tileStride is the group's number of filters.
  void (*multiply)(int64_t points, int64_t depth, const ChannelRows& input, const float* packed, const ChannelGroup&,
                   const ChannelRows& results);
  // weights: a row for each filter. planes: of `depth` channels, planeStride apart, `vectors` of each. The planes of
  // two filters lie outputStride apart. The epilogue has no residual.
  void (*multiplyPlanes)(int64_t depth, const ChannelRows& weights, const float* planes, int64_t planeStride,
                         int64_t vectors, const ChannelEpilogue&, int64_t outputStride, float* output);
  // weights: [depth][columns]. packed: of this group, [panel][depth][column of the panel].
  void (*packColumns)(int64_t depth, int64_t columns, const float* weights, const ChannelGroup&, float* packed);
  // results: of this group. Bias: one for each column of all.
  void (*interleave)(const TransposedGeometry&, const ChannelRows& results, const ChannelGroup&, const ChannelEpilogue&,
                     float* output);
  // count rows of `width` numbers, each with the same bias.
  void (*finishRows)(int64_t count, int64_t width, const float* bias, const Activation&, float* rows);
  // results: a row of `width` numbers for each filter, which has one bias. The planes of two filters lie `planeStride`
  // apart in the output and in the residual.
  void (*finishPlanes)(const ChannelRows& results, int64_t width, const ChannelEpilogue&, int64_t planeStride,
                       float* output);
  void (*activateRun)(const float* from, int64_t count, const Activation&, float* to);  // in place, too
  void (*transformResults)(const WinogradGeometry&, const ChannelRows& results, const ChannelGroup&,
                           const ChannelEpilogue&, float* output);
};

// For this processor; nullptr where it has no vectors of eight floats with fused multiply-add.
const ChannelLoops* channelLoops();

}  // namespace cutaway::math
