#pragma once
// Pooling of tensors that lie channels last: the cells of a window are folded into the output cell, channel by channel.
//
// Thread rule: pure functions, split over threads by rows of output cells. Example:
// averagePoolCells<double>(images, channels, window, includePadding, x, y, meanOfCells<double>);

#include "providers/cpu/kernels/pooling/pool_rows.h"

namespace cutaway::cpu {

// Room for the offsets of a window's cells; only large windows take it from the heap.
class CellOffsets {
 public:
  explicit CellOffsets(int64_t cells)
      : m_large(cells > kSmall ? static_cast<size_t>(cells) : 0), m_count(static_cast<size_t>(cells)) {}
  std::span<int64_t> span() { return {m_large.empty() ? m_small.data() : m_large.data(), m_count}; }

 private:
  static constexpr int64_t kSmall = 64;
  std::array<int64_t, kSmall> m_small;
  std::vector<int64_t> m_large;
  size_t m_count;
};

// visit(output cell, its position along each axis, offsets in elements of the input cells that its window covers) for
// all output cells of one image whose first axis is at `row`. offsets: room for those of a whole window.
template <typename Visit>
void visitWindows(const Window& window, int64_t channels, int64_t row, std::span<int64_t> offsets, Visit&& visit) {
  const size_t last = window.rank - 1;
  const int64_t width = window.input[last], dilation = window.dilations[last];
  WindowDims out{};
  out[0] = row;
  int64_t cell = row;
  for (size_t axis = 1; axis < window.rank; ++axis)
    cell *= window.output[axis];
  const int64_t reach = (window.kernel[last] - 1) * dilation, step = window.strides[last] * channels;
  size_t count = 0;
  bool isWhole = false;  // the column before, of the same line
  const auto visitColumn = [&](int64_t column) {
    out[last] = column;
    const int64_t start = window.start(last, column);
    const bool follows = isWhole && column > 0;
    isWhole = start >= 0 && start + reach < width;
    if (follows && isWhole) {
      for (int64_t& offset : offsets.first(count))
        offset += step;
      visit(cell++, out, std::span<const int64_t>(offsets.data(), count));
      return;
    }
    const int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
    const int64_t end = std::min(window.kernel[last], (width - 1 - start + dilation) / dilation);
    count = 0;
    visitOuterCells(window, out, [&](const WindowDims& position) {
      int64_t offset = 0;
      for (size_t axis = 0; axis < last; ++axis)
        offset = offset * window.input[axis] + position[axis];
      offset = (offset * width + start) * channels;
      for (int64_t k = first; k < end; ++k)
        offsets[count++] = offset + k * dilation * channels;
    });
    visit(cell++, out, std::span<const int64_t>(offsets.data(), count));
  };
  if (last == 0) return visitColumn(row);
  // The axes between the first and the last, like the wheels of an odometer.
  for (;;) {
    for (int64_t column = 0; column < window.output[last]; ++column)
      visitColumn(column);
    size_t axis = last;
    while (--axis > 0 && ++out[axis] == window.output[axis])
      out[axis] = 0;
    if (axis == 0) return;
  }
}

// What one core takes from another at once: fewer numbers are folded before it has woken.
inline constexpr int64_t kPoolPart = 16384;

// mean(image, offsets of the cells that a window covers, how many they count for, channels, results) for all output
// cells; where a window covers nothing the results are 0.
template <typename T, typename Mean>
void averagePoolCells(int64_t images, int64_t channels, const Window& window, bool includePadding, const T* x, T* y,
                      Mean&& mean) {
  const int64_t inCells = window.inputCells(), outCells = window.outputCells(), rows = window.output[0];
  const int64_t rowWork = outCells / std::max<int64_t>(1, rows) * channels * window.kernelCells();
  const AverageFold<T> fold{window, includePadding};
  const int64_t grain = std::max<int64_t>(1, kPoolPart / std::max<int64_t>(1, rowWork));
  parallelFor(images * rows, grain, [&](int64_t begin, int64_t end) {
    CellOffsets offsets(window.kernelCells());
    for (int64_t row = begin; row < end; ++row) {
      const T* image = x + row / rows * inCells * channels;
      T* target = y + row / rows * outCells * channels;
      visitWindows(window, channels, row % rows, offsets.span(),
                   [&](int64_t cell, const WindowDims& out, std::span<const int64_t> places) {
                     int64_t count = 1;
                     for (size_t axis = 0; axis < window.rank; ++axis)
                       count *= fold.cells(axis, out[axis]);
                     T* results = target + cell * channels;
                     if (places.empty() || count < 1)
                       std::fill_n(results, channels, T(0));
                     else
                       mean(image, places, static_cast<T>(count), channels, results);
                   });
    }
  });
}

// One cell after the other, channel by channel.
template <typename T>
void meanOfCells(const T* image, std::span<const int64_t> places, T divisor, int64_t channels, T* results) {
  std::fill_n(results, channels, T(0));
  for (const int64_t place : places) {
    for (int64_t i = 0; i < channels; ++i)
      results[i] += image[place + i];
  }
  for (int64_t i = 0; i < channels; ++i)
    results[i] /= divisor;
}

}  // namespace cutaway::cpu
