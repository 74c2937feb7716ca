#pragma once
// Where a part of a graph begins and ends that holds the chosen nodes and everything between them.
//
// Thread rule: pure. Example: const ExtractBounds part = extractBounds(graph, {3, 9});  edit.names = part.names;

#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

struct ExtractBounds {
  std::vector<std::string> names;    // values from outside that it reads, initializers left out
  std::vector<std::string> outputs;  // values it makes that are read outside, or are outputs of the graph
  int nodes = 0;                     // in it
};

ExtractBounds extractBounds(const GraphReport& graph, const std::vector<int>& chosen);

}  // namespace cutaway::ui
