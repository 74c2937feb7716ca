#include "providers/declared/profile_store.h"

#include <algorithm>
#include <set>

#include "engine/base/folder_entries.h"
#include "engine/base/read_text_file.h"

namespace cutaway::declared {

namespace fs = std::filesystem;

namespace {

Result<std::string> readFile(const fs::path& path) {
  return readTextFile(path, {.what = "the profile", .largestBytes = kLargestFile});
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (fs::path& entry : folderEntries(folder)) {
    if (entry.extension() == ".json" && entry.filename() != "schema.json") files.push_back(std::move(entry));
  }
  return files;
}

// Empty when the file does not say.
std::string nameIn(const std::string& text) {
  const Result<JsonValue> root = parseLocatedJson(text);
  const JsonValue* name = root ? root->member("name") : nullptr;
  return name != nullptr && name->is(JsonValue::Kind::kString) ? name->string : std::string();
}

bool isPath(std::string_view argument) {
  return argument.find('/') != std::string_view::npos || argument.ends_with(".json");
}

}  // namespace

Result<ProfileText> findProfile(const std::string& argument, std::span<const fs::path> folders) {
  if (isPath(argument)) {
    CUTAWAY_TRY(std::string text, readFile(argument));
    return ProfileText{std::move(text), argument};
  }
  std::set<std::string> known;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : filesIn(folder)) {
      Result<std::string> text = readFile(path);
      if (!text) continue;
      const std::string name = nameIn(*text);
      // A broken file is found by the name of the file, so that its errors are told instead of an unknown name.
      if (name == argument || (name.empty() && path.stem() == argument))
        return ProfileText{*std::move(text), path.string()};
      if (!name.empty()) known.insert(name);
    }
  }
  for (const ShippedProfile& profile : shippedProfiles()) {
    if (profile.name == argument) return ProfileText{std::string(profile.text), "shipped with the program"};
    known.emplace(profile.name);
  }
  return fail(
      ErrorCode::kInvalidArgument,
      "there is no support profile '{}'; known are: {}; a path to a .json file and --profile-dir DIR work as well",
      argument, fmt::join(known, ", "));
}

std::vector<std::string> checkProfileText(std::string_view text) {
  const Result<JsonValue> root = parseLocatedJson(text);
  if (!root) return {root.error().message};
  const ProfileReading reading = readProfile(*root);
  std::vector<std::string> lines;
  for (const ProfileError& error : reading.errors.all())
    lines.push_back(toText(error));
  if (reading.errors.leftOut() > 0) lines.push_back(fmt::format("and {} more", reading.errors.leftOut()));
  return lines;
}

std::vector<std::string> checkProfile(const fs::path& path) {
  const Result<std::string> text = readFile(path);
  return text ? checkProfileText(*text) : std::vector<std::string>{text.error().message};
}

}  // namespace cutaway::declared
