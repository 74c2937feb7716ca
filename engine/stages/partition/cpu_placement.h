#pragma once
// Shape arithmetic stays on the CPU: nodes that a device would take one by one, though their operands lie in host
// memory and computing there is cheaper than carrying them over (onnxruntime/core/framework/fallback_cpu_capability.cc,
// with a cost rule of our own: transfers and launches against computing on the host).
//
// It starts at consumers of values that lie in host memory although their node was claimed (a kernel row's hostOutputs,
// Shape, Size) and goes on in topological order: a node moves when each of its inputs is a small constant, a graph
// input or a value in host memory, none is a narrow float, the device's kernel does not want it in host memory anyway,
// the CPU has a kernel, and the estimate says so. What it makes is then in host memory, and its consumers are looked
// at. Last, Shape and Size move whose operand lies in host memory and is wanted on the device by nobody else: they
// would have it copied unread. Thread rule: pure. Near-linear in the nodes looked at. Example: released =
// keepShapeArithmeticOnHost({graph, order, provider, *cpu.kernels(), mayMove}, said.claims, wanted);

#include <functional>
#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::partition {

struct PlacementQuestion {
  const Graph& graph;
  std::span<const NodeId> order;      // topological, of the graph
  const ExecutionProvider& provider;  // with a device of its own; nothing happens otherwise
  const KernelRegistry& hostKernels;
  std::function<bool(NodeId)> mayMove;  // false: the user wants it where it is; empty: all may
};

// Refusals (Verdict::kReleased) of the single-node claims that move; wanted becomes 0 for them.
std::vector<Refusal> keepShapeArithmeticOnHost(const PlacementQuestion& question,
                                               std::span<const ComputeCapability> claims, std::vector<char>& wanted);

}  // namespace cutaway::partition
