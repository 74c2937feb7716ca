#include "providers/cpu/kernels/convolution/fused_activation.h"

#include <limits>

namespace cutaway {

Result<math::Activation> readFusedActivation(const KernelInfo& info) {
  using math::ActivationKind;
  const auto name = info.attribute<std::string>("activation", "");
  auto parameters = info.attribute<std::vector<float>>("activation_params", {});
  const auto parameter = [&](size_t index, float otherwise) {
    return index < parameters.size() ? parameters[index] : otherwise;
  };
  const auto alpha = [&](float otherwise) {
    return parameters.empty() ? info.attribute<float>("activation_alpha", otherwise) : parameters[0];
  };
  const auto beta = [&](float otherwise) {
    return parameters.size() < 2 ? info.attribute<float>("activation_beta", otherwise) : parameters[1];
  };
  if (name.empty()) return math::Activation{};
  if (name == "Relu") return math::Activation{ActivationKind::kRelu, 0.0f, 0.0f};
  if (name == "LeakyRelu") return math::Activation{ActivationKind::kLeakyRelu, alpha(0.01f), 0.0f};
  if (name == "Clip")
    return math::Activation{ActivationKind::kClip, parameter(0, std::numeric_limits<float>::lowest()),
                            parameter(1, std::numeric_limits<float>::max())};
  if (name == "Sigmoid") return math::Activation{ActivationKind::kSigmoid, 0.0f, 0.0f};
  if (name == "Tanh") return math::Activation{ActivationKind::kTanh, 0.0f, 0.0f};
  if (name == "HardSwish") return math::Activation{ActivationKind::kHardSwish, 0.0f, 0.0f};
  if (name == "HardSigmoid") return math::Activation{ActivationKind::kHardSigmoid, alpha(0.2f), beta(0.5f)};
  if (name == "Elu") return math::Activation{ActivationKind::kElu, alpha(1.0f), 0.0f};
  return fail(ErrorCode::kNotImplemented, "fused activation '{}' is not supported", name);
}

}  // namespace cutaway
