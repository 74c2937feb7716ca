#pragma once
// A job: one model in one configuration, measured in one way, once. Ordinary commands of cutaway-cli do it.
//
// Its key is made of what decides its result - the bytes of the model, the settings, the measure, the number of the
// repeat and the program's version - so that the same job is known again wherever it was done. Thread rule: plain
// values. Example: for (const Job& job : expansion.jobs) if (!done.contains(job.key)) ...

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/plan/plan.h"

namespace cutaway::sweep {

// Where a job stands in the matrix: what people know it by, over versions of models and programs.
struct Cell {
  std::string model;          // path from the plan's folder, and dims: "corpus/a.onnx batch=8"
  std::string configuration;  // "cpu opt_level=0"
  MeasureKind measure = MeasureKind::kInspect;
  int64_t repeat = 0;

  auto operator<=>(const Cell&) const = default;
};

struct Job {
  std::string key;  // 32 hexadecimal digits
  Cell cell;
  std::filesystem::path model;  // absolute
  std::string modelHash;
  int64_t modelBytes = 0;
  Json settings, reference;  // members of configuration files; reference: compare's other one
  Measure measure;
  Limits limits;  // memoryBytes is never 0

  // Assumed, before anything was measured.
  double expectedSeconds() const;
};

std::string keyOf(const Job& job, const std::string& programVersion);
// The configuration file that settings of a job stand for.
std::string configurationText(Json settings);

Json jobToJson(const Job& job);
// INVALID_ARGUMENT: members are missing or of another type; the key is not one.
Result<Job> jobFromJson(const Json& json);
bool isKey(std::string_view text);

// A command of a job: arguments behind the program's name. Its report is written to the file behind "--json".
struct JobCommand {
  std::string name;  // "bench", "context", "verify"
  std::vector<std::string> arguments;
};

// `scratch` is the job's own folder, where configurationFile() and referenceFile() were written before.
std::vector<JobCommand> commandsOf(const Job& job, const std::filesystem::path& scratch);
std::filesystem::path configurationFile(const std::filesystem::path& scratch);
std::filesystem::path referenceFile(const std::filesystem::path& scratch);
std::filesystem::path reportFile(const std::filesystem::path& scratch, const JobCommand& command);

}  // namespace cutaway::sweep
