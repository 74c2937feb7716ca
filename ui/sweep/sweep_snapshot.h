#pragma once
// What a file of results says of one version of the program, and what has changed against another.
//
// Thread rule: read on any thread, immutable afterwards. Example:
//   const auto read = readSweep({.file = "nightly.sweep/results.sqlite"});

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/answers/comparison.h"

namespace cutaway::ui {

struct SweepRequest {
  std::filesystem::path file;
  std::string program;                 // empty: the one that was swept with last
  std::filesystem::path baselineFile;  // empty: the same file
  std::string baselineProgram;         // empty: of another file the last; of the same file nothing is compared
};

struct SweepSnapshot {
  SweepSnapshot() = default;
  SweepSnapshot(const SweepSnapshot&) = delete;  // the matrix points into the cells
  SweepSnapshot& operator=(const SweepSnapshot&) = delete;

  SweepRequest request;               // with what was empty filled in
  std::vector<std::string> programs;  // in the file, oldest first
  std::vector<sweep::CellResult> cells, before;
  sweep::Matrix matrix;
  std::optional<sweep::SweepComparison> comparison;
};
using SweepPart = std::shared_ptr<const SweepSnapshot>;

// NO_SUCHFILE: no file, or nothing was swept yet. FAIL: no file of results, or a newer one.
Result<SweepPart> readSweep(const SweepRequest& request);

// The file of results that a name stands for: of a plan (.toml), a sweep's folder, or the file itself.
std::filesystem::path resultsFile(const std::filesystem::path& named);
bool isSweepFile(const std::filesystem::path& named);

}  // namespace cutaway::ui
