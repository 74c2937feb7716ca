#pragma once
// A file of results as a sweep leaves it, with figures that a test knows.
//
// Thread rule: one thread. Example: QVERIFY(writeSweep(file, {.models = 4, .configurations = 3, .program = "now"}));

#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace cutaway::ui::test {

struct SweepSizes {
  int models = 4, configurations = 3, repeats = 3;
  std::string program = "now";
  double timeFactor = 1;       // on the times of the second configuration
  std::string firstModelFile;  // of the first model; empty: one that is not there
};

// Model i in configuration c takes (i + 1) * (c + 1) ms, give or take 1 %, and has i + c of ten nodes on the last
// provider; the last model in the last configuration has crashed.
Result<void> writeSweep(const std::filesystem::path& file, const SweepSizes& sizes);

}  // namespace cutaway::ui::test
