#pragma once
// The one way in which a report, picture, table, setting or any other whole content becomes a file.
//
// A regular file appears under its name once it is whole (NewFile): a full disk, a limit, a kill leave what was there.
// A file that this program reads is never a target. Pipes and devices (/dev/stdout, /dev/null) are written straight.
// Thread rule: any thread. Example: CUTAWAY_CHECK(writeFile("report.json", text));

#include <filesystem>
#include <string_view>

#include "engine/base/new_file.h"

namespace cutaway {

// Errors: those of NewFile, all of them marked as errors of writing.
Result<void> writeFile(const std::filesystem::path& path, std::string_view content, const NewFileOptions& options = {});

}  // namespace cutaway
