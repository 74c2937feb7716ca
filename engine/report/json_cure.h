#pragma once
// The search for a cure as JSON. Thread rule: pure. Example: fmt::print("{}", dumpJson(cureToJson(report), 2));

#include <nlohmann/json_fwd.hpp>

#include "engine/report/cure_report.h"

namespace cutaway {

// Keys: `provider`, `simulated`, `before`, `after`, `after_compile` (null: not compiled), `refused`, `still_refused`,
// `proposals`, `steps`, `attempts`, `tolerance`, `seed`, `askings`, `proofs`, `time_ns`, `warnings`.
nlohmann::json cureToJson(const CureReport& report);

// Keys: `nodes`, `taken`, `left`, `flops`, `taken_flops`, `unsized_nodes`, `groups`, `copies`.
nlohmann::json cureFiguresToJson(const CureFigures& figures);

}  // namespace cutaway
