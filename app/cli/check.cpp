// check: runs every test case below the folders and compares with the expected outputs.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/case_process.h"
#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt_grace.h"
#include "app/cli/output.h"
#include "app/cli/shared_options.h"
#include "app/cli/stage_verb.h"
#include "engine/base/folder_entries.h"
#include "engine/base/read_mark.h"
#include "engine/report/json.h"

namespace cutaway::cli {

namespace {

struct CheckOptions {
  SharedOptions shared;
  std::vector<std::string> folders;
  Tolerance tolerance;
  CaseProcessOptions process;
};

struct Tally {
  int64_t passed = 0, failed = 0, skipped = 0;
  nlohmann::json failures = nlohmann::json::array();
  std::map<std::string, int64_t> claimedNodes;  // over all cases
};

void count(Tally& tally, const std::filesystem::path& folder, const CaseOutcome& outcome) {
  for (const auto& [provider, nodes] : outcome.claimedNodes)
    tally.claimedNodes[provider] += nodes;
  switch (outcome.kind) {
    case CaseOutcome::Kind::kPassed:
      ++tally.passed;
      return;
    case CaseOutcome::Kind::kSkipped:
      ++tally.skipped;
      return;
    case CaseOutcome::Kind::kFailed:
      break;
  }
  ++tally.failed;
  tally.failures.push_back({{"case", folder.string()}, {"message", outcome.message}});
  put("{}: {}\n", folder.string(), outcome.message);
  std::fflush(stdout);
}

// Cases are read in processes of their own; no report may take the place of their files.
void markFiles(const std::vector<std::filesystem::path>& cases) {
  for (const std::filesystem::path& folder : cases) {
    for (const std::filesystem::path& each : entriesBelow(folder))
      ReadMark::of(each);
  }
}

int runCheck(const CheckOptions& check, bool json) {
  const Result<session::SessionOptions> options = check.shared.sessionOptions(Stage::kPattern, true);
  if (!options) return usageError(options.error());
  const std::vector<std::filesystem::path> cases = findCases(check.folders);
  Tally tally;
  ConsoleProgress progress;
  waitForTheEnd();
  progress.begin("check", fmt::format("{} cases", cases.size()));
  uint64_t done = 0;
  runCases(
      cases, check.process,
      [&](const std::filesystem::path& folder) { return runCase(folder, *options, check.tolerance); },
      [&](const std::filesystem::path& folder, const CaseOutcome& outcome) {
        count(tally, folder, outcome);
        progress.update(++done, cases.size());
      },
      progress.token());
  if (json) {
    markFiles(cases);
    const nlohmann::json report = {{"schema_version", kReportSchemaVersion},
                                   {"passed", tally.passed},
                                   {"failed", tally.failed},
                                   {"skipped", tally.skipped},
                                   {"failures", tally.failures},
                                   {"claimed_nodes", tally.claimedNodes}};
    if (const Result<void> written = check.shared.writeJson(dumpJson(report, 2)); !written)
      return reportError(written.error());
  }
  put("{} passed, {} failed, {} skipped\n", tally.passed, tally.failed, tally.skipped);
  if (progress.cancelled()) return kCancelled;
  if (cases.empty())
    return usageError(
        {ErrorCode::kInvalidArgument, "no folder with a model and a test_data_set_* below the given ones", {}});
  return tally.failed == 0 ? kDone : kCheckFailed;
}

}  // namespace

Verb verb_check() {
  return {
      .name = "check",
      .help = "runs every folder with model.onnx and test_data_set_*, and compares",
      .example = "cutaway-cli check tests/data --jobs 4 --timeout 60",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto check = std::make_shared<CheckOptions>();
        check->shared.declare(command, false);
        command.add_option("DIR", check->folders, "folders to search")->required();
        command.add_option("--rtol", check->tolerance.relative, "relative tolerance")->capture_default_str();
        command.add_option("--atol", check->tolerance.absolute, "absolute tolerance")->capture_default_str();
        command.add_option("--jobs", check->process.jobs, "cases at once")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        command.add_option("--timeout", check->process.timeoutSeconds, "seconds for each case")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        command
            .add_option("--cases-per-process", check->process.casesPerProcess,
                        "cases that a process runs one after the other: quicker, but what one leaves behind stays")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        CLI::Option* json =
            command.add_option("--json", check->shared.jsonFile, "print failures as JSON to FILE")->type_name("FILE");
        return [check, json] { return runCheck(*check, json->count() > 0); };
      }};
}

}  // namespace cutaway::cli
