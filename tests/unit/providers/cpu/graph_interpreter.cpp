#include "tests/unit/providers/cpu/graph_interpreter.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "engine/graph/topology.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway::testing {

// Defined outside the anonymous namespace, because it is a friend.
class InterpreterBodies final : public BodyRunner {
 public:
  InterpreterBodies(GraphInterpreter& interpreter, const Node& node, const GraphInterpreter::Scope& scope)
      : m_interpreter(interpreter), m_scope(scope) {
    forEachBody(node, [&](const std::string&, const Graph& body) { m_bodies.push_back(&body); });
    m_memory.resize(m_bodies.size());
  }
  size_t inputCount(size_t body) const override { return m_bodies[body]->inputs().size(); }
  size_t outputCount(size_t body) const override { return m_bodies[body]->outputs().size(); }
  const ValueType& outputType(size_t body, size_t slot) const override {
    return m_bodies[body]->value(m_bodies[body]->outputs()[slot]).type;
  }

  Result<void> run(size_t body, std::span<const RuntimeValue> inputs, std::vector<RuntimeValue>& outputs) override {
    CUTAWAY_TRY(std::vector<RuntimeValue> fresh, m_interpreter.runIn(*m_bodies[body], inputs, &m_scope));
    std::vector<std::vector<std::byte>>& memory = m_memory[body];
    memory.resize(fresh.size());
    for (size_t i = 0; i < fresh.size(); ++i) {
      if (!fresh[i].isTensor() || fresh[i].tensor().type() == ElementType::kString) continue;
      const Tensor& tensor = fresh[i].tensor();
      // Grows only, and moves then: a pointer kept from the last run is a test failure, under the sanitizer at the
      // latest.
      const auto bytes = tensor.bytes();
      memory[i].assign(bytes.begin(), bytes.end());
      memory[i].resize(std::max<size_t>(memory[i].size(), 1));
      fresh[i] = Tensor::wrap(tensor.type(), tensor.dims(), memory[i].data());
    }
    outputs = std::move(fresh);
    return {};
  }

 private:
  GraphInterpreter& m_interpreter;
  const GraphInterpreter::Scope& m_scope;
  std::vector<const Graph*> m_bodies;
  std::vector<std::vector<std::vector<std::byte>>> m_memory;
};

namespace {

class InterpreterContext final : public KernelContext {
 public:
  // hints: in the order of trial; the inputs they name belong to this context alone then.
  InterpreterContext(const Graph& graph, const Node& node, std::vector<const RuntimeValue*> inputs, KernelState* state,
                     BodyRunner& bodies, const bool& cancelled, std::vector<InplaceHint> hints)
      : m_hints(std::move(hints)),
        m_graph(graph),
        m_node(node),
        m_inputs(std::move(inputs)),
        m_outputs(node.outputs.size()),
        m_state(state),
        m_bodies(bodies),
        m_cancelled(cancelled) {}

  size_t inputCount() const override { return m_inputs.size(); }
  size_t outputCount() const override { return m_outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override {
    return slot < m_inputs.size() ? m_inputs[slot] : nullptr;
  }
  bool hasOutput(size_t slot) const override { return slot < m_outputs.size() && m_node.outputs[slot].valid(); }

  // Without inference, the declared type or else the first input's is all there is to go by.
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return fail(ErrorCode::kEngineError, "output {} is not there", slot);
    ElementType type = m_graph.value(m_node.outputs[slot]).type.element;
    if (type == ElementType::kUndefined && !m_inputs.empty() && m_inputs[0] != nullptr && m_inputs[0]->isTensor())
      type = m_inputs[0]->tensor().type();
    return output(slot, type, dims);
  }
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return fail(ErrorCode::kEngineError, "output {} is not there", slot);
    for (const InplaceHint& hint : m_hints) {
      if (hint.output != static_cast<int>(slot) || !mayWriteOver(hint, type, dims)) continue;
      const Tensor& input = m_inputs[static_cast<size_t>(hint.input)]->tensor();
      m_outputs[slot] = Tensor::wrap(type, dims, const_cast<void*>(input.data()));
      m_over[slot] = hint.input;
      return &m_outputs[slot].tensor();
    }
    CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));
    m_outputs[slot] = std::move(tensor);
    return &m_outputs[slot].tensor();
  }
  size_t outputsOverInputs() const { return m_over.size(); }
  RuntimeValue* outputValue(size_t slot) override { return hasOutput(slot) ? &m_outputs[slot] : nullptr; }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override {
    CUTAWAY_TRY(Tensor block, Tensor::create(ElementType::kUint8, {static_cast<int64_t>(sizeBytes)}));
    m_scratch.push_back(std::move(block));
    return std::span<std::byte>(static_cast<std::byte*>(m_scratch.back().mutableData()), sizeBytes);
  }
  KernelState* state() override { return m_state; }
  BodyRunner& bodies() override { return m_bodies; }
  bool cancelled() const override { return m_cancelled; }

  std::vector<RuntimeValue> takeOutputs() { return std::move(m_outputs); }

 private:
  // What a planner asks: a tensor of bytes, of the same shape and element size, which no other output lies over.
  bool mayWriteOver(const InplaceHint& hint, ElementType type, std::span<const int64_t> dims) const {
    const Tensor* input = hint.input >= 0 && static_cast<size_t>(hint.input) < m_inputs.size()
                              ? KernelContext::input(static_cast<size_t>(hint.input))
                              : nullptr;
    if (input == nullptr || type == ElementType::kString || input->type() == ElementType::kString ||
        bitsOf(type) != bitsOf(input->type()) || !std::ranges::equal(input->dims(), dims))
      return false;
    return std::ranges::none_of(m_over, [&](const auto& taken) {
      return taken.second == hint.input && taken.first != static_cast<size_t>(hint.output);
    });
  }

  std::vector<InplaceHint> m_hints;
  std::map<size_t, int> m_over;  // output slot -> input slot
  const Graph& m_graph;
  const Node& m_node;
  std::vector<const RuntimeValue*> m_inputs;
  std::vector<RuntimeValue> m_outputs;
  std::deque<Tensor> m_scratch;
  KernelState* m_state;
  BodyRunner& m_bodies;
  const bool& m_cancelled;
};

// A value that owns its bytes: scopes keep values longer than the memory they may point into.
Result<RuntimeValue> owned(const RuntimeValue& value) {
  if (!value.isTensor() || value.tensor().keepAlive() != nullptr) return value;
  CUTAWAY_TRY(Tensor copy, value.tensor().clone());
  return RuntimeValue(std::move(copy));
}

// Copies of the inputs that a kernel may destroy or must not read.
class OwnInputs {
 public:
  explicit OwnInputs(size_t count) : m_copies(count) {}

  Result<void> copy(size_t slot, std::vector<const RuntimeValue*>& inputs) {
    if (slot >= inputs.size() || inputs[slot] == nullptr || !inputs[slot]->isTensor() ||
        inputs[slot]->tensor().type() == ElementType::kString)
      return {};
    CUTAWAY_TRY(Tensor own, inputs[slot]->tensor().clone());
    m_copies[slot] = std::move(own);
    inputs[slot] = &m_copies[slot];
    return {};
  }
  Result<void> spoil(size_t slot, std::vector<const RuntimeValue*>& inputs) {
    CUTAWAY_CHECK(copy(slot, inputs));
    if (slot < inputs.size() && inputs[slot] == &m_copies[slot] && m_copies[slot].isTensor())
      std::memset(m_copies[slot].tensor().mutableData(), 0x5A,
                  static_cast<size_t>(m_copies[slot].tensor().sizeBytes()));
    return {};
  }

 private:
  std::vector<RuntimeValue> m_copies;
};

std::vector<InplaceHint> hintsOf(const KernelRow& row, size_t first) {
  std::vector<InplaceHint> hints;
  for (const InplaceHint& hint : row.inplace) {
    if (hint.kind == AliasKind::kMayInplace) hints.push_back(hint);
  }
  if (!hints.empty()) std::ranges::rotate(hints, hints.begin() + static_cast<std::ptrdiff_t>(first % hints.size()));
  return hints;
}

}  // namespace

Result<void> prepareForKernels(Model& model) {
  Progress progress;
  return resolve(model, {.trace = false}, progress).map([](const ResolveReport&) {});
}

const RuntimeValue* GraphInterpreter::Scope::find(const std::string& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent) {
    const auto found = scope->values.find(name);
    if (found != scope->values.end()) return &found->second;
  }
  return nullptr;
}

Result<std::vector<RuntimeValue>> GraphInterpreter::run(const Graph& graph, std::span<const RuntimeValue> inputs) {
  return runIn(graph, inputs, nullptr);
}

Result<std::vector<RuntimeValue>> GraphInterpreter::runIn(const Graph& graph, std::span<const RuntimeValue> inputs,
                                                          const Scope* parent) {
  Scope scope{parent, {}};
  for (const ValueId id : graph.initializers())
    scope.values[graph.value(id).name] = *graph.value(id).initializer;
  size_t next = 0;
  for (const ValueId id : graph.inputs()) {
    if (graph.value(id).initializer) continue;
    if (next >= inputs.size())
      return fail(ErrorCode::kInvalidArgument, "input '{}' is not given", graph.value(id).name);
    CUTAWAY_TRY(scope.values[graph.value(id).name], owned(inputs[next++]));
  }
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(graph));
  for (const NodeId node : order)
    CUTAWAY_CHECK(runNode(graph, node, scope));
  std::vector<RuntimeValue> outputs;
  for (const ValueId id : graph.outputs()) {
    const RuntimeValue* value = scope.find(graph.value(id).name);
    outputs.push_back(value == nullptr ? RuntimeValue() : *value);
  }
  return outputs;
}

Result<void> GraphInterpreter::runNode(const Graph& graph, NodeId id, Scope& scope) {
  const Node& node = graph.node(id);
  MadeKernel& made = m_made[{&graph, id}];
  if (made.kernel == nullptr) {
    const KernelInfo info(
        graph, id, [&](ValueId value) { return graph.isConstant(value) ? &*graph.value(value).initializer : nullptr; });
    CUTAWAY_TRY(made.kernel, m_kernels.create(info));
    made.state = made.kernel->createState();
  }
  std::vector<const RuntimeValue*> inputs;
  for (const ValueId value : node.inputs) {
    const RuntimeValue* found = value.valid() ? scope.find(graph.value(value).name) : nullptr;
    inputs.push_back(found != nullptr && found->empty() ? nullptr : found);
  }
  const KernelRow* row = m_kernels.find(graph, id).row;
  std::vector<InplaceHint> hints;
  OwnInputs own(inputs.size());
  if (overInput && row != nullptr) {
    hints = hintsOf(*row, *overInput);
    for (const InplaceHint& hint : hints)
      CUTAWAY_CHECK(own.copy(static_cast<size_t>(hint.input), inputs));
    for (const int slot : row->shapeOnlyInputs)
      CUTAWAY_CHECK(own.spoil(static_cast<size_t>(slot), inputs));
  }
  InterpreterBodies bodies(*this, node, scope);
  InterpreterContext context(graph, node, std::move(inputs), made.state.get(), bodies, cancelled, std::move(hints));
  if (Result<void> done = made.kernel->run(context); !done)
    return fail(atNode(std::move(done).error(), node.name.empty() ? node.opType : node.name));
  if (ran) ran(node, row, *made.kernel, context.outputsOverInputs());
  std::vector<RuntimeValue> outputs = context.takeOutputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!node.outputs[i].valid()) continue;
    CUTAWAY_TRY(scope.values[graph.value(node.outputs[i]).name], owned(outputs[i]));
  }
  return {};
}

}  // namespace cutaway::testing
