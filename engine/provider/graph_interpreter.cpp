// The interpreter: a program of steps over dense value indexes, made once; values, blocks and the kernels' own states
// belong to the frame.
#include "engine/provider/graph_interpreter.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "engine/graph/node_label.h"
#include "engine/graph/topology.h"
#include "engine/provider/block_pool.h"
#include "engine/provider/channels_last.h"
#include "engine/provider/kernel_contexts.h"

namespace cutaway {

namespace {

constexpr int32_t kAbsent = -1;

struct Step {
  std::unique_ptr<Kernel> kernel;
  NodeId node;
  std::vector<int32_t> inputs;  // value indexes; kAbsent where a slot is left out
  std::vector<int32_t> outputs;
  std::vector<int32_t> released;  // values that nobody reads after this step
  const char* part = nullptr;     // its operator, the same pointer for all nodes of one
};

struct Program {
  Graph graph;
  std::vector<Step> steps;
  std::vector<int32_t>
      outerOutput;  // by value: the output of the whole that its step writes directly; kAbsent for inner values
  std::vector<std::pair<size_t, int32_t>>
      handedAtTheEnd;  // outputs of the whole that no step writes: inputs, constants, values listed twice
};

class InterpreterState final : public KernelState {
 public:
  explicit InterpreterState(const Program& program) : values(program.graph.valueSlots()) {
    for (const Step& step : program.steps)
      states.push_back(step.kernel->createState());
    for (const ValueId id : program.graph.initializers()) {
      if (program.graph.isConstant(id)) values[id.index()] = *program.graph.value(id).initializer;
    }
  }
  std::vector<RuntimeValue> values;
  std::vector<std::unique_ptr<KernelState>> states;
  std::vector<PoolBlock> scratch;
  std::vector<Tensor*> outside;  // by output slot of the step in hand: the tensor of the outer context that it writes
  BlockPool pool;

  void release(int32_t index) {
    RuntimeValue& value = values[static_cast<size_t>(index)];
    const void* hold = value.isTensor() ? value.tensor().keepAlive().get() : nullptr;
    value.reset();
    pool.giveBack(hold);
  }
};

Result<void> copyTensor(const Tensor& from, KernelContext& outer, size_t slot) {
  CUTAWAY_TRY(Tensor * to, outer.output(slot, from.type(), from.dims()));
  if (from.type() == ElementType::kString) {
    const std::span<const std::string> strings = from.span<std::string>();
    std::copy(strings.begin(), strings.end(), to->span<std::string>().begin());
  } else if (from.sizeBytes() > 0 && to->data() != from.data()) {
    std::memcpy(to->mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()));
  }
  return {};
}

Result<void> handOver(const RuntimeValue& value, KernelContext& outer, size_t slot) {
  if (!outer.hasOutput(slot)) return {};
  if (value.isTensor()) return copyTensor(value.tensor(), outer, slot);
  *outer.outputValue(slot) = value;
  return {};
}

// What a step sees: its own slots, over the values of the frame.
class InnerContext final : public KernelContext {
 public:
  InnerContext(const Program& program, InterpreterState& state, KernelContext& outer)
      : m_program(program), m_state(state), m_outer(outer) {}

  void begin(size_t index) {
    m_index = index;
    m_step = &m_program.steps[index];
    m_state.outside.assign(m_step->outputs.size(), nullptr);
  }

  Result<void> finish() {
    for (size_t slot = 0; slot < m_step->outputs.size(); ++slot) {
      const int32_t index = m_step->outputs[slot];
      const int32_t outside = index == kAbsent ? kAbsent : m_program.outerOutput[static_cast<size_t>(index)];
      if (outside == kAbsent) continue;
      if (m_state.outside[slot] != nullptr) {
        value(index) = *m_state.outside[slot];  // shares the bytes, for readers inside
        continue;
      }
      CUTAWAY_CHECK(handOver(value(index), m_outer, static_cast<size_t>(outside)));
    }
    for (PoolBlock& block : m_state.scratch) {
      const void* hold = block.hold.get();
      block = {};
      m_state.pool.giveBack(hold);
    }
    m_state.scratch.clear();
    for (const int32_t index : m_step->released)
      m_state.release(index);
    return {};
  }

  size_t inputCount() const override { return m_step->inputs.size(); }
  size_t outputCount() const override { return m_step->outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override {
    if (slot >= m_step->inputs.size() || m_step->inputs[slot] == kAbsent) return nullptr;
    const RuntimeValue& found = m_state.values[static_cast<size_t>(m_step->inputs[slot])];
    return found.empty() ? nullptr : &found;
  }
  bool hasOutput(size_t slot) const override {
    return slot < m_step->outputs.size() && m_step->outputs[slot] != kAbsent;
  }

  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return absent(slot);
    return output(slot, m_program.graph.value(ValueId{static_cast<size_t>(m_step->outputs[slot])}).type.element, dims);
  }

  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return absent(slot);
    if (type == ElementType::kUndefined)
      return fail(ErrorCode::kInvalidGraph, "the element type of output {} is not known", slot);
    const int32_t index = m_step->outputs[slot];
    const int32_t outside = m_program.outerOutput[static_cast<size_t>(index)];
    if (outside == kAbsent || !m_outer.hasOutput(static_cast<size_t>(outside))) return inner(index, type, dims);
    CUTAWAY_TRY(m_state.outside[slot], m_outer.output(static_cast<size_t>(outside), type, dims));
    return m_state.outside[slot];
  }

  RuntimeValue* outputValue(size_t slot) override { return hasOutput(slot) ? &value(m_step->outputs[slot]) : nullptr; }

  Result<std::span<std::byte>> scratch(size_t sizeBytes) override {
    CUTAWAY_TRY(PoolBlock block, m_state.pool.take(sizeBytes));
    m_state.scratch.push_back(std::move(block));
    return std::span<std::byte>(static_cast<std::byte*>(m_state.scratch.back().data), sizeBytes);
  }

  KernelState* state() override { return m_state.states[m_index].get(); }
  BodyRunner& bodies() override { return m_bodies; }
  bool cancelled() const override { return m_outer.cancelled(); }

 private:
  RuntimeValue& value(int32_t index) { return m_state.values[static_cast<size_t>(index)]; }

  Result<Tensor*> inner(int32_t index, ElementType type, std::span<const int64_t> dims) {
    m_state.release(index);  // a kernel that asks twice
    if (type == ElementType::kString) {
      CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));
      value(index) = std::move(tensor);
    } else {
      CUTAWAY_TRY(const int64_t size, byteSize(type, dims));
      CUTAWAY_TRY(PoolBlock block, m_state.pool.take(static_cast<size_t>(size)));
      value(index) = Tensor::wrap(type, dims, block.data, std::move(block.hold));
    }
    return &value(index).tensor();
  }

  Result<Tensor*> absent(size_t slot) const {
    return fail(ErrorCode::kEngineError, "the kernel asked for output {}, which the node does not have", slot);
  }

  const Program& m_program;
  InterpreterState& m_state;
  KernelContext& m_outer;
  const Step* m_step = nullptr;
  size_t m_index = 0;
  NoBodies m_bodies;
};

std::vector<int32_t> indexesOf(std::span<const ValueId> values) {
  std::vector<int32_t> indexes;
  for (const ValueId id : values)
    indexes.push_back(id.valid() ? static_cast<int32_t>(id.index()) : kAbsent);
  return indexes;
}

Result<void> makeSteps(Program& program, const KernelRegistry& kernels) {
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(program.graph));
  std::unordered_map<std::string_view, const char*> parts;
  for (const NodeId id : order) {
    const Node& node = program.graph.node(id);
    if (node.hasBodies())
      return fail(atNode(
          {ErrorCode::kNotImplemented, fmt::format("{} has bodies, which run in a session only", node.opType), {}},
          node.name));
    CUTAWAY_TRY(std::unique_ptr<Kernel> kernel, kernels.create(KernelInfo(program.graph, id)));
    program.steps.push_back({.kernel = std::move(kernel),
                             .node = id,
                             .inputs = indexesOf(node.inputs),
                             .outputs = indexesOf(node.outputs),
                             .released = {},
                             .part = parts.try_emplace(node.opType, node.opType.c_str()).first->second});
  }
  return {};
}

void placeOutputs(Program& program) {
  program.outerOutput.assign(program.graph.valueSlots(), kAbsent);
  for (size_t slot = 0; slot < program.graph.outputs().size(); ++slot) {
    const ValueId id = program.graph.outputs()[slot];
    int32_t& place = program.outerOutput[id.index()];
    if (program.graph.value(id).producer.valid() && place == kAbsent) {
      place = static_cast<int32_t>(slot);
    } else {
      program.handedAtTheEnd.emplace_back(slot, static_cast<int32_t>(id.index()));
    }
  }
}

void placeReleases(Program& program) {
  std::vector<int32_t> lastStep(program.graph.valueSlots(), kAbsent);
  for (size_t i = 0; i < program.steps.size(); ++i) {
    for (const auto* slots : {&program.steps[i].inputs, &program.steps[i].outputs}) {
      for (const int32_t index : *slots) {
        if (index != kAbsent) lastStep[static_cast<size_t>(index)] = static_cast<int32_t>(i);
      }
    }
  }
  for (const auto& [slot, index] : program.handedAtTheEnd)
    lastStep[static_cast<size_t>(index)] = kAbsent;
  for (size_t value = 0; value < lastStep.size(); ++value) {
    if (lastStep[value] != kAbsent && !program.graph.isConstant(ValueId{value}))
      program.steps[static_cast<size_t>(lastStep[value])].released.push_back(static_cast<int32_t>(value));
  }
}

class InterpretedGraph final : public Kernel {
 public:
  explicit InterpretedGraph(Graph graph)
      : m_program{.graph = std::move(graph), .steps = {}, .outerOutput = {}, .handedAtTheEnd = {}} {}

  // After the graph has come to rest here: kernels may keep references to it.
  Result<void> prepare(const KernelRegistry& kernels) {
    CUTAWAY_CHECK(lowerChannelsLast(m_program.graph));
    CUTAWAY_CHECK(makeSteps(m_program, kernels));
    placeOutputs(m_program);
    placeReleases(m_program);
    return {};
  }

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<InterpreterState>(m_program); }
  std::string_view variant() const override { return "interpreted"; }

  Result<void> run(KernelContext& context) const override {
    auto* state = static_cast<InterpreterState*>(context.state());
    if (state == nullptr)
      return fail(ErrorCode::kEngineError, "an interpreted graph needs the state that createState() makes");
    const Cleaner cleaner{m_program, *state};
    for (size_t slot = 0; slot < m_program.graph.inputs().size(); ++slot) {
      if (const RuntimeValue* value = context.inputValue(slot))
        state->values[m_program.graph.inputs()[slot].index()] = *value;
    }
    InnerContext inner(m_program, *state, context);
    for (size_t i = 0; i < m_program.steps.size(); ++i) {
      if (context.cancelled()) return fail(ErrorCode::kFail, "the run was cancelled");
      inner.begin(i);
      context.subStep(m_program.steps[i].part);
      Result<void> done = m_program.steps[i].kernel->run(inner);
      if (done) done = inner.finish();
      if (!done) return fail(named(std::move(done).error(), m_program.steps[i].node));
    }
    for (const auto& [slot, index] : m_program.handedAtTheEnd)
      CUTAWAY_CHECK(handOver(state->values[static_cast<size_t>(index)], context, slot));
    return {};
  }

 private:
  // However a run ends, the frame keeps nothing of it but free blocks.
  struct Cleaner {
    const Program& program;
    InterpreterState& state;
    ~Cleaner() {
      state.scratch.clear();
      for (size_t i = 0; i < state.values.size(); ++i) {
        if (!state.values[i].empty() && !program.graph.isConstant(ValueId{i})) state.values[i].reset();
      }
      state.pool.settle();
    }
  };

  Error named(Error error, NodeId id) const { return atNode(std::move(error), nodeName(m_program.graph, id)); }

  Program m_program;
};

}  // namespace

Result<std::shared_ptr<const Kernel>> interpretGraph(Graph graph, const KernelRegistry& kernels) {
  auto kernel = std::make_shared<InterpretedGraph>(std::move(graph));
  CUTAWAY_CHECK(kernel->prepare(kernels));
  return std::shared_ptr<const Kernel>(std::move(kernel));
}

}  // namespace cutaway
