#pragma once
// The columns of the table of nodes: what each says of one node and, where that can be summed, of a group.
//
// Thread rule: constants. Example: const double ns = nodeColumn(NodeColumns::kTime).figure(node);

#include <cstdint>
#include <string_view>

#include <QString>

#include "ui/document/node_facts.h"

namespace cutaway::ui {

// Places of the columns, which settings remember.
struct NodeColumns {
  enum Index {
    kName,
    kOperator,
    kNodes,
    kProvider,
    kType,
    kShape,
    kParameters,
    kFlops,
    kWeights,
    kMoved,
    kMemory,
    kTime,
    kStep,
    kError,
    kPass,
    kGroup,
    kRefusal,
    kDomain,
    kGraph,
    kColumnCount
  };
};

// Sums over nodes.
struct NodeTotals {
  int64_t nodes = 0, parameters = 0, flops = 0, weights = 0, moved = 0, memory = 0, timeNs = 0;
  int64_t openFlops = 0, openMoved = 0, openMemory = 0;  // nodes that the sums leave out: their sizes are not known
  bool timed = false;
  double error = -1;  // the largest
};

// A node with what the stages know about it.
struct KnownNode {
  const GraphReport& graph;
  int node;
  const NodeFacts* facts;  // null: nothing is known

  const NodeReport& report() const { return graph.nodes[static_cast<size_t>(node)]; }
  const ValueReport* firstOutput() const;
  std::string_view fact(const std::vector<SharedText> NodeFacts::* column) const;
  double amount(const std::vector<int64_t> NodeFacts::* column) const;  // -1: not known
};

struct NodeColumn {
  const char* title;  // to be translated as texts of NodesModel
  const char* help = nullptr;
  int widthCharacters = 14;
  // One of both: what a column of words is sorted by, and grouped by, or the figure of one of figures.
  std::string_view (*words)(const KnownNode& node) = nullptr;
  double (*figure)(const KnownNode& node) = nullptr;  // negative: not known
  double (*sum)(const NodeTotals& totals) = nullptr;  // of a group; null: groups have none
  int64_t NodeTotals::* open = nullptr;               // what the sum leaves out; null: it is whole
  QString (*write)(double figure) = nullptr;          // null: as a count
  QString (*show)(const KnownNode& node) = nullptr;   // null: the words or the figure as they are
  bool hasToolTip = false;                            // cells are often longer than the column is wide
};

const NodeColumn& nodeColumn(int index);
// Of all nodes of a model: an initializer that several of them read counts once.
NodeTotals weightsCountedOnce(NodeTotals sums, const WalkReport& walk, GraphVersion version);
// Empty when the figure is not known.
QString figureText(const NodeColumn& column, double figure);
// Of a group: a sum that leaves nodes out says so.
QString sumText(const NodeColumn& column, const NodeTotals& totals);

}  // namespace cutaway::ui
