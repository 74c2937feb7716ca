#include "engine/report/json_choice.h"

#include <nlohmann/json.hpp>

namespace cutaway {

using Json = nlohmann::json;

Json measuredToJson(const std::vector<MeasuredList>& lists) {
  Json json = Json::array();
  for (const MeasuredList& list : lists) {
    json.push_back({{"providers", list.providers},
                    {"median_ms", list.medianMs},
                    {"low_ms", list.lowMs},
                    {"high_ms", list.highMs},
                    {"runs", list.runs},
                    {"p_value", list.pValue},
                    {"problem", list.problem}});
  }
  return json;
}

Json choiceToJson(const ProviderChoice& choice) {
  Json skipped = Json::array();
  for (const SkippedProvider& each : choice.skipped)
    skipped.push_back({{"name", each.name}, {"reason", each.reason}});
  return {{"basis", choiceBasisName(choice.basis)},
          {"providers", choice.providers},
          {"reason", choice.reason},
          {"measured_at", choice.measuredAt},
          {"measured", measuredToJson(choice.measured)},
          {"skipped", std::move(skipped)},
          {"notes", choice.notes}};
}

}  // namespace cutaway
