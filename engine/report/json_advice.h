#pragma once
// Advice and the support matrix as JSON. Thread rule: pure. Example: put("{}\n", dumpJson(adviceToJson(report), 2));

#include <nlohmann/json_fwd.hpp>

#include "engine/report/advice_report.h"

namespace cutaway {

// Keys: `settings`, `figures`, `advice`, `attempts`, `walks`, `time_ns`, `warnings`.
nlohmann::json adviceToJson(const AdviceReport& report);
// Keys: `rows`, `time_ns`.
nlohmann::json supportToJson(const SupportReport& report);

}  // namespace cutaway
