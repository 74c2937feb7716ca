#pragma once
// A search for what must stay float, as JSON. Thread rule: pure. Example: put("{}\n", dumpJson(mixedToJson(report),
// 2));

#include <nlohmann/json_fwd.hpp>

#include "engine/report/mixed_report.h"

namespace cutaway {

// Keys: `goal`, `reached`, `quantised_error`, `mixed_error`, `kept`, `runs`, `nodes` (`node`, `op_type`, `alone`,
// `together`: -1 where it is not kept), `warnings`.
nlohmann::json mixedToJson(const MixedReport& report);

}  // namespace cutaway
