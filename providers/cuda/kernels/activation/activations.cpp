// Activations: one float function each, parameters from attributes. Relu takes signed integers too, Shrink every
// integer; the withdrawn ones of old opsets are gain * f(slope * x) + offset.

#include "engine/operators/activation.h"
#include "providers/cuda/functors/element_math.h"
#include "providers/cuda/functors/integer_math.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

using element::IntegerOne;
using Made = Result<std::unique_ptr<GpuKernel>>;
struct Name {
  char text[24];
};

template <Name name>
Made makePlain(const KernelInfo& info) {
  return makeFloatFunction(info, name.text);
}

template <Name name>
Made makeWithParameters(const KernelInfo& info) {
  const auto [first, second] = operators::functionParameters(info.node());
  return makeFloatFunction(info, name.text, static_cast<double>(first), static_cast<double>(second));
}

Made makeAffine(const KernelInfo& info) {
  return makeFloatFunction(info, "affine", static_cast<double>(info.attribute("alpha", 1.0f)),
                           static_cast<double>(info.attribute("beta", 0.0f)));
}
Made makeScale(const KernelInfo& info) {
  return makeFloatFunction(info, "affine", static_cast<double>(info.attribute("scale", 1.0f)));
}

Made makeGelu(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::ElementFunction function, operators::geluFunction(info.node()));
  return makeFloatFunction(info, function == operators::ElementFunction::kGeluTanh ? "geluTanh" : "gelu");
}

Made makeRelu(const KernelInfo& info) {
  if (isRealFloat(info.inputElement(0))) return makeFloatFunction(info, "relu");
  CUTAWAY_TRY(std::string functor, functorName(info, "integer1", info.inputElement(0)));
  return makeOne(info, {.functor = std::move(functor), .code = static_cast<int32_t>(IntegerOne::kRelu)});
}

Made makeShrink(const KernelInfo& info) {
  const auto [first, second] = operators::functionParameters(info.node());
  const auto limit = static_cast<double>(first), bias = static_cast<double>(second);
  const ElementType type = info.inputElement(0);
  if (isRealFloat(type)) return makeFloatFunction(info, "shrink", limit, bias);
  CUTAWAY_TRY(std::string functor, functorName(info, "integer1", type));
  const IntegerRange range = integerRange(type);
  return makeOne(info, {.functor = std::move(functor),
                        .code = static_cast<int32_t>(IntegerOne::kShrink),
                        .first = limit,
                        .second = bias,
                        .low = range.low,
                        .high = range.high});
}

using Create = Result<std::unique_ptr<Kernel>> (*)(const KernelInfo&);
constexpr KernelRow row(std::string_view opType, VersionSpan versions, Create create,
                        std::span<const TypeRule> types = kFloatRules, std::string_view domain = "") {
  return {.opType = opType,
          .domain = domain,
          .versions = versions,
          .types = types,
          .inplace = kFirstInPlace,
          .fastPath = "cuda",
          .create = create};
}

}  // namespace

KernelRows kernel_activations() {
  static constexpr KernelRow rows[] = {
      row("Relu", {1}, gpuKernel<makeRelu>, kSignedRules),
      row("LeakyRelu", {1}, gpuKernel<makeWithParameters<Name{"leakyRelu"}>>),
      row("Elu", {1}, gpuKernel<makeWithParameters<Name{"elu"}>>),
      row("Selu", {1, 5}, gpuKernel<makeWithParameters<Name{"selu"}>>),
      row("Selu", {6}, gpuKernel<makeWithParameters<Name{"selu"}>>),
      row("Celu", {12}, gpuKernel<makeWithParameters<Name{"celu"}>>),
      row("ThresholdedRelu", {1}, gpuKernel<makeWithParameters<Name{"thresholdedRelu"}>>),
      row("Sigmoid", {1}, gpuKernel<makePlain<Name{"sigmoid"}>>),
      row("HardSigmoid", {1}, gpuKernel<makeWithParameters<Name{"hardSigmoid"}>>),
      row("HardSwish", {14}, gpuKernel<makePlain<Name{"hardSwish"}>>),
      row("Swish", {24}, gpuKernel<makeWithParameters<Name{"swish"}>>),
      row("Mish", {18}, gpuKernel<makePlain<Name{"mish"}>>),
      row("Softplus", {1}, gpuKernel<makePlain<Name{"softplus"}>>),
      row("Softsign", {1}, gpuKernel<makePlain<Name{"softsign"}>>),
      row("Tanh", {1}, gpuKernel<makePlain<Name{"tanh"}>>),
      row("Gelu", {20}, gpuKernel<makeGelu>),
      row("Gelu", {1}, gpuKernel<makePlain<Name{"gelu"}>>, kFloatRules, "com.microsoft"),
      row("QuickGelu", {1}, gpuKernel<makeWithParameters<Name{"swish"}>>, kFloatRules, "com.microsoft"),
      row("Shrink", {9}, gpuKernel<makeShrink>, kNumericRules),
      row("Affine", {1, 9}, gpuKernel<makeAffine>),
      row("Scale", {1, 9}, gpuKernel<makeScale>),
      row("ScaledTanh", {1, 9}, gpuKernel<makeWithParameters<Name{"scaledTanh"}>>),
      row("ParametricSoftplus", {1, 9}, gpuKernel<makeWithParameters<Name{"scaledSoftplus"}>>),
  };
  return rows;
}

}  // namespace cutaway::cuda
