#pragma once
// Long layouts broken into columns that stand side by side, like the columns of a page: so that the whole of a chain of
// 300 nodes can be read at once. Lines that go from the end of one column to the head of the next run below it, up
// between the two, and down from above.
//
// Columns are cut where few values cross, and only where a window of the wanted size shows clearly more of the graph.
// Thread rule: plain values, pure functions. Example: LayerColumns columns = columnsOf(input, graph, x, layers,
// options);  moveToColumns(columns, graph, x, layers);

#include <unordered_map>
#include <vector>

#include "ui/canvas/proper_graph.h"

namespace cutaway::ui {

struct LayerSpans {  // along the flow
  std::vector<double> top;
  std::vector<double> bottom;
};

// The way of one value from column to column.
struct ColumnTurn {
  double low = 0;   // along: below the column that it leaves
  double side = 0;  // across: between the columns
  double high = 0;  // along: above the column that it enters
};

struct LayerColumns {
  std::vector<int> columnOf;                               // per layer; empty: all is one column
  std::vector<double> across, along;                       // what each column is moved by
  std::vector<std::unordered_map<int, ColumnTurn>> turns;  // per column: by net, to the next one
  double width = 0, height = 0;

  bool wrapped() const { return !columnOf.empty(); }
  int of(int layer) const { return wrapped() ? columnOf[layer] : 0; }
};

LayerColumns columnsOf(const LayoutInput& input, const ProperGraph& graph, const std::vector<double>& x,
                       const LayerSpans& layers, const LayoutOptions& options);
// Moves vertices and layers to where the columns stand. A last layer that holds the border of a box goes to the bottom.
void moveToColumns(const LayerColumns& columns, const LayoutInput& input, const ProperGraph& graph,
                   std::vector<double>& x, LayerSpans& layers);

}  // namespace cutaway::ui
