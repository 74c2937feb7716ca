#pragma once
// The plan of a sweep, as its file says it: which models, in which configurations, what to measure, within which
// limits.
//
//   [[models]]
//   files = ["corpus/**/*.onnx"]            # globs and folders, from the plan's own folder
//   dims = { batch = [1, 8] }               # a list is tried value by value
//   [[configurations]]
//   name = "cpu"
//   opt_level = [0, 3]                      # members of a configuration file; lists multiply
//   [[measures]]
//   kind = "bench"
//   repeats = 5
//
// README.md lists all members. Thread rule: plain values.
// Example: CUTAWAY_TRY(const Plan plan, readPlan("sweep.toml", checkSettings));

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/result.h"

namespace cutaway::sweep {

// Sorted members: equal settings are equal text.
using Json = nlohmann::json;

// What a job may use. Members that are not set leave what an outer table said: [limits], then those of the models, the
// configuration and the measure.
struct LimitChanges {
  std::optional<int64_t> cpus, memoryBytes, gpus;
  std::optional<std::string> features;  // a constraint in the cluster's own words
  std::optional<bool> exclusive;        // nothing else on the machine meanwhile
  std::optional<double> timeoutSeconds;
};

struct Limits {
  int64_t cpus = 1;
  int64_t memoryBytes = 0;  // 0: assumed from the size of the model
  int64_t gpus = 0;
  std::string features;
  bool exclusive = false;
  double timeoutSeconds = 600;

  void apply(const LimitChanges& changes);
  bool operator==(const Limits&) const = default;
};

struct ModelSet {
  int64_t line = 0;
  std::vector<std::string> files, exclude;
  std::map<std::string, std::vector<int64_t>> dims;
  LimitChanges limits;
};

// One configuration after its lists were multiplied out: "cpu" with opt_level = [0, 3] gives two.
struct PlannedConfiguration {
  std::string name;  // "cpu opt_level=0"
  Json settings;     // the members of a configuration file
  LimitChanges limits;
};

enum class MeasureKind { kInspect, kPartition, kCheck, kCompare, kBench, kContext };
std::string_view measureName(MeasureKind kind);  // "inspect"
std::optional<MeasureKind> measureKind(std::string_view name);

struct Measure {
  MeasureKind kind = MeasureKind::kInspect;
  int64_t repeats = 1;                      // jobs; figures are compared over them
  double seconds = 1;                       // bench: measured for about so long
  int64_t warmups = 1;                      // bench
  std::string reference;                    // compare: the other configuration's name
  double relative = 1e-3, absolute = 1e-5;  // check, compare
  LimitChanges limits;
};

// A cell is left out where every pattern that is given matches.
struct Exclusion {
  std::string model, configuration, measure;  // globs; empty: any
};

struct SlurmSettings {
  std::string partition, account;
  std::vector<std::string> options;  // further ones for sbatch, as they are
  double packSeconds = 30;           // short jobs share a task of at least so long
  int64_t atOnce = 0;                // tasks of an array that run at a time; 0: the cluster's choice
};

// What is worse, and by how much at least.
struct GateSettings {
  double time = 0.10, memory = 0.01, residentMemory = 0.15, accuracy = 0.25, contextSize = 0.05;
};

struct Plan {
  std::filesystem::path file;
  std::string name;
  std::vector<ModelSet> models;
  std::vector<PlannedConfiguration> configurations;
  std::vector<Measure> measures;
  std::vector<Exclusion> exclusions;
  Limits limits;
  SlurmSettings slurm;
  GateSettings gate;

  std::filesystem::path folder() const { return std::filesystem::absolute(file).parent_path(); }
};

// Says what is wrong with the members of a configuration file: the session's own reader, which this floor does not
// know.
using CheckSettings = std::function<Result<void>(const std::string& json)>;

// NO_SUCHFILE; INVALID_ARGUMENT with a line "sweep.toml:4:1: ..." for everything that is wrong.
Result<Plan> readPlan(const std::filesystem::path& file, const CheckSettings& check);

}  // namespace cutaway::sweep
