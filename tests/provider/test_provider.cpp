#include "tests/provider/test_provider.h"

#include <unordered_map>

#include "engine/context_binary/context_node.h"
#include "engine/provider/graph_interpreter.h"
#include "engine/provider/graph_sections.h"

namespace cutaway {

namespace {

class TestProvider final : public ExecutionProvider {
 public:
  explicit TestProvider(TestProviderPlan plan) : m_plan(std::move(plan)) {
    if (m_plan.counts == nullptr) m_plan.counts = std::make_shared<TestProviderCounts>();
    if (m_plan.ownDevice) m_device = {DeviceType::kSimulated, 0, m_plan.name};
  }

  ~TestProvider() override {
    if (m_plan.onEnd) m_plan.onEnd();
  }

  const std::string& name() const override { return m_plan.name; }
  bool simulated() const override { return m_plan.simulated; }
  std::vector<std::string> deviceWords() const override { return m_plan.deviceWords; }
  const Device& device() const override { return m_device; }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override { return m_plan.kernels; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    for (const NodeId id : request.free)
      m_plan.counts->contextNodesOffered += context_binary::isContextNode(request.graph.node(id)) ? 1 : 0;
    if (m_plan.answer) return m_plan.answer(request);
    CapabilityAnswer answer;
    std::unordered_map<std::string, NodeId> free;
    for (const NodeId id : request.free)
      free[request.graph.node(id).name] = id;
    std::set<std::string> claimed;
    for (const std::vector<std::string>& group : m_plan.groups)
      claimGroup(group, free, claimed, answer);
    for (const NodeId id : request.free) {
      const Node& node = request.graph.node(id);
      if (claimed.contains(node.name)) continue;
      if (m_plan.singles.contains(node.name)) {
        answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
      } else if (m_plan.groupOperators.contains(node.opType)) {
        answer.claims.push_back(
            {.subGraph = {.nodes = {id},
                          .metaDef = MetaDef{.name = node.opType, .domain = {}, .inputs = {}, .outputs = {}}}});
      } else {
        answer.refusals.push_back(
            {id, RefusalCause::kOperator, fmt::format("the test did not ask for {}", node.opType)});
      }
    }
    return answer;
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    m_plan.counts->compiled += static_cast<int64_t>(groups.size());
    if (m_plan.onCompile) return m_plan.onCompile(groups, progress);
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      for (const NodeId id : group.graph.nodeIds()) {
        if (m_plan.failing.contains(group.graph.node(id).name))
          return fail(ErrorCode::kEpFail, "told to fail at {}", group.graph.node(id).name);
      }
      if (m_plan.innerKernels == nullptr)
        return fail(ErrorCode::kEpFail, "the test gave no kernels to run the group with");
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(group.graph, *m_plan.innerKernels));
      compiled.push_back({.kernel = std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

  ContextSupport contextSupport() const override {
    return {m_plan.contexts.kind, m_plan.contexts.reason, m_plan.contexts.sdkVersion, m_plan.contexts.hardware};
  }

  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                         const Progress& progress) override {
    ++m_plan.counts->exported;
    if (m_plan.contexts.onExport) {
      if (std::optional<Error> told = m_plan.contexts.onExport(compiled, progress)) return fail(*std::move(told));
    }
    context_binary::ContextPartition partition;
    partition.attributes = m_plan.contexts.attributes;
    CUTAWAY_TRY(partition.sections, writeGraphSections(compiled.group.graph, compiled.group.model));
    return partition;
  }

  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    ++m_plan.counts->restored;
    if (m_plan.contexts.onRestore) {
      if (std::optional<Error> told = m_plan.contexts.onRestore(stored, progress)) return fail(*std::move(told));
    }
    if (m_plan.contexts.withoutKernel) return CompiledNode{};
    if (m_plan.innerKernels == nullptr)
      return fail(ErrorCode::kEpFail, "the test gave no kernels to run the group with");
    CUTAWAY_TRY(Model model, readGraphSections(stored.partition, stored.keepAlive, progress));
    CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(std::move(model.graph), *m_plan.innerKernels));
    return CompiledNode{std::move(kernel), m_plan.contexts.inplace};
  }

  std::string compatibilityInfo() const override { return m_plan.contexts.compatibility; }

  CompatibilityVerdict checkCompatibility(std::string_view info) const override {
    if (m_plan.contexts.onCompatibility) return m_plan.contexts.onCompatibility(info);
    if (m_plan.contexts.kind == ContextKind::kNone) return {};
    if (info == m_plan.contexts.compatibility) return {ContextCompatibility::kOptimal, {}};
    return {ContextCompatibility::kUnsupported,
            fmt::format("compiled for '{}', here is '{}'", info, m_plan.contexts.compatibility)};
  }

 private:
  // A group is offered only when all of its nodes are free, as a real provider would see it.
  void claimGroup(const std::vector<std::string>& names, const std::unordered_map<std::string, NodeId>& free,
                  std::set<std::string>& claimed, CapabilityAnswer& answer) const {
    ComputeCapability claim;
    for (const std::string& name : names) {
      const auto found = free.find(name);
      if (found == free.end()) return;
      claim.subGraph.nodes.push_back(found->second);
    }
    claim.subGraph.metaDef = MetaDef{.name = "group_" + names.front(), .domain = {}, .inputs = {}, .outputs = {}};
    claimed.insert(names.begin(), names.end());
    answer.claims.push_back(std::move(claim));
  }

  TestProviderPlan m_plan;
  Device m_device = heapAllocator().device();
};

}  // namespace

std::unique_ptr<ExecutionProvider> makeTestProvider(TestProviderPlan plan) {
  return std::make_unique<TestProvider>(std::move(plan));
}

}  // namespace cutaway
