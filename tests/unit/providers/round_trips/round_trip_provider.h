#pragma once
// A provider that sends every group it compiles out to a context binary and back: what runs is what was restored.
//
// Thread rule: as ExecutionProvider; the counts belong to one thread.
// Example: auto provider = std::make_unique<RoundTripProvider>(std::move(openvino), counts);

#include <memory>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::testing {

struct RoundTripCounts {
  int groups = 0;      // restored
  int notTensors = 0;  // groups with sequences or optionals at their border, which contexts do not have
  int64_t bytes = 0;
  std::vector<std::string> failures;
};

class RoundTripProvider final : public ExecutionProvider {
 public:
  RoundTripProvider(std::unique_ptr<ExecutionProvider> inner, RoundTripCounts& counts)
      : m_inner(std::move(inner)), m_counts(counts) {}

  const std::string& name() const override { return m_inner->name(); }
  const Device& device() const override { return m_inner->device(); }
  Allocator& allocator() override { return m_inner->allocator(); }
  const KernelRegistry* kernels() const override { return m_inner->kernels(); }
  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    return m_inner->capability(request);
  }
  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override;
  Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& model, Graph& graph, int level) override {
    return m_inner->rewriteAssigned(model, graph, level);
  }
  LayoutPreference preferredLayout() const override { return m_inner->preferredLayout(); }
  bool simulated() const override { return m_inner->simulated(); }
  std::optional<DeviceSpeed> speed() const override { return m_inner->speed(); }
  void useFallbackKernels(const KernelRegistry* kernels) override { m_inner->useFallbackKernels(kernels); }
  Result<void> copy(const Tensor& from, Tensor& to) const override { return m_inner->copy(from, to); }

 private:
  Result<CompiledNode> thereAndBack(const FusedSubGraph& group, const CompiledNode& compiled, const Progress& progress);

  std::unique_ptr<ExecutionProvider> m_inner;
  RoundTripCounts& m_counts;
};

}  // namespace cutaway::testing
