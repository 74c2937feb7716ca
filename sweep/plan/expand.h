#pragma once
// A plan becomes jobs: every model in every configuration for every measure, as often as it is repeated, less what is
// excluded.
//
// Thread rule: pure apart from the models' files, which are read to know their bytes. Example:
//   CUTAWAY_TRY(const Expansion expansion, expand(plan, programVersion, openPack, progress));

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sweep/plan/job.h"

#include "engine/base/progress.h"

namespace cutaway::sweep {

struct Expansion {
  std::vector<Job> jobs;           // in the order of the plan; two of one key are the same work in two cells
  std::vector<std::string> notes;  // what was left out, and why
  int64_t excludedCells = 0;
};

// The folder that a pack's models lie in once it is unpacked: the runners' unpackModels(), which this floor does not
// know.
using OpenPack = std::function<Result<std::filesystem::path>(const std::filesystem::path& pack)>;

// Errors: INVALID_ARGUMENT "sweep.toml:3: no file matches 'x'", more than a million jobs; MODEL_LOAD_CANCELED; those of
// `openPack`, with the plan's line.
Result<Expansion> expand(const Plan& plan, const std::string& programVersion, const OpenPack& openPack,
                         Progress& progress);

}  // namespace cutaway::sweep
