#pragma once
// What is different between two graphs whose nodes are matched: nodes and values one by one, as sentences.
//
// Thread rule: pure. Example: GraphChanges changes({a, 0, &weightsA}, {b, 0, &weightsB}, matching);
// diff.nodes.push_back(changes.node(3));

#include <unordered_map>

#include "engine/study/difference/diff_models.h"
#include "engine/study/difference/match_nodes.h"

namespace cutaway::study {

struct ChangeSide {
  const GraphReport& graph;
  int32_t index = 0;
  const WeightHashes* weights = nullptr;  // null on either side: weights are compared by type and shape
};

using ValueNames = std::unordered_map<std::string_view, int32_t>;

class GraphChanges {
 public:
  // outer: of the graphs around, for what bodies read from there; nullptr: none.
  GraphChanges(const ChangeSide& a, const ChangeSide& b, const NodeMatching& matching, const GraphChanges* outer);
  NodeDiff node(int32_t nodeOfA) const;
  // Inputs, outputs and initializers.
  std::vector<ValueDiff> values() const;

 private:
  void pairBorder(const std::vector<int32_t>& a, const std::vector<int32_t>& b);
  void pairInitializers();
  void pair(int32_t a, int32_t b);
  void compareInputs(const NodeReport& a, const NodeReport& b, std::vector<std::string>& changes) const;
  std::string inputChange(size_t slot, int32_t a, int32_t b) const;
  std::string captureChange(size_t slot, const ValueReport& a, const ValueReport& b) const;
  bool weightsDiffer(const ValueReport& a, const ValueReport& b) const;
  ValueDiff valueDiff(const char* what, int32_t a) const;

  ChangeSide m_a, m_b;
  const NodeMatching& m_matching;
  const GraphChanges* m_outer;
  std::vector<int32_t> m_slotsA, m_slotsB;      // which output of its node a value is
  std::vector<int32_t> m_valueToB, m_valueToA;  // inputs, outputs and initializers
  ValueNames m_namesA, m_namesB;                // of graphs with bodies, which read by name
};

}  // namespace cutaway::study
