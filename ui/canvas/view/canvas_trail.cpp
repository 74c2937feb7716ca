// Steps in and out of bodies, and jumps to any of them.
#include "ui/canvas/view/canvas_trail.h"

#include <algorithm>

#include "ui/base/format.h"

namespace cutaway::ui {

bool CanvasTrail::enter(const ModelGraphs& all, int graph) {
  if (graph < 0 || graph >= static_cast<int>(all.graphs.size()) || graph == this->graph()) return false;
  const GraphReport& entered = all.graphs[static_cast<size_t>(graph)];
  const auto known = std::find(m_graphs.begin(), m_graphs.end(), graph);
  if (known != m_graphs.end()) {
    m_graphs.erase(known + 1, m_graphs.end());
  } else if (entered.parentGraph == this->graph() || entered.isFunction) {
    m_graphs.push_back(graph);
  } else {
    // From elsewhere: the way there through the bodies that hold it.
    m_graphs.clear();
    for (int g = graph; g >= 0 && m_graphs.size() < all.graphs.size();
         g = all.graphs[static_cast<size_t>(g)].parentGraph)
      m_graphs.insert(m_graphs.begin(), g);
    if (m_graphs.front() != 0) m_graphs.insert(m_graphs.begin(), 0);
  }
  return true;
}

void CanvasTrail::keepWithin(const ModelGraphs& all) {
  if (graph() >= static_cast<int>(all.graphs.size())) reset();
}

std::vector<Crumb> CanvasTrail::crumbs(const ModelGraphs* all) const {
  std::vector<Crumb> crumbs;
  if (all)
    for (const int graph : m_graphs)
      if (graph < static_cast<int>(all->graphs.size()))
        crumbs.push_back({graph, text(all->graphs[static_cast<size_t>(graph)].title)});
  return crumbs;
}

}  // namespace cutaway::ui
