#include "engine/stages/partition/places.h"

#include <algorithm>

namespace cutaway {

const ExecutionProvider* findProvider(std::span<const std::unique_ptr<ExecutionProvider>> providers, const std::string& name) {
  for (const std::unique_ptr<ExecutionProvider>& provider : providers) {
    if (provider->name() == name) return provider.get();
  }
  return nullptr;
}

NodePlaces placesIn(const Graph& graph, std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  const auto placeOf = [providers, &graph](NodeId id, size_t slot, std::span<const int> KernelRow::*hostSlots) -> const Device& {
    const ExecutionProvider* provider = findProvider(providers, graph.node(id).provider);
    if (provider == nullptr) return heapAllocator().device();
    if (const KernelRegistry* kernels = provider->kernels()) {
      const KernelRegistry::Match match = kernels->find(graph, id);
      if (match.row != nullptr && std::count((match.row->*hostSlots).begin(), (match.row->*hostSlots).end(), static_cast<int>(slot)) > 0) return heapAllocator().device();
    }
    return provider->device();
  };
  return {.input = [placeOf](NodeId id, size_t slot) -> const Device& { return placeOf(id, slot, &KernelRow::hostInputs); },
          .output = [placeOf](NodeId id, size_t slot) -> const Device& { return placeOf(id, slot, &KernelRow::hostOutputs); },
          .providerOf = [providers](const Device& device) {
            for (const std::unique_ptr<ExecutionProvider>& provider : providers) {
              if (provider->device() == device) return provider->name();
            }
            return std::string("cpu");
          }};
}

}  // namespace cutaway
