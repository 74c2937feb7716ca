#pragma once
// Runs one node outside any session: constant folding, and kernel tests.
//
// Thread rule: each call stands alone.
// Example: CUTAWAY_TRY(std::vector<RuntimeValue> outputs, evaluateNode(cpu, graph, node, inputs));

#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway {

// inputs: one per input slot, empty RuntimeValue where absent. Outputs own their memory. NOT_IMPLEMENTED when the
// provider has no kernel; nodes with bodies are refused.
Result<std::vector<RuntimeValue>> evaluateNode(const KernelRegistry& kernels, const Graph& graph, NodeId node,
                                               std::span<const RuntimeValue> inputs);
// The same with a kernel in hand.
Result<std::vector<RuntimeValue>> evaluateKernel(const Kernel& kernel, const Graph& graph, NodeId node,
                                                 std::span<const RuntimeValue> inputs);

}  // namespace cutaway
