#pragma once
// What `cutaway-cli tune` measured, kept in a folder: one small file for each model, machine, version and setting.
//
// Files are named <model>-<rest>.json, both hexadecimal digits, and are written whole or not at all
// (base/write_file.h). What such a file says is as foreign as a model: every member is checked, and one that is
// damaged, of another schema or of another machine, version or setting than its name promises is told and not used.
// Thread rule: pure apart from the files. Example: const TunedLookup found = findTuned(options.tuned.folder, key);

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/machine_key.h"
#include "engine/report/provider_choice.h"
#include "engine/session/session.h"

namespace cutaway::session {

// What a measurement holds for.
struct TunedKey {
  std::string model;  // modelKey()
  MachineKey machine;
  std::string version;   // of the program
  std::string settings;  // settingsText()
  bool operator==(const TunedKey&) const = default;
};

// Everything else of a session that changes its speed: threads, dimensions, level, executor, keys.
// "threads=2; opt-level=3; dim batch=1".
std::string settingsText(const SessionOptions& options);
TunedKey tunedKey(const SessionOptions& options, std::string modelKey);

struct TunedPlan {
  TunedKey key;
  std::string title;                   // the model's file name, for lists
  std::string measuredAt;              // UTC, "2026-11-24T03:40:00Z"
  std::vector<std::string> providers;  // the fastest list; one of `measured`
  std::vector<MeasuredList> measured;
};

nlohmann::ordered_json tunedPlanToJson(const TunedPlan& plan);
std::string tunedPlanText(const TunedPlan& plan);  // the file: the same with its schema
// INVALID_ARGUMENT naming the member that is missing or wrong.
Result<TunedPlan> readTunedPlan(std::string_view json);

std::filesystem::path tunedPlanFile(const std::filesystem::path& folder, const TunedKey& key);
// Makes the folder where it is missing. Errors: those of writing.
Result<std::filesystem::path> saveTuned(const std::filesystem::path& folder, const TunedPlan& plan);

struct TunedLookup {
  std::optional<TunedPlan> plan;
  std::string problem;  // why a file that is there is not used
};
TunedLookup findTuned(const std::filesystem::path& folder, const TunedKey& key);

struct TunedFile {
  std::filesystem::path path;
  std::optional<TunedPlan> plan;
  std::string problem;  // without a plan
};
// Files of this kind in the folder, by name. model: of this one only; empty: of all.
std::vector<TunedFile> listTuned(const std::filesystem::path& folder, const std::string& model = {});
// Removes them, damaged ones too, and touches nothing else. How many are gone; FAIL names the first that is not.
Result<int64_t> clearTuned(const std::filesystem::path& folder, const std::string& model = {});

// userCacheFolder("tuned")
std::filesystem::path userTunedFolder();

}  // namespace cutaway::session
