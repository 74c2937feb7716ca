#pragma once
// Look-ups over one ModelGraphs: which nodes came from an original node, and which index a value's name has.
//
// Thread rule: one thread; the graphs may be read by others.
// Example: for (const NodePlace& place : index.nodesOf(origin)) mark(place.graph, place.node);

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

struct NodePlace {
  int graph = 0;
  int node = 0;
  auto operator<=>(const NodePlace&) const = default;
};

class GraphIndex {
 public:
  explicit GraphIndex(std::shared_ptr<const ModelGraphs> graphs);

  const ModelGraphs& graphs() const { return *m_graphs; }
  std::span<const NodePlace> nodesOf(int origin) const;
  int valueIndex(int graph, std::string_view name) const;  // kNone: no such value

 private:
  std::shared_ptr<const ModelGraphs> m_graphs;
  std::vector<int> m_starts;  // of each origin in m_places
  std::vector<NodePlace> m_places;
  // Of each graph a table of value indexes, found by the hash of their names; kNone: a free place. Made when a name is
  // first asked for.
  mutable std::vector<std::vector<int32_t>> m_values;
};

}  // namespace cutaway::ui
