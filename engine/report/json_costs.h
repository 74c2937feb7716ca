#pragma once
// Costs as JSON. Thread rule: pure. Example: json["costs"] = costsToJson(*walk.loadedCosts, true);

#include <nlohmann/json_fwd.hpp>

#include "engine/report/cost_report.h"

namespace cutaway {

// A list, one object a graph: `total`, `unknown_nodes`, and with `nodes` one list a figure, in the order of the graph's
// nodes.
nlohmann::json costsToJson(const CostReport& report, bool nodes);

}  // namespace cutaway
