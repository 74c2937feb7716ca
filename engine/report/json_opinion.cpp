#include <nlohmann/json.hpp>

#include "engine/report/json.h"
#include "engine/report/opinion_report.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json rowsToJson(const StageOpinion& stage) {
  Json rows = Json::array();
  for (const OpinionRow& row : stage.rows)
    rows.push_back({{"what", row.what}, {"ours", row.ours}, {"theirs", row.theirs}, {"figure", row.figure}});
  return rows;
}

Json differencesToJson(const StageOpinion& stage) {
  Json differences = Json::array();
  for (const OpinionDifference& one : stage.differences)
    differences.push_back({{"what", one.what},
                           {"ours", one.ours},
                           {"theirs", one.theirs},
                           {"rule", one.rule},
                           {"explanation", one.explanation},
                           {"values", one.values}});
  return differences;
}

}  // namespace

Json toJson(const SecondOpinion& opinion) {
  Json stages = Json::array();
  for (const StageOpinion& stage : opinion.stages)
    stages.push_back({{"stage", opinionStageId(stage.stage)},
                      {"ours", stage.ours},
                      {"theirs", stage.theirs},
                      {"problem", stage.problem},
                      {"same", stage.same()},
                      {"rows", rowsToJson(stage)},
                      {"differences", differencesToJson(stage)}});
  Json nodes = Json::array();
  for (const NodeOpinion& node : opinion.nodes)
    nodes.push_back({{"node", node.node},
                     {"op_type", node.opType},
                     {"output", node.output},
                     {"step_ours", node.stepOurs},
                     {"step_theirs", node.stepTheirs},
                     {"time_ours_ns", node.timeOurs.medianNs},
                     {"time_ours_min_ns", node.timeOurs.minNs},
                     {"time_ours_max_ns", node.timeOurs.maxNs},
                     {"time_theirs_ns", node.timeTheirs.medianNs},
                     {"time_theirs_min_ns", node.timeTheirs.minNs},
                     {"time_theirs_max_ns", node.timeTheirs.maxNs},
                     {"bytes_theirs", node.bytesTheirs}});
  Json outputs = Json::array();
  for (const ValueAccuracy& value : opinion.outputs)
    outputs.push_back({{"name", value.value},
                       {"type", value.elementType + value.shape},
                       {"elements", value.elements},
                       {"max_absolute", value.maxAbsolute},
                       {"max_relative", value.maxRelative},
                       {"outside_tolerance", value.outsideTolerance},
                       {"problem", value.problem}});
  return {{"engine", opinion.engine},
          {"version", opinion.version},
          {"library", opinion.library},
          {"model", opinion.model},
          {"threads", opinion.threads},
          {"verdict", opinion.verdict},
          {"differences", opinion.differences()},
          {"unexplained", opinion.unexplained()},
          {"stages", std::move(stages)},
          {"nodes", std::move(nodes)},
          {"node_runs_ours", opinion.nodeRunsOurs},
          {"node_runs_theirs", opinion.nodeRunsTheirs},
          {"outputs", std::move(outputs)},
          {"time_ns", opinion.timeNs}};
}

}  // namespace cutaway
