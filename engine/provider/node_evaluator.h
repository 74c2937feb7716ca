#pragma once
// Runs one node outside any session: constant folding, and kernel tests.
//
// Thread rule: each call stands alone.
// Example: CUTAWAY_TRY(std::vector<RuntimeValue> outputs, evaluateNode(cpu, graph, node, inputs));

#include <limits>
#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway {

inline constexpr size_t kAnyScratch = std::numeric_limits<size_t>::max();

// inputs: one per input slot, empty RuntimeValue where absent. Outputs own their memory. NOT_IMPLEMENTED when the
// provider has no kernel; nodes with bodies are refused. A kernel that wants more scratch memory fails.
Result<std::vector<RuntimeValue>> evaluateNode(const KernelRegistry& kernels, const Graph& graph, NodeId node,
                                               std::span<const RuntimeValue> inputs,
                                               size_t mostScratchBytes = kAnyScratch);
// The same with a kernel in hand.
Result<std::vector<RuntimeValue>> evaluateKernel(const Kernel& kernel, const Graph& graph, NodeId node,
                                                 std::span<const RuntimeValue> inputs,
                                                 size_t mostScratchBytes = kAnyScratch);

}  // namespace cutaway
