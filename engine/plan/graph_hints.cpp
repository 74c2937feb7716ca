#include "engine/plan/graph_hints.h"

#include "engine/stages/partition/copies.h"

namespace cutaway::plan {
namespace {

NodeMemoryHints copyHints(const Node& node, const ExecutionProvider& provider) {
  NodeMemoryHints hints;
  hints.device = provider.device();
  const std::string& host = heapAllocator().device().name;
  if (node.attributeOr<std::string>("from", "") == host) hints.hostInputs = {0};
  if (node.attributeOr<std::string>("to", "") == host) hints.hostOutputs = {0};
  return hints;
}

}  // namespace

bool isCopy(const Node& node) {
  return node.opType == partition::kCopyOperator && node.domain == partition::kEngineDomain;
}

ExecutionProvider* providerNamed(std::span<const std::unique_ptr<ExecutionProvider>> providers, std::string_view name) {
  for (const auto& provider : providers) {
    if (provider->name() == name) return provider.get();
  }
  return nullptr;
}

MemoryHints memoryHintsOf(const Graph& graph, std::span<const std::unique_ptr<ExecutionProvider>> providers,
                          const std::map<std::string, CompiledNode>& compiled) {
  return [&graph, providers, &compiled](NodeId id) {
    const Node& node = graph.node(id);
    NodeMemoryHints hints;
    const ExecutionProvider* provider = providerNamed(providers, node.provider);
    if (provider == nullptr) return hints;
    if (isCopy(node)) return copyHints(node, *provider);
    hints.device = provider->device();
    if (const auto found = compiled.find(node.name); found != compiled.end()) {
      hints.inplace = found->second.inplace;
      return hints;
    }
    if (provider->kernels() == nullptr) return hints;
    const KernelRow* row = provider->kernels()->find(graph, id).row;
    if (row == nullptr) return hints;
    hints.inplace.assign(row->inplace.begin(), row->inplace.end());
    hints.hostInputs.assign(row->hostInputs.begin(), row->hostInputs.end());
    hints.hostOutputs.assign(row->hostOutputs.begin(), row->hostOutputs.end());
    return hints;
  };
}

}  // namespace cutaway::plan
