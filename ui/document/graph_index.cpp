#include "ui/document/graph_index.h"

#include <algorithm>
#include <bit>
#include <functional>

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
  }
}

std::span<const NodePlace> GraphIndex::nodesOf(int origin) const {
  if (origin < 0 || static_cast<size_t>(origin) + 1 >= m_starts.size()) return {};
  return std::span<const NodePlace>(m_places).subspan(m_starts[origin], m_starts[origin + 1] - m_starts[origin]);
}

namespace {

// The place of a name in a table whose size is a power of two: where it stands, or the free one where it belongs.
size_t placeOf(std::string_view name, const std::vector<int32_t>& table, const std::vector<ValueReport>& values) {
  const size_t mask = table.size() - 1;
  size_t place = std::hash<std::string_view>{}(name)&mask;
  while (table[place] != kNone && values[static_cast<size_t>(table[place])].name != name)
    place = (place + 1) & mask;
  return place;
}

// At least every third place is free; of equal names the first stands.
std::vector<int32_t> tableOf(const std::vector<ValueReport>& values) {
  std::vector<int32_t> table(std::bit_ceil(values.size() + values.size() / 2 + 1), kNone);
  for (size_t v = 0; v < values.size(); ++v)
    if (int32_t& entry = table[placeOf(values[v].name, table, values)]; entry == kNone) entry = static_cast<int32_t>(v);
  return table;
}

}  // namespace

int GraphIndex::valueIndex(int graph, std::string_view name) const {
  if (graph < 0 || static_cast<size_t>(graph) >= m_values.size()) return kNone;
  const std::vector<ValueReport>& values = m_graphs->graphs[static_cast<size_t>(graph)].values;
  std::vector<int32_t>& table = m_values[static_cast<size_t>(graph)];
  if (table.empty()) table = tableOf(values);
  return table[placeOf(name, table, values)];
}

}  // namespace cutaway::ui
