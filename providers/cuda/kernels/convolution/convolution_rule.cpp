#include "providers/cuda/kernels/convolution/convolution_rule.h"

#include <optional>

#include "engine/operators/fused_activation.h"
#include "engine/provider/execution_provider.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

std::optional<Activation> activationOf(operators::ElementFunction function) {
  using operators::ElementFunction;
  switch (function) {
    case ElementFunction::kRelu:
      return Activation::kRelu;
    case ElementFunction::kLeakyRelu:
      return Activation::kLeakyRelu;
    case ElementFunction::kClip:
      return Activation::kClip;
    case ElementFunction::kSigmoid:
      return Activation::kSigmoid;
    case ElementFunction::kTanh:
      return Activation::kTanh;
    case ElementFunction::kHardSwish:
      return Activation::kHardSwish;
    case ElementFunction::kHardSigmoid:
      return Activation::kHardSigmoid;
    case ElementFunction::kElu:
      return Activation::kElu;
    default:
      return std::nullopt;
  }
}

Result<void> readActivation(const KernelInfo& info, Epilogue& epilogue) {
  const operators::FusedActivation fused = operators::readFusedActivation(info.node());
  if (fused.name.empty()) return {};
  const std::optional<Activation> activation = fused.name == "Silu" ? Activation::kSilu : activationOf(fused.function);
  if (!activation) return fail(ErrorCode::kNotImplemented, "fused activation '{}' is not supported", fused.name);
  epilogue.activation = *activation;
  epilogue.first = fused.first;
  epilogue.second = fused.second;
  return {};
}

}  // namespace

Result<ConvolutionRule> readConvolutionRule(const KernelInfo& info) {
  CUTAWAY_CHECK(checkWindowRank(info));
  if (!info.hasInput(0) || !info.hasInput(1))
    return fail(ErrorCode::kInvalidArgument, "{} needs X and W", info.node().opType);
  ConvolutionRule rule;
  const std::string& name = info.node().opType;
  rule.transposed = name == "ConvTranspose" || name == "ConvTransposeWithDynamicPads";
  rule.padsAreInput = name == "ConvTransposeWithDynamicPads";
  const bool ours = info.node().domain == kCudaDomain;
  rule.channelsLast = info.node().domain == kChannelsLastDomain || name == "NhwcConv" ||
                      (ours && info.attribute<int64_t>("channels_last", 0) != 0);
  rule.weightsLast = name == "NhwcConv" || (ours && info.attribute<int64_t>("weights_last", 0) != 0);
  rule.groups = info.attribute<int64_t>("group", 1);
  constexpr int64_t kMost = int64_t{1} << 30;
  if (rule.groups < 1 || rule.groups > kMost)
    return fail(ErrorCode::kInvalidArgument, "{}: group is {}", name, rule.groups);
  if (rule.transposed) {
    CUTAWAY_TRY(rule.attributes, operators::readTransposedWindowAttributes(info.node()));
  } else {
    CUTAWAY_TRY(rule.attributes.window, readWindowAttributes(info.node()));
  }
  CUTAWAY_CHECK(readActivation(info, rule.epilogue));
  rule.epilogue.bias = info.hasInput(rule.biasSlot());
  rule.epilogue.residual = !rule.transposed && info.hasInput(ConvolutionRule::kResidualSlot);
  return rule;
}

Result<ConvolutionShape> shapeOf(const ConvolutionRule& rule, std::span<const int64_t> x, std::span<const int64_t> w,
                                 std::span<const int64_t> pads) {
  if (x.size() < 3 || w.size() != x.size())
    return fail(ErrorCode::kInvalidArgument, "a convolution needs X and W of one rank of 3 or more, not {} and {}",
                x.size(), w.size());
  const size_t axes = x.size() - 2;
  ConvolutionShape shape{.batch = x[0], .channels = rule.channelsLast ? x.back() : x[1]};
  const int64_t outer = w[0], inner = rule.weightsLast ? w.back() : w[1];
  const auto kernel = w.subspan(rule.weightsLast ? 1 : 2, axes);
  const auto spatial = x.subspan(rule.channelsLast ? 1 : 2, axes);
  const int64_t read = rule.transposed ? outer : inner, groups = rule.groups;
  constexpr int64_t kMost = int64_t{1} << 30;
  bool fits = inner >= 1 && inner <= kMost && outer <= kMost && shape.channels <= kMost;
  fits = fits && (rule.transposed ? shape.channels == read && shape.channels % groups == 0
                                  : read * groups == shape.channels && outer % groups == 0);
  if (!fits)
    return fail(ErrorCode::kInvalidArgument, "convolution: X has {} channels, W is {}, group {}", shape.channels,
                dimsToText(w), groups);
  shape.filters = rule.transposed ? inner * groups : outer;
  if (rule.transposed) {
    CUTAWAY_TRY(shape.window, placeTransposedWindow(rule.attributes, pads, spatial, kernel, kMostWindowAxes));
  } else {
    CUTAWAY_TRY(shape.window,
                placeWindow(rule.attributes.window, spatial, kernel, WindowFit::kMustFit, kMostWindowAxes));
  }
  shape.output = imageDims(shape.batch, shape.filters, {shape.window.output.data(), axes}, rule.channelsLast);
  return shape;
}

ConvolutionDescription describeConvolution(const ConvolutionRule& rule, const ConvolutionShape& shape, ElementType type,
                                           bool tf32) {
  ConvolutionDescription d{.spatial = static_cast<int>(shape.window.rank),
                           .batch = shape.batch,
                           .channels = shape.channels,
                           .filters = shape.filters,
                           .groups = rule.groups};
  const Window& window = shape.window;
  for (size_t axis = 0; axis < kMostWindowAxes; ++axis) {
    d.input[axis] = window.input[axis];
    d.kernel[axis] = window.kernel[axis];
    d.output[axis] = window.output[axis];
    d.stride[axis] = window.strides[axis];
    d.dilation[axis] = window.dilations[axis];
    d.padBegin[axis] = window.padsBegin[axis];
    d.padEnd[axis] = window.padsEnd[axis];
  }
  d.channelsLast = rule.channelsLast;
  d.transposed = rule.transposed;
  d.type = d.bias = type;
  d.epilogue = rule.epilogue;
  d.math = tf32 && type == ElementType::kFloat ? MathMode::kTf32 : MathMode::kPrecise;
  return d;
}

Result<ConvolutionParameters> convolutionParameters(const ConvolutionRule& rule, const ConvolutionShape& shape) {
  ConvolutionParameters p{.batch = shape.batch, .filters = shape.filters, .groups = static_cast<int32_t>(rule.groups)};
  p.channelsPerGroup = static_cast<int32_t>(shape.channels / rule.groups);
  p.filtersPerGroup = static_cast<int32_t>(shape.filters / rule.groups);
  CUTAWAY_CHECK(fillWindow(shape.window, p));
  p.channelsLast = rule.channelsLast;
  const int64_t inner = rule.transposed ? p.filtersPerGroup : p.channelsPerGroup, cells = shape.window.kernelCells();
  p.weightOuter = inner * cells;
  p.weightInner = rule.weightsLast ? 1 : cells;
  p.weightCell = rule.weightsLast ? inner : 1;
  p.activation = static_cast<int32_t>(rule.epilogue.activation);
  p.first = rule.epilogue.first;
  p.second = rule.epilogue.second;
  return p;
}

}  // namespace cutaway::cuda
