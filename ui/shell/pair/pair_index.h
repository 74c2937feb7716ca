#pragma once
// Who belongs to whom between two models, for panes that stand side by side: partners of nodes, in the versions that
// are shown, and the list of what differs.
//
// Thread rule: immutable once made; pure.
// Example: const PairIndex pairs(diff);  pairs.partner({GraphVersion::kLoaded, 0, 3}, true);

#include <memory>
#include <vector>

#include "engine/report/model_diff.h"
#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;

class PairIndex {
 public:
  PairIndex() = default;
  explicit PairIndex(std::shared_ptr<const ModelDiff> diff);

  const ModelDiff* diff() const { return m_diff.get(); }
  // Of a node as loaded; invalid: it has none. fromA: the node is of A.
  NodeTarget partner(const NodeTarget& loaded, bool fromA) const;
  int partnerGraph(int graph, bool fromA) const;  // kNone: none
  // Nodes that are not the same, in the order of the difference.
  const std::vector<int>& differences() const { return m_differences; }
  // Which of them a node as loaded is about; kNone: it is the same.
  int differenceOf(const NodeTarget& loaded, bool fromA) const;

 private:
  std::shared_ptr<const ModelDiff> m_diff;
  std::vector<std::vector<NodeTarget>> m_partners[2];  // [fromB][graph][node]
  std::vector<std::vector<int>> m_differenceOf[2];
  std::vector<int> m_differences;
};

// By node of a graph of `from` in its shown version: the node of `to` that it belongs to in the version shown there, in
// graph `toGraph`; kNone: none.
std::vector<int> shownPartners(const Document& from, int fromGraph, const Document& to, int toGraph,
                               const PairIndex& pairs, bool fromA);

// The two walks of a what-if: the same model, planned otherwise. Nodes are changed where another provider takes them,
// where they are fused otherwise or rewritten otherwise.
ModelDiff diffWalks(const WalkReport& now, const WalkReport& whatIf);

}  // namespace cutaway::ui
