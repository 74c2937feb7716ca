#include "providers/skeleton/provider.h"

#include "providers/skeleton/device.h"

namespace cutaway {

namespace {

constexpr const char* kName = "skeleton";

class SkeletonProvider final : public ExecutionProvider {
 public:
  const std::string& name() const override { return m_name; }

  // The memory that values live in between this provider's nodes. A provider on the host keeps the host's device, and no copies are inserted around its nodes.
  const Device& device() const override { return skeletonDevice(); }
  Allocator& allocator() override { return heapAllocator(); }

  // Kernels that run single nodes: give a registry made from your kernels/ table, or nothing when every claim is compiled.
  const KernelRegistry* kernels() const override { return nullptr; }

  // Say for every free node: a claim, or a refusal with a cause and a reason that tells the user what would have to change.
  // Groups go out with a MetaDef: a stable name, inputs and outputs in the order compile() and the fused node will use.
  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CapabilityAnswer answer;
    for (const NodeId id : request.free) {
      answer.refusals.push_back({id, RefusalCause::kOperator, fmt::format("the skeleton takes nothing; {} is no exception", request.graph.node(id).opType)});
    }
    return answer;
  }

  // One CompiledNode per group, in order. Its kernel must be immutable and callable from several threads; what a run changes belongs into a KernelState.
  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    return ExecutionProvider::compile(groups, progress);
  }

 private:
  std::string m_name = kName;
};

}  // namespace

ProviderEntry skeletonProvider() {
  return {.name = kName,
          .displayName = "Skeleton",
          .description = "claims nothing; the folder to clone for a new provider",
          .probe = [] { return ProviderStatus{.usable = true, .version = "1", .reason = {}}; },
          .create = [](const ProviderOptions& options) -> Result<std::unique_ptr<ExecutionProvider>> {
            // Refuse options you do not know: a misspelt key that is silently ignored costs users hours.
            if (!options.empty()) return fail(ErrorCode::kInvalidArgument, "provider {} has no option '{}'", kName, options.begin()->first);
            return std::make_unique<SkeletonProvider>();
          }};
}

}  // namespace cutaway
