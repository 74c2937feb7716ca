// The files of measured plans: names, looking up, listing, clearing. Their text is in tuned_plan_text.cpp.

#include "engine/session/choice/tuned_plans.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "engine/base/cache_folder.h"
#include "engine/base/folder_entries.h"
#include "engine/base/hash.h"
#include "engine/base/new_file.h"
#include "engine/base/read_text_file.h"
#include "engine/base/write_file.h"

namespace cutaway::session {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kLargestBytes = 1 << 20;
constexpr size_t kDigits = 16;

bool isHex(std::string_view text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool isTunedName(const std::string& name, const std::string& model) {
  const bool shaped = name.size() == 2 * kDigits + 6 && name[kDigits] == '-' && name.ends_with(".json") &&
                      isHex(std::string_view(name).substr(0, kDigits)) &&
                      isHex(std::string_view(name).substr(kDigits + 1, kDigits));
  return shaped && (model.empty() || name.starts_with(model));
}

TunedFile readFile(const fs::path& path) {
  TunedFile file{.path = path, .plan = {}, .problem = {}};
  const Result<std::string> text = readTextFile(path, {.what = "the measured plan", .largestBytes = kLargestBytes});
  if (!text) {
    file.problem = text.error().message;
    return file;
  }
  Result<TunedPlan> plan = readTunedPlan(*text);
  if (plan) {
    file.plan = *std::move(plan);
  } else {
    file.problem = fmt::format("{} is damaged: {}", path.string(), plan.error().message);
  }
  return file;
}

// The first thing in which a file is about something else.
std::string difference(const TunedKey& found, const TunedKey& wanted) {
  if (found.model != wanted.model) return "another model";
  if (found.machine != wanted.machine) return "another machine (" + found.machine.processor + ")";
  if (found.version != wanted.version) return "version " + found.version + " of the program";
  return "other settings (" + found.settings + ")";
}

}  // namespace

std::string settingsText(const SessionOptions& options) {
  std::string text =
      fmt::format("threads={}; opt-level={}; executor={}; inter-threads={}; order={}; plan={}; min-group={}",
                  options.threads, options.optimizationLevel, options.executor, options.interThreads, options.order,
                  options.planRules, options.minimumGroupNodes);
  for (const auto& [name, value] : options.dims)
    text += fmt::format("; dim {}={}", name, value);
  // Keys of context models say where files go.
  for (const auto& [key, value] : options.config) {
    if (!key.starts_with("ep.context")) text += fmt::format("; {}={}", key, value);
  }
  return text;
}

TunedKey tunedKey(const SessionOptions& options, std::string modelKey) {
  return {.model = std::move(modelKey),
          .machine = thisMachine(),
          .version = options.tuned.version,
          .settings = settingsText(options)};
}

fs::path tunedPlanFile(const fs::path& folder, const TunedKey& key) {
  const std::string rest = fmt::format("{}\n{}\n{}\n{}\n{}", key.machine.processor, key.machine.features,
                                       key.machine.cores, key.version, key.settings);
  return folder / fmt::format("{}-{:016x}.json", key.model, hash64(rest));
}

Result<fs::path> saveTuned(const fs::path& folder, const TunedPlan& plan) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return fail(kNotWritten, "the folder {} for measured plans cannot be made: {}; XDG_CACHE_HOME names another place",
                folder.string(), error.message());
  fs::path path = tunedPlanFile(folder, plan.key);
  CUTAWAY_CHECK(writeFile(path, tunedPlanText(plan)));
  return path;
}

TunedLookup findTuned(const fs::path& folder, const TunedKey& key) {
  if (folder.empty()) return {};
  const fs::path path = tunedPlanFile(folder, key);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return {};
  TunedFile file = readFile(path);
  if (!file.plan) return {.plan = {}, .problem = std::move(file.problem)};
  if (file.plan->key != key)
    return {.plan = {},
            .problem = fmt::format("{} is not used: it speaks of {}", path.string(), difference(file.plan->key, key))};
  return {.plan = std::move(file.plan), .problem = {}};
}

std::vector<TunedFile> listTuned(const fs::path& folder, const std::string& model) {
  std::vector<TunedFile> files;
  for (const fs::path& path : folderEntries(folder)) {
    if (isTunedName(path.filename().string(), model)) files.push_back(readFile(path));
  }
  return files;
}

Result<int64_t> clearTuned(const fs::path& folder, const std::string& model) {
  int64_t removed = 0;
  for (const fs::path& path : folderEntries(folder)) {
    if (!isTunedName(path.filename().string(), model)) continue;
    std::error_code error;
    if (!fs::remove(path, error) && error)
      return fail(ErrorCode::kFail, "{} cannot be removed: {}", path.string(), error.message());
    ++removed;
  }
  return removed;
}

fs::path userTunedFolder() {
  return userCacheFolder("tuned");
}

}  // namespace cutaway::session
