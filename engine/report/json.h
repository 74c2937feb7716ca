#pragma once
// The reports as JSON: what `cutaway-cli VERB --json` prints. Documented in engine/report/README.md.
//
// Thread rule: pure functions over immutable reports.
// Example: std::string text = walkToJson(*walk, {}).dump(2);

#include <nlohmann/json_fwd.hpp>

#include "engine/report/accuracy_report.h"
#include "engine/report/opinion_report.h"
#include "engine/report/partition_comparison.h"
#include "engine/report/plan_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway {

inline constexpr int kReportSchemaVersion = 1;

struct JsonOptions {
  bool graphs = true;                 // the graphs themselves (large)
  Stage lastStage = Stage::kContext;  // leave out what lies behind it
};

nlohmann::json walkToJson(const WalkReport& walk, const JsonOptions& options);

nlohmann::json toJson(const ModelGraphs& graphs);
nlohmann::json toJson(const LoadReport& report);
nlohmann::json toJson(const ResolveReport& report);
nlohmann::json toJson(const OptimizeReport& report);
nlohmann::json toJson(const PartitionReport& report);
nlohmann::json toJson(const ScheduleReport& report);
nlohmann::json toJson(const AllocateReport& report);
nlohmann::json toJson(const PatternReport& report);
nlohmann::json toJson(const RunReport& report);
nlohmann::json toJson(const ContextReport& report);
nlohmann::json toJson(const ContextVerification& seen);
nlohmann::json toJson(const PartitionComparison& comparison);
nlohmann::json toJson(const PlanComparison& comparison);
nlohmann::json toJson(const PlanTable& table);
nlohmann::json toJson(const AccuracyReport& report);
nlohmann::json toJson(const SecondOpinion& opinion);
nlohmann::json toJson(const CopyReport& copy);
nlohmann::json toJson(const Error& error);

// Text with bytes that are not UTF-8 replaced, so that hostile names still give valid JSON.
std::string dumpJson(const nlohmann::json& json, int indent);

}  // namespace cutaway
