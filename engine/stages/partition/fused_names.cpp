#include "engine/stages/partition/fused_names.h"

#include <algorithm>

namespace cutaway::partition {

FusedNames::FusedNames(const Model& model, std::span<const std::string> providers, std::string prefix)
    : m_prefix(std::move(prefix)) {
  const auto couldClash = [&](std::string_view name) {
    if (!name.starts_with(m_prefix)) return false;
    name.remove_prefix(m_prefix.size());
    return std::any_of(providers.begin(), providers.end(), [&](const std::string& provider) {
      return name.size() > provider.size() && name[provider.size()] == '_' && name.starts_with(provider);
    });
  };
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (size_t i = 0; i < graph.nodeSlots(); ++i) {
      const Node& node = graph.node(NodeId{i});
      if (!node.removed && couldClash(node.name)) m_inUse.insert(node.name);
    }
  });
}

std::string FusedNames::next(const std::string& provider, const std::string& metaDefName) {
  for (;;) {
    std::string name = fmt::format("{}{}_{}_{}", m_prefix, provider, metaDefName, m_next++);
    if (!m_inUse.contains(name)) return name;
  }
}

}  // namespace cutaway::partition
