#include "engine/report/json_costs.h"

#include <nlohmann/json.hpp>

namespace cutaway {

using Json = nlohmann::json;

Json costsToJson(const CostReport& report, bool nodes) {
  Json list = Json::array();
  for (const GraphCosts& graph : report.graphs) {
    const NodeFigures& total = graph.total;
    Json json = {{"total",
                  {{"flops", total.flops},
                   {"moved_bytes", total.movedBytes},
                   {"weight_bytes", total.weightBytes},
                   {"parameters", total.parameters}}},
                 {"unknown_nodes", graph.unknownNodes}};
    const auto figures = [&](const char* key, int64_t NodeFigures::* figure) {
      Json values = Json::array();
      for (const NodeFigures& node : graph.nodes)
        values.push_back(node.*figure);
      json[key] = std::move(values);
    };
    if (nodes) {
      figures("flops", &NodeFigures::flops);
      figures("moved_bytes", &NodeFigures::movedBytes);
      figures("weight_bytes", &NodeFigures::weightBytes);
      figures("parameters", &NodeFigures::parameters);
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace cutaway
