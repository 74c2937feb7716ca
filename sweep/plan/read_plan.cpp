#include <algorithm>
#include <set>

#include "sweep/plan/located_value.h"
#include "sweep/plan/multiplied_settings.h"
#include "sweep/plan/plan.h"

namespace cutaway::sweep {

namespace {

constexpr int64_t kMostRepeats = 1000, kMostCpus = 4096, kMostGpus = 64;
constexpr double kLongestSeconds = 30 * 24 * 3600.0;
constexpr std::pair<MeasureKind, std::string_view> kMeasures[] = {
    {MeasureKind::kInspect, "inspect"}, {MeasureKind::kPartition, "partition"}, {MeasureKind::kCheck, "check"},
    {MeasureKind::kCompare, "compare"}, {MeasureKind::kBench, "bench"},         {MeasureKind::kContext, "context"}};

LimitChanges readLimits(const LocatedValue* table, const std::string& place, PlanErrors& errors) {
  LimitChanges limits;
  if (table == nullptr) return limits;
  MemberReader reader(*table, place, errors);
  const auto integer = [&](std::string_view name, std::optional<int64_t>& target, int64_t least, int64_t most) {
    if (int64_t value = 0; reader.integer(name, value, least, most)) target = value;
  };
  integer("cpus", limits.cpus, 1, kMostCpus);
  integer("gpu", limits.gpus, 0, kMostGpus);
  if (int64_t size = 0; reader.bytes("memory", size)) limits.memoryBytes = size;
  if (std::string features; reader.text("features", features)) limits.features = features;
  if (bool exclusive = false; reader.isOn("exclusive", exclusive)) limits.exclusive = exclusive;
  if (double seconds = 0; reader.real("timeout", seconds, 0.001, kLongestSeconds)) limits.timeoutSeconds = seconds;
  reader.finish();
  return limits;
}

void readDims(MemberReader& reader, std::map<std::string, std::vector<int64_t>>& dims) {
  const LocatedValue* table = reader.table("dims");
  if (table == nullptr) return;
  for (const auto& [name, value] : table->members) {
    const std::vector<LocatedValue> one = {value};
    for (const LocatedValue& item : value.kind == LocatedValue::Kind::kList ? value.items : one) {
      if (item.kind == LocatedValue::Kind::kInteger && item.integer >= 0)
        dims[name].push_back(item.integer);
      else
        reader.fail(item, fmt::format("dims.{} is a number of 0 or more, or a list of them", name));
    }
    if (dims[name].empty()) reader.fail(value, fmt::format("dims.{} is an empty list: no job could come of it", name));
  }
}

ModelSet readModels(const LocatedValue& table, PlanErrors& errors) {
  MemberReader reader(table, "models", errors);
  ModelSet set;
  set.line = table.line;
  reader.texts("files", set.files);
  reader.texts("exclude", set.exclude);
  readDims(reader, set.dims);
  set.limits = readLimits(reader.table("limits"), "models.limits", errors);
  reader.finish();
  if (set.files.empty()) reader.fail(table, "'files' names no model: give globs, files or folders");
  return set;
}

Measure readMeasure(const LocatedValue& table, PlanErrors& errors) {
  MemberReader reader(table, "measures", errors);
  Measure measure;
  std::string kind;
  if (reader.text("kind", kind)) {
    if (const auto known = measureKind(kind))
      measure.kind = *known;
    else
      reader.fail(table, fmt::format("'{}' is nothing to measure: there are inspect, partition, check, compare, bench "
                                     "and context",
                                     kind));
  } else {
    reader.fail(table, "'kind' is missing: inspect, partition, check, compare, bench or context");
  }
  reader.integer("repeats", measure.repeats, 1, kMostRepeats);
  reader.real("seconds", measure.seconds, 0.001, kLongestSeconds);
  reader.integer("warmup", measure.warmups, 0, 1'000'000);
  reader.text("reference", measure.reference);
  reader.real("rtol", measure.relative, 0, 1e9);
  reader.real("atol", measure.absolute, 0, 1e9);
  if (measure.kind == MeasureKind::kBench) measure.limits.exclusive = true;  // others on the machine change times
  const LimitChanges limits = readLimits(reader.table("limits"), "measures.limits", errors);
  const bool exclusive = limits.exclusive.value_or(measure.limits.exclusive.value_or(false));
  measure.limits = limits;
  measure.limits.exclusive = exclusive;
  reader.finish();
  if (measure.kind == MeasureKind::kCompare && measure.reference.empty())
    reader.fail(table, "compare needs 'reference', the name of the configuration to compare with");
  return measure;
}

void readRest(MemberReader& reader, Plan& plan, PlanErrors& errors) {
  for (const LocatedValue* table : reader.tables("exclude")) {
    MemberReader members(*table, "exclude", errors);
    Exclusion exclusion;
    members.text("model", exclusion.model);
    members.text("configuration", exclusion.configuration);
    members.text("measure", exclusion.measure);
    members.finish();
    plan.exclusions.push_back(std::move(exclusion));
  }
  plan.limits.apply(readLimits(reader.table("limits"), "limits", errors));
  if (const LocatedValue* table = reader.table("slurm")) {
    MemberReader members(*table, "slurm", errors);
    members.text("partition", plan.slurm.partition);
    members.text("account", plan.slurm.account);
    members.texts("options", plan.slurm.options);
    members.real("pack_seconds", plan.slurm.packSeconds, 0, kLongestSeconds);
    members.integer("at_once", plan.slurm.atOnce, 0, 1'000'000);
    members.finish();
  }
  if (const LocatedValue* table = reader.table("gate")) {
    MemberReader members(*table, "gate", errors);
    for (const auto& [name, target] : {std::pair{"time", &plan.gate.time},
                                       {"memory", &plan.gate.memory},
                                       {"resident_memory", &plan.gate.residentMemory},
                                       {"accuracy", &plan.gate.accuracy},
                                       {"context_size", &plan.gate.contextSize}})
      members.real(name, *target, 0, 1000);
    members.finish();
  }
}

// Names are what cells are found by: two of one name would be one cell.
void checkNames(const LocatedValue& file, const Plan& plan, PlanErrors& errors) {
  std::set<std::string> names;
  for (const PlannedConfiguration& configuration : plan.configurations) {
    if (!names.insert(configuration.name).second)
      errors.add(file, fmt::format("two configurations are called '{}': give them names", configuration.name));
  }
  for (const Measure& measure : plan.measures) {
    if (measure.reference.empty() || names.contains(measure.reference)) continue;
    errors.add(file, fmt::format("compare: no configuration is called '{}'; there are '{}'", measure.reference,
                                 fmt::join(names, "', '")));
  }
}

}  // namespace

std::string_view measureName(MeasureKind kind) {
  return std::ranges::find(kMeasures, kind, &std::pair<MeasureKind, std::string_view>::first)->second;
}

std::optional<MeasureKind> measureKind(std::string_view name) {
  const auto* const known = std::ranges::find(kMeasures, name, &std::pair<MeasureKind, std::string_view>::second);
  return known == std::end(kMeasures) ? std::nullopt : std::optional(known->first);
}

void Limits::apply(const LimitChanges& changes) {
  cpus = changes.cpus.value_or(cpus);
  memoryBytes = changes.memoryBytes.value_or(memoryBytes);
  gpus = changes.gpus.value_or(gpus);
  features = changes.features.value_or(features);
  exclusive = changes.exclusive.value_or(exclusive);
  timeoutSeconds = changes.timeoutSeconds.value_or(timeoutSeconds);
}

Result<Plan> readPlan(const std::filesystem::path& path, const CheckSettings& check) {
  CUTAWAY_TRY(const LocatedValue file, readToml(path));
  PlanErrors errors(path.string());
  Plan plan;
  plan.file = path;
  plan.name = path.stem().string();
  MemberReader reader(file, "the plan", errors);
  reader.text("name", plan.name);
  for (const LocatedValue* table : reader.tables("models"))
    plan.models.push_back(readModels(*table, errors));
  int64_t number = 0;
  for (const LocatedValue* table : reader.tables("configurations")) {
    MemberReader members(*table, "configurations", errors);
    std::string name = fmt::format("configuration {}", ++number);
    members.text("name", name);
    const LimitChanges limits = readLimits(members.table("limits"), "configurations.limits", errors);
    for (PlannedConfiguration& each : multipliedSettings(*table, name, check, errors)) {
      each.limits = limits;
      plan.configurations.push_back(std::move(each));
    }
  }
  for (const LocatedValue* table : reader.tables("measures"))
    plan.measures.push_back(readMeasure(*table, errors));
  readRest(reader, plan, errors);
  reader.finish();
  if (plan.models.empty()) errors.add(file, "the plan names no models: it needs a table [[models]]");
  if (plan.configurations.empty()) plan.configurations.push_back({"default", Json::object(), {}});
  if (plan.measures.empty()) plan.measures.emplace_back();
  checkNames(file, plan, errors);
  if (!errors.empty()) return fail(errors.error());
  return plan;
}

}  // namespace cutaway::sweep
