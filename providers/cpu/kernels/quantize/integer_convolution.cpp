// ConvInteger and QLinearConv: convolutions of 8-bit tensors in 32-bit sums.
//
// A reference: every output channel is accumulated kernel cell by kernel cell; cells that fall on padding add nothing, because padding is the zero point.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/quantize/integer_operand.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway {
namespace {

struct IntegerConvolution {
  const Tensor& x;
  const Tensor& w;
  const Tensor* xZero;
  const Tensor* wZero;
  Window window;
  int64_t batch = 0, channels = 0, maps = 0, groups = 1;

  int64_t groupChannels() const { return channels / groups; }
};

// Adds weight * input over one input channel, at one kernel cell, to the sums of one output channel.
void addCell(const IntegerConvolution& c, const WindowDims& cell, int64_t plane, int32_t weight, int32_t* sums) {
  const Window& window = c.window;
  const size_t last = window.rank - 1;
  const int32_t zero = zeroPointAt(c.xZero, 0);
  WindowDims rowLimits = window.output;
  rowLimits[last] = 1;
  WindowDims index{};
  int64_t row = 0;
  do {
    int64_t base = plane;
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
        sums[row * window.output[last] + column] += weight * (byteAt(c.x.type(), c.x.data(), base + place) - zero);
      }
    }
    ++row;
  } while (nextIndex(index, rowLimits, window.rank));
}

// All sums of one output channel of one batch entry.
void accumulate(const IntegerConvolution& c, int64_t entry, int64_t map, int32_t* sums) {
  const Window& window = c.window;
  std::fill_n(sums, window.outputCells(), 0);
  const int64_t group = map / (c.maps / c.groups);
  const int32_t weightZero = zeroPointAt(c.wZero, map);
  int64_t weightIndex = map * c.groupChannels() * window.kernelCells();
  for (int64_t channel = 0; channel < c.groupChannels(); ++channel) {
    const int64_t plane = entry * c.channels + group * c.groupChannels() + channel;
    WindowDims cell{};
    do {
      addCell(c, cell, plane, byteAt(c.w.type(), c.w.data(), weightIndex++) - weightZero, sums);
    } while (nextIndex(cell, window.kernel, window.rank));
  }
}

class IntegerConvolutionKernel : public Kernel {
 public:
  IntegerConvolutionKernel(WindowAttributes attributes, int64_t groups) : m_attributes(std::move(attributes)), m_groups(groups) {}

  template <typename KernelType>
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info));
    return std::unique_ptr<Kernel>(std::make_unique<KernelType>(std::move(attributes), info.attribute<int64_t>("group", 1)));
  }

 protected:
  Result<IntegerConvolution> read(const KernelContext& context, size_t xSlot, size_t xZeroSlot, size_t wSlot, size_t wZeroSlot) const {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, xSlot));
    CUTAWAY_TRY(const Tensor* w, requireTensor(context, wSlot));
    IntegerConvolution c{*x, *w, optionalTensor(context, xZeroSlot), optionalTensor(context, wZeroSlot), {}};
    if (!isByteInteger(x->type()) || !isByteInteger(w->type())) return fail(ErrorCode::kNotImplemented, "integer convolutions of {} and {} are not covered", elementTypeName(x->type()), elementTypeName(w->type()));
    bool fits = x->rank() >= 3 && w->rank() == x->rank() && m_groups >= 1;
    if (fits) {
      c.batch = x->dims()[0];
      c.channels = x->dims()[1];
      c.maps = w->dims()[0];
      c.groups = m_groups;
      fits = c.channels % m_groups == 0 && c.maps % m_groups == 0 && w->dims()[1] == c.channels / m_groups;
    }
    if (!fits) return fail(ErrorCode::kInvalidArgument, "weights {} in {} groups do not fit an input {}", dimsToText(w->dims()), m_groups, dimsToText(x->dims()));
    CUTAWAY_CHECK(checkZeroPoint(c.xZero, 1, xZeroSlot));
    CUTAWAY_CHECK(checkZeroPoint(c.wZero, c.maps, wZeroSlot));
    CUTAWAY_TRY(c.window, placeWindow(m_attributes, std::span<const int64_t>(x->dims()).subspan(2), std::span<const int64_t>(w->dims()).subspan(2)));
    return c;
  }

  static Dims outputDims(const IntegerConvolution& c) {
    Dims dims = filledList(c.window.rank + 2, c.batch);
    dims[1] = c.maps;
    for (size_t i = 0; i < c.window.rank; ++i) dims[i + 2] = c.window.output[i];
    return dims;
  }

  WindowAttributes m_attributes;
  int64_t m_groups;
};

class ConvIntegerKernel final : public IntegerConvolutionKernel {
 public:
  using IntegerConvolutionKernel::IntegerConvolutionKernel;
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const IntegerConvolution c, read(context, 0, 2, 1, 3));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt32, outputDims(c)));
    int32_t* sums = output->span<int32_t>().data();
    const int64_t cells = c.window.outputCells();
    parallelFor(c.batch * c.maps, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) accumulate(c, i / c.maps, i % c.maps, sums + i * cells);
    });
    return {};
  }
};

class QLinearConvKernel final : public IntegerConvolutionKernel {
 public:
  using IntegerConvolutionKernel::IntegerConvolutionKernel;
  // Slots: x, scale, zero; w, scale, zero; y scale, zero; bias.
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const IntegerConvolution c, read(context, 0, 2, 3, 5));
    CUTAWAY_TRY(const Tensor* xScale, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* wScale, requireTensor(context, 4));
    CUTAWAY_TRY(const Tensor* yScale, requireTensor(context, 6));
    CUTAWAY_TRY(const Tensor* yZero, requireTensor(context, 7));
    const Tensor* bias = optionalTensor(context, 8);
    CUTAWAY_CHECK(checkScale(*xScale, 1, 1));
    CUTAWAY_CHECK(checkScale(*wScale, c.maps, 4));
    CUTAWAY_CHECK(checkScale(*yScale, 1, 6));
    CUTAWAY_CHECK(checkZeroPoint(yZero, 1, 7));
    if (bias != nullptr && (bias->type() != ElementType::kInt32 || bias->elementCount() != c.maps)) return fail(ErrorCode::kInvalidArgument, "the bias of QLinearConv must be {} int32", c.maps);
    const ElementType type = yZero->type();
    const QuantRange range = quantRange(type);
    const float zeroPoint = static_cast<float>(zeroPointAt(yZero, 0));
    const int64_t cells = c.window.outputCells();
    CUTAWAY_TRY(Tensor * output, context.output(0, type, outputDims(c)));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(c.batch * c.maps * cells) * sizeof(int32_t)));
    int32_t* all = reinterpret_cast<int32_t*>(memory.data());
    parallelFor(c.batch * c.maps, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t map = i % c.maps;
        int32_t* sums = all + i * cells;
        accumulate(c, i / c.maps, map, sums);
        const int32_t added = bias == nullptr ? 0 : bias->span<int32_t>()[static_cast<size_t>(map)];
        const float factor = scaleAt(*xScale, 0) * scaleAt(*wScale, map) / scaleAt(*yScale, 0);
        for (int64_t at = 0; at < cells; ++at) {
          const float value = requantize(static_cast<float>(static_cast<int64_t>(sums[at]) + added) * factor, zeroPoint, range);
          storeRun(type, &value, output->mutableData(), i * cells + at, 1, true);
        }
      }
    });
    return {};
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "ConvInteger", .versions = {10}, .create = IntegerConvolutionKernel::create<ConvIntegerKernel>},
    {.opType = "QLinearConv", .versions = {10}, .create = IntegerConvolutionKernel::create<QLinearConvKernel>},
};

}  // namespace

KernelRows kernel_integer_convolution() { return kRows; }

}  // namespace cutaway
