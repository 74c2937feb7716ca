#pragma once
// Runs the partition stage's Memcpy nodes through the provider that owns the device.
//
// Thread rule: as Kernel. Example: auto kernel = std::make_shared<CopyKernel>(provider);

#include "engine/provider/execution_provider.h"

namespace cutaway {

class CopyKernel final : public Kernel {
 public:
  explicit CopyKernel(const ExecutionProvider& provider) : m_provider(provider) {}
  Result<void> run(KernelContext& context) const override {
    const Tensor* from = context.input(0);
    if (from == nullptr) return fail(ErrorCode::kNotImplemented, "only tensors can be copied between devices");
    CUTAWAY_TRY(Tensor * to, context.output(0, from->type(), from->dims()));
    ProviderRun* const run = context.providerRun();
    if (run == nullptr) return m_provider.copy(*from, *to);
    CUTAWAY_CHECK(run->copy(*from, *to));
    // The host may read it from here on.
    if (to->device().type != DeviceType::kCpu) return {};
    CUTAWAY_CHECK(run->signal(0));
    return run->waitOnHost(0);
  }
  std::string_view variant() const override { return "copy"; }

 private:
  const ExecutionProvider& m_provider;
};

}  // namespace cutaway
