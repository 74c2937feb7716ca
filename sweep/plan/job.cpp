#include "sweep/plan/job.h"

#include "sweep/plan/model_hash.h"

#include "engine/base/json_fault.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kKeyLength = 32;
constexpr double kStartSeconds = 0.5;  // of a process that reads a small model; assumed

Json limitsToJson(const Limits& limits) {
  return {{"cpus", limits.cpus},         {"memory", limits.memoryBytes},  {"gpu", limits.gpus},
          {"features", limits.features}, {"exclusive", limits.exclusive}, {"timeout", limits.timeoutSeconds}};
}

Limits limitsFromJson(const Json& json) {
  Limits limits;
  json.at("cpus").get_to(limits.cpus);
  json.at("memory").get_to(limits.memoryBytes);
  json.at("gpu").get_to(limits.gpus);
  json.at("features").get_to(limits.features);
  json.at("exclusive").get_to(limits.exclusive);
  json.at("timeout").get_to(limits.timeoutSeconds);
  return limits;
}

Json measureToJson(const Measure& measure) {
  Json json = {{"kind", measureName(measure.kind)}};
  if (measure.kind == MeasureKind::kBench) {
    json["seconds"] = measure.seconds;
    json["warmup"] = measure.warmups;
  }
  if (measure.kind == MeasureKind::kCheck || measure.kind == MeasureKind::kCompare) {
    json["rtol"] = measure.relative;
    json["atol"] = measure.absolute;
  }
  return json;
}

}  // namespace

double Job::expectedSeconds() const {
  const double load = kStartSeconds + static_cast<double>(modelBytes) / 200e6;
  switch (measure.kind) {
    case MeasureKind::kBench:
      return load + measure.seconds;
    case MeasureKind::kCheck:
    case MeasureKind::kCompare:
    case MeasureKind::kContext:
      return 2 * load;
    default:
      return load;
  }
}

std::string keyOf(const Job& job, const std::string& programVersion) {
  const Json json = {{"model", job.modelHash},     {"settings", job.settings},
                     {"reference", job.reference}, {"measure", measureToJson(job.measure)},
                     {"repeat", job.cell.repeat},  {"program", programVersion}};
  return hashText(json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

std::string configurationText(Json settings) {
  settings["schema"] = "cutaway.configuration/1";
  return settings.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool isKey(std::string_view text) {
  return text.size() == kKeyLength && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Json jobToJson(const Job& job) {
  return {{"key", job.key},
          {"model", job.cell.model},
          {"configuration", job.cell.configuration},
          {"measure", measureToJson(job.measure)},
          {"repeat", job.cell.repeat},
          {"file", job.model.string()},
          {"model_hash", job.modelHash},
          {"model_bytes", job.modelBytes},
          {"settings", job.settings},
          {"reference", job.reference},
          {"limits", limitsToJson(job.limits)}};
}

Result<Job> jobFromJson(const Json& json) {
  try {
    Job job;
    json.at("key").get_to(job.key);
    json.at("model").get_to(job.cell.model);
    json.at("configuration").get_to(job.cell.configuration);
    json.at("repeat").get_to(job.cell.repeat);
    job.model = json.at("file").get<std::string>();
    json.at("model_hash").get_to(job.modelHash);
    json.at("model_bytes").get_to(job.modelBytes);
    job.settings = json.at("settings");
    job.reference = json.at("reference");
    job.limits = limitsFromJson(json.at("limits"));
    const Json& measure = json.at("measure");
    const auto kind = measureKind(measure.at("kind").get<std::string>());
    if (!kind || !isKey(job.key)) return fail(ErrorCode::kInvalidArgument, "its measure or its key is none");
    job.measure.kind = job.cell.measure = *kind;
    job.measure.seconds = measure.value("seconds", job.measure.seconds);
    job.measure.warmups = measure.value("warmup", job.measure.warmups);
    job.measure.relative = measure.value("rtol", job.measure.relative);
    job.measure.absolute = measure.value("atol", job.measure.absolute);
    return job;
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kInvalidArgument, "{}", jsonFault(error));
  }
}

std::filesystem::path configurationFile(const std::filesystem::path& scratch) {
  return scratch / "configuration.json";
}

std::filesystem::path referenceFile(const std::filesystem::path& scratch) {
  return scratch / "reference.json";
}

std::filesystem::path reportFile(const std::filesystem::path& scratch, const JobCommand& command) {
  return scratch / (command.name + "_report.json");
}

std::vector<JobCommand> commandsOf(const Job& job, const std::filesystem::path& scratch) {
  const std::string model = job.model.string(), config = configurationFile(scratch).string();
  const auto number = [](double value) { return fmt::format("{}", value); };
  std::vector<JobCommand> commands;
  const auto add = [&](std::string name, std::vector<std::string> arguments) {
    JobCommand command{std::move(name), std::move(arguments)};
    const std::string report = reportFile(scratch, command).string();
    command.arguments.insert(command.arguments.end(), {"--log", "error", "--json", report});
    commands.push_back(std::move(command));
  };
  switch (job.measure.kind) {
    case MeasureKind::kInspect:
      add("inspect", {"inspect", model, "--config", config});
      break;
    case MeasureKind::kPartition:
      add("partition", {"partition", model, "--config", config});
      break;
    case MeasureKind::kCheck:
      add("check", {"check", job.model.parent_path().string(), "--config", config, "--rtol",
                    number(job.measure.relative), "--atol", number(job.measure.absolute)});
      break;
    case MeasureKind::kCompare:
      add("compare", {"compare", model, "--a", config, "--b", referenceFile(scratch).string(), "--rtol",
                      number(job.measure.relative), "--atol", number(job.measure.absolute)});
      break;
    case MeasureKind::kBench:
      add("bench", {"bench", model, "--config", config, "--seconds", number(job.measure.seconds), "--warmup",
                    fmt::format("{}", job.measure.warmups)});
      break;
    case MeasureKind::kContext: {
      const std::string context = (scratch / "context.onnx").string();
      add("context", {"context", model, "-o", context, "--config", config});
      add("verify", {"context", "--verify", context, "--original", model, "--config", config});
      break;
    }
  }
  return commands;
}

}  // namespace cutaway::sweep
