// Every map is accumulated kernel cell by kernel cell; cells that fall on padding add nothing, because padding is the
// zero point.

#include "providers/cpu/kernels/quantize/byte_convolution.h"

namespace cutaway::cpu {
namespace {

struct InputPlane {
  const void* data;
  ElementType type;
  int64_t first, step;  // elements: of the first cell, and from cell to cell
  int32_t zero;
};

// Adds weight * input over one input channel, at one kernel cell, to the sums of one map.
void addCell(const Window& window, const WindowDims& cell, const InputPlane& plane, int32_t weight, int32_t* sums) {
  const size_t last = window.rank - 1;
  WindowDims rowLimits = window.output;
  rowLimits[last] = 1;
  WindowDims index{};
  int64_t row = 0;
  do {
    int64_t base = 0;
    bool inside = true;
    for (size_t axis = 0; axis < last; ++axis) {
      const int64_t place = window.start(axis, index[axis]) + cell[axis] * window.dilations[axis];
      inside = inside && place >= 0 && place < window.input[axis];
      base = base * window.input[axis] + place;
    }
    if (inside) {
      base *= window.input[last];
      for (int64_t column = 0; column < window.output[last]; ++column) {
        const int64_t place = window.start(last, column) + cell[last] * window.dilations[last];
        if (place < 0 || place >= window.input[last]) continue;
        uint32_t& sum = reinterpret_cast<uint32_t&>(sums[row * window.output[last] + column]);
        sum += static_cast<uint32_t>(
            weight * (byteAt(plane.type, plane.data, plane.first + (base + place) * plane.step) - plane.zero));
      }
    }
    ++row;
  } while (nextIndex(index, rowLimits, window.rank));
}

}  // namespace

void accumulateReference(const ByteGeometry& g, const ByteConvolutionOperands& o, int64_t entry, int64_t map,
                         int32_t* sums) {
  std::fill_n(sums, g.outputCells(), 0);
  const int64_t group = map / (g.maps / g.groups);
  const int32_t weightZero = zeroPointAt(o.wZero, map);
  int64_t weightIndex = map * g.groupChannels() * g.window.kernelCells();
  for (int64_t c = 0; c < g.groupChannels(); ++c) {
    const int64_t channel = group * g.groupChannels() + c;
    const int64_t cells = g.inputCells();
    const InputPlane plane{o.x.data(), o.x.type(),
                           g.inputLast ? entry * cells * g.channels + channel : (entry * g.channels + channel) * cells,
                           g.inputLast ? g.channels : 1, zeroPointAt(o.xZero, 0)};
    WindowDims cell{};
    do {
      addCell(g.window, cell, plane, byteAt(o.w.type(), o.w.data(), weightIndex++) - weightZero, sums);
    } while (nextIndex(cell, g.window.kernel, g.window.rank));
  }
}

}  // namespace cutaway::cpu
