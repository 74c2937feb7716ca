// ConvInteger, QLinearConv and com.microsoft QLinearConv: windows as lines of bytes, then a product of bytes.

#include "providers/cuda/kernels/convolution/window.h"
#include "providers/cuda/kernels/matmul/byte_product.h"

namespace cutaway::cuda {
namespace {

struct ConvolutionSlots {
  int xScale = -1, xZero = 2, w = 1, wScale = -1, wZero = 3, yScale = -1, yZero = -1, bias = -1;
};

struct WindowPlan {
  WindowLines lines;
  int64_t maps = 0, cells = 1;
  Dims output;
};

const Tensor* at(GpuCall& call, int slot) {
  return slot >= 0 && static_cast<size_t>(slot) < call.inputCount() ? call.input(static_cast<size_t>(slot)) : nullptr;
}

class ByteConvolution final : public GpuKernel {
 public:
  ByteConvolution(const KernelInfo& info, ConvolutionSlots slots, WindowAttributes attributes)
      : m_op(info.node().opType),
        m_slots(slots),
        m_result(info.outputType(0).element),
        m_groups(info.attribute<int64_t>("group", 1)),
        m_channelsLast(info.attribute<int64_t>("channels_last", 0) != 0),
        m_attributes(std::move(attributes)) {}
  std::string_view variant() const override { return "bytes by windows"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteProductState>(); }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    CUTAWAY_TRY(m_windows, resources.find("bytes.windows"));
    return m_product.prepare(resources, nullptr, false);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &w = *at(call, m_slots.w);
    CUTAWAY_TRY(WindowPlan plan, planOf(x.dims(), w.dims()));
    CUTAWAY_TRY(Tensor * y, call.context().output(0, m_result, plan.output));
    if (y->elementCount() == 0) return {};
    BytesSide image{.isSigned = x.type() == ElementType::kInt8},
        weights{.data = w.data(), .isSigned = w.type() == ElementType::kInt8};
    CUTAWAY_CHECK(placeScale(m_op, at(call, m_slots.xScale), {}, image.scale, image.scaleType, image.scaleCount));
    CUTAWAY_CHECK(placeZero(m_op, at(call, m_slots.xZero), x.type(), {}, image.zero, image.zeroCount));
    CUTAWAY_CHECK(
        placeScale(m_op, at(call, m_slots.wScale), {plan.maps}, weights.scale, weights.scaleType, weights.scaleCount));
    CUTAWAY_CHECK(placeZero(m_op, at(call, m_slots.wZero), w.type(), {plan.maps}, weights.zero, weights.zeroCount));
    BytesParameters p{.y = y->mutableData()};
    p.result = m_result == ElementType::kInt32  ? BytesResult::kSums
               : m_result == ElementType::kInt8 ? BytesResult::kInt8
                                                : BytesResult::kUint8;
    CUTAWAY_CHECK(placeScale(m_op, at(call, m_slots.yScale), {}, p.yScale, p.yScaleType, p.yScaleCount));
    if (m_slots.yZero >= 0)
      CUTAWAY_CHECK(placeZero(m_op, at(call, m_slots.yZero), m_result, {}, p.yZero, p.yZeroCount));
    if (const Tensor* bias = at(call, m_slots.bias)) {
      if (bias->type() != ElementType::kInt32 || bias->elementCount() != plan.maps)
        return fail(ErrorCode::kInvalidArgument, "{}: the bias must be {} int32", m_op, plan.maps);
      p.addend = static_cast<const int32_t*>(bias->data());
    }
    CUTAWAY_TRY(void* lines, call.scratch(static_cast<size_t>(plan.lines.count)));
    plan.lines.from = x.data();
    plan.lines.zero = image.zero;
    plan.lines.to = lines;
    image.data = lines;
    CUTAWAY_CHECK(call.launch(m_windows, plan.lines));
    return multiply(call, plan, image, weights, p);
  }

 private:
  // Channels first: weights x lines for each image and group. Channels last (one group): lines x weights.
  Result<void> multiply(GpuCall& call, const WindowPlan& plan, const BytesSide& image, const BytesSide& weights,
                        BytesParameters& p) const {
    const int64_t depth = plan.lines.channels / m_groups * plan.lines.kernel[0] * plan.lines.kernel[1] *
                          plan.lines.kernel[2],
                  batch = plan.lines.batch;
    if (m_channelsLast) {
      CUTAWAY_TRY(const Pairing pairing,
                  pairMatrices(std::array{batch * plan.cells, depth}, std::array{plan.maps, depth}, {.b = true}));
      p.a = image;
      p.b = weights;
      p.addendColumn = 1;
      return m_product.run(call, pairing, p);
    }
    CUTAWAY_TRY(const Pairing pairing, pairMatrices(std::array{m_groups, plan.maps / m_groups, depth},
                                                    std::array{batch, m_groups, plan.cells, depth}, {.b = true}));
    p.a = weights;
    p.b = image;
    p.addendRow = 1;
    return m_product.run(call, pairing, p);
  }

  Result<WindowPlan> planOf(std::span<const int64_t> x, std::span<const int64_t> w) const {
    if (x.size() < 3 || w.size() != x.size())
      return fail(ErrorCode::kInvalidArgument, "{}: an input {} with weights {}", m_op, dimsToText(x), dimsToText(w));
    const size_t rank = x.size() - 2, firstAxis = m_channelsLast ? 1 : 2;
    WindowPlan plan;
    WindowLines& l = plan.lines;
    l.batch = x[0];
    l.channels = x[m_channelsLast ? rank + 1 : 1];
    l.groups = m_groups;
    l.channelsLast = m_channelsLast;
    plan.maps = w[0];
    if (m_groups < 1 || l.channels % m_groups != 0 || plan.maps % m_groups != 0 || w[1] != l.channels / m_groups)
      return fail(ErrorCode::kInvalidArgument, "{}: weights {} in {} groups do not fit an input {}", m_op,
                  dimsToText(w), m_groups, dimsToText(x));
    CUTAWAY_TRY(const Window window, placeWindow(m_attributes, x.subspan(firstAxis, rank), w.subspan(2),
                                                 WindowFit::kMustFit, kMostWindowAxes));
    plan.output.assign(x);
    plan.output[m_channelsLast ? rank + 1 : 1] = plan.maps;
    for (size_t axis = 0; axis < rank; ++axis) {
      const size_t place = axis + kMostWindowAxes - rank;
      l.input[place] = window.input[axis];
      l.kernel[place] = window.kernel[axis];
      l.stride[place] = window.strides[axis];
      l.dilation[place] = window.dilations[axis];
      l.pad[place] = window.padsBegin[axis];
      l.output[place] = plan.output[axis + firstAxis] = window.output[axis];
    }
    plan.cells = window.outputCells();
    l.count = l.batch * plan.cells * l.channels * window.kernelCells();
    return plan;
  }

  std::string m_op;
  ConvolutionSlots m_slots;
  ElementType m_result;
  int64_t m_groups;
  bool m_channelsLast;
  WindowAttributes m_attributes;
  DeviceKernel m_windows;
  ByteProduct m_product;
};

Result<std::unique_ptr<GpuKernel>> makeConvolution(const KernelInfo& info, const ConvolutionSlots& slots) {
  const ElementType x = info.inputElement(0), w = info.inputElement(static_cast<size_t>(slots.w));
  if (!isByte(x) || !isByte(w))
    return fail(ErrorCode::kNotImplemented, "{} of {} and {}: convolutions of 8-bit integers are what runs here",
                info.node().opType, elementTypeName(x), elementTypeName(w));
  if (const auto& shape = info.inputType(0).shape; shape && shape->rank() > 5)
    return fail(ErrorCode::kNotImplemented, "{} over {} spatial axes; up to three are known", info.node().opType,
                shape->rank() - 2);
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  if (info.attribute<int64_t>("channels_last", 0) != 0 && info.attribute<int64_t>("group", 1) != 1)
    return fail(ErrorCode::kNotImplemented, "{} of several groups with channels last", info.node().opType);
  return std::make_unique<ByteConvolution>(info, slots, std::move(attributes));
}

Result<std::unique_ptr<GpuKernel>> makeConvInteger(const KernelInfo& info) {
  return makeConvolution(info, {});
}
Result<std::unique_ptr<GpuKernel>> makeQLinearConv(const KernelInfo& info) {
  return makeConvolution(
      info, {.xScale = 1, .xZero = 2, .w = 3, .wScale = 4, .wZero = 5, .yScale = 6, .yZero = 7, .bias = 8});
}

constexpr KernelRow kRows[] = {
    {.opType = "ConvInteger", .versions = {10}, .fastPath = "cublasLt", .create = gpuKernel<makeConvInteger>},
    {.opType = "QLinearConv", .versions = {10}, .fastPath = "cublasLt", .create = gpuKernel<makeQLinearConv>},
    {.opType = "QLinearConv",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "cublasLt",
     .create = gpuKernel<makeQLinearConv>},
};

}  // namespace

KernelRows kernel_integer_convolution() {
  return kRows;
}

}  // namespace cutaway::cuda
