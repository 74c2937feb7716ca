#pragma once
// Small files of text that a user names - settings, lists of edits, profiles - read at once.
//
// Only regular files: a pipe that nobody writes to would be waited for, for ever. Thread rule: any thread. Example:
// CUTAWAY_TRY(const std::string text, readTextFile("settings.json", {.what = "the configuration"}));

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace cutaway {

struct TextFileOptions {
  std::string_view what = "the file";       // for messages: "the configuration"
  int64_t largestBytes = 64 * 1024 * 1024;  // what is larger is something else
};

// NO_SUCHFILE when missing; INVALID_ARGUMENT for folders, pipes, devices and what is too large; FAIL with the system's
// words.
Result<std::string> readTextFile(const std::filesystem::path& path, const TextFileOptions& options = {});

}  // namespace cutaway
