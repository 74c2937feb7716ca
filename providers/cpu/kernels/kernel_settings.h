#pragma once
// What the provider's options ask of its kernels.
//
// Thread rule: immutable. Example: attributes.exact = settingsOf(info).exact;

#include "engine/provider/kernel.h"
#include "engine/provider/provider_run.h"

namespace cutaway::cpu {

struct KernelSettings final : ProviderResources {
  explicit KernelSettings(bool asksForExact) : exact(asksForExact) {}
  bool exact;  // precision=exact: no algorithm that transforms its operands before it multiplies them
};

inline const KernelSettings& settingsOf(const KernelInfo& info) {
  static const KernelSettings kUsual(false);
  return info.resources() != nullptr ? static_cast<const KernelSettings&>(*info.resources()) : kUsual;
}

}  // namespace cutaway::cpu
