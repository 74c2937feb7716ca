#include "providers/cpu/kernels/quantize/byte_convolution.h"

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shared_constant.h"
#include "providers/cpu/kernels/window_shape.h"

namespace cutaway::cpu {
namespace {

constexpr uint8_t kTopBit = 0x80;
constexpr int32_t kShift = 128;
constexpr int64_t kGrainElements = 1 << 16;

int32_t wrap(uint32_t value) {
  return static_cast<int32_t>(value);
}

template <typename T>
Result<T*> scratchOf(KernelContext& context, int64_t count) {
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(T)));
  return reinterpret_cast<T*>(memory.data());
}

int32_t shiftedInputZero(const ByteZeros& zeros) {
  return zeroPointAt(zeros.xZero, 0) + (zeros.xType == ElementType::kInt8 ? kShift : 0);
}
int32_t shiftedWeightZero(const ByteZeros& zeros, int64_t map) {
  return zeroPointAt(zeros.wZero, map) - (zeros.wType == ElementType::kUint8 ? kShift : 0);
}

// The library pads with byte 0, and windows over its padding have no sums here.
bool libraryPads(const ByteGeometry& g, const ByteZeros& zeros) {
  bool pads = shiftedInputZero(zeros) == 0;
  for (int64_t map = 0; pads && map < g.maps; ++map)
    pads = shiftedWeightZero(zeros, map) == 0;
  for (size_t axis = 0; axis < g.window.rank; ++axis)
    pads = pads && g.window.overhang(axis) >= 0;
  return pads;
}

// The input as it is, where the library's padding with byte 0 serves (libraryPads); else as windows need it: whole
// windows only, so padding is counted and what no window reaches is not.
math::IntegerConvolutionShape shapeOf(const ByteGeometry& g, bool libraryPads) {
  math::IntegerConvolutionShape shape = g.shape();
  for (size_t axis = 0; axis < g.window.rank; ++axis) {
    if (libraryPads) {
      shape.padsEnd[axis] = g.window.overhang(axis);
    } else {
      shape.padsBegin[axis] = 0;
      shape.input[axis] = (g.window.output[axis] - 1) * g.window.strides[axis] + g.window.extent(axis);
    }
  }
  return shape;
}

// Copies the input into [batch, padded..., channels] of unsigned bytes; padding holds the zero point.
class PaddedInput {
 public:
  PaddedInput(const ByteGeometry& g, const math::IntegerConvolutionShape& shape, const Tensor& x, uint8_t zero)
      : m_g(g), m_shape(shape), m_zero(zero) {
    m_from = static_cast<const uint8_t*>(x.data());
    m_mask = x.type() == ElementType::kInt8 ? kTopBit : 0;
    m_last = g.window.rank - 1;
    for (size_t axis = 0; axis < g.window.rank; ++axis) {
      m_cells *= shape.input[axis];
      m_same = m_same && shape.input[axis] == g.window.input[axis] && g.window.padsBegin[axis] == shape.padsBegin[axis];
    }
  }

  int64_t elements() const { return m_g.batch * m_cells * m_g.channels; }
  bool isInput() const { return m_same && m_mask == 0 && (m_g.inputLast || m_g.channels == 1); }
  const uint8_t* input() const { return m_from; }

  void write(uint8_t* to) const {
    if (m_same) {
      parallelFor(m_g.batch, 1, [&](int64_t begin, int64_t end) {
        for (int64_t entry = begin; entry < end; ++entry)
          copyCells(entry, 0, m_cells, to + entry * m_cells * m_g.channels);
      });
      return;
    }
    const int64_t width = m_shape.input[m_last];
    const int64_t rows = m_cells / width;
    parallelFor(m_g.batch * rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        writeRow(row / rows, row % rows, to + row * width * m_g.channels);
    });
  }

 private:
  void writeRow(int64_t entry, int64_t row, uint8_t* to) const {
    const int64_t width = m_shape.input[m_last];
    int64_t place = 0, rest = row;
    bool inside = true;
    int64_t stride = 1;
    for (size_t axis = m_last; axis-- > 0;) {
      const int64_t at = rest % m_shape.input[axis] - m_g.window.padsBegin[axis];
      rest /= m_shape.input[axis];
      inside = inside && at >= 0 && at < m_g.window.input[axis];
      place += at * stride;
      stride *= m_g.window.input[axis];
    }
    const int64_t before = m_g.window.padsBegin[m_last];
    const int64_t copied = inside ? std::clamp<int64_t>(width - before, 0, m_g.window.input[m_last]) : 0;
    const int64_t left = copied == 0 ? width : before;
    std::fill_n(to, left * m_g.channels, m_zero);
    if (copied > 0) copyCells(entry, place * m_g.window.input[m_last], copied, to + left * m_g.channels);
    std::fill_n(to + (left + copied) * m_g.channels, (width - left - copied) * m_g.channels, m_zero);
  }

  // `count` neighbouring cells with all their channels.
  void copyCells(int64_t entry, int64_t first, int64_t count, uint8_t* to) const {
    const int64_t cells = m_g.inputCells();
    if (m_g.inputLast)
      cpu::integerLoops().copyFlipped(m_from + (entry * cells + first) * m_g.channels, m_mask, to,
                                      count * m_g.channels);
    else
      cpu::integerLoops().transpose(m_from + entry * m_g.channels * cells + first, m_g.channels, count, cells, m_mask,
                                    to, m_g.channels);
  }

  const ByteGeometry& m_g;
  const math::IntegerConvolutionShape& m_shape;
  const uint8_t* m_from = nullptr;
  uint8_t m_zero = 0;
  uint8_t m_mask = 0;
  size_t m_last = 0;
  int64_t m_cells = 1;
  bool m_same = true;
};

// Takes weight zero points off: sums[cell, map] -= zero[map] * (sum of the window in the map's group).
void subtractWindows(const ByteGeometry& g, const math::IntegerConvolutionShape& shape, const uint8_t* x,
                     const int32_t* zeros, int32_t* sums) {
  const size_t rank = shape.spatialRank;
  int64_t inputCells = 1;
  WindowDims limits{};
  for (size_t axis = 0; axis < rank; ++axis)
    inputCells *= shape.input[axis];
  std::copy_n(g.window.output.begin(), rank, limits.begin());
  const int64_t cells = g.outputCells(), mapsOfGroup = g.maps / g.groups;
  parallelFor(g.batch, 1, [&](int64_t begin, int64_t end) {
    for (int64_t entry = begin; entry < end; ++entry) {
      WindowDims index{};
      int64_t cell = 0;
      do {
        int32_t* row = sums + (entry * cells + cell++) * g.maps;
        for (int64_t group = 0; group < g.groups; ++group) {
          uint32_t window = 0;
          WindowDims at{};
          do {
            int64_t place = 0;
            for (size_t axis = 0; axis < rank; ++axis)
              place = place * shape.input[axis] + index[axis] * shape.strides[axis] + at[axis] * shape.dilations[axis];
            window += cpu::integerLoops().sum(x + (entry * inputCells + place) * g.channels + group * g.groupChannels(),
                                              g.groupChannels());
          } while (nextIndex(at, g.window.kernel, rank));
          cpu::integerLoops().addScaled(row + group * mapsOfGroup, wrap(0u - window), zeros + group * mapsOfGroup,
                                        mapsOfGroup);
        }
      } while (nextIndex(index, limits, rank));
    }
  });
}

}  // namespace

math::IntegerConvolutionShape ByteGeometry::shape() const {
  math::IntegerConvolutionShape shape;
  shape.batch = batch;
  shape.inChannels = channels;
  shape.outChannels = maps;
  shape.groups = groups;
  copyWindow(window, shape);
  return shape;
}

bool mayPrepare(const Tensor* w) {
  return w != nullptr && isByteInteger(w->type()) && w->rank() >= 3 && w->elementCount() != 0;
}

std::vector<int32_t> sumsOfMaps(const Tensor& w) {
  const int64_t maps = w.dims()[0], each = w.elementCount() / maps;
  const uint8_t flip = w.type() == ElementType::kUint8 ? kTopBit : 0;
  const uint8_t* bytes = static_cast<const uint8_t*>(w.data());
  std::vector<int32_t> sums(static_cast<size_t>(maps));
  parallelFor(maps, std::max<int64_t>(1, kGrainElements / each), [&](int64_t begin, int64_t end) {
    for (int64_t map = begin; map < end; ++map) {
      const uint8_t* from = bytes + map * each;
      int32_t sum = 0;
      for (int64_t i = 0; i < each; ++i)
        sum += static_cast<int8_t>(from[i] ^ flip);
      sums[static_cast<size_t>(map)] = sum;
    }
  });
  return sums;
}

Result<ConstantWeights> prepareWeights(const Tensor& w) {
  ConstantWeights weights;
  weights.sums = sumsOfMaps(w);
  if (w.type() == ElementType::kInt8) {
    weights.bytes = w;
    return weights;
  }
  const auto makeSigned = [&]() -> Result<Tensor> {
    CUTAWAY_TRY(Tensor made, Tensor::create(ElementType::kInt8, w.dims()));
    cpu::integerLoops().copyFlipped(static_cast<const uint8_t*>(w.data()), kTopBit,
                                    static_cast<uint8_t*>(made.mutableData()), w.elementCount());
    return made;
  };
  CUTAWAY_TRY(weights.bytes, sharedConstant(w, fmt::format("signed weights of uint8{}", dimsToText(w.dims())),
                                            w.elementCount(), makeSigned));
  return weights;
}

Result<void> prepareShape(ConstantWeights& weights, const ByteGeometry& g, const ByteZeros& zeros) {
  if (!weights.bytes.valid() || g.window.rank > math::kMaxSpatialRank || g.channels == 0 || g.batch == 0) return {};
  auto convolution = math::IntegerConvolution::create(shapeOf(g, libraryPads(g, zeros)));
  if (!convolution && convolution.error().code == ErrorCode::kNotImplemented) return {};
  if (!convolution) return fail(std::move(convolution).error());
  weights.convolution = std::move(*convolution);
  weights.packed = std::make_shared<const PackedOnUse<math::IntegerConvolution, math::PackedBytes, int8_t>>(
      weights.convolution, weights.bytes);
  return {};
}

Result<ByteConvolutionState::Entry*> ByteConvolutionState::find(const ConstantWeights& weights,
                                                                const math::IntegerConvolutionShape& shape) {
  return m_calls.find(shape, weights.convolution, weights.packed, &weights.bytes);
}

Result<WindowSums> convolveBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& g,
                                 const ByteConvolutionOperands& o) {
  if (!weights.bytes.valid() || g.window.rank > math::kMaxSpatialRank || g.channels == 0 || g.batch == 0)
    return WindowSums{};
  CUTAWAY_TRY(int32_t* added, scratchOf<int32_t>(context, 2 * g.maps));
  int32_t* wZeros = added + g.maps;
  const ByteZeros zeros{o.x.type(), o.xZero, o.w.type(), o.wZero};
  bool anyZero = false;
  for (int64_t map = 0; map < g.maps; ++map) {
    wZeros[map] = shiftedWeightZero(zeros, map);
    anyZero = anyZero || wZeros[map] != 0;
  }
  const int32_t xZero = shiftedInputZero(zeros);
  const math::IntegerConvolutionShape shape = shapeOf(g, libraryPads(g, zeros));
  auto& state = static_cast<ByteConvolutionState&>(*context.state());
  CUTAWAY_TRY(ByteConvolutionState::Entry * entry, state.find(weights, shape));
  if (!entry->call) return WindowSums{};
  const PaddedInput padded(g, shape, o.x, static_cast<uint8_t>(xZero));
  const uint8_t* x = padded.input();
  if (!padded.isInput()) {
    CUTAWAY_TRY(uint8_t* copy, scratchOf<uint8_t>(context, padded.elements()));
    padded.write(copy);
    x = copy;
  }
  WindowSums result;
  CUTAWAY_TRY(result.sums, scratchOf<int32_t>(context, g.batch * g.outputCells() * g.maps));
  result.added = added;
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(entry->call->convolution().scratchBytes()));
  CUTAWAY_CHECK(entry->call->run(x, *entry->packed, result.sums, scratch));
  const int64_t cells = g.groupChannels() * g.window.kernelCells();
  for (int64_t map = 0; map < g.maps; ++map) {
    const uint32_t term = static_cast<uint32_t>(weights.sums[static_cast<size_t>(map)]) -
                          static_cast<uint32_t>(cells) * static_cast<uint32_t>(wZeros[map]);
    result.added[map] = wrap(0u - static_cast<uint32_t>(xZero) * term);
  }
  if (anyZero) subtractWindows(g, shape, x, wZeros, result.sums);
  return result;
}

}  // namespace cutaway::cpu
