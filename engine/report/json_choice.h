#pragma once
// The list of providers of a walk, and measured lists, as JSON.
//
// Thread rule: pure. Example: json["choice"] = choiceToJson(*walk.choice);

#include <nlohmann/json_fwd.hpp>

#include "engine/report/provider_choice.h"

namespace cutaway {

nlohmann::json choiceToJson(const ProviderChoice& choice);
nlohmann::json measuredToJson(const std::vector<MeasuredList>& lists);

}  // namespace cutaway
