#pragma once
// Convolution done directly, without a library: each thread sums the windows of a few filters at one cell of the
// output. 1 to 3 spatial axes (missing ones are of size 1 and come first), any layout by strides.
//
// What runs where cuDNN is missing or has no way: correct for everything, fast for little. Depthwise convolutions are
// the exception: there is nothing to share, and a thread a value is what a library does too. Thread rule: as shared.h.
// Example: see convolution_table.cpp, "convolution.forward.float".

#include "providers/cuda/functors/epilogue.h"

namespace cutaway::cuda {

struct ConvolutionParameters {
  const void* x = nullptr;
  const void* w = nullptr;
  const void* bias = nullptr;      // one per filter; nullptr: none
  const void* residual = nullptr;  // as y; nullptr: none. May be y itself
  void* y = nullptr;
  int64_t batch = 0, filters = 0;
  int32_t groups = 1, channelsPerGroup = 0, filtersPerGroup = 0;
  int32_t input[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, output[3] = {1, 1, 1}, stride[3] = {1, 1, 1},
          dilation[3] = {1, 1, 1}, padBegin[3] = {};
  bool channelsLast = false;  // x and y
  // Strides of the weights in elements. forward: of a filter, of a channel in its group, of a cell of the kernel.
  // transposed: of a channel, of a filter in its group, of a cell.
  int64_t weightOuter = 0, weightInner = 0, weightCell = 0;
  int32_t activation = 0;  // an ActivationCode
  float first = 0, second = 0;

  CUTAWAY_SHARED int64_t inputCells() const { return static_cast<int64_t>(input[0]) * input[1] * input[2]; }
  CUTAWAY_SHARED int64_t outputCells() const { return static_cast<int64_t>(output[0]) * output[1] * output[2]; }
  CUTAWAY_SHARED int64_t channels() const { return static_cast<int64_t>(groups) * channelsPerGroup; }
};

// Where a thread works: an image, a group, the first of its filters in that group, and a cell of the output.
struct ConvolutionPlace {
  int64_t image = 0, cell = 0;
  int32_t group = 0, filter = 0;
  int32_t out[3] = {};
};

template <int filtersPerThread>
CUTAWAY_SHARED ConvolutionPlace convolutionPlace(const ConvolutionParameters& p, int64_t index) {
  const int32_t blocks = (p.filtersPerGroup + filtersPerThread - 1) / filtersPerThread;
  const int64_t cells = p.outputCells(), rows = static_cast<int64_t>(blocks) * p.groups;
  ConvolutionPlace at;
  int64_t row = 0;
  if (p.channelsLast) {
    row = index % rows;
    index /= rows;
    at.cell = index % cells;
    at.image = index / cells;
  } else {
    at.cell = index % cells;
    index /= cells;
    row = index % rows;
    at.image = index / rows;
  }
  at.group = static_cast<int32_t>(row / blocks);
  at.filter = static_cast<int32_t>(row % blocks) * filtersPerThread;
  int64_t rest = at.cell;
  at.out[2] = static_cast<int32_t>(rest % p.output[2]);
  rest /= p.output[2];
  at.out[1] = static_cast<int32_t>(rest % p.output[1]);
  at.out[0] = static_cast<int32_t>(rest / p.output[1]);
  return at;
}

template <typename T, int filtersPerThread>
CUTAWAY_SHARED void finishConvolution(const ConvolutionParameters& p, const ConvolutionPlace& at,
                                      const Compute<T> (&sums)[filtersPerThread]) {
  for (int f = 0; f < filtersPerThread && at.filter + f < p.filtersPerGroup; ++f) {
    const int64_t filter = static_cast<int64_t>(at.group) * p.filtersPerGroup + at.filter + f;
    const int64_t place = p.channelsLast ? (at.image * p.outputCells() + at.cell) * p.filters + filter
                                         : (at.image * p.filters + filter) * p.outputCells() + at.cell;
    Compute<T> sum = sums[f];
    if (p.bias != nullptr) sum += load(static_cast<const T*>(p.bias)[filter]);
    if (p.residual != nullptr) sum += load(static_cast<const T*>(p.residual)[place]);
    static_cast<T*>(p.y)[place] = store<T>(activated(p.activation, sum, p.first, p.second));
  }
}

// The input cell that kernel cell k sees along an axis, from output cell `out`; negative: none.
CUTAWAY_SHARED int32_t forwardCell(const ConvolutionParameters& p, int axis, int32_t out, int32_t k) {
  const int32_t at = out * p.stride[axis] - p.padBegin[axis] + k * p.dilation[axis];
  return at < p.input[axis] ? at : -1;
}
CUTAWAY_SHARED int32_t transposedCell(const ConvolutionParameters& p, int axis, int32_t out, int32_t k) {
  const int32_t at = out + p.padBegin[axis] - k * p.dilation[axis];
  if (at < 0 || at % p.stride[axis] != 0) return -1;
  return at / p.stride[axis] < p.input[axis] ? at / p.stride[axis] : -1;
}

template <typename T, int filtersPerThread, bool transposed>
struct DirectConvolution {
  ConvolutionParameters p;

  CUTAWAY_SHARED void operator()(int64_t index) const {
    const ConvolutionPlace at = convolutionPlace<filtersPerThread>(p, index);
    const int64_t xChannel = p.channelsLast ? 1 : p.inputCells(), xCell = p.channelsLast ? p.channels() : 1;
    const T* x = static_cast<const T*>(p.x) + at.image * p.channels() * p.inputCells() +
                 static_cast<int64_t>(at.group) * p.channelsPerGroup * xChannel;
    const int64_t stepChannel = transposed ? p.weightOuter : p.weightInner,
                  stepFilter = transposed ? p.weightInner : p.weightOuter;
    const int64_t firstWeight =
        transposed ? static_cast<int64_t>(at.group) * p.channelsPerGroup * p.weightOuter + at.filter * p.weightInner
                   : (static_cast<int64_t>(at.group) * p.filtersPerGroup + at.filter) * p.weightOuter;
    const int there =
        p.filtersPerGroup - at.filter < filtersPerThread ? p.filtersPerGroup - at.filter : filtersPerThread;
    Compute<T> sums[filtersPerThread] = {};
    for (int32_t a = 0; a < p.kernel[0]; ++a) {
      const int32_t depth = cellOf(0, at.out[0], a);
      if (depth < 0) continue;
      for (int32_t b = 0; b < p.kernel[1]; ++b) {
        const int32_t row = cellOf(1, at.out[1], b);
        if (row < 0) continue;
        for (int32_t c = 0; c < p.kernel[2]; ++c) {
          const int32_t column = cellOf(2, at.out[2], c);
          if (column < 0) continue;
          const T* from = x + ((static_cast<int64_t>(depth) * p.input[1] + row) * p.input[2] + column) * xCell;
          const T* w = static_cast<const T*>(p.w) + firstWeight +
                       ((static_cast<int64_t>(a) * p.kernel[1] + b) * p.kernel[2] + c) * p.weightCell;
          for (int32_t channel = 0; channel < p.channelsPerGroup; ++channel) {
            const Compute<T> value = load(*from);
            for (int f = 0; f < there; ++f)
              sums[f] += value * load(w[f * stepFilter]);
            from += xChannel;
            w += stepChannel;
          }
        }
      }
    }
    finishConvolution<T, filtersPerThread>(p, at, sums);
  }

 private:
  CUTAWAY_SHARED int32_t cellOf(int axis, int32_t out, int32_t k) const {
    if constexpr (transposed)
      return transposedCell(p, axis, out, k);
    else
      return forwardCell(p, axis, out, k);
  }
};

// What a library's convolution left to do: y = activation(y + bias + residual).
template <typename T>
struct FinishConvolution {
  ConvolutionParameters p;  // batch, filters, output, channelsLast, bias, residual, y, activation
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t filter = p.channelsLast ? i % p.filters : i / p.outputCells() % p.filters;
    T* y = static_cast<T*>(p.y);
    Compute<T> sum = load(y[i]);
    if (p.bias != nullptr) sum += load(static_cast<const T*>(p.bias)[filter]);
    if (p.residual != nullptr) sum += load(static_cast<const T*>(p.residual)[i]);
    y[i] = store<T>(activated(p.activation, sum, p.first, p.second));
  }
};

// Weights [outer, inner, cells] become [outer, cells, inner]: from channels first to channels last.
struct PackParameters {
  const void* from = nullptr;
  void* to = nullptr;
  int64_t outer = 0, inner = 0, cells = 0;
};
template <typename Bits>
struct PackWeights {
  PackParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t inner = i % p.inner, rest = i / p.inner;
    const int64_t cell = rest % p.cells, outer = rest / p.cells;
    static_cast<Bits*>(p.to)[i] = static_cast<const Bits*>(p.from)[(outer * p.inner + inner) * p.cells + cell];
  }
};

}  // namespace cutaway::cuda
