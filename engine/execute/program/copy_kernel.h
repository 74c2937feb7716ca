#pragma once
// Runs the partition stage's Memcpy nodes through the provider that owns the device.
//
// Thread rule: as Kernel. Example: auto kernel = std::make_shared<CopyKernel>(provider, number);

#include "engine/provider/device_run.h"
#include "engine/provider/execution_provider.h"

namespace cutaway::execute {

class CopyKernel final : public Kernel {
 public:
  // number: of the notification that the device gives when the copy is done (ProviderRun).
  CopyKernel(const ExecutionProvider& provider, int32_t number) : m_provider(provider), m_number(number) {}
  Result<void> run(KernelContext& context) const override {
    const Tensor* from = context.input(0);
    if (from == nullptr) return fail(ErrorCode::kNotImplemented, "only tensors can be copied between devices");
    CUTAWAY_TRY(Tensor * to, context.output(0, from->type(), from->dims()));
    // Frames take no other kind of run.
    auto* const run = static_cast<DeviceRun*>(context.providerRun());
    return run == nullptr ? m_provider.copy(*from, *to) : run->copyAside(*from, *to, m_number);
  }
  std::string_view variant() const override { return "copy"; }
  std::string_view notReplayable() const override { return "it copies between the host and the device"; }

 private:
  const ExecutionProvider& m_provider;
  int32_t m_number;
};

}  // namespace cutaway::execute
