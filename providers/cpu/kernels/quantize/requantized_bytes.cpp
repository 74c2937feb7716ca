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

Result<void> convolve(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& g,
                      const ByteConvolutionOperands& o, const math::RequantizedConvolution& convolution,
                      const math::SumsToBytes& terms, uint8_t* y) {
  math::RequantizedInput input{.bytes = static_cast<const uint8_t*>(o.x.data()),
                               .flip = o.x.type() == ElementType::kInt8 ? kTopBit : uint8_t{0},
                               .padding = static_cast<uint8_t>(zeroPointAt(o.xZero, 0))};
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
  convolution.run(input, weights.requantized.span<int8_t>().data(), terms, rows, scratch);
  if (!direct) turnBack(g, rows, y);
  return {};
}

}  // namespace

Result<ConstantWeights> packRequantized(const Tensor& w, int64_t groups, std::span<const int64_t> dilations,
                                        const ByteZeros& zeros) {
  ConstantWeights weights;
  if (groups < 1) return weights;
  const Dims& dims = w.dims();
  const int64_t wanted = w.type() == ElementType::kUint8 ? kShift : 0;
  const int64_t count = zeros.wZero == nullptr ? 1 : zeros.wZero->elementCount();
  for (int64_t map = 0; map < count; ++map) {
    if (zeroPointAt(zeros.wZero, map) != wanted) return weights;
  }
  math::IntegerConvolutionShape shape;
  shape.outChannels = dims[0];
  shape.inChannels = dims[1] * groups;
  shape.groups = groups;
  shape.spatialRank = dims.size() - 2;
  if (shape.spatialRank > math::kMaxSpatialRank || dims[0] % groups != 0) return weights;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis) {
    shape.kernel[axis] = dims[axis + 2];
    shape.dilations[axis] = axis < dilations.size() ? dilations[axis] : 1;
  }
  if (!math::RequantizedConvolution::suits(shape)) return weights;
  const math::RequantizedConvolution convolution(shape);
  const auto pack = [&]() -> Result<Tensor> {
    CUTAWAY_TRY(const ConstantWeights source, prepareWeights(w));
    CUTAWAY_TRY(Tensor packed, Tensor::create(ElementType::kInt8, {convolution.packedBytes()}));
    convolution.pack(source.bytes.span<int8_t>().data(), packed.span<int8_t>().data());
    return packed;
  };
  CUTAWAY_TRY(weights.requantized,
              sharedConstant(
                  w, fmt::format("requantized {}{} in {} groups", elementTypeName(w.type()), dimsToText(dims), groups),
                  convolution.packedBytes(), pack));
  weights.sums = sumsOfMaps(w);
  return weights;
}

std::string_view requantizedVariant() {
  static const std::string name = fmt::format("onednn:{}", math::requantizedLoops()->instructions);
  return name;
}

void addedToSums(const ConstantWeights& weights, ElementType inputType, int32_t inputZero, const int32_t* bias,
                 int32_t* added) {
  const int64_t maps = static_cast<int64_t>(weights.sums.size());
  if (bias != nullptr)
    std::copy_n(bias, maps, added);
  else
    std::fill_n(added, maps, 0);
  cpu::integerLoops().addScaled(added, -(inputZero + (inputType == ElementType::kInt8 ? kShift : 0)),
                                weights.sums.data(), maps);
}

PlacedTerms placedTerms(const math::RequantizedConvolution& convolution, const ConstantWeights& weights,
                        ElementType inputType, int32_t inputZero, const ByteEpilogue& epilogue) {
  PlacedTerms placed{.format = epilogue.format, .inputType = inputType, .added = {}, .scales = {}};
  std::vector<int32_t> added(weights.sums.size());
  addedToSums(weights, inputType, inputZero, epilogue.bias, added.data());
  placed.added.resize(static_cast<size_t>(convolution.places()));
  placed.scales.resize(placed.added.size());
  convolution.placeTerms({.added = added.data(), .scales = epilogue.scales}, placed.added.data(), placed.scales.data());
  placed.mayOverflow = !math::staysInRange(placed.scales);
  return placed;
}

Result<void> requantizeBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& g,
                             const ByteConvolutionOperands& o, const PlacedTerms& placed, uint8_t* y) {
  return convolve(context, weights, g, o, math::RequantizedConvolution(g.shape()),
                  {.added = placed.added.data(),
                   .scales = placed.scales.data(),
                   .zeroPoint = placed.format.zeroPoint,
                   .isSigned = placed.format.isSigned,
                   .mayOverflow = placed.mayOverflow},
                  y);
}

Result<void> requantizeBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& g,
                             const ByteConvolutionOperands& o, const ByteEpilogue& epilogue, uint8_t* y) {
  const math::RequantizedConvolution convolution(g.shape());
  CUTAWAY_TRY(int32_t* added, scratchOf<int32_t>(context, g.maps));
  CUTAWAY_TRY(int32_t* placedAdded, scratchOf<int32_t>(context, convolution.places()));
  CUTAWAY_TRY(float* placedScales, scratchOf<float>(context, convolution.places()));
  addedToSums(weights, o.x.type(), zeroPointAt(o.xZero, 0), epilogue.bias, added);
  convolution.placeTerms({.added = added, .scales = epilogue.scales}, placedAdded, placedScales);
  return convolve(context, weights, g, o, convolution,
                  {.added = placedAdded,
                   .scales = placedScales,
                   .zeroPoint = epilogue.format.zeroPoint,
                   .isSigned = epilogue.format.isSigned},
                  y);
}

}  // namespace cutaway::cpu
