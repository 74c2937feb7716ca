#pragma once
// A restored kernel behind its EPContext node: the order of the node's inputs and outputs is authoritative, whatever
// order the binary has them in.
//
// The binary is a stranger's: the kernel trusts the types of its ports, so every call is checked against them before
// the kernel sees it. Thread rule: binding is pure; the kernel as any kernel. A run allocates nothing. Example:
// CUTAWAY_TRY(const PortBinding binding, bindPorts(graph, id, partition));   compiled = behindNode(std::move(compiled),
// binding, partition);

#include <cstdint>
#include <vector>

#include "engine/context_binary/context_catalog.h"
#include "engine/provider/execution_provider.h"

namespace cutaway::partition {

struct PortBinding {
  std::vector<uint32_t> inputs;  // by port of the partition: slot of the node
  std::vector<uint32_t> outputs;
  bool inOrder = true;  // slots are ports
};

// Ports and slots are joined by name; by position when the names are others. INVALID_GRAPH naming the node's value:
// counts differ, types do not agree, an output whose type the model does not say.
Result<PortBinding> bindPorts(const Graph& graph, NodeId node, const context_binary::ContextPartition& partition);

// Kernel and memory hints in terms of the node's slots.
CompiledNode behindNode(CompiledNode compiled, PortBinding binding, const context_binary::ContextPartition& partition);
// The same; its first run checks what of the partition was left to it (EP_FAIL: bytes were changed).
CompiledNode behindNode(CompiledNode compiled, PortBinding binding, const context_binary::FoundContext& found);

}  // namespace cutaway::partition
