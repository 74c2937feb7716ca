#include "engine/provider/node_evaluator.h"

#include "engine/graph/doing_node.h"
#include "engine/provider/kernel_contexts.h"

namespace cutaway {

Result<std::vector<RuntimeValue>> evaluateKernel(const Kernel& kernel, const Graph& graph, NodeId node,
                                                 std::span<const RuntimeValue> inputs, size_t mostScratchBytes) {
  const DoingNode doing(graph, node);
  const Node& made = graph.node(node);
  LoneCall call{.mostScratchBytes = mostScratchBytes};
  for (size_t slot = 0; slot < made.inputs.size(); ++slot)
    call.inputs.push_back(slot < inputs.size() ? &inputs[slot] : nullptr);
  for (const ValueId output : made.outputs)
    call.outputs.push_back({.type = output.valid() ? graph.value(output).type.element : ElementType::kUndefined,
                            .wanted = output.valid()});
  const std::unique_ptr<KernelState> state = kernel.createState();
  LoneContext context(std::move(call), state.get());
  if (Result<void> done = kernel.run(context); !done) return fail(atNode(std::move(done).error(), made.name));
  return context.takeOutputs();
}

Result<std::vector<RuntimeValue>> evaluateNode(const KernelRegistry& kernels, const Graph& graph, NodeId node,
                                               std::span<const RuntimeValue> inputs, size_t mostScratchBytes) {
  if (graph.node(node).hasBodies())
    return fail(
        atNode({ErrorCode::kNotImplemented, "nodes with bodies run in a session only", {}}, graph.node(node).name));
  const KernelInfo info(graph, node, [&](ValueId id) -> const Tensor* {
    const ShortList<ValueId>& slots = graph.node(node).inputs;
    for (size_t slot = 0; slot < slots.size() && slot < inputs.size(); ++slot) {
      if (slots[slot] == id && inputs[slot].isTensor()) return &inputs[slot].tensor();
    }
    return nullptr;
  });
  CUTAWAY_TRY(const std::unique_ptr<Kernel> kernel, kernels.create(info));
  return evaluateKernel(*kernel, graph, node, inputs, mostScratchBytes);
}

}  // namespace cutaway
