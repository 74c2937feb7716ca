#pragma once
// The layered graph between the steps of the layout: every line joins neighbouring layers, long nets run through bends
// (vertices above realCount).
//
// Thread rule: plain values. Made by assignLayers() and addBends(), ordered by orderLayers(), measured by
// assignCoordinates().

#include <span>
#include <vector>

#include "ui/canvas/layered_layout.h"

namespace cutaway::ui {

struct LayerLine {
  int from = 0;
  int to = 0;
  int net = 0;
  int target = -1;  // index in LayoutInput::targets when `to` is its node, -1: a bend
};

struct LooseLine {
  int net = 0;
  int target = 0;  // index in LayoutInput::targets
};

// Lines of each vertex, sorted by the position of the other end once sortLines() has run.
struct LineLists {
  std::vector<int> starts;
  std::vector<int> lines;
  std::span<const int> of(int vertex) const {
    return std::span<const int>(lines).subspan(starts[vertex], starts[vertex + 1] - starts[vertex]);
  }
};

struct ProperGraph {
  int realCount = 0;
  std::vector<int> layerOf;              // per vertex
  std::vector<double> width;             // per vertex, 0 for bends
  std::vector<std::vector<int>> layers;  // vertices from left to right
  std::vector<int> position;             // per vertex, in its layer
  std::vector<LayerLine> lines;
  std::vector<LooseLine> loose;
  LineLists down;  // lines leaving a vertex
  LineLists up;    // lines arriving at a vertex

  int vertexCount() const { return static_cast<int>(layerOf.size()); }
  bool isBend(int vertex) const { return vertex >= realCount; }
};

// Layers of the real nodes: longest path over the lines that are not part of a cycle; then nodes without predecessors
// move down to their first reader. `backward[target]` says which targets are drawn loose because they close a cycle.
std::vector<int> assignLayers(const LayoutInput& input, std::vector<bool>& backward);
ProperGraph addBends(const LayoutInput& input, const LayoutOptions& options, std::vector<int> layers,
                     const std::vector<bool>& backward);

// Orders the vertices of every layer for few crossings: barycentre sweeps, the best order seen is kept. False:
// cancelled.
bool orderLayers(ProperGraph& graph, const LayoutOptions& options, const CancelToken& cancel);
void setPositions(ProperGraph& graph);
void sortLines(ProperGraph& graph);
long long countCrossings(const ProperGraph& graph);

// x of every vertex's centre (Brandes and Koepf 2001: four extreme alignments, averaged). Empty: cancelled.
std::vector<double> assignCoordinates(const ProperGraph& graph, const LayoutOptions& options,
                                      const CancelToken& cancel);

// The last step of every layout: layers are stacked, and lines are drawn through their bends. x: of every vertex.
LayoutResult placeGraph(const LayoutInput& input, const ProperGraph& graph, std::vector<double> x,
                        const LayoutOptions& options);

}  // namespace cutaway::ui
