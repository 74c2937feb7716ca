#include "app/cli/node_label.h"

#include <spdlog/fmt/fmt.h>

namespace cutaway::cli {

std::string nodeLabel(const GraphReport& graph, int32_t node) {
  if (node < 0 || static_cast<size_t>(node) >= graph.nodes.size()) return "-";
  const NodeReport& report = graph.nodes[static_cast<size_t>(node)];
  return report.name.empty() ? fmt::format("{} #{}", report.opType, node) : report.name;
}

std::string valueName(const GraphReport& graph, int32_t value) {
  return value < 0 || static_cast<size_t>(value) >= graph.values.size() ? "-"
                                                                        : graph.values[static_cast<size_t>(value)].name;
}

}  // namespace cutaway::cli
