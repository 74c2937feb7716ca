#pragma once
// How the command line calls nodes and values of a report.
//
// Thread rule: pure. Example: fmt::print("{}\n", nodeLabel(graph, 3));

#include <string>

#include "engine/report/graph_report.h"

namespace cutaway::cli {

// Its name or, for nodes without one, "Relu_3"; "-" where there is no such node.
std::string nodeLabel(const GraphReport& graph, int32_t node);
std::string valueName(const GraphReport& graph, int32_t value);

}  // namespace cutaway::cli
