#include "providers/cuda/kernels/matmul/activation_attributes.h"

#include <limits>

namespace cutaway::cuda {

Result<void> readActivation(const KernelInfo& info, ProductFinish& finish) {
  const std::string name = info.attribute<std::string>("activation", "");
  const std::vector<float> list = info.attribute<std::vector<float>>("activation_params", {});
  const auto number = [&](std::string_view attribute, size_t place, float otherwise) {
    return place < list.size() ? list[place] : info.attribute<float>(attribute, otherwise);
  };
  const auto alpha = [&](float otherwise) { return number("activation_alpha", 0, otherwise); };
  const auto beta = [&](float otherwise) { return number("activation_beta", 1, otherwise); };
  const auto take = [&](FinishKind kind, float first = 0, float second = 0) {
    finish.kind = kind;
    finish.first = first;
    finish.second = second;
    return Result<void>{};
  };
  const auto scaled = [&](FinishKind kind) {
    finish.inner = beta(1);
    finish.outer = alpha(1);
    return take(kind);
  };
  if (name.empty()) return {};
  if (name == "Relu") return take(FinishKind::kRelu);
  if (name == "LeakyRelu") return take(FinishKind::kLeakyRelu, alpha(0.01f));
  if (name == "Clip")
    return take(FinishKind::kClip, number("activation_min", 0, std::numeric_limits<float>::lowest()),
                number("activation_max", 1, std::numeric_limits<float>::max()));
  if (name == "Sigmoid") return take(FinishKind::kSigmoid);
  if (name == "Tanh") return take(FinishKind::kTanh);
  if (name == "HardSigmoid") return take(FinishKind::kHardSigmoid, alpha(0.2f), beta(0.5f));
  if (name == "HardSwish") return take(FinishKind::kHardSwish);
  if (name == "Gelu") return take(FinishKind::kGeluErf);
  if (name == "FastGelu") return take(FinishKind::kGeluTanh);
  if (name == "Silu") return take(FinishKind::kSilu);
  if (name == "Elu") return take(FinishKind::kElu, alpha(1));
  if (name == "Softplus") return take(FinishKind::kSoftplus);
  if (name == "Softsign") return take(FinishKind::kSoftsign);
  if (name == "Celu") return take(FinishKind::kCelu, alpha(1));
  if (name == "ThresholdedRelu") return take(FinishKind::kThresholdedRelu, alpha(1));
  if (name == "Selu")
    return take(FinishKind::kSelu, alpha(1.67326319f), info.attribute<float>("activation_gamma", 1.05070102f));
  if (name == "ParametricSoftplus") return scaled(FinishKind::kSoftplus);
  if (name == "ScaledTanh") return scaled(FinishKind::kTanh);
  return fail(ErrorCode::kNotImplemented, "{}: the activation '{}' is not one that follows a product",
              info.node().opType, name);
}

}  // namespace cutaway::cuda
