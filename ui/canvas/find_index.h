#pragma once
// Finds nodes by a query, in the reports themselves; facts of the stages are looked up where a query asks for them.
//
// Thread rule: immutable once built; building and searching may run on any thread.
// Example: FindIndex index(walk->loadedGraphs);  index.search(FindQuery::parse("op:Conv time>1ms"), facts);

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <QStringList>

#include "engine/base/progress.h"
#include "engine/report/graph_report.h"
#include "ui/base/find_query.h"

namespace cutaway::ui {

struct NodeFacts;

struct FindHit {
  int graph = 0;
  int node = 0;
  bool operator==(const FindHit&) const = default;
};

// Facts of every graph; a missing one is unknown.
using FindFacts = std::vector<std::shared_ptr<const NodeFacts>>;

// What completion proposes.
struct FindVocabulary {
  QStringList operators, domains, types, attributes;
};

class FindIndex {
 public:
  // Graphs before `first` are left out; hits count all of them.
  explicit FindIndex(std::shared_ptr<const ModelGraphs> graphs, size_t first = 0);
  // In graph order, then node order. An empty query finds nothing. Cancelled: what was found so far means nothing.
  std::vector<FindHit> search(const FindQuery& query, const FindFacts& facts = {},
                              const CancelToken* cancel = nullptr) const;
  const std::shared_ptr<const ModelGraphs>& graphs() const { return m_graphs; }
  const FindVocabulary& vocabulary() const { return m_vocabulary; }
  size_t size() const { return m_places.size(); }

 private:
  using Test = std::function<bool(size_t)>;  // by place
  Test testOf(const FindTerm& term, const FindFacts& facts) const;
  Test wordTest(const FindTerm& term) const;
  template <typename Looker>
  bool looksAt(size_t place, Looker& looker) const;
  Test factTest(const FindTerm& term, const FindFacts& facts, const std::vector<SharedText> NodeFacts::* column) const;
  const NodeFacts* factsOf(const FindFacts& facts, size_t place) const;  // null: unknown
  const NodeReport& node(size_t place) const {
    return m_graphs->graphs[static_cast<size_t>(m_places[place].graph)]
        .nodes[static_cast<size_t>(m_places[place].node)];
  }
  const GraphReport& graph(size_t place) const { return m_graphs->graphs[static_cast<size_t>(m_places[place].graph)]; }

  std::shared_ptr<const ModelGraphs> m_graphs;
  std::vector<FindHit> m_places;
  FindVocabulary m_vocabulary;
};

}  // namespace cutaway::ui
