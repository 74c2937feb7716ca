#pragma once
// A graph as the canvas draws it: boxes and lines with their places, made once and then only looked at.
//
// Coordinates are scene units: one unit is one pixel at 100 %. Items are nodes, folded scopes, title bars of unfolded
// bodies, and inputs and outputs. A scene shows one graph; bodies of its nodes may be unfolded in place, so an item
// says which graph it belongs to. Thread rule: immutable once built (shared_ptr<const Scene>); buildScene() may run on
// any thread, a SceneCache in one thread at a time. Example:
//   SceneRequest request{.graphs = walk->loadedGraphs, .graph = 0};
//   auto scene = buildScene(request, cancel);   // nullptr: cancelled
//   int item = scene->itemAt({120, 40});

#include <memory>
#include <span>
#include <vector>

#include <QPointF>
#include <QRectF>
#include <QSet>
#include <QString>

#include "engine/base/progress.h"
#include "engine/report/graph_report.h"
#include "engine/report/partition_report.h"
#include "ui/canvas/card_contents.h"
#include "ui/canvas/grouping.h"
#include "ui/canvas/layout_engine.h"
#include "ui/canvas/scope_tree.h"
#include "ui/canvas/spatial_grid.h"

namespace cutaway::ui {

class SceneCache;

enum class ItemKind : unsigned char {
  kNode,
  kFolded,
  kInput,
  kOutput,
  kHeader
};  // header: title bar of a node whose body is unfolded in place

enum class FlowDirection : unsigned char { kDown, kRight };

struct SceneItem {
  QRectF rect;
  ItemKind kind = ItemKind::kNode;
  int index = 0;  // node, scope or value
  int scope = 0;  // scope that holds it
  int graph = 0;  // whose node or value
  int card = 0;   // kNode: scope (kCard) of the nodes that are drawn on its card with it; 0: it is alone
};

struct SceneBox {  // an unfolded scope
  QRectF rect;
  int scope = 0;
};

struct SceneSegment {
  double x = 0, y = 0;  // start
  float dx = 0;         // from start to end
  float dy = 0;
  int net = 0;
  int target = -1;  // item it ends at, with an arrow
  bool loose = false;

  QPointF start() const { return {x, y}; }
  QPointF end() const { return {x + dx, y + dy}; }
  bool arrow() const { return target >= 0; }
};

struct SceneNet {
  int value = 0;
  int graph = 0;    // whose value
  int source = -1;  // item; -1: comes in from outside a box
  int firstSegment = 0;
  int segmentCount = 0;
  int bundle = -1;  // index in Scene::bundles: several values between the same two boxes; `value` is the first
};

struct SceneRequest {
  std::shared_ptr<const ModelGraphs> graphs;
  int graph = 0;
  std::shared_ptr<const ScopeTree> scopes = nullptr;  // null: made by `grouping`
  QSet<QString> unfolded = {};  // paths of scopes to show open, and of nodes whose bodies are (bodyPath())
  bool unfoldAll = false;       // scopes, neither bodies nor cards
  Grouping grouping = Grouping::kAutomatic;
  std::shared_ptr<const PartitionReport> asked =
      nullptr;  // for provider groups of graphs that were asked; null: nodes tell
  FlowDirection direction = FlowDirection::kDown;
  CardContents contents = {};
  LayoutEngine layout = LayoutEngine::kOwn;
  QSizeF window = {1440, 850};  // that the whole is to be read in: what is longer is broken into columns for it
  std::shared_ptr<SceneCache> cache = nullptr;  // what stays the same is not laid out again
};

// Rows of different lengths in one piece of memory.
class IndexRows {
 public:
  std::span<const int> operator[](size_t row) const {
    return std::span<const int>(m_entries).subspan(m_starts[row], m_starts[row + 1] - m_starts[row]);
  }
  size_t size() const { return m_starts.empty() ? 0 : m_starts.size() - 1; }
  // Sorts the pairs (row, entry) into rows; each entry once.
  void build(size_t rows, const std::vector<std::pair<int, int>>& pairs);

 private:
  std::vector<int> m_starts;
  std::vector<int> m_entries;
};

struct Scene {
  std::shared_ptr<const ModelGraphs> graphs;
  int graph = 0;
  Grouping grouping = Grouping::kAutomatic;
  FlowDirection direction = FlowDirection::kDown;
  CardContents contents;
  QSizeF window;                            // that it was laid out for
  QString layoutNote;                       // why it is our layout although dot's was asked for; empty: it is as asked
  std::shared_ptr<const ScopeTree> groups;  // of the graph alone; what SceneRequest::scopes takes
  std::shared_ptr<const ScopeTree> scopes;  // with the scopes of unfolded bodies behind them
  std::vector<SceneItem> items;
  std::vector<SceneBox> boxes;  // outer before inner
  std::vector<SceneNet> nets;
  std::vector<SceneSegment> segments;
  std::vector<std::vector<int>> bundles;  // values
  std::vector<int> itemOfNode;  // of the graph: the node's own item, its title bar, the card of the node that it
                                // belongs to, or the folded scope that hides it
  IndexRows netsOfItem;         // nets that touch an item
  QRectF bounds;
  SpatialGrid itemGrid, segmentGrid, boxGrid;

  struct BodyNode {
    int graph, node, item;
  };
  std::vector<BodyNode> bodyNodes;  // nodes of bodies unfolded in place; a function may be there several times

  const GraphReport& report() const { return graphs->graphs[graph]; }
  const GraphReport& reportOf(const SceneItem& item) const { return graphs->graphs[item.graph]; }
  const NodeReport& nodeOf(const SceneItem& item) const { return reportOf(item).nodes[item.index]; }  // kNode, kHeader
  const ValueReport& valueOf(const SceneNet& net) const { return graphs->graphs[net.graph].values[net.value]; }
  int itemAt(const QPointF& point) const;  // -1: none
  int boxAt(const QPointF& point) const;   // innermost box whose title bar is there, -1: none
  int netAt(const QPointF& point, double tolerance) const;
  std::vector<int> nodesOf(int item) const;             // nodes of the item's graph that it stands for: of a card one
  int onCard(int item) const;                           // nodes drawn on its card beside its own
  std::vector<int> itemsOf(int graph, int node) const;  // where a node is shown: none, once, or in several places
  std::vector<int> netsOf(int graph, int value) const;  // lines of a value, bundled ones too
  std::vector<int> shownGraphs() const;                 // the graph and those unfolded in it, ascending
};

// nullptr: cancelled, or the graph does not exist.
std::shared_ptr<const Scene> buildScene(const SceneRequest& request, const CancelToken& cancel);

// Which scopes to show open at first: all in graphs that stay readable, else the outermost ones stay folded.
QSet<QString> initiallyUnfolded(const ScopeTree& tree);

// A cubic with ends along the flow, as the painter draws a segment.
struct SegmentCurve {
  QPointF start, control1, control2, end;
  QPointF at(double t) const;
};
SegmentCurve curveOf(const SceneSegment& segment, FlowDirection direction = FlowDirection::kDown);

inline constexpr double kBoxHeader = 24;
inline constexpr double kBoxPadding = 14;

}  // namespace cutaway::ui
