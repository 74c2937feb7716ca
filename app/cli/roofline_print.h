#pragma once
// The roofline of a run as text and JSON.
//
// Thread rule: the main thread. Example: printRoofline(walk, study::rooflineOf(walk, builtProviders()));

#include <nlohmann/json_fwd.hpp>

#include "engine/report/roofline_report.h"
#include "engine/report/walk_report.h"

namespace cutaway::cli {

void printRoofline(const WalkReport& walk, const RooflineReport& report);
nlohmann::json rooflineToJson(const WalkReport& walk, const RooflineReport& report);

}  // namespace cutaway::cli
