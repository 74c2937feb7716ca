#pragma once
// What came of one job: a JSON file of its own, written whole or not at all, and never over another.
//
// Thread rule: plain values; one writer a file. Example: CUTAWAY_CHECK(writeRecord(folder / (key + ".json"), record));

#include <map>
#include <string>
#include <vector>

#include "sweep/results/machine.h"

namespace cutaway::sweep {

inline constexpr int kRecordVersion = 1;

// What the program did. Anything but kOk is a result as well: it is not tried again unless that is asked for.
enum class Outcome {
  kOk,
  kCheckFailed,  // outputs differ, a context does not verify
  kBadModel,     // exit codes 2 and 3: this model cannot be had in this configuration
  kRefused,      // by policy
  kCrashed,      // a signal, or an internal error
  kTimeout,
  kRubbish  // it said that all is well and wrote no report that can be read
};
std::string_view outcomeName(Outcome outcome);  // "check failed"
std::optional<Outcome> outcomeOf(std::string_view name);

struct Figure {
  double value = 0, low = 0, high = 0;  // low and high: 95 % of the runs' median, where there were several
  int64_t runs = 0;                     // 0: not measured
  std::string unit, truth;              // "ms", "bytes", ""; "measured", "exact", "partial", "estimated"

  bool operator==(const Figure&) const = default;
};

struct ProviderShare {
  std::string provider;
  int64_t nodes = 0, groups = 0;
};

struct RefusalCount {
  std::string provider, reason;
  int64_t nodes = 0;
};

struct NodePlacement {
  std::string node, provider;
};

// What a job's reports say, without the reports.
struct Findings {
  std::map<std::string, Figure> figures;
  std::vector<ProviderShare> providers;  // in asking order: the last takes what is left
  std::vector<RefusalCount> refusals;
  std::vector<NodePlacement> placements;
};

struct Record {
  std::string key;
  Outcome outcome = Outcome::kOk;
  int exitCode = 0, signal = 0;
  std::string message;  // the last words of a program that failed
  double wallSeconds = 0;
  int64_t peakBytes = 0;  // resident, of the job's largest process, measured by the system
  int64_t startedMs = 0;  // since 1970
  std::string program, modelHash;
  Machine machine;
  Findings findings;
};

Json recordToJson(const Record& record);
// INVALID_ARGUMENT: no record of this version.
Result<Record> recordFromJson(const Json& json);
// A record that is there already stays: the job was done twice, and either result will do.
Result<void> writeRecord(const std::filesystem::path& file, const Record& record);
// NO_SUCHFILE; INVALID_ARGUMENT for anything that is no record.
Result<Record> readRecord(const std::filesystem::path& file);

}  // namespace cutaway::sweep
