// Products over channels, and the transforms of Winograd's minimal filtering, in vectors of channels.
//
// F(4x4, 3x3) with the points 0, +-5/8, +-3/2 and infinity: their transforms amplify rounding two to four times less
// than those of the usual 0, +-1, +-2 at the same cost. F(2x2, 3x3) with 0, +-1 and infinity. Matrices by Toom and
// Cook's construction: with m(x) the product of (x - point), the rows of the input's transform are the coefficients of
// m(x) / (x - point) and, for infinity, of m(x); the weights are evaluated at the point and divided by the product of
// its distances from the others; the results evaluate the powers of the points.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/math/channel_loops.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "engine/math/channel_loops.h"

#include <algorithm>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "engine/math/channel_vectors.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::math {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2

struct Edge4 {
  static constexpr int kEdge = 4, kSize = 6;
  static constexpr float kA = 0.625f, kB = 1.5f, kA2 = kA * kA, kB2 = kB * kB;

  static HWY_INLINE void input(const V (&x)[kSize], V (&y)[kSize]) {
    const V even1 = hn::NegMulAdd(value(kB2), x[2], x[4]);
    const V odd1 = hn::Mul(value(kA), hn::NegMulAdd(value(kB2), x[1], x[3]));
    const V even2 = hn::NegMulAdd(value(kA2), x[2], x[4]);
    const V odd2 = hn::Mul(value(kB), hn::NegMulAdd(value(kA2), x[1], x[3]));
    y[0] = hn::MulAdd(value(kA2 * kB2), x[0], hn::NegMulAdd(value(kA2 + kB2), x[2], x[4]));
    y[1] = hn::Add(even1, odd1);
    y[2] = hn::Sub(even1, odd1);
    y[3] = hn::Add(even2, odd2);
    y[4] = hn::Sub(even2, odd2);
    y[5] = hn::MulAdd(value(kA2 * kB2), x[1], hn::NegMulAdd(value(kA2 + kB2), x[3], x[5]));
  }

  static HWY_INLINE void weights(const V (&g)[3], V (&y)[kSize]) {
    constexpr double a2 = kA2, b2 = kB2;
    constexpr float nearScale = static_cast<float>(1.0 / (2 * a2 * (a2 - b2)));
    constexpr float farScale = static_cast<float>(1.0 / (2 * b2 * (b2 - a2)));
    const V evenA = hn::MulAdd(value(kA2), g[2], g[0]), oddA = hn::Mul(value(kA), g[1]);
    const V evenB = hn::MulAdd(value(kB2), g[2], g[0]), oddB = hn::Mul(value(kB), g[1]);
    y[0] = hn::Mul(value(static_cast<float>(1.0 / (a2 * b2))), g[0]);
    y[1] = hn::Mul(value(nearScale), hn::Add(evenA, oddA));
    y[2] = hn::Mul(value(nearScale), hn::Sub(evenA, oddA));
    y[3] = hn::Mul(value(farScale), hn::Add(evenB, oddB));
    y[4] = hn::Mul(value(farScale), hn::Sub(evenB, oddB));
    y[5] = g[2];
  }

  static HWY_INLINE void results(const V (&m)[kSize], V (&y)[kEdge]) {
    const V sumA = hn::Add(m[1], m[2]), differenceA = hn::Sub(m[1], m[2]);
    const V sumB = hn::Add(m[3], m[4]), differenceB = hn::Sub(m[3], m[4]);
    y[0] = hn::Add(hn::Add(m[0], sumA), sumB);
    y[1] = hn::MulAdd(value(kA), differenceA, hn::Mul(value(kB), differenceB));
    y[2] = hn::MulAdd(value(kA2), sumA, hn::Mul(value(kB2), sumB));
    y[3] = hn::MulAdd(value(kA * kA2), differenceA, hn::MulAdd(value(kB * kB2), differenceB, m[5]));
  }
};

struct Edge2 {
  static constexpr int kEdge = 2, kSize = 4;

  static HWY_INLINE void input(const V (&x)[kSize], V (&y)[kSize]) {
    y[0] = hn::Sub(x[0], x[2]);
    y[1] = hn::Add(x[1], x[2]);
    y[2] = hn::Sub(x[2], x[1]);
    y[3] = hn::Sub(x[3], x[1]);
  }
  static HWY_INLINE void weights(const V (&g)[3], V (&y)[kSize]) {
    const V half = value(0.5f), even = hn::Add(g[0], g[2]);
    y[0] = g[0];
    y[1] = hn::Mul(half, hn::Add(even, g[1]));
    y[2] = hn::Mul(half, hn::Sub(even, g[1]));
    y[3] = g[2];
  }
  static HWY_INLINE void results(const V (&m)[kSize], V (&y)[kEdge]) {
    y[0] = hn::Add(hn::Add(m[0], m[1]), m[2]);
    y[1] = hn::Add(hn::Sub(m[1], m[2]), m[3]);
  }
};

template <typename Transform>
void transformWeightsOf(const WinogradGeometry& geometry, const float* weights, const ChannelGroup& group,
                        float* packed) {
  constexpr int kSize = Transform::kSize;
  const D d;
  const int64_t channels = geometry.channels, filters = geometry.filters;
  const int64_t pointStride = channels * group.vectors * kLanes;
  for (int64_t panel = 0; panel < panelsOf(group); ++panel) {
    const int64_t start = panelStart(group, panel), width = panelStart(group, panel + 1) - start;
    for (int64_t channel = 0; channel < channels; ++channel) {
      for (int64_t vector = 0; vector < width; ++vector) {
        const int64_t filter = (group.first + start + vector) * kLanes;
        const int64_t there = std::clamp<int64_t>(filters - filter, 0, kLanes);
        V rows[3][kSize];
        for (int row = 0; row < 3; ++row) {
          V taps[3];
          for (int column = 0; column < 3; ++column) {
            const float* from = weights + ((row * 3 + column) * channels + channel) * filters + filter;
            taps[column] = there == kLanes ? hn::LoadU(d, from) : hn::MaskedLoad(hn::FirstN(d, there), d, from);
          }
          Transform::weights(taps, rows[row]);
        }
        float* to = packed + channels * start * kLanes + (channel * width + vector) * kLanes;
        for (int column = 0; column < kSize; ++column) {
          const V taps[3] = {rows[0][column], rows[1][column], rows[2][column]};
          V done[kSize];
          Transform::weights(taps, done);
          for (int row = 0; row < kSize; ++row)
            hn::StoreU(done[row], d, to + (row * kSize + column) * pointStride);
        }
      }
    }
  }
}

struct TilePlace {
  int64_t image, row, column;  // row and column: of the results
};

HWY_INLINE TilePlace placeOf(const WinogradGeometry& geometry, int64_t tile) {
  const int64_t within = tile % geometry.tilesOfImage();
  return {tile / geometry.tilesOfImage(), within / geometry.tilesAcross * geometry.edge,
          within % geometry.tilesAcross * geometry.edge};
}

template <typename Transform, typename Load>
HWY_INLINE void transformTile(const Load& load, float* to, int64_t pointStride) {
  constexpr int kSize = Transform::kSize;
  V columns[kSize][kSize];  // [column][row] of the half transformed tile
  for (int column = 0; column < kSize; ++column) {
    V x[kSize];
    for (int row = 0; row < kSize; ++row)
      x[row] = load(row * kSize + column);
    Transform::input(x, columns[column]);
  }
  for (int row = 0; row < kSize; ++row) {
    V x[kSize], done[kSize];
    for (int column = 0; column < kSize; ++column)
      x[column] = columns[column][row];
    Transform::input(x, done);
    for (int column = 0; column < kSize; ++column)
      hn::StoreU(done[column], D(), to + (row * kSize + column) * pointStride);
  }
}

template <typename Transform>
void transformInputOf(const WinogradGeometry& geometry, const float* input, const float* zeros,
                      const ChannelRows& tiles) {
  constexpr int kSize = Transform::kSize;
  const D d;
  const int64_t channels = geometry.channels, whole = channels / kLanes * kLanes;
  for (int64_t t = 0; t < tiles.count; ++t) {
    const TilePlace place = placeOf(geometry, tiles.first + t);
    // Outside of the image all channels are zero.
    const float* cells[kSize * kSize];
    for (int64_t row = 0; row < kSize; ++row) {
      const int64_t y = place.row + row - geometry.padTop;
      for (int64_t column = 0; column < kSize; ++column) {
        const int64_t x = place.column + column - geometry.padLeft;
        const bool inside = y >= 0 && y < geometry.height && x >= 0 && x < geometry.width;
        cells[row * kSize + column] =
            inside ? input + ((place.image * geometry.height + y) * geometry.width + x) * channels : zeros;
      }
    }
    float* to = tiles.data + t * tiles.tileStride;
    for (int64_t channel = 0; channel < whole; channel += kLanes)
      transformTile<Transform>([&](int cell) { return hn::LoadU(d, cells[cell] + channel); }, to + channel,
                               tiles.pointStride);
    if (whole == channels) continue;
    const auto rest = hn::FirstN(d, static_cast<size_t>(channels - whole));
    transformTile<Transform>([&](int cell) { return hn::MaskedLoad(rest, d, cells[cell] + whole); }, to + whole,
                             tiles.pointStride);
  }
}

constexpr int64_t kAhead = 2048;  // floats: two pages, which the processor's own prefetching does not cross

// rows x (vectors * lanes) sums over the channels, one channel after the other. finish(row, sum) gives what is written.
// streams: the weights of all channels lie one behind the other, and are asked for before they are needed.
template <int rows, int vectors, bool streams, typename Finish>
HWY_INLINE void product(const float* input, int64_t inputStride, const float* weights, int64_t weightStride,
                        int64_t depth, float* to, int64_t toStride, const Finish& finish) {
  const D d;
  V sums[rows][vectors];
#pragma GCC unroll 16
  for (int row = 0; row < rows; ++row)
#pragma GCC unroll 4
    for (int vector = 0; vector < vectors; ++vector)
      sums[row][vector] = hn::Zero(d);
  for (int64_t channel = 0; channel < depth; ++channel, weights += weightStride) {
    V columns[vectors];
#pragma GCC unroll 4
    for (int vector = 0; vector < vectors; ++vector)
      columns[vector] = hn::LoadU(d, weights + vector * kLanes);
    if constexpr (streams) {
#pragma GCC unroll 4
      for (int vector = 0; vector < vectors; ++vector)
        hwy::Prefetch(weights + kAhead + vector * kLanes);
    }
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row) {
      const V x = hn::Set(d, input[row * inputStride + channel]);
#pragma GCC unroll 4
      for (int vector = 0; vector < vectors; ++vector)
        sums[row][vector] = hn::MulAdd(x, columns[vector], sums[row][vector]);
    }
  }
#pragma GCC unroll 16
  for (int row = 0; row < rows; ++row)
#pragma GCC unroll 4
    for (int vector = 0; vector < vectors; ++vector)
      hn::StoreU(finish(row, sums[row][vector]), d, to + row * toStride + vector * kLanes);
}

// Rows are shared out evenly among as few products as there can be, so that no product is left with one of them.
template <int vectors>
void productOfPanel(int64_t count, const float* input, int64_t inputStride, const float* weights, int64_t depth,
                    float* to, int64_t toStride) {
  const int64_t parts = (count + mostRows<vectors>() - 1) / mostRows<vectors>();
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t begin = count * part / parts, end = count * (part + 1) / parts;
    withRows<vectors>(end - begin, [&](auto rows) HWY_ATTR {
      product<decltype(rows)::value, vectors, true>(input + begin * inputStride, inputStride, weights, vectors * kLanes,
                                                    depth, to + begin * toStride, toStride,
                                                    [](int64_t, V sum) HWY_ATTR { return sum; });
    });
  }
}

void multiply(int64_t points, int64_t depth, const ChannelRows& input, const float* packed, const ChannelGroup& group,
              const ChannelRows& results) {
  for (int64_t point = 0; point < points; ++point) {
    for (int64_t panel = 0; panel < panelsOf(group); ++panel) {
      const int64_t start = panelStart(group, panel) * kLanes, width = panelStart(group, panel + 1) * kLanes - start;
      const float* x = input.data + point * input.pointStride;
      const float* w = packed + (point * group.vectors * kLanes + start) * depth;
      float* to = results.data + point * results.pointStride + start;
      withVectors(width / kLanes, [&](auto vectors) HWY_ATTR {
        productOfPanel<decltype(vectors)::value>(input.count, x, input.tileStride, w, depth, to, results.tileStride);
      });
    }
  }
}

void packColumns(int64_t depth, int64_t columns, const float* weights, const ChannelGroup& group, float* packed) {
  for (int64_t panel = 0; panel < panelsOf(group); ++panel) {
    const int64_t start = panelStart(group, panel) * kLanes, width = panelStart(group, panel + 1) * kLanes - start;
    const int64_t first = group.first * kLanes + start, there = std::clamp<int64_t>(columns - first, 0, width);
    for (int64_t channel = 0; channel < depth; ++channel) {
      float* to = packed + start * depth + channel * width;
      std::copy_n(weights + channel * columns + first, there, to);
      std::fill_n(to + there, width - there, 0.0f);
    }
  }
}

// to[i] = activation(from[i] + bias[i] + residual[i]); bias and residual may be nullptr.
HWY_INLINE void finish(int64_t count, const float* from, const float* bias, const float* residual,
                       const Activation& activation, float* to) {
  const D d;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    V x = hn::LoadU(d, from + i);
    if (bias != nullptr) x = hn::Add(x, hn::LoadU(d, bias + i));
    if (residual != nullptr) x = hn::Add(x, hn::LoadU(d, residual + i));
    activate(&x, 1, activation);
    hn::StoreU(x, d, to + i);
  }
  if (i == count) return;
  const auto rest = hn::FirstN(d, static_cast<size_t>(count - i));
  V x = hn::MaskedLoad(rest, d, from + i);
  if (bias != nullptr) x = hn::Add(x, hn::MaskedLoad(rest, d, bias + i));
  if (residual != nullptr) x = hn::Add(x, hn::MaskedLoad(rest, d, residual + i));
  activate(&x, 1, activation);
  hn::BlendedStore(x, rest, d, to + i);
}

void activateRun(const float* from, int64_t count, const Activation& activation, float* to) {
  constexpr int64_t kVectors = 4;
  const D d;
  int64_t i = 0;
  for (; i + kVectors * kLanes <= count; i += kVectors * kLanes) {
    V x[kVectors];
    for (int64_t vector = 0; vector < kVectors; ++vector)
      x[vector] = hn::LoadU(d, from + i + vector * kLanes);
    activate(x, kVectors, activation);
    for (int64_t vector = 0; vector < kVectors; ++vector)
      hn::StoreU(x[vector], d, to + i + vector * kLanes);
  }
  finish(count - i, from + i, nullptr, nullptr, activation, to + i);
}

// A few filters at a time write all vectors of their planes, which so lie together. Bias and clamps are applied to the
// sums before they are stored, other activations to what was stored.
void multiplyPlanes(int64_t depth, const ChannelRows& weights, const float* planes, int64_t planeStride,
                    int64_t vectors, const ChannelEpilogue& epilogue, int64_t outputStride, float* output) {
  constexpr int64_t kRows = mostRows<static_cast<int>(kPanelVectors)>();
  const ChannelGroup all{0, vectors};
  const Clamp clamp = clampOf(epilogue.activation);
  const V low = value(clamp.low), high = value(clamp.high);
  const bool clamps = clamp.covers, follows = !clamps && epilogue.activation.kind != ActivationKind::kNone;
  const int64_t parts = (weights.count + kRows - 1) / kRows;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t first = weights.count * part / parts, count = weights.count * (part + 1) / parts - first;
    const float* row = weights.data + first * weights.tileStride;
    const float* bias = epilogue.bias != nullptr ? epilogue.bias + first : nullptr;
    const auto finish = [&](int64_t filter, V sum) HWY_ATTR {
      const V x = bias != nullptr ? hn::Add(sum, value(bias[filter])) : sum;
      return clamps ? clamped(x, low, high) : x;
    };
    for (int64_t panel = 0; panel < panelsOf(all); ++panel) {
      const int64_t start = panelStart(all, panel), width = panelStart(all, panel + 1) - start;
      float* to = output + first * outputStride + start * kLanes;
      withVectors(width, [&](auto columns) HWY_ATTR {
        constexpr int kColumns = decltype(columns)::value;
        withRows<kColumns>(count, [&](auto rows) HWY_ATTR {
          product<decltype(rows)::value, kColumns, false>(row, weights.tileStride, planes + start * kLanes, planeStride,
                                                          depth, to, outputStride, finish);
        });
      });
    }
    for (int64_t filter = first; follows && filter < first + count; ++filter) {
      float* plane = output + filter * outputStride;
      activateRun(plane, vectors * kLanes, epilogue.activation, plane);
    }
  }
}

void finishRows(int64_t count, int64_t width, const float* bias, const Activation& activation, float* rows) {
  for (int64_t row = 0; row < count; ++row)
    finish(width, rows + row * width, bias, nullptr, activation, rows + row * width);
}

void finishPlanes(const ChannelRows& results, int64_t width, const ChannelEpilogue& epilogue, int64_t planeStride,
                  float* output) {
  const D d;
  for (int64_t row = 0; row < results.count; ++row) {
    const V bias = epilogue.bias != nullptr ? value(epilogue.bias[row]) : hn::Zero(d);
    const float* from = results.data + row * results.tileStride;
    const float* residual = epilogue.residual != nullptr ? epilogue.residual + row * planeStride : nullptr;
    float* to = output + row * planeStride;
    for (int64_t i = 0; i < width; i += kLanes) {
      const auto there = hn::FirstN(d, static_cast<size_t>(std::min(kLanes, width - i)));
      V x = hn::Add(hn::LoadU(d, from + i), bias);
      if (residual != nullptr) x = hn::Add(x, hn::MaskedLoad(there, d, residual + i));
      activate(&x, 1, epilogue.activation);
      if (i + kLanes <= width)
        hn::StoreU(x, d, to + i);
      else
        hn::BlendedStore(x, there, d, to + i);
    }
  }
}

// The columns of a row of results are [row of the window][column of the window][filter]: those of one row of the window
// lie beside each other in the output, too.
void interleave(const TransposedGeometry& geometry, const ChannelRows& results, const ChannelGroup& group,
                const ChannelEpilogue& epilogue, float* output) {
  const int64_t line = geometry.kernelWidth * geometry.filters;
  const int64_t first = group.first * kLanes, last = std::min(geometry.columns(), first + group.vectors * kLanes);
  for (int64_t t = 0; t < results.count; ++t) {
    const int64_t cell = results.first + t, y = cell / geometry.width, x = cell % geometry.width;  // y: of all images
    const float* from = results.data + t * results.tileStride;
    for (int64_t begin = first; begin < last;) {
      const int64_t row = begin / line, end = std::min(last, (row + 1) * line);
      const int64_t to = ((y * geometry.kernelHeight + row) * geometry.width + x) * line + begin - row * line;
      finish(end - begin, from + begin - first, epilogue.bias != nullptr ? epilogue.bias + begin : nullptr,
             epilogue.residual != nullptr ? epilogue.residual + to : nullptr, epilogue.activation, output + to);
      begin = end;
    }
  }
}

template <typename Transform>
void transformResultsOf(const WinogradGeometry& geometry, const ChannelRows& results, const ChannelGroup& group,
                        const ChannelEpilogue& epilogue, float* output) {
  constexpr int kSize = Transform::kSize, kEdge = Transform::kEdge;
  const D d;
  const int64_t filters = geometry.filters;
  for (int64_t t = 0; t < results.count; ++t) {
    const TilePlace place = placeOf(geometry, results.first + t);
    const int64_t rows = std::min<int64_t>(kEdge, geometry.outHeight - place.row),
                  columns = std::min<int64_t>(kEdge, geometry.outWidth - place.column);
    const int64_t corner =
        ((place.image * geometry.outHeight + place.row) * geometry.outWidth + place.column) * filters;
    for (int64_t vector = 0; vector < group.vectors; ++vector) {
      const int64_t filter = (group.first + vector) * kLanes, there = std::min(filters - filter, kLanes);
      const float* from = results.data + t * results.tileStride + vector * kLanes;
      V half[kSize][kEdge];  // [column][row of the results]
      for (int column = 0; column < kSize; ++column) {
        V m[kSize];
        for (int row = 0; row < kSize; ++row)
          m[row] = hn::LoadU(d, from + (row * kSize + column) * results.pointStride);
        Transform::results(m, half[column]);
      }
      V done[kEdge * kEdge];
      for (int row = 0; row < kEdge; ++row) {
        V m[kSize], y[kEdge];
        for (int column = 0; column < kSize; ++column)
          m[column] = half[column][row];
        Transform::results(m, y);
        for (int column = 0; column < kEdge; ++column)
          done[row * kEdge + column] = y[column];
      }
      const auto mask = hn::FirstN(d, static_cast<size_t>(there));
      const bool full = there == kLanes;
      const auto load = [&](const float* at) { return full ? hn::LoadU(d, at) : hn::MaskedLoad(mask, d, at); };
      if (epilogue.bias != nullptr) {
        const V bias = load(epilogue.bias + filter);
        for (V& each : done)
          each = hn::Add(each, bias);
      }
      const auto offset = [&](int64_t row, int64_t column) {
        return corner + (row * geometry.outWidth + column) * filters + filter;
      };
      if (epilogue.residual != nullptr) {
        for (int64_t row = 0; row < rows; ++row) {
          for (int64_t column = 0; column < columns; ++column)
            done[row * kEdge + column] =
                hn::Add(done[row * kEdge + column], load(epilogue.residual + offset(row, column)));
        }
      }
      activate(done, kEdge * kEdge, epilogue.activation);
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t column = 0; column < columns; ++column) {
          float* to = output + offset(row, column);
          if (full)
            hn::StoreU(done[row * kEdge + column], d, to);
          else
            hn::BlendedStore(done[row * kEdge + column], mask, d, to);
        }
      }
    }
  }
}

void transformWeights(const WinogradGeometry& geometry, const float* weights, const ChannelGroup& group,
                      float* packed) {
  if (geometry.edge == 4) return transformWeightsOf<Edge4>(geometry, weights, group, packed);
  transformWeightsOf<Edge2>(geometry, weights, group, packed);
}

void transformInput(const WinogradGeometry& geometry, const float* input, const float* zeros,
                    const ChannelRows& tiles) {
  if (geometry.edge == 4) return transformInputOf<Edge4>(geometry, input, zeros, tiles);
  transformInputOf<Edge2>(geometry, input, zeros, tiles);
}

void transformResults(const WinogradGeometry& geometry, const ChannelRows& results, const ChannelGroup& group,
                      const ChannelEpilogue& epilogue, float* output) {
  if (geometry.edge == 4) return transformResultsOf<Edge4>(geometry, results, group, epilogue, output);
  transformResultsOf<Edge2>(geometry, results, group, epilogue, output);
}

const ChannelLoops* loops() {
  static constexpr ChannelLoops kLoops{.lanes = kLanes,
                                       .panelVectors = kPanelVectors,
                                       .transformWeights = transformWeights,
                                       .transformInput = transformInput,
                                       .multiply = multiply,
                                       .multiplyPlanes = multiplyPlanes,
                                       .packColumns = packColumns,
                                       .interleave = interleave,
                                       .finishRows = finishRows,
                                       .finishPlanes = finishPlanes,
                                       .activateRun = activateRun,
                                       .transformResults = transformResults};
  return &kLoops;
}

#else

const ChannelLoops* loops() {
  return nullptr;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::math {

HWY_EXPORT(loops);

const ChannelLoops* channelLoops() {
  return HWY_DYNAMIC_DISPATCH(loops)();
}

}  // namespace cutaway::math
#endif
