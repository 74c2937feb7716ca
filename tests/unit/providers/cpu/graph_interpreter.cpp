#include "tests/unit/providers/cpu/graph_interpreter.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "engine/graph/topology.h"
#include "engine/provider/kernel_contexts.h"
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

// What a planner asks: a tensor of bytes, of the same shape and element size, which no other output lies over.
bool mayWriteOver(const InplaceHint& hint, std::span<const RuntimeValue* const> inputs, const OverInputs& over,
                  ElementType type, std::span<const int64_t> dims) {
  if (hint.input < 0 || static_cast<size_t>(hint.input) >= inputs.size()) return false;
  const RuntimeValue* value = inputs[static_cast<size_t>(hint.input)];
  const Tensor* input = value != nullptr && value->isTensor() ? &value->tensor() : nullptr;
  if (input == nullptr || type == ElementType::kString || input->type() == ElementType::kString ||
      bitsOf(type) != bitsOf(input->type()) || !std::ranges::equal(input->dims(), dims))
    return false;
  return std::ranges::none_of(over, [&](const auto& taken) {
    return taken.second == hint.input && taken.first != static_cast<size_t>(hint.output);
  });
}

// Over an input where a hint allows it; the inputs that hints name belong to the call alone then.
Result<Tensor> placed(std::span<const InplaceHint> hints, std::span<const RuntimeValue* const> inputs, OverInputs& over,
                      size_t slot, ElementType type, std::span<const int64_t> dims) {
  for (const InplaceHint& hint : hints) {
    if (hint.output != static_cast<int>(slot) || !mayWriteOver(hint, inputs, over, type, dims)) continue;
    over[slot] = hint.input;
    return Tensor::wrap(type, dims, const_cast<void*>(inputs[static_cast<size_t>(hint.input)]->tensor().data()));
  }
  return Tensor::create(type, dims);
}

// Without inference, the declared type or else the first input's is all there is to go by.
std::vector<LoneOutput> outputsOf(const Graph& graph, const Node& node, std::span<const RuntimeValue* const> inputs) {
  std::vector<LoneOutput> outputs;
  for (const ValueId id : node.outputs) {
    LoneOutput output{.wanted = id.valid()};
    if (id.valid()) output.type = graph.value(id).type.element;
    if (output.type == ElementType::kUndefined && !inputs.empty() && inputs[0] != nullptr && inputs[0]->isTensor())
      output.type = inputs[0]->tensor().type();
    outputs.push_back(output);
  }
  return outputs;
}

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
  return resolve::resolve(model, {.trace = false}, progress).map([](const ResolveReport&) {});
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
  OverInputs over;
  LoneContext context(
      {.inputs = inputs,
       .outputs = outputsOf(graph, node, inputs),
       .makeOutput = [&](size_t slot, ElementType type, std::span<const int64_t> dims) -> Result<Tensor> {
         return placed(hints, inputs, over, slot, type, dims);
       },
       .bodies = &bodies,
       .cancelled = &cancelled},
      made.state.get());
  if (Result<void> done = made.kernel->run(context); !done)
    return fail(atNode(std::move(done).error(), node.name.empty() ? node.opType : node.name));
  if (ran) ran(node, row, *made.kernel, over);
  std::vector<RuntimeValue> outputs = context.takeOutputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!node.outputs[i].valid()) continue;
    CUTAWAY_TRY(scope.values[graph.value(node.outputs[i]).name], owned(outputs[i]));
  }
  return {};
}

}  // namespace cutaway::testing
