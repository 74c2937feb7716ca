// Products of a few cells with a few vectors of filters, one channel after the other: sums begin with the bias and the
// residual, and are clamped before they are stored. What takes more than a clamp follows while the results are in the
// nearest cache.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/math/pointwise_loops.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "engine/math/pointwise_loops.h"

#include <algorithm>

#include <hwy/highway.h>

#include "engine/math/channel_vectors.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::math {
namespace HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX2

// A panel of filters: its weights, and what of bias, residual and output belongs to it.
struct PointwisePanel {
  const float* packed;
  const float* bias;
  const float* residual;
  float* output;
  int64_t filters;  // the last vector may reach beyond
  Clamp clamp;
};

// The processor does not see by itself what comes next where cells are read side by side: 1.1 to 1.6 times faster than
// without, where images do not fit into the caches.
constexpr int64_t kReadAhead = 1024;  // floats
constexpr int64_t kWriteAhead = 24;   // cells
constexpr bool kTakesBlocks = kLanes == kBlockChannels;
constexpr bool kFetchesEarly =
    HWY_TARGET <= HWY_AVX3;  // with AVX2, on a core of AMD EPYC, it takes time and saves none

template <int rows, int vectors>
HWY_INLINE void addProducts(const PointwiseRun& run, const float* packed, int64_t cell, V (&sums)[rows][vectors]) {
  const D d;
  const CellStrides& strides = run.inputStrides;
  const float* block = run.input + cell * strides.cell;
  // What lies ahead of all cells of a block of channels, whatever lies between two of them.
  const float* ahead = block + kReadAhead;
  const int64_t aheadStride = std::max(strides.block, kLanes * kLanes);
  const int64_t most = kTakesBlocks ? kLanes : run.channels;
  for (int64_t first = 0; first < run.channels; first += most, block += strides.block, ahead += aheadStride) {
    const int64_t count = std::min(most, run.channels - first);
    for (int64_t channel = 0; channel < count; ++channel, packed += vectors * kLanes) {
      if (kFetchesEarly) __builtin_prefetch(ahead + channel * kLanes);
      V columns[vectors];
#pragma GCC unroll 4
      for (int vector = 0; vector < vectors; ++vector)
        columns[vector] = hn::LoadU(d, packed + vector * kLanes);
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row) {
        const V x = hn::Set(d, block[row * strides.cell + channel]);
#pragma GCC unroll 4
        for (int vector = 0; vector < vectors; ++vector)
          sums[row][vector] = hn::MulAdd(x, columns[vector], sums[row][vector]);
      }
    }
  }
}

template <int rows, int vectors>
HWY_INLINE void addGathered(const PointwiseRun& run, const float* packed, int64_t cell, V (&sums)[rows][vectors]) {
  const D d;
  const int64_t stride = run.inputStrides.cell;
  const float* first = run.input + cell * stride;
  for (int64_t channel = 0; channel < run.channels; ++channel, packed += vectors * kLanes) {
    const float* place = first + run.offsets[channel];
    V columns[vectors];
#pragma GCC unroll 4
    for (int vector = 0; vector < vectors; ++vector)
      columns[vector] = hn::LoadU(d, packed + vector * kLanes);
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row) {
      const V x = hn::Set(d, place[row * stride]);
#pragma GCC unroll 4
      for (int vector = 0; vector < vectors; ++vector)
        sums[row][vector] = hn::MulAdd(x, columns[vector], sums[row][vector]);
    }
  }
}

// The first `count` floats of a vector. Processors without masks of their own take long for a masked store.
HWY_INLINE void storeFirst(V x, int64_t count, float* to) {
  const D d;
#if HWY_TARGET <= HWY_AVX3
  hn::BlendedStore(x, hn::FirstN(d, static_cast<size_t>(count)), d, to);
#else
  const hn::Half<D> half;
  const hn::Half<hn::Half<D>> quarter;
  auto part = hn::LowerHalf(half, x);
  if ((count & 4) != 0) {
    hn::StoreU(part, half, to);
    part = hn::UpperHalf(half, x);
    to += 4;
  }
  auto pair = hn::LowerHalf(quarter, part);
  if ((count & 2) != 0) {
    hn::StoreU(pair, quarter, to);
    pair = hn::UpperHalf(quarter, part);
    to += 2;
  }
  if ((count & 1) != 0) *to = hn::GetLane(pair);
#endif
}

template <int rows, int vectors>
HWY_INLINE void finishedProduct(const PointwiseRun& run, const PointwisePanel& panel, int64_t cell) {
  const D d;
  const int64_t last = panel.filters - (vectors - 1) * kLanes, step = run.outputStrides.block;
  const bool whole = last >= kLanes;
  const auto rest = hn::FirstN(d, static_cast<size_t>(std::min(last, kLanes)));
  const auto load = [&](const float* from, int vector) HWY_ATTR {
    return vector + 1 < vectors || whole ? hn::LoadU(d, from) : hn::MaskedLoad(rest, d, from);
  };
  V sums[rows][vectors];
#pragma GCC unroll 4
  for (int vector = 0; vector < vectors; ++vector) {
    const V bias = panel.bias != nullptr ? load(panel.bias + vector * kLanes, vector) : hn::Zero(d);
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row)
      sums[row][vector] = bias;
  }
  const int64_t place = cell * run.outputStrides.cell;
  if (panel.residual != nullptr) {
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row)
#pragma GCC unroll 4
      for (int vector = 0; vector < vectors; ++vector)
        sums[row][vector] = hn::Add(
            sums[row][vector], load(panel.residual + place + row * run.outputStrides.cell + vector * step, vector));
  }
  if (run.offsets != nullptr)
    addGathered(run, panel.packed, cell, sums);
  else
    addProducts(run, panel.packed, cell, sums);
  if (panel.clamp.covers) {
    const V low = hn::Set(d, panel.clamp.low), high = hn::Set(d, panel.clamp.high);
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row)
#pragma GCC unroll 4
      for (int vector = 0; vector < vectors; ++vector)
        sums[row][vector] = clamped(sums[row][vector], low, high);
  }
  float* output = panel.output + place;
  const int64_t cellStride = run.outputStrides.cell;
#pragma GCC unroll 16
  for (int row = 0; row < rows; ++row) {
    float* to = output + row * cellStride;
#pragma GCC unroll 4
    for (int vector = 0; vector < vectors; ++vector, to += step) {
      if (kFetchesEarly) __builtin_prefetch(to + kWriteAhead * cellStride, 1);
      if (vector + 1 < vectors || whole)
        hn::StoreU(sums[row][vector], d, to);
      else
        storeFirst(sums[row][vector], last, to);
    }
  }
}

template <int vectors>
void finishedPanel(const PointwiseRun& run, const PointwisePanel& panel, int64_t begin, int64_t end) {
  constexpr int64_t kRows = mostRows<vectors>();
  for (; begin + kRows <= end; begin += kRows)
    finishedProduct<static_cast<int>(kRows), vectors>(run, panel, begin);
  withRows<vectors>(end - begin,
                    [&](auto rows) HWY_ATTR { finishedProduct<decltype(rows)::value, vectors>(run, panel, begin); });
}

void finishPanel(int64_t count, const PointwiseRun& run, const PointwisePanel& panel, int64_t begin, int64_t end) {
  withVectors(count, [&](auto vectors) HWY_ATTR { finishedPanel<decltype(vectors)::value>(run, panel, begin, end); });
}

// Cells whose channels stay in the nearest cache from one panel of filters to the next.
int64_t blockOf(int64_t channels) {
  constexpr int64_t kBlockFloats = 6144, kLeastCells = 24, kMostCells = 192, kUnit = 24;
  return std::clamp(kBlockFloats / channels / kUnit * kUnit, kLeastCells, kMostCells);
}

// What a clamp does not cover, over cells that were stored a moment ago.
void activateCells(const PointwiseRun& run, const ChannelGroup& filters, int64_t begin, int64_t end) {
  const auto activate = [&](float* done, int64_t floats) {
    channelLoops()->activateRun(done, floats, run.epilogue.activation, done);
  };
  const CellStrides& strides = run.outputStrides;
  const int64_t endVector = filters.first + filters.vectors, first = filters.first * kLanes;
  const int64_t count = std::min(run.filters, endVector * kLanes) - first;
  if (kTakesBlocks && strides.block != kLanes) {
    for (int64_t vector = filters.first; vector < endVector; ++vector)
      activate(run.output + vector * strides.block + begin * kLanes, (end - begin) * kLanes);
  } else if (count == strides.cell) {
    activate(run.output + begin * strides.cell, (end - begin) * strides.cell);
  } else {
    for (int64_t cell = begin; cell < end; ++cell)
      activate(run.output + cell * strides.cell + first, count);
  }
}

void runPointwise(const PointwiseRun& run) {
  const ActivationKind kind = run.epilogue.activation.kind;
  const Clamp clamp = clampOf(run.epilogue.activation);
  const ChannelGroup all{0, (run.filters + kLanes - 1) / kLanes};
  const int64_t block = blockOf(run.channels);
  for (int64_t begin = 0; begin < run.cells; begin += block) {
    const int64_t end = std::min(run.cells, begin + block);
    for (int64_t each = run.firstPanel; each < run.endPanel; ++each) {
      const int64_t first = panelStart(all, each), vectors = panelStart(all, each + 1) - first;
      const int64_t filter = first * kLanes, offset = first * run.outputStrides.block;
      const PointwisePanel panel{
          .packed = run.packed + filter * run.channels,
          .bias = run.epilogue.bias != nullptr ? run.epilogue.bias + filter : nullptr,
          .residual = run.epilogue.residual != nullptr ? run.epilogue.residual + offset : nullptr,
          .output = run.output + offset,
          .filters = std::min(run.filters - filter, vectors * kLanes),
          .clamp = clamp};
      finishPanel(vectors, run, panel, begin, end);
    }
    if (clamp.covers || kind == ActivationKind::kNone) continue;
    const int64_t first = panelStart(all, run.firstPanel);
    activateCells(run, {first, panelStart(all, run.endPanel) - first}, begin, end);
  }
}

const PointwiseLoops* tableOfPointwise() {
  static constexpr PointwiseLoops kLoops{.lanes = kLanes, .run = runPointwise};
  return &kLoops;
}

#else

const PointwiseLoops* tableOfPointwise() {
  return nullptr;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::math {

HWY_EXPORT(tableOfPointwise);

const PointwiseLoops* pointwiseLoops() {
  return HWY_DYNAMIC_DISPATCH(tableOfPointwise)();
}

}  // namespace cutaway::math
#endif
