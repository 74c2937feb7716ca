#pragma once
// Runs a graph node by node on a registry's kernels, as one kernel: for providers that simulate what they claim, and
// for tests.
//
// Values are found by dense index; nothing is looked up by name while it runs. Intermediate tensors come from blocks
// that the frame's state keeps and reuses, so a steady run with fixed sizes takes nothing from the heap but for
// strings, sequences and values whose kernels bring their own memory. Nodes of domain kChannelsLastDomain run as
// transpose, channels-first kernel, transpose. Thread rule: interpretGraph is pure; the kernel as any kernel. Example:
// CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(group.graph, cpuKernels));

#include <memory>

#include "engine/provider/kernel.h"

namespace cutaway {

// graph: with types of all outputs, as FusedSubGraph has it. Inputs and outputs of the kernel are the graph's.
// NOT_IMPLEMENTED naming the node when the registry has no kernel for one, and for nodes with bodies, which need a
// session.
Result<std::shared_ptr<const Kernel>> interpretGraph(Graph graph, const KernelRegistry& kernels);

}  // namespace cutaway
