#include "providers/cuda/group_kernel.h"

#include <algorithm>
#include <unordered_map>

#include "engine/graph/topology.h"
#include "engine/provider/kernel_contexts.h"
#include "providers/cuda/device.h"
#include "providers/cuda/kernels/kernel_table.h"

namespace cutaway::cuda {
namespace {

constexpr int32_t kAbsent = -1;

class GroupState final : public KernelState {
 public:
  std::vector<RuntimeValue> values;
  std::vector<std::unique_ptr<KernelState>> states;
};

std::vector<int32_t> indexesOf(const std::vector<ValueId>& values) {
  std::vector<int32_t> indexes;
  for (const ValueId id : values)
    indexes.push_back(id.valid() ? static_cast<int32_t>(id.index()) : kAbsent);
  return indexes;
}

}  // namespace

// What a node of the group sees.
class GroupContext final : public KernelContext {
 public:
  GroupContext(const GroupKernel& group, GroupState& state, KernelContext& outer, GpuRun& run, std::byte* block)
      : m_group(group), m_state(state), m_outer(outer), m_run(run), m_block(block) {}

  void begin(size_t index) {
    m_index = index;
    m_step = &m_group.m_steps[index];
    m_tookMemory = false;
  }
  // It took scratch for a value, which must stay.
  bool tookMemory() const { return m_tookMemory; }

  size_t inputCount() const override { return m_step->inputs.size(); }
  size_t outputCount() const override { return m_step->outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override {
    if (slot >= m_step->inputs.size() || m_step->inputs[slot] == kAbsent) return nullptr;
    const auto index = static_cast<size_t>(m_step->inputs[slot]);
    const RuntimeValue& found = m_step->onHost[slot] != 0           ? m_group.m_hostWeights[index]
                                : !m_group.m_weights[index].empty() ? m_group.m_weights[index]
                                                                    : m_state.values[index];
    return found.empty() ? nullptr : &found;
  }
  bool hasOutput(size_t slot) const override {
    return slot < m_step->outputs.size() && m_step->outputs[slot] != kAbsent;
  }
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    if (!hasOutput(slot))
      return fail(ErrorCode::kEngineError, "the kernel asked for output {}, which the node does not have", slot);
    return output(slot, m_group.m_graph.value(ValueId{static_cast<size_t>(m_step->outputs[slot])}).type.element, dims);
  }

  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    if (!hasOutput(slot))
      return fail(ErrorCode::kEngineError, "the kernel asked for output {}, which the node does not have", slot);
    const auto index = static_cast<size_t>(m_step->outputs[slot]);
    if (const int32_t outside = m_group.m_outerOutput[index];
        outside != kAbsent && m_outer.hasOutput(static_cast<size_t>(outside))) {
      CUTAWAY_TRY(Tensor * tensor, m_outer.output(static_cast<size_t>(outside), type, dims));
      m_state.values[index] = *tensor;
      return tensor;
    }
    CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
    CUTAWAY_TRY(void* data, placeOf(index, sizeBytes));
    m_state.values[index] = Tensor::wrap(type, dims, data, {}, m_group.m_device);
    return &m_state.values[index].tensor();
  }

  RuntimeValue* outputValue(size_t) override { return nullptr; }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override { return m_outer.scratch(sizeBytes); }
  KernelState* state() override { return m_state.states[m_index].get(); }
  BodyRunner& bodies() override { return m_bodies; }
  bool cancelled() const override { return m_outer.cancelled(); }
  ProviderRun* providerRun() override { return &m_run; }

 private:
  Result<void*> placeOf(size_t index, int64_t sizeBytes) {
    if (const int32_t viewed = m_group.m_viewOf[index]; viewed != kAbsent) {
      const RuntimeValue& weight = m_group.m_weights[static_cast<size_t>(viewed)];
      const RuntimeValue& input = !weight.empty() ? weight : m_state.values[static_cast<size_t>(viewed)];
      if (input.isTensor() && input.tensor().sizeBytes() == sizeBytes) return const_cast<void*>(input.tensor().data());
    }
    const int64_t offset = m_group.m_plan.offsets[index];
    const ValueType& type = m_group.m_graph.value(ValueId{index}).type;
    if (offset >= 0 && staticByteSize(type).value_or(-1) >= sizeBytes) return m_block + offset;
    m_tookMemory = true;
    return m_run.scratch(static_cast<size_t>(sizeBytes));
  }

  const GroupKernel& m_group;
  GroupState& m_state;
  KernelContext& m_outer;
  GpuRun& m_run;
  std::byte* m_block;
  const GroupKernel::Step* m_step = nullptr;
  size_t m_index = 0;
  bool m_tookMemory = false;
  NoBodies m_bodies;
};

GroupKernel::GroupKernel(Graph graph, const GpuResources& provider, std::shared_ptr<ArtifactMemory> artifacts)
    : m_graph(std::move(graph)),
      m_artifacts(std::move(artifacts)),
      m_resources(std::make_shared<GpuResources>(provider.sharedBackend(), provider.options(), m_artifacts)),
      m_device(gpuDevice(provider.options().device)),
      m_registry(kernelTables(), m_resources.get()) {}

Result<std::shared_ptr<const Kernel>> GroupKernel::create(Graph graph, const GpuResources& provider,
                                                          std::shared_ptr<ArtifactMemory> artifacts) {
  std::shared_ptr<GroupKernel> kernel(new GroupKernel(std::move(graph), provider, std::move(artifacts)));
  CUTAWAY_CHECK(kernel->prepare());
  return std::shared_ptr<const Kernel>(std::move(kernel));
}

Result<void> GroupKernel::prepare() {
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(m_graph));
  m_viewOf.assign(m_graph.valueSlots(), kAbsent);
  m_outerOutput.assign(m_graph.valueSlots(), kAbsent);
  for (size_t place = 0; place < m_graph.outputs().size(); ++place) {
    const ValueId id = m_graph.outputs()[place];
    if (!m_graph.value(id).producer.valid() || m_outerOutput[id.index()] != kAbsent)
      return fail(ErrorCode::kNotImplemented, "output {} of the group is not made by a node of its own", place);
    m_outerOutput[id.index()] = static_cast<int32_t>(place);
  }
  for (const NodeId id : order)
    CUTAWAY_CHECK(addStep(id));
  CUTAWAY_CHECK(uploadWeights());
  plan();
  return {};
}

Result<void> GroupKernel::addStep(NodeId id) {
  const Node& node = m_graph.node(id);
  const KernelRegistry::Match match = m_registry.find(m_graph, id);
  if (match.row == nullptr)
    return fail(
        atNode(Error{ErrorCode::kNotImplemented, fmt::format("{}: {}", node.opType, match.reason), {}}, node.name));
  if (!match.row->hostOutputs.empty() || node.hasBodies())
    return fail(
        atNode(Error{ErrorCode::kNotImplemented, fmt::format("{} cannot be in a group", node.opType), {}}, node.name));
  auto kernel = m_registry.create(KernelInfo(m_graph, id));
  if (!kernel) return fail(atNode(std::move(kernel).error(), node.name));
  if (const std::string_view why = (*kernel)->notReplayable(); m_notReplayable.empty() && !why.empty())
    m_notReplayable = fmt::format("{} in it: {}", node.opType, why);
  Step step{.kernel = *std::move(kernel),
            .node = id,
            .inputs = indexesOf(node.inputs),
            .outputs = indexesOf(node.outputs),
            .onHost = std::vector<char>(node.inputs.size(), 0),
            .part = node.opType.c_str()};
  for (const int slot : match.row->hostInputs) {
    const auto place = static_cast<size_t>(slot);
    if (place >= node.inputs.size() || !node.inputs[place].valid()) continue;
    if (!m_graph.isConstant(node.inputs[place]))
      return fail(atNode(Error{ErrorCode::kNotImplemented,
                               fmt::format("{} reads input {} on the host, and it is no constant", node.opType, slot),
                               {}},
                         node.name));
    step.onHost[place] = 1;
  }
  for (const InplaceHint& hint : match.row->inplace) {
    if (hint.kind != AliasKind::kAlias || hint.input < 0 || hint.output < 0) continue;
    const auto input = static_cast<size_t>(hint.input), output = static_cast<size_t>(hint.output);
    if (input < step.inputs.size() && output < step.outputs.size() && step.inputs[input] != kAbsent &&
        step.outputs[output] != kAbsent && step.onHost[input] == 0)
      m_viewOf[static_cast<size_t>(step.outputs[output])] = step.inputs[input];
  }
  m_steps.push_back(std::move(step));
  return {};
}

Result<void> GroupKernel::uploadWeights() {
  m_weights.resize(m_graph.valueSlots());
  m_hostWeights.resize(m_graph.valueSlots());
  for (const Step& step : m_steps) {
    for (size_t slot = 0; slot < step.inputs.size(); ++slot) {
      if (step.inputs[slot] == kAbsent) continue;
      const auto index = static_cast<size_t>(step.inputs[slot]);
      if (!m_graph.isConstant(ValueId{index})) continue;
      const Tensor& tensor = *m_graph.value(ValueId{index}).initializer;
      if (step.onHost[slot] != 0) {
        m_hostWeights[index] = tensor;
      } else if (m_weights[index].empty() && m_resources->backend() != nullptr) {
        CUTAWAY_TRY(std::shared_ptr<void> uploaded, m_resources->upload({static_cast<const std::byte*>(tensor.data()),
                                                                         static_cast<size_t>(tensor.sizeBytes())}));
        void* const data = uploaded.get();
        m_weights[index] = Tensor::wrap(tensor.type(), tensor.dims(), data, std::move(uploaded), m_device);
        m_weightBytes += tensor.sizeBytes();
      }
    }
  }
  return {};
}

// Views live in the value that they look at, so that lives as long as they do.
void GroupKernel::plan() {
  std::vector<ValueLife> lives(m_graph.valueSlots());
  for (size_t i = 0; i < m_steps.size(); ++i) {
    const auto step = static_cast<int32_t>(i);
    for (const int32_t output : m_steps[i].outputs) {
      if (output == kAbsent) continue;
      const auto index = static_cast<size_t>(output);
      if (m_outerOutput[index] != kAbsent) continue;
      lives[index] = {
          .sizeBytes = staticByteSize(m_graph.value(ValueId{index}).type).value_or(-1), .first = step, .last = step};
    }
    for (const int32_t input : m_steps[i].inputs) {
      for (int32_t at = input; at != kAbsent; at = m_viewOf[static_cast<size_t>(at)])
        lives[static_cast<size_t>(at)].last = step;
    }
  }
  m_plan = planGroup(lives);
}

std::unique_ptr<KernelState> GroupKernel::createState() const {
  auto state = std::make_unique<GroupState>();
  state->values.resize(m_graph.valueSlots());
  for (const Step& step : m_steps)
    state->states.push_back(step.kernel->createState());
  return state;
}

Result<void> GroupKernel::run(KernelContext& context) const {
  auto* const run = static_cast<GpuRun*>(context.providerRun());
  auto* const state = static_cast<GroupState*>(context.state());
  if (run == nullptr || state == nullptr)
    return fail(ErrorCode::kEngineError, "a group of the cuda provider was run without its device");
  CUTAWAY_TRY(void* block, run->scratch(static_cast<size_t>(m_plan.sizeBytes)));
  for (size_t slot = 0; slot < m_graph.inputs().size(); ++slot) {
    const RuntimeValue* value = context.inputValue(slot);
    RuntimeValue& inside = state->values[m_graph.inputs()[slot].index()];
    if (value != nullptr) inside = *value;
  }
  GroupContext inner(*this, *state, context, *run, static_cast<std::byte*>(block));
  for (size_t i = 0; i < m_steps.size(); ++i) {
    if (context.cancelled()) return fail(ErrorCode::kFail, "the run was cancelled");
    const GpuRun::ScratchMark mark = run->scratchMark();
    inner.begin(i);
    context.subStep(m_steps[i].part);
    if (auto done = m_steps[i].kernel->run(inner); !done)
      return fail(atNode(std::move(done).error(), m_graph.node(m_steps[i].node).name));
    if (!inner.tookMemory()) run->rewindScratch(mark);
  }
  // Nothing of the run's outer values is kept.
  for (size_t slot = 0; slot < m_graph.inputs().size(); ++slot)
    state->values[m_graph.inputs()[slot].index()].reset();
  for (const ValueId output : m_graph.outputs())
    state->values[output.index()].reset();
  return {};
}

}  // namespace cutaway::cuda
