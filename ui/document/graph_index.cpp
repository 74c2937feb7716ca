#include "ui/document/graph_index.h"

#include <algorithm>

namespace cutaway::ui {

GraphIndex::GraphIndex(std::shared_ptr<const ModelGraphs> graphs) : m_graphs(std::move(graphs)) {
  std::vector<int> counts;
  // What is inside of a context node is told by the file and does not take part: its originals are those of the context
  // node.
  for (const GraphReport& graph : m_graphs->graphs)
    for (size_t n = 0; n < graph.nodes.size() && !graph.isInside; ++n)
      for (const int32_t origin : graph.nodes[n].origins) {
        if (origin < 0) continue;
        if (static_cast<size_t>(origin) >= counts.size()) counts.resize(origin + 1);
        ++counts[origin];
      }
  m_starts.assign(counts.size() + 1, 0);
  for (size_t i = 0; i < counts.size(); ++i)
    m_starts[i + 1] = m_starts[i] + counts[i];
  m_places.resize(m_starts.back());
  std::vector<int> next(m_starts.begin(), m_starts.end() - 1);
  m_values.resize(m_graphs->graphs.size());
  for (size_t g = 0; g < m_graphs->graphs.size(); ++g) {
    const GraphReport& graph = m_graphs->graphs[g];
    for (size_t n = 0; n < graph.nodes.size() && !graph.isInside; ++n)
      for (const int32_t origin : graph.nodes[n].origins)
        if (origin >= 0) m_places[next[origin]++] = {static_cast<int>(g), static_cast<int>(n)};
    m_values[g].reserve(graph.values.size());
    for (size_t v = 0; v < graph.values.size(); ++v)
      m_values[g].emplace(graph.values[v].name, static_cast<int>(v));
  }
}

std::span<const NodePlace> GraphIndex::nodesOf(int origin) const {
  if (origin < 0 || static_cast<size_t>(origin) + 1 >= m_starts.size()) return {};
  return std::span<const NodePlace>(m_places).subspan(m_starts[origin], m_starts[origin + 1] - m_starts[origin]);
}

int GraphIndex::valueIndex(int graph, std::string_view name) const {
  if (graph < 0 || static_cast<size_t>(graph) >= m_values.size()) return kNone;
  const auto found = m_values[graph].find(name);
  return found == m_values[graph].end() ? kNone : found->second;
}

}  // namespace cutaway::ui
