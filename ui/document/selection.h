#pragma once
// The one selection that every view of a document shares, in terms that survive every stage: original nodes, and values
// by name.
//
// A node of any version stands for the original nodes it came from; a view of another version marks everything that
// came from the same originals. Nodes without originals (inserted copies) are marked only where they exist. A node
// inside of a context node stands for itself, and for the context node wherever only that is known. Selecting a value
// focuses the value; its producer's originals are marked too. Thread rule: GUI thread. Example: connect(selection,
// &Selection::changed, this, [this] { mark(selection->nodesIn(GraphVersion::kOptimized, 0)); });

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <QObject>

#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;

class Selection : public QObject {
  Q_OBJECT
 public:
  explicit Selection(Document* document);

  void selectNode(const NodeTarget& target);
  void selectNodes(GraphVersion version, int graph, const std::vector<int>& nodes);
  void selectTargets(
      const std::vector<NodeTarget>& targets);  // of one version, of any of its graphs; the first is in focus
  void selectOrigins(std::vector<int> origins);
  void selectValue(const ValueTarget& target);
  void select(const RowTarget& target);  // the value when it names one, else the node
  void clear();

  bool empty() const { return m_origins.empty() && !m_focus.valid() && !m_value.valid(); }
  const std::vector<int>& origins() const { return m_origins; }  // ascending
  const NodeTarget& focus() const { return m_focus; }            // node chosen last, as it was chosen
  const ValueTarget& value() const { return m_value; }
  int graph() const { return m_value.valid() ? m_value.graph : m_focus.graph; }

  // Selected nodes of one graph of a version, ascending.
  std::vector<int> nodesIn(GraphVersion version, int graph) const;
  // The selected value, or what selected nodes make, in the version that is shown and in the one that runs: each by its
  // graph and name. All at once, for tables: asked value by value, names would be looked up for every row.
  std::set<std::pair<int, QString>> markedValues() const;
  // The node that stands for the selection in a version; invalid when nothing of it is left there.
  NodeTarget focusIn(GraphVersion version) const;
  // The same among nodes that run: of a node inside a context node the context node.
  NodeTarget stepIn(GraphVersion version) const;

 signals:
  void changed();
  // Asks views to bring the selection into sight.
  void revealRequested();

 private:
  std::vector<int> originsOf(const NodeTarget& target) const;
  NodeTarget innerIn(GraphVersion version) const;

  Document* m_document;
  std::vector<int> m_origins;
  NodeTarget m_focus;
  ValueTarget m_value;
};

}  // namespace cutaway::ui
