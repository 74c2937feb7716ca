#include "sweep/results/record.h"

#include <algorithm>

#include "engine/base/json_fault.h"
#include "engine/base/read_text_file.h"
#include "engine/base/write_file.h"

namespace cutaway::sweep {

namespace {

constexpr std::pair<Outcome, std::string_view> kOutcomes[] = {
    {Outcome::kOk, "ok"},           {Outcome::kCheckFailed, "check failed"}, {Outcome::kBadModel, "bad model"},
    {Outcome::kRefused, "refused"}, {Outcome::kCrashed, "crashed"},          {Outcome::kTimeout, "timeout"},
    {Outcome::kRubbish, "rubbish"}};

Json findingsToJson(const Findings& findings) {
  Json figures = Json::object(), providers = Json::array(), refusals = Json::array(), placements = Json::array();
  for (const auto& [name, figure] : findings.figures)
    figures[name] = {figure.value, figure.low, figure.high, figure.runs, figure.unit, figure.truth};
  for (const ProviderShare& share : findings.providers)
    providers.push_back({share.provider, share.nodes, share.groups});
  for (const RefusalCount& refusal : findings.refusals)
    refusals.push_back({refusal.provider, refusal.reason, refusal.nodes});
  for (const NodePlacement& placement : findings.placements)
    placements.push_back({placement.node, placement.provider});
  return {{"figures", figures}, {"providers", providers}, {"refusals", refusals}, {"placements", placements}};
}

Findings findingsFromJson(const Json& json) {
  Findings findings;
  for (const auto& [name, each] : json.at("figures").items()) {
    Figure& figure = findings.figures[name];
    each.at(0).get_to(figure.value);
    each.at(1).get_to(figure.low);
    each.at(2).get_to(figure.high);
    each.at(3).get_to(figure.runs);
    each.at(4).get_to(figure.unit);
    each.at(5).get_to(figure.truth);
  }
  for (const Json& each : json.at("providers"))
    findings.providers.push_back({each.at(0).get<std::string>(), each.at(1).get<int64_t>(), each.at(2).get<int64_t>()});
  for (const Json& each : json.at("refusals"))
    findings.refusals.push_back(
        {each.at(0).get<std::string>(), each.at(1).get<std::string>(), each.at(2).get<int64_t>()});
  for (const Json& each : json.at("placements"))
    findings.placements.push_back({each.at(0).get<std::string>(), each.at(1).get<std::string>()});
  return findings;
}

}  // namespace

std::string_view outcomeName(Outcome outcome) {
  return std::ranges::find(kOutcomes, outcome, &std::pair<Outcome, std::string_view>::first)->second;
}

std::optional<Outcome> outcomeOf(std::string_view name) {
  const auto* const known = std::ranges::find(kOutcomes, name, &std::pair<Outcome, std::string_view>::second);
  return known == std::end(kOutcomes) ? std::nullopt : std::optional(known->first);
}

Json recordToJson(const Record& record) {
  Json json = findingsToJson(record.findings);
  json["record_version"] = kRecordVersion;
  json["key"] = record.key;
  json["outcome"] = outcomeName(record.outcome);
  json["exit_code"] = record.exitCode;
  json["signal"] = record.signal;
  json["message"] = record.message;
  json["wall_s"] = record.wallSeconds;
  json["peak_rss_bytes"] = record.peakBytes;
  json["started_ms"] = record.startedMs;
  json["program"] = record.program;
  json["model_hash"] = record.modelHash;
  json["machine"] = machineToJson(record.machine);
  return json;
}

Result<Record> recordFromJson(const Json& json) {
  try {
    if (const int version = json.at("record_version").get<int>(); version != kRecordVersion)
      return fail(ErrorCode::kInvalidArgument, "its record_version is {}, and this program reads {}", version,
                  kRecordVersion);
    Record record;
    json.at("key").get_to(record.key);
    const auto outcome = outcomeOf(json.at("outcome").get<std::string>());
    if (!outcome) return fail(ErrorCode::kInvalidArgument, "its outcome is none that this program knows");
    record.outcome = *outcome;
    json.at("exit_code").get_to(record.exitCode);
    json.at("signal").get_to(record.signal);
    json.at("message").get_to(record.message);
    json.at("wall_s").get_to(record.wallSeconds);
    json.at("peak_rss_bytes").get_to(record.peakBytes);
    json.at("started_ms").get_to(record.startedMs);
    json.at("program").get_to(record.program);
    json.at("model_hash").get_to(record.modelHash);
    record.machine = machineFromJson(json.at("machine"));
    record.findings = findingsFromJson(json);
    return record;
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kInvalidArgument, "{}", jsonFault(error));
  }
}

Result<void> writeRecord(const std::filesystem::path& file, const Record& record) {
  const std::string text = recordToJson(record).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const Result<void> written = writeFile(file, text, {.overwrite = false});
  std::error_code ignored;
  if (!written && std::filesystem::exists(file, ignored)) return {};
  return written;
}

Result<Record> readRecord(const std::filesystem::path& file) {
  CUTAWAY_TRY(const std::string text, readTextFile(file, {.what = "the record", .largestBytes = 256 * 1024 * 1024}));
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    return fail(ErrorCode::kInvalidArgument, "{} is no record: it is no JSON object", file.string());
  Result<Record> record = recordFromJson(json);
  if (!record) return fail(ErrorCode::kInvalidArgument, "{} is no record: {}", file.string(), record.error().message);
  if (record->key != file.stem().string())
    return fail(ErrorCode::kInvalidArgument, "{} is no record: its key is another one", file.string());
  return record;
}

}  // namespace cutaway::sweep
