#include "engine/report/json_diff.h"

#include <nlohmann/json.hpp>

namespace cutaway {

using Json = nlohmann::json;

Json diffToJson(const ModelDiff& diff, bool whole) {
  Json nodes = Json::array();
  for (const NodeDiff& node : diff.nodes) {
    if (node.kind == DiffKind::kSame && !whole) continue;
    Json json = {{"kind", diffKindName(node.kind)},
                 {"graph_a", node.graphA},
                 {"node_a", node.nodeA},
                 {"graph_b", node.graphB},
                 {"node_b", node.nodeB}};
    if (!node.matchedBy.empty()) json["matched_by"] = node.matchedBy;
    if (!node.changes.empty()) json["changes"] = node.changes;
    nodes.push_back(std::move(json));
  }
  Json values = Json::array();
  for (const ValueDiff& value : diff.values) {
    if (value.kind == DiffKind::kSame && !whole) continue;
    values.push_back({{"kind", diffKindName(value.kind)},
                      {"what", value.what},
                      {"name_a", value.nameA},
                      {"name_b", value.nameB},
                      {"changes", value.changes}});
  }
  return {{"identical", diff.identical()},
          {"same", diff.same},
          {"changed", diff.changed},
          {"only_a", diff.onlyA},
          {"only_b", diff.onlyB},
          {"values_differ", diff.valuesDiffer},
          {"weights_compared", diff.weightsCompared},
          {"facts", diff.facts},
          {"nodes", std::move(nodes)},
          {"values", std::move(values)}};
}

}  // namespace cutaway
