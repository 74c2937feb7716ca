#include "providers/cuda/kernels/matmul/activation_attributes.h"

#include <optional>

#include "engine/operators/fused_activation.h"

namespace cutaway::cuda {

namespace {

std::optional<FinishKind> kindOf(operators::ElementFunction function) {
  using operators::ElementFunction;
  switch (function) {
    case ElementFunction::kRelu:
      return FinishKind::kRelu;
    case ElementFunction::kLeakyRelu:
      return FinishKind::kLeakyRelu;
    case ElementFunction::kClip:
      return FinishKind::kClip;
    case ElementFunction::kSigmoid:
      return FinishKind::kSigmoid;
    case ElementFunction::kTanh:
    case ElementFunction::kScaledTanh:
      return FinishKind::kTanh;
    case ElementFunction::kHardSigmoid:
      return FinishKind::kHardSigmoid;
    case ElementFunction::kHardSwish:
      return FinishKind::kHardSwish;
    case ElementFunction::kGelu:
      return FinishKind::kGeluErf;
    case ElementFunction::kGeluTanh:
      return FinishKind::kGeluTanh;
    case ElementFunction::kElu:
      return FinishKind::kElu;
    case ElementFunction::kSoftplus:
    case ElementFunction::kScaledSoftplus:
      return FinishKind::kSoftplus;
    case ElementFunction::kSoftsign:
      return FinishKind::kSoftsign;
    case ElementFunction::kCelu:
      return FinishKind::kCelu;
    case ElementFunction::kThresholdedRelu:
      return FinishKind::kThresholdedRelu;
    case ElementFunction::kSelu:
      return FinishKind::kSelu;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<void> readActivation(const KernelInfo& info, ProductFinish& finish) {
  using operators::ElementFunction;
  const operators::FusedActivation fused = operators::readFusedActivation(info.node());
  if (fused.name.empty()) return {};
  const std::optional<FinishKind> kind = fused.name == "Silu" ? FinishKind::kSilu : kindOf(fused.function);
  if (!kind)
    return fail(ErrorCode::kNotImplemented, "{}: the activation '{}' is not one that follows a product",
                info.node().opType, fused.name);
  finish.kind = *kind;
  if (fused.function == ElementFunction::kScaledTanh || fused.function == ElementFunction::kScaledSoftplus) {
    finish.first = finish.second = 0;
    finish.outer = fused.first;
    finish.inner = fused.second;
  } else {
    finish.first = fused.first;
    finish.second = fused.second;
  }
  return {};
}

}  // namespace cutaway::cuda
