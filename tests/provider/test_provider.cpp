#include "tests/provider/test_provider.h"

#include <unordered_map>

#include "engine/provider/graph_interpreter.h"

namespace cutaway {

namespace {

class TestProvider final : public ExecutionProvider {
 public:
  explicit TestProvider(TestProviderPlan plan) : m_plan(std::move(plan)) {
    if (m_plan.ownDevice) m_device = {DeviceType::kSimulated, 0, m_plan.name};
  }

  ~TestProvider() override {
    if (m_plan.onEnd) m_plan.onEnd();
  }

  const std::string& name() const override { return m_plan.name; }
  bool simulated() const override { return m_plan.simulated; }
  const Device& device() const override { return m_device; }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override { return m_plan.kernels; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    if (m_plan.answer) return m_plan.answer(request);
    CapabilityAnswer answer;
    std::unordered_map<std::string, NodeId> free;
    for (const NodeId id : request.free) free[request.graph.node(id).name] = id;
    std::set<std::string> claimed;
    for (const std::vector<std::string>& group : m_plan.groups) claimGroup(group, free, claimed, answer);
    for (const NodeId id : request.free) {
      const Node& node = request.graph.node(id);
      if (claimed.contains(node.name)) continue;
      if (m_plan.singles.contains(node.name)) {
        answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
      } else if (m_plan.groupOperators.contains(node.opType)) {
        answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = MetaDef{.name = node.opType, .domain = {}, .inputs = {}, .outputs = {}}}});
      } else {
        answer.refusals.push_back({id, RefusalCause::kOperator, fmt::format("the test did not ask for {}", node.opType)});
      }
    }
    return answer;
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    if (m_plan.onCompile) return m_plan.onCompile(groups, progress);
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      for (const NodeId id : group.graph.nodeIds()) {
        if (m_plan.failing.contains(group.graph.node(id).name)) return fail(ErrorCode::kEpFail, "told to fail at {}", group.graph.node(id).name);
      }
      if (m_plan.innerKernels == nullptr) return fail(ErrorCode::kEpFail, "the test gave no kernels to run the group with");
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(group.graph, *m_plan.innerKernels));
      compiled.push_back({.kernel = std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

 private:
  // A group is offered only when all of its nodes are free, as a real provider would see it.
  void claimGroup(const std::vector<std::string>& names, const std::unordered_map<std::string, NodeId>& free, std::set<std::string>& claimed, CapabilityAnswer& answer) const {
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

std::unique_ptr<ExecutionProvider> makeTestProvider(TestProviderPlan plan) { return std::make_unique<TestProvider>(std::move(plan)); }

}  // namespace cutaway
