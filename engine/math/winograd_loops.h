#pragma once
// The loops of winograd.h, compiled once per instruction set: what a block of tiles goes through.
//
// A tile gives `edge` x `edge` results from (edge + 2) x (edge + 2) numbers of the input; its numbers at one place of
// the transformed tile are a *point*. All tensors have their channels last. Thread rule: pure functions.
// Example: see winograd.cpp.

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

// Filters that are worked on together: vectors [first, first + vectors) of all.
struct WinogradGroup {
  int64_t first = 0, vectors = 0;
};

// A run of tiles and where their numbers stand: point p of tile t at data + p * pointStride + t * tileStride.
struct WinogradTiles {
  int64_t first = 0, count = 0;
  float* data = nullptr;
  int64_t pointStride = 0, tileStride = 0;
};

struct WinogradEpilogue {
  const float* bias = nullptr;      // one for each filter, or none
  const float* residual = nullptr;  // like the output, or none
  Activation activation;
};

struct WinogradLoops {
  int64_t lanes;  // floats of a vector
  // weights: [3][3][channels][filters]. packed: of this group, [point][panel][channel][filter of the panel].
  void (*transformWeights)(const WinogradGeometry&, const float* weights, const WinogradGroup&, float* packed);
  // zeros: as many as padded channels.
  void (*transformInput)(const WinogradGeometry&, const float* input, const float* zeros, const WinogradTiles&);
  // results: tileStride is the group's number of filters.
  void (*multiply)(const WinogradGeometry&, const WinogradTiles& input, const float* packed, const WinogradGroup&,
                   const WinogradTiles& results);
  void (*transformResults)(const WinogradGeometry&, const WinogradTiles& results, const WinogradGroup&,
                           const WinogradEpilogue&, float* output);
};

// For this processor; nullptr where it has no vectors of eight floats with fused multiply-add.
const WinogradLoops* winogradLoops();

}  // namespace cutaway::math
