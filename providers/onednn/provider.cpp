#include "providers/onednn/provider.h"

#include <cstring>

#include "providers/onednn/capability.h"
#include "providers/onednn/context.h"
#include "providers/onednn/device.h"
#include "providers/onednn/group_kernel.h"

namespace cutaway {

namespace {

constexpr const char* kName = "onednn";

class OnednnProvider final : public ExecutionProvider {
 public:
  explicit OnednnProvider(const onednn::Options& options) : m_options(options) {}
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return onednnDevice(); }
  Allocator& allocator() override { return heapAllocator(); }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    return m_capability.answer(request, m_options);
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      if (progress.cancelled()) return fail(cancelledError());
      auto kernel = onednn::GroupKernel::create({.graph = group.graph, .options = m_options});
      if (!kernel) return fail(ErrorCode::kEpFail, "{}", kernel.error().message);
      compiled.push_back({*std::move(kernel), {}});
    }
    return compiled;
  }

  ContextSupport contextSupport() const override { return onednn::contextSupport(); }
  std::string compatibilityInfo() const override { return onednn::compatibilityInfo(); }
  CompatibilityVerdict checkCompatibility(std::string_view info) const override {
    return onednn::checkCompatibility(info);
  }

  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                         const Progress& progress) override {
    if (progress.cancelled()) return fail(cancelledError());
    const auto* kernel = dynamic_cast<const onednn::GroupKernel*>(&compiled.kernel);
    if (kernel == nullptr)
      return fail(ErrorCode::kEpFail, "'{}' was not compiled by this provider", compiled.group.fusedName);
    return onednn::exportGroup(compiled.group, *kernel);
  }

  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    CUTAWAY_TRY(auto kernel, onednn::restoreGroup(stored, m_options.precision, progress));
    return CompiledNode{std::move(kernel), {}};
  }

  Result<void> copy(const Tensor& from, Tensor& to) const override {
    if (from.type() != to.type() || from.sizeBytes() != to.sizeBytes() || from.type() == ElementType::kString)
      return fail(ErrorCode::kInvalidArgument, "a copy needs tensors of one numeric type and size");
    if (from.sizeBytes() > 0) std::memcpy(to.mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()));
    return {};
  }

 private:
  std::string m_name = kName;
  onednn::Options m_options;
  onednn::Capability m_capability;
};

}  // namespace

ProviderEntry onednnProvider() {
  return {.name = kName,
          .displayName = "oneDNN",
          .description = "compiles groups of nodes to oneDNN primitives, fused and in blocked layouts",
          .probe = [] { return ProviderStatus{.usable = true, .version = onednn::libraryVersion(), .reason = {}}; },
          .create = [](const ProviderRequest& request) -> Result<std::unique_ptr<ExecutionProvider>> {
            CUTAWAY_TRY(const onednn::Options options, onednn::parseOptions(request.options));
            return std::make_unique<OnednnProvider>(options);
          },
          .onnxruntime = {{.name = "DnnlExecutionProvider", .device = "cpu"}},
          .contextSources = {{.name = kName, .title = "oneDNN"}, {.name = "dnnl", .title = "oneDNN"}}};
}

}  // namespace cutaway
