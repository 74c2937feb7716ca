#include "app/cli/node_label.h"

#include <spdlog/fmt/fmt.h>

#include "engine/base/node_name.h"

namespace cutaway::cli {

std::string nodeLabel(const GraphReport& graph, int32_t node) {
  if (node < 0 || static_cast<size_t>(node) >= graph.nodes.size()) return "-";
  const NodeReport& report = graph.nodes[static_cast<size_t>(node)];
  return nodeName(report.name, report.opType, static_cast<size_t>(node));
}

std::string valueName(const GraphReport& graph, int32_t value) {
  return value < 0 || static_cast<size_t>(value) >= graph.values.size() ? "-"
                                                                        : graph.values[static_cast<size_t>(value)].name;
}

}  // namespace cutaway::cli
