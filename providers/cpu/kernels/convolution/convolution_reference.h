#pragma once
// Convolution as plain loops: what the fast path is measured against, and what runs where the library has nothing.
//
// Thread rule: pure functions, split over threads by output image.
// Example: convolveReference(geometry, x, w, bias, y);

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

struct ConvolutionGeometry {
  int64_t batch = 0;
  int64_t inChannels = 0;
  int64_t outChannels = 0;
  int64_t groups = 1;
  Window window;  // of a transposed convolution: input and output as the operator has them
};

// y[n, oc] = bias[oc] + sum over ic of its group and kernel cells of x[n, ic] * w[oc, ic]; bias may be null.
template <typename T>
void convolveReference(const ConvolutionGeometry& geometry, const T* x, const T* w, const T* bias, T* y) {
  const Window& window = geometry.window;
  const int64_t inCells = window.inputCells(), outCells = window.outputCells(), kernelCells = window.kernelCells();
  const int64_t inPerGroup = geometry.inChannels / geometry.groups,
                outPerGroup = geometry.outChannels / geometry.groups;
  parallelFor(geometry.batch * geometry.outChannels, 1, [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; ++image) {
      const int64_t n = image / geometry.outChannels, oc = image % geometry.outChannels;
      const T* source = x + (n * geometry.inChannels + oc / outPerGroup * inPerGroup) * inCells;
      T* target = y + image * outCells;
      WindowDims out{};
      for (int64_t cell = 0; cell < outCells; ++cell, nextIndex(out, window.output, window.rank)) {
        T sum = bias != nullptr ? bias[oc] : T(0);
        WindowDims k{};
        for (int64_t kernelCell = 0; kernelCell < kernelCells; ++kernelCell, nextIndex(k, window.kernel, window.rank)) {
          int64_t offset = 0;
          bool inside = true;
          for (size_t axis = 0; axis < window.rank && inside; ++axis) {
            const int64_t position = window.start(axis, out[axis]) + k[axis] * window.dilations[axis];
            inside = position >= 0 && position < window.input[axis];
            offset = offset * window.input[axis] + position;
          }
          if (!inside) continue;
          const T* weights = w + oc * inPerGroup * kernelCells + kernelCell;
          for (int64_t ic = 0; ic < inPerGroup; ++ic)
            sum += source[ic * inCells + offset] * weights[ic * kernelCells];
        }
        target[cell] = sum;
      }
    }
  });
}

// The transposed convolution: every input cell adds its window to the output. w is [in, out/groups, kernel].
template <typename T>
void deconvolveReference(const ConvolutionGeometry& geometry, const T* x, const T* w, const T* bias, T* y) {
  const Window& window = geometry.window;
  const int64_t inCells = window.inputCells(), outCells = window.outputCells(), kernelCells = window.kernelCells();
  const int64_t inPerGroup = geometry.inChannels / geometry.groups,
                outPerGroup = geometry.outChannels / geometry.groups;
  parallelFor(geometry.batch * geometry.outChannels, 1, [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; ++image) {
      const int64_t n = image / geometry.outChannels, oc = image % geometry.outChannels, group = oc / outPerGroup;
      T* target = y + image * outCells;
      std::fill_n(target, outCells, bias != nullptr ? bias[oc] : T(0));
      for (int64_t ic = group * inPerGroup; ic < (group + 1) * inPerGroup; ++ic) {
        const T* source = x + (n * geometry.inChannels + ic) * inCells;
        const T* weights = w + (ic * outPerGroup + oc % outPerGroup) * kernelCells;
        WindowDims in{};
        for (int64_t cell = 0; cell < inCells; ++cell, nextIndex(in, window.input, window.rank)) {
          WindowDims k{};
          for (int64_t kernelCell = 0; kernelCell < kernelCells;
               ++kernelCell, nextIndex(k, window.kernel, window.rank)) {
            int64_t offset = 0;
            bool inside = true;
            for (size_t axis = 0; axis < window.rank && inside; ++axis) {
              const int64_t position = window.start(axis, in[axis]) + k[axis] * window.dilations[axis];
              inside = position >= 0 && position < window.output[axis];
              offset = offset * window.output[axis] + position;
            }
            if (inside) target[offset] += source[cell] * weights[kernelCell];
          }
        }
      }
    }
  });
}

}  // namespace cutaway::cpu
