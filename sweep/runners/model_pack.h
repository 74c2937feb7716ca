#pragma once
// Packs of models: archives that a plan names as if they were folders, unpacked by tar.
//
// A pack is unpacked once, into a folder of the sweep that is named after the pack's bytes; whole, or not at all. tar
// knows the compression by itself, and takes no member out of its folder. Thread rule: the main thread. Example:
//   CUTAWAY_TRY(const std::filesystem::path models, unpackModels("zoo.tar.xz", folder));

#include <filesystem>

#include "sweep/results/sweep_folder.h"

namespace cutaway::sweep {

// Errors: NO_SUCHFILE, FAIL with tar's words or the system's.
Result<std::filesystem::path> unpackModels(const std::filesystem::path& pack, const SweepFolder& folder);

}  // namespace cutaway::sweep
