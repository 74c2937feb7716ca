#pragma once
// The way to the graph that is shown, through the bodies and functions that hold it: what the breadcrumbs say and where
// leaving leads.
//
// Thread rule: plain values. Example: if (trail.enter(*graphs, 3)) showGraph(trail.graph());  trail.parent()  // -1:
// the main graph is shown

#include <vector>

#include "engine/report/graph_report.h"
#include "ui/canvas/view/canvas_bar.h"

namespace cutaway::ui {

class CanvasTrail {
 public:
  int graph() const { return m_graphs.back(); }
  int parent() const { return m_graphs.size() < 2 ? -1 : m_graphs[m_graphs.size() - 2]; }
  void reset() { m_graphs = {0}; }
  // false: there is no such graph, or it is shown already.
  bool enter(const ModelGraphs& graphs, int graph);
  // Graphs that are no longer there are left.
  void keepWithin(const ModelGraphs& graphs);
  std::vector<Crumb> crumbs(const ModelGraphs* graphs) const;

 private:
  std::vector<int> m_graphs = {0};
};

}  // namespace cutaway::ui
