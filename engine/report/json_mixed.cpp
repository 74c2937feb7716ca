#include "engine/report/json_mixed.h"

#include <nlohmann/json.hpp>

namespace cutaway {

nlohmann::json mixedToJson(const MixedReport& report) {
  nlohmann::json nodes = nlohmann::json::array();
  for (const MixedNode& node : report.nodes)
    nodes.push_back(
        {{"node", node.node}, {"op_type", node.opType}, {"alone", node.alone}, {"together", node.together}});
  return {{"goal", report.goal},
          {"reached", report.reached()},
          {"quantised_error", report.quantisedError},
          {"mixed_error", report.mixedError},
          {"kept", report.kept},
          {"runs", report.runs},
          {"nodes", std::move(nodes)},
          {"warnings", report.warnings}};
}

}  // namespace cutaway
