// gate: a sweep compared with the results of an earlier one; exit code 1 when something got worse.
#include "sweep/answers/gate.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <CLI/CLI.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt_grace.h"
#include "app/cli/output.h"
#include "app/cli/sweep_verb.h"
#include "engine/base/write_file.h"
#include "engine/report/json.h"

namespace cutaway::cli {

namespace {

struct GateOptions {
  SweepOptions sweep;
  std::string baseline, junit;
  bool github = false, noRun = false;
};

struct Side {
  sweep::Store store;
  std::vector<sweep::CellResult> cells;
};

// `program` empty: the one that was swept with last, other than `unlike`.
Result<Side> readSide(const std::filesystem::path& file, const std::string& program, const std::string& unlike) {
  CUTAWAY_TRY(sweep::Store store, sweep::Store::open(file, sweep::Database::Mode::kRead));
  CUTAWAY_TRY(std::vector<std::string> programs, store.programs());
  if (!unlike.empty()) std::erase(programs, unlike);
  if (program.empty() && programs.empty())
    return fail(ErrorCode::kNoSuchFile, "'{}' has no results to compare with", file.string());
  CUTAWAY_TRY(std::vector<sweep::CellResult> cells, store.cells(program.empty() ? programs.back() : program));
  return Side{std::move(store), std::move(cells)};
}

using KeepResult = std::function<bool(const sweep::CellResult&)>;

Result<sweep::GateReport> compareSides(const GateOptions& options, const OpenedSweep& opened, const KeepResult& keep) {
  const std::string& program = opened.program.version;
  CUTAWAY_TRY(Side now, readSide(opened.folder.database(), program, ""));
  std::error_code ignored;
  // Results of the same file are compared with those of the program before.
  const bool isSame = std::filesystem::equivalent(options.baseline, opened.folder.database(), ignored);
  CUTAWAY_TRY(Side before, readSide(options.baseline, "", isSame ? program : ""));
  std::erase_if(now.cells, [&](const sweep::CellResult& cell) { return !keep(cell); });
  return sweep::gate(
      before.cells, now.cells,
      [&](bool baseline, const std::string& key) { return (baseline ? before : now).store.placements(key); },
      opened.plan.gate);
}

sweep::Cell withoutRepeat(sweep::Cell cell) {
  cell.repeat = 0;
  return cell;
}

// What is slower is measured again, as often as before, and believed only when it is slower again.
Result<void> confirm(const GateOptions& options, OpenedSweep& opened, Progress& progress, sweep::GateReport& report) {
  std::set<sweep::Cell> doubted;
  for (const sweep::GateFinding& finding : report.worse) {
    if (finding.isMeasured) doubted.insert(finding.cell);
  }
  if (doubted.empty() || options.noRun) return {};
  const std::vector<sweep::Job> planned = opened.expansion.jobs;
  std::map<sweep::Cell, int64_t> repeats;
  for (const sweep::Job& job : planned)
    ++repeats[withoutRepeat(job.cell)];
  for (sweep::Job job : planned) {
    if (!doubted.contains(withoutRepeat(job.cell))) continue;
    job.cell.repeat += repeats[withoutRepeat(job.cell)];
    job.key = sweep::keyOf(job, opened.program.version);
    opened.expansion.jobs.push_back(std::move(job));
  }
  opened.expansion.notes.clear();
  CUTAWAY_TRY(const sweep::RunSummary summary, runOpenJobs(options.sweep, opened, progress));
  (void)summary;
  CUTAWAY_TRY(const sweep::GateReport again, compareSides(options, opened, [&](const sweep::CellResult& each) {
                const auto known = repeats.find(withoutRepeat(each.cell));
                return doubted.contains(withoutRepeat(each.cell)) && known != repeats.end() &&
                       each.cell.repeat >= known->second;
              }));
  std::erase_if(report.worse, [&](const sweep::GateFinding& finding) {
    const bool stays = !finding.isMeasured || std::ranges::any_of(again.worse, [&](const sweep::GateFinding& other) {
      return other.kind == finding.kind && other.cell == finding.cell;
    });
    if (!stays)
      report.notes.push_back(fmt::format("{}, {}: slower or larger once, and not when measured again: {}",
                                         finding.cell.model, finding.cell.configuration, finding.text));
    return !stays;
  });
  return {};
}

Result<void> print(const GateOptions& options, const sweep::GateReport& report) {
  if (!options.junit.empty()) CUTAWAY_CHECK(writeFile(options.junit, sweep::gateJunit(report)));
  if (options.sweep.json) {
    nlohmann::json json = sweep::gateJson(report);
    json["schema_version"] = kReportSchemaVersion;
    putRaw(dumpJson(json, 2) + "\n");
    return {};
  }
  putText(sweep::gateText(report));
  if (options.github) putText(sweep::gateAnnotations(report, options.sweep.plan));
  return {};
}

int runGate(GateOptions& options) {
  ConsoleProgress progress;
  waitForTheEnd();
  Result<OpenedSweep> opened = openSweep(options.sweep, progress);
  if (!opened) return reportSweepError(opened.error());
  size_t leftOpen = 0;
  if (!options.noRun) {
    const Result<sweep::RunSummary> summary = runOpenJobs(options.sweep, *opened, progress);
    if (!summary) return reportSweepError(summary.error());
    if (summary->diskIsFull) return kNotWritten;
    leftOpen = summary->leftOpen.size();
  }
  Result<sweep::GateReport> report = compareSides(options, *opened, [](const sweep::CellResult&) { return true; });
  if (!report) return reportSweepError(report.error());
  if (const Result<void> sure = confirm(options, *opened, progress, *report); !sure)
    return reportSweepError(sure.error());
  if (const Result<void> printed = print(options, *report); !printed) return reportError(printed.error());
  if (leftOpen > 0) putError("{} jobs were left open: what they would say is not known\n", leftOpen);
  if (report->compared == 0) putError("nothing could be compared: no cell has results on both sides\n");
  return report->worse.empty() && leftOpen == 0 && report->compared > 0 ? kDone : kCheckFailed;
}

}  // namespace

Verb verb_gate() {
  return {.name = "gate",
          .help = "runs a sweep and fails when something got worse than in an earlier one",
          .example = "cutaway-cli gate --baseline base.sqlite sweep.toml --junit gate.xml --github",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto options = std::make_shared<GateOptions>();
            command.add_option("FILE", options->sweep.plan, "the plan, such as sweep.toml")->required();
            command.add_option("--baseline", options->baseline, "results of the earlier sweep (results.sqlite)")
                ->type_name("FILE")
                ->required();
            command.add_option("--junit", options->junit, "write the result as JUnit XML")->type_name("FILE");
            command.add_flag("--github", options->github, "print GitHub's annotations, too");
            command.add_flag("--no-run", options->noRun, "compare what is there, without running what is open");
            command.add_flag("--json", options->sweep.json, "print JSON");
            declareRunner(command, options->sweep);
            return [options] { return runGate(*options); };
          }};
}

}  // namespace cutaway::cli
