#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json allocationToJson(const ValueAllocation& value) {
  Json json = {{"value", value.value},
               {"kind", allocKindName(value.kind)},
               {"rule", allocRuleName(value.rule)},
               {"device", value.device},
               {"starts", value.starts},
               {"ends", value.ends},
               {"reason", value.reason}};
  if (value.reusedValue != kNone) json["reused_value"] = value.reusedValue;
  if (value.rootValue != kNone) json["root_value"] = value.rootValue;
  if (value.inPlace) json["in_place"] = true;
  if (value.partOffset >= 0) json["part_offset"] = value.partOffset;
  if (value.closestValue != kNone) json["closest"] = value.closestValue;
  if (value.sizeBytes >= 0) json["size_bytes"] = value.sizeBytes;
  if (!value.sizeText.empty()) json["size"] = value.sizeText;
  return json;
}

}  // namespace

Json toJson(const AllocateReport& report) {
  Json graphs = Json::array();
  for (const GraphAllocation& graph : report.graphs) {
    Json values = Json::array();
    for (const ValueAllocation& value : graph.values) {
      if (value.kind != AllocKind::kNotSet) values.push_back(allocationToJson(value));
    }
    graphs.push_back({{"graph", graph.graph}, {"values", std::move(values)}});
  }
  return {{"rules", report.rules},
          {"note", report.note},
          {"graphs", std::move(graphs)},
          {"allocated", report.allocated},
          {"reused", report.reused},
          {"in_place", report.inPlace},
          {"parts", report.parts},
          {"statically", report.statically},
          {"outputs", report.outputs},
          {"pre_existing", report.preExisting},
          {"weights_bytes", report.weightsBytes},
          {"time_ns", report.timeNs}};
}

}  // namespace cutaway
