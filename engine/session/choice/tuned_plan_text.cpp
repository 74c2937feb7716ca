// A measured plan as JSON and back; the reader trusts nothing.

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "engine/provider/provider_spec.h"
#include "engine/report/json_choice.h"
#include "engine/session/choice/tuned_plans.h"

namespace cutaway::session {
namespace {

using Json = nlohmann::json;
constexpr const char* kSchema = "cutaway.tuned/1";
constexpr size_t kMostLists = 64, kLongestText = 4096;

Result<const Json*> member(const Json& object, const char* name) {
  if (!object.is_object()) return fail(ErrorCode::kInvalidArgument, "an object with '{}' is expected", name);
  const auto found = object.find(name);
  if (found == object.end()) return fail(ErrorCode::kInvalidArgument, "'{}' is missing", name);
  return &*found;
}

Result<std::string> textOf(const Json& object, const char* name) {
  CUTAWAY_TRY(const Json* json, member(object, name));
  if (!json->is_string() || json->get_ref<const std::string&>().size() > kLongestText)
    return fail(ErrorCode::kInvalidArgument, "'{}' is no text of at most {} bytes", name, kLongestText);
  return json->get<std::string>();
}

Result<double> numberOf(const Json& object, const char* name) {
  CUTAWAY_TRY(const Json* json, member(object, name));
  if (!json->is_number() || !std::isfinite(json->get<double>()))
    return fail(ErrorCode::kInvalidArgument, "'{}' is no number", name);
  return json->get<double>();
}

Result<int64_t> countOf(const Json& object, const char* name) {
  CUTAWAY_TRY(const Json* json, member(object, name));
  if (!json->is_number_integer() || json->get<int64_t>() < 0 || json->get<int64_t>() > INT32_MAX)
    return fail(ErrorCode::kInvalidArgument, "'{}' is no whole number from 0 to {}", name, INT32_MAX);
  return json->get<int64_t>();
}

Result<std::vector<std::string>> providersOf(const Json& object) {
  CUTAWAY_TRY(const Json* json, member(object, "providers"));
  if (!json->is_array() || json->empty() || json->size() > kMostLists)
    return fail(ErrorCode::kInvalidArgument, "'providers' is no list of 1 to {} texts", kMostLists);
  std::vector<std::string> providers;
  for (const Json& each : *json) {
    if (!each.is_string()) return fail(ErrorCode::kInvalidArgument, "'providers' is no list of texts");
    CUTAWAY_TRY(const ProviderSpec spec, parseProviderSpec(each.get_ref<const std::string&>()));
    providers.push_back(printProviderSpec(spec));
  }
  return providers;
}

Result<MeasuredList> readList(const Json& json) {
  MeasuredList list;
  CUTAWAY_TRY(list.providers, providersOf(json));
  CUTAWAY_TRY(list.medianMs, numberOf(json, "median_ms"));
  CUTAWAY_TRY(list.lowMs, numberOf(json, "low_ms"));
  CUTAWAY_TRY(list.highMs, numberOf(json, "high_ms"));
  CUTAWAY_TRY(list.runs, countOf(json, "runs"));
  CUTAWAY_TRY(list.pValue, numberOf(json, "p_value"));
  CUTAWAY_TRY(list.problem, textOf(json, "problem"));
  return list;
}

Result<TunedKey> readKey(const Json& json) {
  TunedKey key;
  CUTAWAY_TRY(key.model, textOf(json, "model_key"));
  CUTAWAY_TRY(key.version, textOf(json, "program_version"));
  CUTAWAY_TRY(key.settings, textOf(json, "settings"));
  CUTAWAY_TRY(const Json* machine, member(json, "machine"));
  CUTAWAY_TRY(key.machine.processor, textOf(*machine, "processor"));
  CUTAWAY_TRY(key.machine.features, textOf(*machine, "features"));
  CUTAWAY_TRY(const int64_t cores, countOf(*machine, "cores"));
  key.machine.cores = static_cast<int>(cores);
  return key;
}

}  // namespace

nlohmann::ordered_json tunedPlanToJson(const TunedPlan& plan) {
  return {{"model", plan.title},
          {"model_key", plan.key.model},
          {"machine",
           {{"processor", plan.key.machine.processor},
            {"features", plan.key.machine.features},
            {"cores", plan.key.machine.cores}}},
          {"program_version", plan.key.version},
          {"settings", plan.key.settings},
          {"measured_at", plan.measuredAt},
          {"providers", plan.providers},
          {"measured", measuredToJson(plan.measured)}};
}

std::string tunedPlanText(const TunedPlan& plan) {
  nlohmann::ordered_json json = {{"schema", kSchema}};
  json.update(tunedPlanToJson(plan));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<TunedPlan> readTunedPlan(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return fail(ErrorCode::kInvalidArgument, "it is no JSON");
  CUTAWAY_TRY(const std::string schema, textOf(json, "schema"));
  if (schema != kSchema) return fail(ErrorCode::kInvalidArgument, "its schema is '{}', not '{}'", schema, kSchema);
  TunedPlan plan;
  CUTAWAY_TRY(plan.key, readKey(json));
  CUTAWAY_TRY(plan.title, textOf(json, "model"));
  CUTAWAY_TRY(plan.measuredAt, textOf(json, "measured_at"));
  CUTAWAY_TRY(plan.providers, providersOf(json));
  CUTAWAY_TRY(const Json* lists, member(json, "measured"));
  if (!lists->is_array() || lists->size() > kMostLists)
    return fail(ErrorCode::kInvalidArgument, "'measured' is no list of at most {} entries", kMostLists);
  for (const Json& each : *lists) {
    CUTAWAY_TRY(MeasuredList list, readList(each));
    plan.measured.push_back(std::move(list));
  }
  const auto taken = std::ranges::find(plan.measured, plan.providers, &MeasuredList::providers);
  if (taken == plan.measured.end() || taken->medianMs < 0)
    return fail(ErrorCode::kInvalidArgument, "its 'providers' are none of the lists that were measured");
  return plan;
}

}  // namespace cutaway::session
