#include <nlohmann/json.hpp>

#include "engine/report/json_choice.h"
#include "engine/report/json_costs.h"
#include "engine/report/json_run.h"
#include "engine/report/ort_value_index.h"
#include "engine/report/truth.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

const char* stateName(StageState state) {
  switch (state) {
    case StageState::kWaiting:
      return "waiting";
    case StageState::kRunning:
      return "running";
    case StageState::kDone:
      return "done";
    case StageState::kFailed:
      return "failed";
    case StageState::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

template <typename Report>
void addPart(Json& json, const char* key, const std::shared_ptr<const Report>& part, bool wanted) {
  if (wanted && part) json[key] = toJson(*part);
}

// Beside each placed value: its number depends on the graph, which the allocation alone does not know.
void addOrtValueIndexes(Json& allocate, const ModelGraphs& graphs) {
  for (Json& plan : allocate["graphs"]) {
    const std::vector<int32_t> numbers = ortValueIndexes(graphs.graphs.at(plan["graph"].get<size_t>()));
    for (Json& value : plan["values"]) {
      if (const int32_t number = numbers.at(value["value"].get<size_t>()); number != kNone)
        value["ort_value_index"] = number;
    }
  }
}

}  // namespace

Json toJson(const Error& error) {
  return {{"code", errorCodeName(error.code)},
          {"message", error.message},
          {"file", error.where.file},
          {"node", error.where.node},
          {"value", error.where.value}};
}

Json walkToJson(const WalkReport& walk, const JsonOptions& options) {
  Json stages = Json::array();
  for (int i = 0; i < kStageCount; ++i) {
    const Stage stage = static_cast<Stage>(i);
    const StageStatus& status = walk.stages[static_cast<size_t>(i)];
    if (stage > options.lastStage) break;
    stages.push_back({{"stage", stageId(stage)},
                      {"title", stageTitle(stage)},
                      {"state", stateName(status.state)},
                      {"time_ns", status.timeNs},
                      {"headline", stageHeadline(walk, stage)},
                      {"truth", status.state == StageState::kDone ? truthText(stageTruth(walk, stage)) : ""}});
  }
  Json json = {{"schema_version", kReportSchemaVersion}, {"stages", std::move(stages)}};
  const auto upTo = [&](Stage stage) { return stage <= options.lastStage; };
  addPart(json, "load", walk.load, upTo(Stage::kLoad));
  addPart(json, "resolve", walk.resolve, upTo(Stage::kResolve));
  addPart(json, "optimize", walk.optimize, upTo(Stage::kOptimize));
  addPart(json, "partition", walk.partition, upTo(Stage::kPartition));
  if (walk.choice && upTo(Stage::kPartition)) json["choice"] = choiceToJson(*walk.choice);
  addPart(json, "schedule", walk.schedule, upTo(Stage::kSchedule));
  addPart(json, "allocate", walk.allocate, upTo(Stage::kAllocate));
  if (json.contains("allocate") && walk.partitionedGraphs)
    addOrtValueIndexes(json["allocate"], *walk.partitionedGraphs);
  addPart(json, "pattern", walk.pattern, upTo(Stage::kPattern));
  addPart(json, "run", walk.run, upTo(Stage::kRun));
  addPart(json, "context", walk.context, upTo(Stage::kPartition));
  addPart(json, "creation", walk.creation, upTo(Stage::kRun));
  addPart(json, "graphs", walk.loadedGraphs, options.graphs);
  addPart(json, "optimized_graphs", walk.optimizedGraphs, options.graphs && upTo(Stage::kOptimize));
  addPart(json, "partitioned_graphs", walk.partitionedGraphs, options.graphs && upTo(Stage::kPartition));
  const auto addCosts = [&](const char* key, const std::shared_ptr<const CostReport>& costs, Stage stage) {
    if (costs && upTo(stage)) json[key] = costsToJson(*costs, options.graphs);
  };
  addCosts("costs", walk.loadedCosts, Stage::kResolve);
  addCosts("optimized_costs", walk.optimizedCosts, Stage::kOptimize);
  addCosts("partitioned_costs", walk.partitionedCosts, Stage::kPartition);
  if (walk.error) json["error"] = toJson(*walk.error);
  return json;
}

std::string dumpJson(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cutaway
