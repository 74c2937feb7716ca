#include "providers/cpu/kernels/convolution/fused_activation.h"

#include <optional>

#include "engine/operators/fused_activation.h"

namespace cutaway::cpu {

namespace {

std::optional<math::ActivationKind> kindOf(operators::ElementFunction function) {
  using math::ActivationKind;
  using operators::ElementFunction;
  switch (function) {
    case ElementFunction::kRelu:
      return ActivationKind::kRelu;
    case ElementFunction::kLeakyRelu:
      return ActivationKind::kLeakyRelu;
    case ElementFunction::kClip:
      return ActivationKind::kClip;
    case ElementFunction::kSigmoid:
      return ActivationKind::kSigmoid;
    case ElementFunction::kTanh:
      return ActivationKind::kTanh;
    case ElementFunction::kHardSwish:
      return ActivationKind::kHardSwish;
    case ElementFunction::kHardSigmoid:
      return ActivationKind::kHardSigmoid;
    case ElementFunction::kElu:
      return ActivationKind::kElu;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<math::Activation> readFusedActivation(const KernelInfo& info) {
  const operators::FusedActivation fused = operators::readFusedActivation(info.node());
  if (fused.name.empty()) return math::Activation{};
  const std::optional<math::ActivationKind> kind = kindOf(fused.function);
  if (!kind) return fail(ErrorCode::kNotImplemented, "fused activation '{}' is not supported", fused.name);
  return math::Activation{*kind, fused.first, fused.second};
}

}  // namespace cutaway::cpu
