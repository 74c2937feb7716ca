#include "tests/provider/test_provider.h"

#include <unordered_map>

#include "engine/graph/topology.h"
#include "engine/provider/node_evaluator.h"

namespace cutaway {

namespace {

// Interprets a cut-out graph: the plainest thing that gives right results.
class InterpretedGroup final : public Kernel {
 public:
  static Result<std::shared_ptr<const Kernel>> create(Graph graph, const KernelRegistry& registry) {
    auto group = std::make_shared<InterpretedGroup>();
    group->m_graph = std::move(graph);
    CUTAWAY_TRY(group->m_order, topologicalOrder(group->m_graph));
    for (const NodeId id : group->m_order) {
      CUTAWAY_TRY(std::unique_ptr<Kernel> kernel, registry.create(KernelInfo(group->m_graph, id)));
      group->m_kernels.push_back(std::move(kernel));
    }
    return std::shared_ptr<const Kernel>(std::move(group));
  }

  Result<void> run(KernelContext& context) const override {
    std::unordered_map<ValueId, RuntimeValue> values;
    for (const ValueId id : m_graph.initializers()) values[id] = *m_graph.value(id).initializer;
    for (size_t slot = 0; slot < m_graph.inputs().size(); ++slot) {
      if (const RuntimeValue* value = context.inputValue(slot)) values[m_graph.inputs()[slot]] = *value;
    }
    for (size_t i = 0; i < m_order.size(); ++i) {
      std::vector<RuntimeValue> inputs;
      for (const ValueId id : m_graph.node(m_order[i]).inputs) inputs.push_back(id.valid() ? values[id] : RuntimeValue());
      CUTAWAY_TRY(std::vector<RuntimeValue> outputs, evaluateKernel(*m_kernels[i], m_graph, m_order[i], inputs));
      for (size_t slot = 0; slot < outputs.size(); ++slot) {
        if (m_graph.node(m_order[i]).outputs[slot].valid()) values[m_graph.node(m_order[i]).outputs[slot]] = std::move(outputs[slot]);
      }
    }
    return hand(context, values);
  }

  std::string_view variant() const override { return "test"; }

 private:
  Result<void> hand(KernelContext& context, std::unordered_map<ValueId, RuntimeValue>& values) const {
    for (size_t slot = 0; slot < m_graph.outputs().size(); ++slot) {
      const Tensor& made = values[m_graph.outputs()[slot]].tensor();
      CUTAWAY_TRY(Tensor * output, context.output(slot, made.dims()));
      std::copy_n(static_cast<const std::byte*>(made.data()), made.sizeBytes(), static_cast<std::byte*>(output->mutableData()));
    }
    return {};
  }

  Graph m_graph;
  std::vector<NodeId> m_order;
  std::vector<std::unique_ptr<Kernel>> m_kernels;
};

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
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, InterpretedGroup::create(group.graph, *m_plan.innerKernels));
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
