#include "engine/stages/partition/exported_places.h"

#include <algorithm>

#include "engine/context_binary/inside_nodes.h"

namespace cutaway::partition {

namespace {

// Calls visit(graph, node, provider) for every node that says which provider of this session ran it.
template <typename Visit>
void forEachPlace(const Model& model, const Reservations& kept, Visit&& visit) {
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      for (const auto& [key, text] : graph.node(id).metadata) {
        if (key != context_binary::kProviderKey) continue;
        if (const int32_t provider = kept.indexOf(text); provider != kNone)
          visit(graph, id, static_cast<size_t>(provider));
        break;
      }
    }
  });
}

}  // namespace

ExportedPlaces::ExportedPlaces(const Model& model, Reservations& kept) {
  std::vector<char> named;
  forEachPlace(model, kept, [&](const Graph&, NodeId, size_t provider) {
    named.resize(kept.providers().size(), 0);
    named[provider] = 1;
  });
  m_ruleOfProvider.assign(named.size(), kNone);
  for (size_t i = 0; i < named.size(); ++i) {
    if (named[i])
      m_ruleOfProvider[i] = kept.addRule(
          {.provider = static_cast<int32_t>(i),
           .text = fmt::format("the model's metadata ({} ran it when it was exported)", kept.providers()[i]),
           .firm = true,
           .warnWhenUnused = false});
  }
}

void ExportedPlaces::bind(const Model& model, Reservations& kept) const {
  if (m_ruleOfProvider.empty()) return;
  forEachPlace(model, kept, [&](const Graph& graph, NodeId id, size_t provider) {
    // Functions that were inlined since may bring other nodes along.
    if (m_ruleOfProvider[provider] != kNone) kept.keep(graph, id, m_ruleOfProvider[provider]);
  });
}

}  // namespace cutaway::partition
