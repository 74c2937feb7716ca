#pragma once
// The log in a file, which is turned: when it is full it becomes NAME.1.EXT, that NAME.2.EXT, and the oldest goes.
//
// Lines are "TIME LEVEL CATEGORY TEXT name=value ...", each flushed at once, without what others should not read
// (log_privacy.h). Only files that are such logs are continued or turned. One program writes one file. Thread rule: as
// log.h; open once. Example: CUTAWAY_CHECK(log::openFile("cutaway.log"));

#include <cstdint>
#include <filesystem>

#include "engine/base/result.h"

namespace cutaway::log {

struct FileLimits {
  size_t bytes = 4 << 20;
  size_t older = 3;  // turned files that are kept
};

// INVALID_ARGUMENT: it, or what would be turned, is there and no log; FAIL: it cannot be written.
Result<void> openFile(const std::filesystem::path& file, const FileLimits& limits = {});

}  // namespace cutaway::log
