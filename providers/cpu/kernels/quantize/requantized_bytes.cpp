#include "providers/cpu/kernels/quantize/requantized_bytes.h"

#include "engine/base/parallel.h"
#include "engine/math/requantized_convolution.h"
#include "providers/cpu/kernels/shared_constant.h"

namespace cutaway::cpu {
namespace {

constexpr uint8_t kTopBit = 0x80;
constexpr int32_t kShift = 128;
constexpr int64_t kGrainCells = 1 << 10;  // turned around at a time

template <typename T>
Result<T*> scratchOf(KernelContext& context, int64_t count) {
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(T)));
  return reinterpret_cast<T*>(memory.data());
}

// Cells of the input with their channels side by side, filled up with zeros to cellBytes.
void turnAround(const ByteGeometry& g, const uint8_t* from, int64_t cellBytes, uint8_t* to) {
  const int64_t cells = g.inputCells(), blocks = (cells + kGrainCells - 1) / kGrainCells;
  parallelFor(g.batch * blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t each = begin; each < end; ++each) {
      const int64_t entry = each / blocks, first = each % blocks * kGrainCells;
      const int64_t count = std::min(kGrainCells, cells - first);
      uint8_t* const rows = to + (entry * cells + first) * cellBytes;
      if (cellBytes != g.channels) std::fill_n(rows, count * cellBytes, uint8_t{0});
      if (!g.inputLast) {
        cpu::integerLoops().transpose(from + entry * g.channels * cells + first, g.channels, count, cells, 0, rows,
                                      cellBytes);
        continue;
      }
      for (int64_t cell = 0; cell < count; ++cell)
        std::copy_n(from + (entry * cells + first + cell) * g.channels, g.channels, rows + cell * cellBytes);
    }
  });
}

void turnBack(const ByteGeometry& g, const uint8_t* from, uint8_t* to) {
  const int64_t cells = g.outputCells(), blocks = (cells + kGrainCells - 1) / kGrainCells;
  parallelFor(g.batch * blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t each = begin; each < end; ++each) {
      const int64_t entry = each / blocks, first = each % blocks * kGrainCells;
      cpu::integerLoops().transpose(from + (entry * cells + first) * g.maps, std::min(kGrainCells, cells - first),
                                    g.maps, g.maps, 0, to + entry * g.maps * cells + first, cells);
    }
  });
}

}  // namespace

Result<void> packRequantized(ConstantWeights& weights, int64_t groups, std::span<const int64_t> dilations,
                             const ByteZeros& zeros) {
  if (!weights.valid() || groups < 1) return {};
  const auto dims = weights.bytes.dims();
  const int64_t wanted = zeros.wType == ElementType::kUint8 ? kShift : 0;
  const int64_t count = zeros.wZero == nullptr ? 1 : zeros.wZero->elementCount();
  for (int64_t map = 0; map < count; ++map) {
    if (zeroPointAt(zeros.wZero, map) != wanted) return {};
  }
  math::IntegerConvolutionShape shape;
  shape.outChannels = dims[0];
  shape.inChannels = dims[1] * groups;
  shape.groups = groups;
  shape.spatialRank = dims.size() - 2;
  if (shape.spatialRank > math::kMaxSpatialRank || dims[0] % groups != 0) return {};
  for (size_t axis = 0; axis < shape.spatialRank; ++axis) {
    shape.kernel[axis] = dims[axis + 2];
    shape.dilations[axis] = axis < dilations.size() ? dilations[axis] : 1;
  }
  if (!math::RequantizedConvolution::suits(shape)) return {};
  const math::RequantizedConvolution convolution(shape);
  const auto pack = [&]() -> Result<Tensor> {
    CUTAWAY_TRY(Tensor packed, Tensor::create(ElementType::kInt8, {convolution.packedBytes()}));
    convolution.pack(weights.bytes.span<int8_t>().data(), packed.span<int8_t>().data());
    return packed;
  };
  CUTAWAY_TRY(weights.requantized,
              sharedConstant(weights.bytes, fmt::format("requantized {} in {} groups", dimsToText(dims), groups),
                             convolution.packedBytes(), pack));
  return {};
}

Result<void> requantizeBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& g,
                             const ByteConvolutionOperands& o, const ByteEpilogue& epilogue, uint8_t* y) {
  const math::RequantizedConvolution convolution(g.shape());
  const bool isSigned = o.x.type() == ElementType::kInt8;
  const int32_t zero = zeroPointAt(o.xZero, 0);
  CUTAWAY_TRY(int32_t* added, scratchOf<int32_t>(context, g.maps));
  std::fill_n(added, g.maps, 0);
  if (epilogue.bias != nullptr) std::copy_n(epilogue.bias, g.maps, added);
  cpu::integerLoops().addScaled(added, -(zero + (isSigned ? kShift : 0)), weights.sums.data(), g.maps);

  math::RequantizedInput input{.bytes = static_cast<const uint8_t*>(o.x.data()),
                               .flip = isSigned ? kTopBit : uint8_t{0},
                               .padding = static_cast<uint8_t>(zero)};
  if ((!g.inputLast && g.channels != 1) || convolution.cellBytes() != g.channels) {
    CUTAWAY_TRY(uint8_t* cells, scratchOf<uint8_t>(context, g.batch * g.inputCells() * convolution.cellBytes()));
    turnAround(g, input.bytes, convolution.cellBytes(), cells);
    input.bytes = cells;
  }
  const bool direct = g.outputLast || g.maps == 1 || g.outputCells() == 1;
  uint8_t* rows = y;
  if (!direct) {
    CUTAWAY_TRY(rows, scratchOf<uint8_t>(context, g.batch * g.outputCells() * g.maps));
  }
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(convolution.scratchBytes()));
  convolution.run(input, weights.requantized.span<int8_t>().data(),
                  {.added = added,
                   .scales = epilogue.scales,
                   .zeroPoint = epilogue.format.zeroPoint,
                   .isSigned = epilogue.format.isSigned},
                  rows, scratch);
  if (!direct) turnBack(g, rows, y);
  return {};
}

}  // namespace cutaway::cpu
