// ConvInteger, QLinearConv and com.microsoft QLinearConv (which knows channels_last): convolutions of 8-bit tensors in
// 32-bit sums.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/quantize/byte_convolution.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"
#include "providers/cpu/kernels/quantize/requantized_bytes.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kBlockCells = 64;  // cells turned from channels last to planes at a time

class IntegerConvolutionKernel : public Kernel {
 public:
  // Where channels lie: among the dims (channels_last), and in memory, which a rewrite may have chosen for a value.
  struct Channels {
    bool lastOfDims = false, lastOfInput = false, lastOfOutput = false;
  };
  IntegerConvolutionKernel(WindowAttributes attributes, int64_t groups, Channels channels)
      : m_attributes(std::move(attributes)),
        m_groups(groups),
        m_channels(channels),
        m_channelsLast(channels.lastOfDims) {}

  // Slots of the input's zero point, of the weights and of theirs.
  template <typename KernelType, size_t wSlot, size_t wZeroSlot>
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    constexpr size_t kXZeroSlot = 2;
    CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
    const bool last = info.attribute<int64_t>("channels_last", 0) != 0;
    const Channels channels{last, last || info.inputType(0).layout == Layout::kChannelsLast,
                            last || info.outputType(0).layout == Layout::kChannelsLast};
    auto kernel = std::make_unique<KernelType>(std::move(attributes), info.attribute<int64_t>("group", 1), channels);
    const Tensor* w = info.constantInput(wSlot);
    if (!mayPrepare(w)) return std::unique_ptr<Kernel>(std::move(kernel));
    const auto known = [&](size_t slot) { return !info.hasInput(slot) || info.constantInput(slot) != nullptr; };
    const ByteZeros zeros{info.inputElement(0), info.constantInput(kXZeroSlot), w->type(),
                          info.constantInput(wZeroSlot)};
    if (KernelType::kResultIsBytes && known(wZeroSlot)) {
      CUTAWAY_TRY(kernel->m_weights, packRequantized(*w, kernel->m_groups, kernel->m_attributes.dilations, zeros));
      if (kernel->m_weights.valid()) {
        kernel->placeConstants(info, *w);
        return std::unique_ptr<Kernel>(std::move(kernel));
      }
    }
    CUTAWAY_TRY(kernel->m_weights, prepareWeights(*w));
    if (!known(wZeroSlot)) return std::unique_ptr<Kernel>(std::move(kernel));
    const auto& declared = info.inputType(0).shape;
    const auto dims = declared ? declared->staticDims() : std::nullopt;
    if (!dims || !known(kXZeroSlot)) return std::unique_ptr<Kernel>(std::move(kernel));
    CUTAWAY_TRY(const ByteGeometry g, kernel->geometryOf(*dims, w->dims(), zeros));
    CUTAWAY_CHECK(prepareShape(kernel->m_weights, g, zeros));
    return std::unique_ptr<Kernel>(std::move(kernel));
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteConvolutionState>(); }
  std::string_view variant() const override {
    return m_weights.requantized.valid() ? requantizedVariant() : m_weights.valid() ? "onednn" : "reference";
  }

 protected:
  Result<ByteGeometry> geometryOf(const ByteConvolutionOperands& o) const {
    return geometryOf(o.x.dims(), o.w.dims(), {o.x.type(), o.xZero, o.w.type(), o.wZero});
  }

  Result<ByteGeometry> geometryOf(std::span<const int64_t> x, std::span<const int64_t> w,
                                  const ByteZeros& zeros) const {
    if (!isByteInteger(zeros.xType) || !isByteInteger(zeros.wType))
      return fail(ErrorCode::kInvalidArgument, "an integer convolution takes 8-bit integers, not {} and {}",
                  elementTypeName(zeros.xType), elementTypeName(zeros.wType));
    ByteGeometry g;
    g.inputLast = m_channels.lastOfInput;
    g.outputLast = m_channels.lastOfOutput;
    g.groups = m_groups;
    bool fits = x.size() >= 3 && w.size() == x.size() && m_groups >= 1;
    if (fits) {
      g.batch = x[0];
      g.channels = x[m_channelsLast ? x.size() - 1 : 1];
      g.maps = w[0];
      fits = g.channels % m_groups == 0 && g.maps % m_groups == 0 && w[1] == g.channels / m_groups;
    }
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "weights {} in {} groups do not fit an input {}", dimsToText(w),
                  m_groups, dimsToText(x));
    CUTAWAY_CHECK(checkZeroPoint(zeros.xZero, 1, 2));
    CUTAWAY_CHECK(checkZeroPoint(zeros.wZero, g.maps, 5));
    CUTAWAY_TRY(g.window, placeWindow(m_attributes, x.subspan(m_channelsLast ? 1 : 2, x.size() - 2), w.subspan(2)));
    return g;
  }

  Dims outputDims(const ByteGeometry& g) const {
    Dims dims = filledList(g.window.rank + 2, g.batch);
    dims[m_channelsLast ? g.window.rank + 1 : 1] = g.maps;
    for (size_t i = 0; i < g.window.rank; ++i)
      dims[i + (m_channelsLast ? 1 : 2)] = g.window.output[i];
    return dims;
  }

  WindowAttributes m_attributes;
  int64_t m_groups;
  Channels m_channels;
  bool m_channelsLast;
  ConstantWeights m_weights;
};

class ConvIntegerKernel final : public IntegerConvolutionKernel {
 public:
  static constexpr bool kResultIsBytes = false;
  using IntegerConvolutionKernel::IntegerConvolutionKernel;
  void placeConstants(const KernelInfo&, const Tensor&) {}
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* w, requireTensor(context, 1));
    const ByteConvolutionOperands operands{*x, *w, optionalTensor(context, 2), optionalTensor(context, 3)};
    CUTAWAY_TRY(const ByteGeometry g, geometryOf(operands));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt32, outputDims(g)));
    int32_t* to = output->span<int32_t>().data();
    if (output->elementCount() == 0) return {};
    const int64_t cells = g.outputCells();
    CUTAWAY_TRY(const WindowSums sums, convolveBytes(context, m_weights, g, operands));
    parallelFor(g.batch * g.maps, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (sums.sums == nullptr) {
          accumulateReference(g, operands, i / g.maps, i % g.maps, to + i * cells);
          continue;
        }
        const int32_t* from = sums.sums + i / g.maps * cells * g.maps + i % g.maps;
        const uint32_t added = static_cast<uint32_t>(sums.added[i % g.maps]);
        for (int64_t cell = 0; cell < cells; ++cell)
          to[i * cells + cell] = static_cast<int32_t>(static_cast<uint32_t>(from[cell * g.maps]) + added);
      }
    });
    return {};
  }
};

// Slots: x, scale, zero; w, scale, zero; y scale, zero; bias. Zero points may be absent in the com.microsoft form.
class QLinearConvKernel final : public IntegerConvolutionKernel {
 public:
  static constexpr bool kResultIsBytes = true;
  using IntegerConvolutionKernel::IntegerConvolutionKernel;

  // Leaves the terms empty where something of them is not constant, or wrong: the run says what.
  void placeConstants(const KernelInfo& info, const Tensor& w) {
    Epilogue epilogue{.xScale = info.constantInput(1),
                      .xZero = info.constantInput(2),
                      .wScale = info.constantInput(4),
                      .yScale = info.constantInput(6),
                      .yZero = info.constantInput(7),
                      .bias = info.constantInput(8)};
    for (const size_t slot : {1, 2, 4, 6, 7, 8}) {
      if (info.hasInput(slot) && info.constantInput(slot) == nullptr) return;
    }
    const int64_t maps = w.dims()[0];
    const ElementType type = info.inputElement(0);
    if (epilogue.xScale == nullptr || epilogue.wScale == nullptr || epilogue.yScale == nullptr ||
        !isByteInteger(type) || !checkZeroPoint(epilogue.xZero, 1, 2) || !epilogue.check(maps))
      return;
    std::vector<float> scales(static_cast<size_t>(maps));
    epilogue.writeScales(maps, scales.data());
    math::IntegerConvolutionShape shape;
    shape.groups = m_groups;
    shape.inChannels = w.dims()[1] * m_groups;
    shape.outChannels = maps;
    m_placed = placedTerms(math::RequantizedConvolution(shape), m_weights, type, zeroPointAt(epilogue.xZero, 0),
                           epilogue.of(type, scales.data()));
  }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* w, requireTensor(context, 3));
    const ByteConvolutionOperands operands{*x, *w, optionalTensor(context, 2), optionalTensor(context, 5)};
    CUTAWAY_TRY(const ByteGeometry g, geometryOf(operands));
    if (m_placed.valid() && m_placed.inputType == x->type()) {
      const ElementType type = m_placed.format.isSigned ? ElementType::kInt8 : ElementType::kUint8;
      CUTAWAY_TRY(Tensor * output, context.output(0, type, outputDims(g)));
      if (output->elementCount() == 0) return {};
      return requantizeBytes(context, m_weights, g, operands, m_placed, static_cast<uint8_t*>(output->mutableData()));
    }
    Epilogue epilogue{.yZero = optionalTensor(context, 7), .bias = optionalTensor(context, 8)};
    CUTAWAY_TRY(epilogue.xScale, requireTensor(context, 1));
    CUTAWAY_TRY(epilogue.wScale, requireTensor(context, 4));
    CUTAWAY_TRY(epilogue.yScale, requireTensor(context, 6));
    CUTAWAY_CHECK(epilogue.check(g.maps));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(g.maps) * sizeof(float)));
    float* scales = reinterpret_cast<float*>(memory.data());
    epilogue.writeScales(g.maps, scales);
    const ByteEpilogue terms = epilogue.of(x->type(), scales);
    CUTAWAY_TRY(Tensor * output,
                context.output(0, terms.format.isSigned ? ElementType::kInt8 : ElementType::kUint8, outputDims(g)));
    if (output->elementCount() == 0) return {};
    const Finish finish{g, terms, static_cast<uint8_t*>(output->mutableData())};
    if (m_weights.requantized.valid()) return requantizeBytes(context, m_weights, g, operands, terms, finish.to);
    CUTAWAY_TRY(const WindowSums sums, convolveBytes(context, m_weights, g, operands));
    return sums.sums != nullptr ? finishRows(context, finish, sums) : finishReference(context, finish, operands);
  }

 private:
  // What becomes of a sum, as the node has it.
  struct Epilogue {
    const Tensor *xScale = nullptr, *xZero = nullptr, *wScale = nullptr, *yScale = nullptr;
    const Tensor *yZero = nullptr, *bias = nullptr;  // may be absent

    Result<void> check(int64_t maps) const {
      CUTAWAY_CHECK(checkScale(*xScale, 1, 1));
      CUTAWAY_CHECK(checkScale(*wScale, maps, 4));
      CUTAWAY_CHECK(checkScale(*yScale, 1, 6));
      CUTAWAY_CHECK(checkZeroPoint(yZero, 1, 7));
      if (bias != nullptr && (bias->type() != ElementType::kInt32 || bias->elementCount() != maps))
        return fail(ErrorCode::kInvalidArgument, "the bias of QLinearConv must be {} int32", maps);
      return {};
    }
    void writeScales(int64_t maps, float* scales) const {
      const float xFactor = scaleAt(*xScale, 0), yFactor = scaleAt(*yScale, 0);
      for (int64_t map = 0; map < maps; ++map)
        scales[map] = xFactor * scaleAt(*wScale, map) / yFactor;
    }
    ByteEpilogue of(ElementType xType, const float* scales) const {
      const ElementType type = yZero != nullptr ? yZero->type() : xType;
      return {{type == ElementType::kInt8, zeroPointAt(yZero, 0)},
              scales,
              bias != nullptr ? bias->span<int32_t>().data() : nullptr};
    }
  };

  struct Finish {
    const ByteGeometry& g;
    ByteEpilogue terms;
    uint8_t* to;
  };

  static Result<void> finishRows(KernelContext& context, const Finish& f, const WindowSums& sums) {
    const ByteGeometry& g = f.g;
    if (f.terms.bias != nullptr) cpu::integerLoops().addScaled(sums.added, 1, f.terms.bias, g.maps);
    const int64_t cells = g.outputCells();
    const bool direct = g.outputLast || g.maps == 1 || cells == 1;
    uint8_t* rows = f.to;
    if (!direct) {
      CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(g.batch * cells * g.maps)));
      rows = reinterpret_cast<uint8_t*>(memory.data());
    }
    const int64_t blocks = (cells + kBlockCells - 1) / kBlockCells;
    parallelFor(g.batch * blocks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t entry = i / blocks, first = i % blocks * kBlockCells;
        const int64_t count = std::min(kBlockCells, cells - first);
        const int64_t row = entry * cells + first;
        for (int64_t k = 0; k < count; ++k)
          cpu::integerLoops().requantize({sums.sums + (row + k) * g.maps, g.maps, sums.added, f.terms.scales, 1},
                                         f.terms.format, rows + (row + k) * g.maps);
        if (!direct)
          cpu::integerLoops().transpose(rows + row * g.maps, count, g.maps, g.maps, 0,
                                        f.to + entry * g.maps * cells + first, cells);
      }
    });
    return {};
  }

  static Result<void> finishReference(KernelContext& context, const Finish& f,
                                      const ByteConvolutionOperands& operands) {
    const ByteGeometry& g = f.g;
    const int64_t cells = g.outputCells();
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(g.batch * g.maps * cells) * sizeof(int32_t)));
    int32_t* all = reinterpret_cast<int32_t*>(memory.data());
    const QuantRange range = quantRange(f.terms.format.isSigned ? ElementType::kInt8 : ElementType::kUint8);
    parallelFor(g.batch * g.maps, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t map = i % g.maps;
        int32_t* sums = all + i * cells;
        accumulateReference(g, operands, i / g.maps, map, sums);
        const uint32_t added = f.terms.bias == nullptr ? 0u : static_cast<uint32_t>(f.terms.bias[map]);
        for (int64_t cell = 0; cell < cells; ++cell) {
          const float sum = static_cast<float>(static_cast<int32_t>(static_cast<uint32_t>(sums[cell]) + added));
          const float value =
              requantize(sum * f.terms.scales[map], static_cast<float>(f.terms.format.zeroPoint), range);
          f.to[g.outputPlace(i / g.maps, map, cell)] = static_cast<uint8_t>(static_cast<int32_t>(value));
        }
      }
    });
    return {};
  }

  PlacedTerms m_placed;  // empty where something of them may change
};

constexpr KernelRow kRows[] = {
    {.opType = "ConvInteger",
     .versions = {10},
     .fastPath = "onednn",
     .create = IntegerConvolutionKernel::create<ConvIntegerKernel, 1, 3>},
    {.opType = "QLinearConv",
     .versions = {10},
     .fastPath = "onednn",
     .create = IntegerConvolutionKernel::create<QLinearConvKernel, 3, 5>},
    {.opType = "QLinearConv",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "onednn",
     .create = IntegerConvolutionKernel::create<QLinearConvKernel, 3, 5>},
};

}  // namespace

KernelRows kernel_integer_convolution() {
  return kRows;
}

}  // namespace cutaway::cpu
