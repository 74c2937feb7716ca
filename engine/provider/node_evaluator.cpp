#include "engine/provider/node_evaluator.h"

#include <deque>

namespace cutaway {

namespace {

class NoBodies final : public BodyRunner {
 public:
  size_t inputCount(size_t /*body*/) const override { return 0; }
  size_t outputCount(size_t /*body*/) const override { return 0; }
  const ValueType& outputType(size_t /*body*/, size_t /*slot*/) const override { return m_unknown; }
  Result<void> run(size_t /*body*/, std::span<const RuntimeValue> /*inputs*/,
                   std::vector<RuntimeValue>& /*outputs*/) override {
    return fail(ErrorCode::kNotImplemented, "nodes with bodies run in a session only");
  }

 private:
  ValueType m_unknown;
};

// Every output and every scratch block is fresh memory: this context is for single nodes, where a plan would cost more
// than it saves.
class FreshMemoryContext final : public KernelContext {
 public:
  FreshMemoryContext(const Graph& graph, NodeId node, std::span<const RuntimeValue> inputs,
                     std::unique_ptr<KernelState> state)
      : m_graph(graph),
        m_node(graph.node(node)),
        m_inputs(inputs),
        m_outputs(m_node.outputs.size()),
        m_state(std::move(state)) {}

  size_t inputCount() const override { return m_node.inputs.size(); }
  size_t outputCount() const override { return m_node.outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override {
    return slot < m_inputs.size() && !m_inputs[slot].empty() ? &m_inputs[slot] : nullptr;
  }
  bool hasOutput(size_t slot) const override { return slot < m_outputs.size() && m_node.outputs[slot].valid(); }

  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return unusedOutput(slot, ElementType::kFloat, dims);
    return output(slot, m_graph.value(m_node.outputs[slot]).type.element, dims);
  }

  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    if (!hasOutput(slot)) return unusedOutput(slot, type, dims);
    if (type == ElementType::kUndefined)
      return fail(ErrorCode::kInvalidGraph, "the element type of output {} is not known", slot);
    CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));
    m_outputs[slot] = std::move(tensor);
    return &m_outputs[slot].tensor();
  }

  RuntimeValue* outputValue(size_t slot) override { return hasOutput(slot) ? &m_outputs[slot] : nullptr; }

  Result<std::span<std::byte>> scratch(size_t sizeBytes) override {
    CUTAWAY_TRY(Tensor block, Tensor::create(ElementType::kUint8, {static_cast<int64_t>(sizeBytes)}));
    m_scratch.push_back(std::move(block));
    return std::span<std::byte>(static_cast<std::byte*>(m_scratch.back().mutableData()), sizeBytes);
  }

  KernelState* state() override { return m_state.get(); }
  BodyRunner& bodies() override { return m_bodies; }
  bool cancelled() const override { return false; }

  std::vector<RuntimeValue> takeOutputs() { return std::move(m_outputs); }

 private:
  Result<Tensor*> unusedOutput(size_t slot, ElementType type, std::span<const int64_t> dims) {
    return fail(ErrorCode::kEngineError, "the kernel asked for output {} ({}{}), which the node does not have", slot,
                elementTypeName(type), dimsToText(dims));
  }

  const Graph& m_graph;
  const Node& m_node;
  std::span<const RuntimeValue> m_inputs;
  std::vector<RuntimeValue> m_outputs;
  std::deque<Tensor> m_scratch;
  std::unique_ptr<KernelState> m_state;
  NoBodies m_bodies;
};

}  // namespace

Result<std::vector<RuntimeValue>> evaluateKernel(const Kernel& kernel, const Graph& graph, NodeId node,
                                                 std::span<const RuntimeValue> inputs) {
  FreshMemoryContext context(graph, node, inputs, kernel.createState());
  if (Result<void> done = kernel.run(context); !done)
    return fail(atNode(std::move(done).error(), graph.node(node).name));
  return context.takeOutputs();
}

Result<std::vector<RuntimeValue>> evaluateNode(const KernelRegistry& kernels, const Graph& graph, NodeId node,
                                               std::span<const RuntimeValue> inputs) {
  if (graph.node(node).hasBodies())
    return fail(
        atNode({ErrorCode::kNotImplemented, "nodes with bodies run in a session only", {}}, graph.node(node).name));
  const KernelInfo info(graph, node, [&](ValueId id) -> const Tensor* {
    const std::vector<ValueId>& slots = graph.node(node).inputs;
    for (size_t slot = 0; slot < slots.size() && slot < inputs.size(); ++slot) {
      if (slots[slot] == id && inputs[slot].isTensor()) return &inputs[slot].tensor();
    }
    return nullptr;
  });
  CUTAWAY_TRY(const std::unique_ptr<Kernel> kernel, kernels.create(info));
  return evaluateKernel(*kernel, graph, node, inputs);
}

}  // namespace cutaway
