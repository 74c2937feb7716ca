#pragma once
// Test cases on disk: folders with model.onnx (or model.textproto) and test_data_set_*/{input,output}_N.pb.
//
// Thread rule: each call stands alone. Example: for (const std::filesystem::path& folder : findCases({"tests"}))
// runCase(folder, options, tolerance);

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/cli/compare_values.h"
#include "engine/session/session.h"

namespace cutaway::cli {

// Every case at or below the folders, sorted by path.
std::vector<std::filesystem::path> findCases(const std::vector<std::string>& folders);

struct CaseOutcome {
  enum class Kind { kPassed, kFailed, kSkipped } kind = Kind::kPassed;
  std::string message{};                          // why it failed or was skipped
  std::map<std::string, int64_t> claimedNodes{};  // by provider: nodes of the model that it took
};
// Runs every data set of a case and compares the outputs.
CaseOutcome runCase(const std::filesystem::path& folder, const session::SessionOptions& options,
                    const Tolerance& tolerance);

}  // namespace cutaway::cli
