#pragma once
// Runs cases in child processes, so that a crash or a hang in one costs nobody else anything.
//
// Thread rule: the main thread, before the process has started threads of its own (children are forked).
// Example: runCases(folders, {.jobs = 4, .timeoutSeconds = 60}, runOne, onDone, cancel);

#include <filesystem>
#include <functional>
#include <vector>

#include "app/cli/case_folder.h"
#include "engine/base/progress.h"

namespace cutaway::cli {

struct CaseProcessOptions {
  int jobs = 1;
  double timeoutSeconds = 120;  // for each case; time in which this process was stopped does not count
  int casesPerProcess = 1;      // one after the other; those behind one that crashes go on in a fresh process
};

using RunOneCase = std::function<CaseOutcome(const std::filesystem::path& folder)>;
using OnCaseDone = std::function<void(const std::filesystem::path& folder, const CaseOutcome& outcome)>;

// Calls runOne in a child for every folder and onDone here, in order of completion. A case in which the child dies or
// takes too long gives kFailed with the signal or the time named.
void runCases(const std::vector<std::filesystem::path>& folders, const CaseProcessOptions& options,
              const RunOneCase& runOne, const OnCaseDone& onDone, const CancelToken& cancel);

}  // namespace cutaway::cli
