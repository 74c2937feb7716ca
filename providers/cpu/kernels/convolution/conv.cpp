// Conv (all versions) and com.microsoft FusedConv: X, W, optional B, optional Z; Y = activation(conv(X, W) + B + Z).

#include <algorithm>
#include <string>

#include "engine/math/channel_loops.h"
#include "engine/math/row_product.h"
#include "providers/cpu/kernels/convolution/convolution_reference.h"
#include "providers/cpu/kernels/convolution/fused_activation.h"
#include "providers/cpu/kernels/convolution/prepared_convolution.h"
#include "providers/cpu/kernels/kernel_settings.h"
#include "providers/cpu/kernels/matmul/wide_product.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"
#include "providers/cpu/kernels/window_shape.h"

namespace cutaway::cpu {
namespace {

constexpr size_t kBias = 2, kResidual = 3;

struct ConvAttributes {
  WindowAttributes window;
  int64_t groups = 1;
  math::Activation activation;
  Layout inputLayout = Layout::kPlain;
  Layout outputLayout = Layout::kPlain;
  math::Precision precision = math::Precision::kFast;
};

Result<ConvolutionGeometry> geometryOf(const ConvAttributes& attributes, std::span<const int64_t> x,
                                       std::span<const int64_t> w) {
  if (x.size() < 3 || w.size() != x.size())
    return fail(ErrorCode::kInvalidArgument, "Conv needs X and W of one rank of 3 or more, not {} and {}", x.size(),
                w.size());
  ConvolutionGeometry geometry{
      .batch = x[0], .inChannels = x[1], .outChannels = w[0], .groups = attributes.groups, .window = {}};
  if (w[1] * geometry.groups != geometry.inChannels || geometry.outChannels % geometry.groups != 0 || w[1] < 1) {
    return fail(ErrorCode::kInvalidArgument, "Conv: X has {} channels, W is {}, group {}", x[1], dimsToText(w),
                geometry.groups);
  }
  CUTAWAY_TRY(geometry.window, placeWindow(attributes.window, x.subspan(2), w.subspan(2)));
  return geometry;
}

int64_t depthOf(const ConvolutionGeometry& geometry) {
  return geometry.inChannels / geometry.groups * geometry.window.kernelCells();
}

math::ConvolutionShape shapeOf(const ConvAttributes& attributes, const ConvolutionGeometry& geometry, bool bias,
                               bool residual) {
  const Window& window = geometry.window;
  math::ConvolutionShape shape;
  shape.batch = geometry.batch;
  shape.inChannels = geometry.inChannels;
  shape.outChannels = geometry.outChannels;
  shape.groups = geometry.groups;
  copyPaddedWindow(window, &Window::overhang, shape);
  shape.bias = bias;
  shape.residual = residual;
  // One channel or one cell a plane is the same in either order, and channels last saves the library a reorder.
  const auto layoutOf = [](Layout given, int64_t channels, int64_t cells) {
    return given == Layout::kPlain && (channels == 1 || cells == 1) ? Layout::kChannelsLast : given;
  };
  shape.inputLayout = layoutOf(attributes.inputLayout, geometry.inChannels, window.inputCells());
  shape.outputLayout = layoutOf(attributes.outputLayout, geometry.outChannels, window.outputCells());
  shape.activation = attributes.activation;
  shape.precision = attributes.precision;
  return shape;
}

struct OutputDims {
  std::array<int64_t, kMaxWindowRank + 2> dims{};
  size_t rank = 0;
  std::span<const int64_t> span() const { return {dims.data(), rank}; }
};

OutputDims outputDims(const ConvolutionGeometry& geometry) {
  OutputDims result;
  result.rank = geometry.window.rank + 2;
  result.dims[0] = geometry.batch;
  result.dims[1] = geometry.outChannels;
  std::copy_n(geometry.window.output.begin(), geometry.window.rank, result.dims.begin() + 2);
  return result;
}

Result<void> checkOperands(const ConvolutionGeometry& geometry, const Tensor* bias, const Tensor* residual) {
  if (bias != nullptr && bias->elementCount() != geometry.outChannels) {
    return fail(ErrorCode::kInvalidArgument, "Conv: the bias has {} elements, there are {} output channels",
                bias->elementCount(), geometry.outChannels);
  }
  if (residual != nullptr &&
      !std::ranges::equal(std::span<const int64_t>(residual->dims()), outputDims(geometry).span())) {
    return fail(ErrorCode::kInvalidArgument, "FusedConv: Z is {}, the result {}", dimsToText(residual->dims()),
                dimsToText(outputDims(geometry).span()));
  }
  return {};
}

template <typename T>
void finishReference(const math::Activation& activation, std::span<T> y, const T* residual) {
  if (residual == nullptr && activation.kind == math::ActivationKind::kNone) return;
  for (size_t i = 0; i < y.size(); ++i) {
    const T sum = residual != nullptr ? y[i] + residual[i] : y[i];
    y[i] = activation.kind == math::ActivationKind::kNone ? sum : static_cast<T>(activation(static_cast<float>(sum)));
  }
}

template <typename T>
Result<void> runReference(const ConvAttributes& attributes, const ConvolutionGeometry& geometry, KernelContext& context,
                          const T* weights, Tensor& y) {
  if (attributes.inputLayout != Layout::kPlain || attributes.outputLayout != Layout::kPlain) {
    return fail(ErrorCode::kNotImplemented, "oneDNN refused a convolution in a blocked layout");
  }
  const Tensor* bias = context.input(kBias);
  const Tensor* residual = context.inputCount() > kResidual ? context.input(kResidual) : nullptr;
  const T* z = residual != nullptr ? residual->span<T>().data() : nullptr;
  std::span<T> target = y.span<T>();
  // Z may be the output's own memory: then it has to be saved first.
  if (z == target.data() && z != nullptr) {
    CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(target.size_bytes()));
    T* saved = reinterpret_cast<T*>(scratch.data());
    std::copy(z, z + target.size(), saved);
    z = saved;
  }
  convolveReference<T>(geometry, context.input(0)->span<T>().data(), weights,
                       bias != nullptr ? bias->span<T>().data() : nullptr, target.data());
  finishReference<T>(attributes.activation, target, z);
  return {};
}

class DoubleConv final : public Kernel {
 public:
  explicit DoubleConv(ConvAttributes attributes) : m_attributes(std::move(attributes)) {}
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const ConvolutionGeometry geometry,
                geometryOf(m_attributes, context.input(0)->dims(), context.input(1)->dims()));
    CUTAWAY_CHECK(checkOperands(geometry, context.input(kBias),
                                context.inputCount() > kResidual ? context.input(kResidual) : nullptr));
    CUTAWAY_TRY(Tensor * y, context.output(0, outputDims(geometry).span()));
    const int64_t depth = depthOf(geometry);
    constexpr int64_t kMostGathered = int64_t{1} << 24;  // numbers; larger ones are rare in double
    const bool gathers = y->elementCount() > 0 && depth > 0 && depth <= kMostGathered / geometry.window.outputCells();
    if (!gathers || context.inputCount() > kResidual)
      return runReference<double>(m_attributes, geometry, context, context.input(1)->span<double>().data(), *y);
    return runProducts(geometry, depth, context, *y);
  }
  std::string_view variant() const override { return "highway"; }

 private:
  // Windows are gathered as the columns of a matrix, which the weights of a group multiply.
  Result<void> runProducts(const ConvolutionGeometry& geometry, int64_t depth, KernelContext& context,
                           Tensor& y) const {
    const Tensor* bias = context.input(kBias);
    const int64_t outCells = geometry.window.outputCells(), rows = geometry.outChannels / geometry.groups,
                  inPerGroup = geometry.inChannels / geometry.groups;
    CUTAWAY_TRY(const std::span<std::byte> scratch,
                context.scratch(static_cast<size_t>(depth * outCells) * sizeof(double)));
    auto* columns = reinterpret_cast<double*>(scratch.data());
    for (int64_t part = 0; part < geometry.batch * geometry.groups; ++part) {
      const int64_t group = part % geometry.groups;
      gatherWindows(geometry.window, depth,
                    context.input(0)->span<double>().data() + part * inPerGroup * geometry.window.inputCells(),
                    columns);
      double* target = y.span<double>().data() + part * rows * outCells;
      multiplyWide<double>(
          {.rows = rows, .columns = outCells, .depth = depth, .rowStrideA = depth, .rowStrideB = outCells},
          context.input(1)->span<double>().data() + group * rows * depth, columns, target);
      for (int64_t row = 0; bias != nullptr && row < rows; ++row) {
        for (int64_t i = 0; i < outCells; ++i)
          target[row * outCells + i] += bias->span<double>()[static_cast<size_t>(group * rows + row)];
      }
    }
    finishReference<double>(m_attributes.activation, y.span<double>(), nullptr);
    return {};
  }

  // Row (channel, kernel cell) has what that cell sees of the channel at every place of the output; 0 outside.
  static void gatherWindows(const Window& window, int64_t depth, const double* x, double* columns) {
    const int64_t outCells = window.outputCells(), kernelCells = window.kernelCells();
    parallelFor(depth, 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const double* plane = x + row / kernelCells * window.inputCells();
        WindowDims k{}, out{};
        for (int64_t cell = row % kernelCells, axis = static_cast<int64_t>(window.rank); axis-- > 0;
             cell /= window.kernel[static_cast<size_t>(axis)])
          k[static_cast<size_t>(axis)] = cell % window.kernel[static_cast<size_t>(axis)];
        for (int64_t cell = 0; cell < outCells; ++cell, nextIndex(out, window.output, window.rank)) {
          int64_t offset = 0;
          bool inside = true;
          for (size_t axis = 0; axis < window.rank && inside; ++axis) {
            const int64_t position = window.start(axis, out[axis]) + k[axis] * window.dilations[axis];
            inside = position >= 0 && position < window.input[axis];
            offset = offset * window.input[axis] + position;
          }
          columns[row * outCells + cell] = inside ? plane[offset] : 0;
        }
      }
    });
  }

  ConvAttributes m_attributes;
};

// One window over the whole of one image, which lies as a row of weights does (in squeeze-and-excitation: one cell):
// the weights are read where they lie; unless they are packed as bfloat16, half as many bytes to read.
bool isRowProduct(const ConvAttributes& attributes, const ConvolutionGeometry& geometry) {
  const Window& window = geometry.window;
  if (geometry.batch != 1 || geometry.groups != 1 || window.outputCells() != 1) return false;
  for (size_t axis = 0; axis < window.rank; ++axis) {
    if (window.kernel[axis] != window.input[axis] || window.padsBegin[axis] != 0 ||
        window.extent(axis) != window.input[axis])
      return false;
  }
  const bool isOneCell = window.inputCells() == 1;
  const bool reads =
      attributes.inputLayout == Layout::kPlain || (isOneCell && attributes.inputLayout == Layout::kChannelsLast);
  const bool writes = attributes.outputLayout == Layout::kPlain || attributes.outputLayout == Layout::kChannelsLast;
  return reads && writes && !math::roundsToBfloat16(attributes.precision, depthOf(geometry), geometry.outChannels);
}

class FloatConv final : public Kernel {
 public:
  // isRow: whether runs are known to be isRowProduct().
  FloatConv(ConvAttributes attributes, PreparedConvolution prepared, bool isRow)
      : m_attributes(std::move(attributes)), m_prepared(std::move(prepared)) {
    m_variant = isRow                    ? "highway:row"
                : m_prepared.convolution ? "onednn:" + m_prepared.convolution->implementation()
                                         : "onednn";
  }
  std::string_view variant() const override { return m_variant; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ConvolutionState>(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const Tensor* w = context.input(1);
    const Tensor* bias = context.input(kBias);
    const Tensor* residual = context.inputCount() > kResidual ? context.input(kResidual) : nullptr;
    CUTAWAY_TRY(const ConvolutionGeometry geometry, geometryOf(m_attributes, x.dims(), w->dims()));
    CUTAWAY_CHECK(checkOperands(geometry, bias, residual));
    CUTAWAY_TRY(Tensor * y, context.output(0, outputDims(geometry).span()));
    if (y->elementCount() == 0) return {};
    if (residual == nullptr && isRowProduct(m_attributes, geometry)) return runRow(geometry, x, *w, bias, *y);
    if (geometry.window.rank > math::kMaxSpatialRank) return runLoop(geometry, context, *y);
    auto& state = static_cast<ConvolutionState&>(*context.state());
    CUTAWAY_TRY(ConvolutionState::Entry * entry,
                state.find(m_prepared, shapeOf(m_attributes, geometry, bias != nullptr, residual != nullptr)));
    if (!entry->call) return runLoop(geometry, context, *y);
    CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(entry->call->convolution().scratchBytes()));
    return entry->call->run({.input = x.span<float>().data(),
                             .packed = entry->packed.get(),
                             .weights = entry->packed != nullptr ? nullptr : w->span<float>().data(),
                             .bias = bias != nullptr ? bias->span<float>().data() : nullptr,
                             .residual = residual != nullptr ? residual->span<float>().data() : nullptr,
                             .output = y->span<float>().data(),
                             .scratch = scratch});
  }

 private:
  Result<void> runRow(const ConvolutionGeometry& geometry, const Tensor& x, const Tensor& w, const Tensor* bias,
                      Tensor& y) const {
    CUTAWAY_TRY(const float* weights, floatsOf(m_prepared.floats.get(), w));
    const int64_t filters = geometry.outChannels;
    float* target = y.span<float>().data();
    math::multiplyRow(x.span<float>().data(), weights, {.columns = filters, .depth = depthOf(geometry)}, target);
    const float* summands = bias != nullptr ? bias->span<float>().data() : nullptr;
    if (const math::ChannelLoops* loops = math::channelLoops(); loops != nullptr) {
      loops->finishRows(1, filters, summands, m_attributes.activation, target);
      return {};
    }
    for (int64_t i = 0; i < filters; ++i)
      target[i] = m_attributes.activation(target[i] + (summands != nullptr ? summands[i] : 0.0f));
    return {};
  }

  Result<void> runLoop(const ConvolutionGeometry& geometry, KernelContext& context, Tensor& y) const {
    CUTAWAY_TRY(const float* weights, floatsOf(m_prepared.floats.get(), *context.input(1)));
    return runReference<float>(m_attributes, geometry, context, weights, y);
  }

  ConvAttributes m_attributes;
  PreparedConvolution m_prepared;
  std::string m_variant;
};

Result<ConvAttributes> readAttributes(const KernelInfo& info) {
  ConvAttributes attributes;
  CUTAWAY_TRY(attributes.window, readWindowAttributes(info.node()));
  attributes.groups = info.attribute<int64_t>("group", 1);
  if (attributes.groups < 1) return fail(ErrorCode::kInvalidArgument, "Conv: group is {}", attributes.groups);
  CUTAWAY_TRY(attributes.activation, readFusedActivation(info));
  attributes.inputLayout = info.inputType(0).layout;
  attributes.outputLayout = info.outputType(0).layout;
  attributes.precision = settingsOf(info).precision;
  return attributes;
}

Result<std::unique_ptr<Kernel>> createConv(const KernelInfo& info) {
  CUTAWAY_TRY(ConvAttributes attributes, readAttributes(info));
  if (info.inputElement(0) == ElementType::kDouble) return std::make_unique<DoubleConv>(std::move(attributes));
  const Tensor* weights = info.constantInput(1);
  std::optional<math::ConvolutionShape> shape;
  bool isRow = false;
  const auto& declared = info.inputType(0).shape;
  const auto dims = declared ? declared->staticDims() : std::nullopt;
  if (dims && weights != nullptr && dims->size() <= math::kMaxSpatialRank + 2) {
    CUTAWAY_TRY(const ConvolutionGeometry geometry, geometryOf(attributes, *dims, weights->dims()));
    isRow = !info.hasInput(kResidual) && isRowProduct(attributes, geometry);
    if (geometry.batch > 0 && !isRow)
      shape = shapeOf(attributes, geometry, info.hasInput(kBias), info.hasInput(kResidual));
  }
  CUTAWAY_TRY(PreparedConvolution prepared, prepareConvolution(weights, shape ? &*shape : nullptr));
  return std::make_unique<FloatConv>(std::move(attributes), std::move(prepared), isRow);
}

constexpr InplaceHint kOverResidual[] = {{.input = 3, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "Conv", .versions = {1}, .types = kFloatInput, .fastPath = "onednn", .create = createConv},
    {.opType = "Conv", .versions = {1}, .types = kDoubleInput, .fastPath = "highway", .create = createConv},
    {.opType = "Conv",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createConv>},
    {.opType = "FusedConv",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kOverResidual,
     .fastPath = "onednn",
     .create = createConv},
    {.opType = "FusedConv",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "highway",
     .create = createConv},
    {.opType = "FusedConv",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kOverResidual,
     .fastPath = "onednn",
     .create = createThroughFloat<createConv>},
};

}  // namespace

KernelRows kernel_conv() {
  return kRows;
}

}  // namespace cutaway::cpu
