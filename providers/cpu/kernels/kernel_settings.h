#pragma once
// What the provider's options ask of its kernels.
//
// Thread rule: immutable. Example: shape.precision = settingsOf(info).precision;

#include "engine/math/precision.h"
#include "engine/provider/kernel.h"
#include "engine/provider/provider_run.h"

namespace cutaway::cpu {

struct KernelSettings final : ProviderResources {
  explicit KernelSettings(math::Precision asked) : precision(asked) {}
  math::Precision precision;
};

inline const KernelSettings& settingsOf(const KernelInfo& info) {
  static const KernelSettings kUsual(math::Precision::kFast);
  return info.resources() != nullptr ? static_cast<const KernelSettings&>(*info.resources()) : kUsual;
}

}  // namespace cutaway::cpu
