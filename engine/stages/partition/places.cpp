#include "engine/stages/partition/places.h"

#include <algorithm>

namespace cutaway::partition {

const ExecutionProvider* findProvider(std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                      const std::string& name) {
  for (const std::unique_ptr<ExecutionProvider>& provider : providers) {
    if (provider->name() == name) return provider.get();
  }
  return nullptr;
}

namespace {

// Who runs a node and by which row, found with the first question about it: copies and their remedies ask about the
// same nodes many times.
class KnownRows {
 public:
  struct Entry {
    const ExecutionProvider* provider = nullptr;
    const KernelRow* row = nullptr;
    bool known = false;
  };
  KnownRows(const Graph& graph, std::span<const std::unique_ptr<ExecutionProvider>> providers)
      : m_graph(graph), m_providers(providers) {}

  const Entry& of(NodeId id) {
    if (id.index() >= m_entries.size()) m_entries.resize(m_graph.nodeSlots());
    Entry& entry = m_entries[id.index()];
    if (entry.known) return entry;
    entry.known = true;
    entry.provider = findProvider(m_providers, m_graph.node(id).provider);
    if (entry.provider != nullptr && entry.provider->kernels() != nullptr)
      entry.row = entry.provider->kernels()->find(m_graph, id).row;
    return entry;
  }

 private:
  const Graph& m_graph;
  std::span<const std::unique_ptr<ExecutionProvider>> m_providers;
  std::vector<Entry> m_entries;
};

}  // namespace

NodePlaces placesIn(const Graph& graph, std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  const auto rows = std::make_shared<KnownRows>(graph, providers);
  const auto placeOf = [rows](NodeId id, size_t slot, std::span<const int> KernelRow::* hostSlots) -> const Device& {
    const KnownRows::Entry& entry = rows->of(id);
    if (entry.provider == nullptr) return heapAllocator().device();
    if (entry.row != nullptr &&
        std::count((entry.row->*hostSlots).begin(), (entry.row->*hostSlots).end(), static_cast<int>(slot)) > 0)
      return heapAllocator().device();
    return entry.provider->device();
  };
  const std::string fallback = providers.empty() ? std::string() : providers.back()->name();
  return {
      .input = [placeOf](NodeId id, size_t slot) -> const Device& { return placeOf(id, slot, &KernelRow::hostInputs); },
      .output = [placeOf](NodeId id, size_t slot) -> const Device& {
        return placeOf(id, slot, &KernelRow::hostOutputs);
      },
      .providerOf =
          [providers, fallback](const Device& device) {
            for (const std::unique_ptr<ExecutionProvider>& provider : providers) {
              if (provider->device() == device) return provider->name();
            }
            return fallback;
          },
      .fallback = fallback};
}

}  // namespace cutaway::partition
