// Activations: one float function each, parameters from attributes. Relu takes signed integers too, Shrink every
// integer; the withdrawn ones of old opsets are gain * f(slope * x) + offset.

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

Made withAttributes(const KernelInfo& info, std::string_view function, std::string_view first, float alpha,
                    std::string_view second = "", float beta = 0) {
  const float a = info.attribute(first, alpha), b = second.empty() ? beta : info.attribute(second, beta);
  return makeFloatFunction(info, function, static_cast<double>(a), static_cast<double>(b));
}
Made makeLeakyRelu(const KernelInfo& info) {
  return withAttributes(info, "leakyRelu", "alpha", 0.01f);
}
Made makeElu(const KernelInfo& info) {
  return withAttributes(info, "elu", "alpha", 1.0f);
}
Made makeCelu(const KernelInfo& info) {
  return withAttributes(info, "celu", "alpha", 1.0f);
}
Made makeThresholdedRelu(const KernelInfo& info) {
  return withAttributes(info, "thresholdedRelu", "alpha", 1.0f);
}
Made makeSwish(const KernelInfo& info) {
  return withAttributes(info, "swish", "alpha", 1.0f);
}
Made makeQuickGelu(const KernelInfo& info) {
  return withAttributes(info, "swish", "alpha", 1.702f);
}
Made makeHardSigmoid(const KernelInfo& info) {
  return withAttributes(info, "hardSigmoid", "alpha", 0.2f, "beta", 0.5f);
}
Made makeSelu1(const KernelInfo& info) {
  return withAttributes(info, "selu", "alpha", 1.6732f, "gamma", 1.0507f);
}
Made makeSelu(const KernelInfo& info) {
  return withAttributes(info, "selu", "alpha", 1.67326319217681884765625f, "gamma", 1.05070102214813232421875f);
}
Made makeAffine(const KernelInfo& info) {
  return withAttributes(info, "affine", "alpha", 1.0f, "beta", 0.0f);
}
Made makeScale(const KernelInfo& info) {
  return withAttributes(info, "affine", "scale", 1.0f);
}
Made makeScaledTanh(const KernelInfo& info) {
  return withAttributes(info, "scaledTanh", "alpha", 1.0f, "beta", 1.0f);
}
Made makeParametricSoftplus(const KernelInfo& info) {
  return withAttributes(info, "scaledSoftplus", "alpha", 1.0f, "beta", 1.0f);
}

Made makeGelu(const KernelInfo& info) {
  const std::string mode = info.attribute<std::string>("approximate", "none");
  if (mode != "none" && mode != "tanh")
    return fail(ErrorCode::kInvalidArgument, "Gelu: approximate is '{}', not none or tanh", mode);
  return makeFloatFunction(info, mode == "tanh" ? "geluTanh" : "gelu");
}

Made makeRelu(const KernelInfo& info) {
  if (isRealFloat(info.inputElement(0))) return makeFloatFunction(info, "relu");
  CUTAWAY_TRY(std::string functor, functorName(info, "integer1", info.inputElement(0)));
  return makeOne(info, {.functor = std::move(functor), .code = static_cast<int32_t>(IntegerOne::kRelu)});
}

Made makeShrink(const KernelInfo& info) {
  const auto limit = static_cast<double>(info.attribute("lambd", 0.5f)),
             bias = static_cast<double>(info.attribute("bias", 0.0f));
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
      row("LeakyRelu", {1}, gpuKernel<makeLeakyRelu>),
      row("Elu", {1}, gpuKernel<makeElu>),
      row("Selu", {1, 5}, gpuKernel<makeSelu1>),
      row("Selu", {6}, gpuKernel<makeSelu>),
      row("Celu", {12}, gpuKernel<makeCelu>),
      row("ThresholdedRelu", {1}, gpuKernel<makeThresholdedRelu>),
      row("Sigmoid", {1}, gpuKernel<makePlain<Name{"sigmoid"}>>),
      row("HardSigmoid", {1}, gpuKernel<makeHardSigmoid>),
      row("HardSwish", {14}, gpuKernel<makePlain<Name{"hardSwish"}>>),
      row("Swish", {24}, gpuKernel<makeSwish>),
      row("Mish", {18}, gpuKernel<makePlain<Name{"mish"}>>),
      row("Softplus", {1}, gpuKernel<makePlain<Name{"softplus"}>>),
      row("Softsign", {1}, gpuKernel<makePlain<Name{"softsign"}>>),
      row("Tanh", {1}, gpuKernel<makePlain<Name{"tanh"}>>),
      row("Gelu", {20}, gpuKernel<makeGelu>),
      row("Gelu", {1}, gpuKernel<makePlain<Name{"gelu"}>>, kFloatRules, "com.microsoft"),
      row("QuickGelu", {1}, gpuKernel<makeQuickGelu>, kFloatRules, "com.microsoft"),
      row("Shrink", {9}, gpuKernel<makeShrink>, kNumericRules),
      row("Affine", {1, 9}, gpuKernel<makeAffine>),
      row("Scale", {1, 9}, gpuKernel<makeScale>),
      row("ScaledTanh", {1, 9}, gpuKernel<makeScaledTanh>),
      row("ParametricSoftplus", {1, 9}, gpuKernel<makeParametricSoftplus>),
  };
  return rows;
}

}  // namespace cutaway::cuda
