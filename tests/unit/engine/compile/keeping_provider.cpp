#include "tests/unit/engine/compile/keeping_provider.h"

#include "engine/provider/graph_interpreter.h"
#include "engine/provider/graph_sections.h"
#include "tests/unit/engine/session/plain_cpu.h"

namespace cutaway {
namespace {

const KernelRegistry* plainKernels() {
  static const std::unique_ptr<ExecutionProvider> cpu = *plainTable().front().create({});
  return cpu->kernels();
}

class KeepingProvider final : public ExecutionProvider {
 public:
  explicit KeepingProvider(KeepingPlan& plan) : m_plan(plan), m_inner(makeTestProvider(withKernels(plan.test))) {}

  const std::string& name() const override { return m_inner->name(); }
  const Device& device() const override { return m_inner->device(); }
  Allocator& allocator() override { return m_inner->allocator(); }
  const KernelRegistry* kernels() const override { return m_inner->kernels(); }
  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    return m_inner->capability(request);
  }
  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    m_plan.compiled += static_cast<int>(groups.size());
    if (m_plan.onCompile) m_plan.onCompile();
    return m_inner->compile(groups, progress);
  }

  ContextSupport contextSupport() const override {
    return {m_plan.kind, m_plan.reason, m_plan.sdkVersion, m_plan.hardware};
  }
  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled, const Progress&) override {
    if (m_plan.onExport) CUTAWAY_CHECK(m_plan.onExport(compiled.group.fusedName));
    context_binary::ContextPartition partition;
    CUTAWAY_TRY(partition.sections, writeGraphSections(compiled.group.graph, compiled.group.model));
    return partition;
  }
  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    if (m_plan.onRestore) CUTAWAY_CHECK(m_plan.onRestore(stored));
    CUTAWAY_TRY(Model model, readGraphSections(stored.partition, stored.keepAlive, progress));
    CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(std::move(model.graph), *plainKernels()));
    ++m_plan.restored;
    return CompiledNode{.kernel = std::move(kernel), .inplace = {}};
  }
  std::string compatibilityInfo() const override { return m_plan.information; }
  CompatibilityVerdict checkCompatibility(std::string_view info) const override {
    return m_plan.judge ? m_plan.judge(info) : ExecutionProvider::checkCompatibility(info);
  }

 private:
  static TestProviderPlan withKernels(TestProviderPlan plan) {
    plan.innerKernels = plainKernels();
    return plan;
  }
  KeepingPlan& m_plan;
  std::unique_ptr<ExecutionProvider> m_inner;
};

template <KeepingPlan& (*plan)()>
Result<std::unique_ptr<ExecutionProvider>> make(const ProviderRequest&) {
  return std::make_unique<KeepingProvider>(plan());
}

}  // namespace

KeepingPlan& keeperPlan() {
  static KeepingPlan plan{.test = {.name = "keeper"}};
  return plan;
}

KeepingPlan& otherPlan() {
  static KeepingPlan plan{.test = {.name = "other"}};
  return plan;
}

ProviderTable keeperTable() {
  return {{.name = "keeper", .displayName = "Keeper", .description = "", .create = make<keeperPlan>},
          {.name = "other", .displayName = "Other", .description = "", .create = make<otherPlan>},
          plainTable().front()};
}

}  // namespace cutaway
