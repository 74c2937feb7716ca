#pragma once
// Finds nodes by words: name, operator, type, shape, attributes and the names of values; all words must match.
//
// Thread rule: immutable once built; building and searching may run on any thread.
// Example: FindIndex index(walk->loadedGraphs);  index.search(FindQuery::parse("conv 64x3"));

#include <memory>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"
#include "ui/base/find_query.h"

namespace cutaway::ui {

struct FindHit {
  int graph = 0;
  int node = 0;
  bool operator==(const FindHit&) const = default;
};

class FindIndex {
 public:
  explicit FindIndex(std::shared_ptr<const ModelGraphs> graphs);
  // In graph order, then node order. An empty query finds nothing.
  std::vector<FindHit> search(const FindQuery& query) const;

 private:
  std::vector<FindHit> m_places;
  std::vector<std::string> m_words;  // lower case, one per node
};

}  // namespace cutaway::ui
