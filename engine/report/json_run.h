#pragma once
// The JSON form of spans and of two runs compared; that of a run itself stands in json.h.
//
// Thread rule: pure functions over immutable reports. Example: std::string text = dumpJson(toJson(compareRuns(a,
// graphsA, b, graphsB)), 2);

#include "engine/report/json.h"
#include "engine/report/run_comparison.h"

namespace cutaway {

nlohmann::json toJson(const std::vector<TraceSpan>& spans);
nlohmann::json toJson(const std::vector<DeviceMemoryReport>& devices);
nlohmann::json toJson(const std::vector<CapturedSegmentReport>& capturedSegments);
nlohmann::json toJson(const RunComparison& comparison);

}  // namespace cutaway
