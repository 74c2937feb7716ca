#include "engine/report/json_advice.h"

#include <nlohmann/json.hpp>

#include "engine/report/json_cure.h"

namespace cutaway {
namespace {

using Json = nlohmann::json;

Json known(int64_t figure) {
  return figure < 0 ? Json() : Json(figure);
}

Json figuresJson(const std::vector<AdviceFigure>& figures, bool withAfter = true) {
  Json list = Json::array();
  for (const AdviceFigure& each : figures) {
    Json json = {{"measure", adviceMeasureName(each.measure)},
                 {"unit", isBytes(each.measure) ? "bytes" : "count"},
                 {"before", known(each.before)}};
    if (withAfter) json["after"] = known(each.after);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

nlohmann::json adviceToJson(const AdviceReport& report) {
  Json advice = Json::array();
  for (const Advice& each : report.advice)
    advice.push_back({{"advisor", each.advisor},
                      {"title", each.title},
                      {"reason", each.reason},
                      {"consequence", each.consequence},
                      {"settings", each.settings},
                      {"proposal", known(each.proposal)},
                      {"all_steps", each.allSteps},
                      {"assumed", each.assumed},
                      {"simulated", each.simulated},
                      {"gains", figuresJson(each.gains)},
                      {"costs", figuresJson(each.costs)},
                      {"share", each.share},
                      {"proof", each.proof}});
  Json attempts = Json::array();
  for (const AdviceAttempt& attempt : report.attempts)
    attempts.push_back({{"advisor", attempt.advisor}, {"title", attempt.title}, {"outcome", attempt.outcome}});
  return {{"settings", report.settings}, {"figures", figuresJson(report.figures, false)},
          {"advice", std::move(advice)}, {"attempts", std::move(attempts)},
          {"walks", report.walks},       {"time_ns", report.timeNs},
          {"warnings", report.warnings}};
}

nlohmann::json supportToJson(const SupportReport& report) {
  Json rows = Json::array();
  for (const SupportRow& row : report.rows) {
    Json refusals = Json::array();
    for (const auto& [reason, nodes] : row.refusals)
      refusals.push_back({{"reason", reason}, {"nodes", nodes}});
    rows.push_back({{"provider", row.provider},
                    {"title", row.title},
                    {"usable", row.usable},
                    {"simulated", row.simulated},
                    {"runs_here", row.runsHere},
                    {"figures", row.usable ? cureFiguresToJson(row.figures) : Json()},
                    {"refusals", std::move(refusals)},
                    {"problem", row.problem}});
  }
  return {{"rows", std::move(rows)}, {"time_ns", report.timeNs}};
}

}  // namespace cutaway
