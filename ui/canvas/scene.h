#pragma once
// A graph as the canvas draws it: boxes and lines with their places, made once and then only looked at.
//
// Coordinates are scene units: one unit is one pixel at 100 %. Items are nodes, folded scopes, boxes of unfolded scopes, and the graph's inputs and outputs.
// Thread rule: immutable once built (shared_ptr<const Scene>); buildScene() may run on any thread.
// Example:
//   SceneRequest request{.graphs = walk->loadedGraphs, .graph = 0};
//   auto scene = buildScene(request, cancel);   // nullptr: cancelled
//   int item = scene->itemAt({120, 40});

#include <QPointF>
#include <QRectF>
#include <QSet>
#include <QString>
#include <memory>
#include <vector>

#include "engine/base/progress.h"
#include "engine/report/graph_report.h"
#include "ui/canvas/name_scopes.h"
#include "ui/canvas/spatial_grid.h"

namespace cutaway::ui {

enum class ItemKind : unsigned char { kNode, kFolded, kInput, kOutput };

struct SceneItem {
  QRectF rect;
  ItemKind kind = ItemKind::kNode;
  int index = 0;  // node, scope or value
  int scope = 0;  // scope that holds it
};

struct SceneBox {  // an unfolded scope
  QRectF rect;
  int scope = 0;
};

struct SceneSegment {
  float dx = 0;        // from start to end
  float dy = 0;
  double x = 0, y = 0;  // start
  int net = 0;
  bool arrow = false;   // ends at an item
  bool loose = false;

  QPointF start() const { return {x, y}; }
  QPointF end() const { return {x + dx, y + dy}; }
};

struct SceneNet {
  int value = 0;
  int source = -1;  // item; -1: comes in from outside a box
  int firstSegment = 0;
  int segmentCount = 0;
};

struct SceneRequest {
  std::shared_ptr<const ModelGraphs> graphs;
  int graph = 0;
  std::shared_ptr<const ScopeTree> scopes;  // null: made while building
  QSet<QString> unfolded;                   // paths of scopes to show open
  bool unfoldAll = false;
};

struct Scene {
  std::shared_ptr<const ModelGraphs> graphs;
  int graph = 0;
  std::shared_ptr<const ScopeTree> scopes;
  std::vector<SceneItem> items;
  std::vector<SceneBox> boxes;  // outer before inner
  std::vector<SceneNet> nets;
  std::vector<SceneSegment> segments;
  std::vector<int> itemOfNode;               // the node's own item or the folded scope that hides it
  std::vector<std::vector<int>> netsOfItem;  // nets that touch an item
  QRectF bounds;
  SpatialGrid itemGrid, segmentGrid;

  const GraphReport& report() const { return graphs->graphs[graph]; }
  int itemAt(const QPointF& point) const;    // -1: none
  int boxAt(const QPointF& point) const;     // innermost box whose title bar is there, -1: none
  int netAt(const QPointF& point, double tolerance) const;
  std::vector<int> nodesOf(int item) const;  // nodes an item stands for
};

// nullptr: cancelled, or the graph does not exist.
std::shared_ptr<const Scene> buildScene(const SceneRequest& request, const CancelToken& cancel);

// Which scopes to show open at first: all in graphs that stay readable, else the outermost ones stay folded.
QSet<QString> initiallyUnfolded(const ScopeTree& tree);

// A cubic with vertical ends, as the painter draws a segment.
struct SegmentCurve {
  QPointF start, control1, control2, end;
};
SegmentCurve curveOf(const SceneSegment& segment);

inline constexpr double kBoxHeader = 24;
inline constexpr double kBoxPadding = 14;

}  // namespace cutaway::ui
