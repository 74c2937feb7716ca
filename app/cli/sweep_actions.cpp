// The actions of sweep: plan, run, resume, status, cancel, export, work.
#include <csignal>
#include <cstdlib>

#include "sweep/answers/matrix.h"
#include "sweep/runners/slurm.h"
#include "sweep/runners/workflow.h"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt_grace.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/sweep_verb.h"
#include "engine/base/format.h"
#include "engine/base/write_file.h"
#include "engine/report/json.h"

namespace cutaway::cli {

namespace {

int runWith(SweepOptions& options) {
  ConsoleProgress progress;
  waitForTheEnd();
  const Result<OpenedSweep> opened = openSweep(options, progress);
  if (!opened) return reportSweepError(opened.error());
  const Result<sweep::RunSummary> summary = runOpenJobs(options, *opened, progress);
  if (!summary) return reportSweepError(summary.error());
  std::string outcomes;
  for (const auto& [outcome, count] : summary->outcomes)
    outcomes += fmt::format(", {} {}", count, sweep::outcomeName(outcome));
  put("{} jobs done{}; {} left open\n", summary->done, outcomes, summary->leftOpen.size());
  if (summary->diskIsFull) return kNotWritten;
  return summary->leftOpen.empty() ? kDone : kCheckFailed;
}

nlohmann::json planJson(const OpenedSweep& opened, size_t open) {
  nlohmann::json jobs = nlohmann::json::array();
  for (const sweep::Job& job : opened.expansion.jobs)
    jobs.push_back(sweep::jobToJson(job));
  return {{"schema_version", kReportSchemaVersion},
          {"program", opened.program.version},
          {"folder", opened.folder.path().string()},
          {"jobs", std::move(jobs)},
          {"open", open},
          {"excluded", opened.expansion.excludedCells},
          {"notes", opened.expansion.notes}};
}

// Of the program that was swept with last.
struct Shown {
  std::string program;
  std::vector<sweep::CellResult> cells;
  sweep::Store store;
};

Result<Shown> readShown(const SweepOptions& options) {
  const sweep::SweepFolder folder = sweep::SweepFolder::of(options.plan);
  // What is recorded and not collected yet is shown, too, unless a collector is at work, which has it soon.
  if (Result<FileDescriptor> lock = folder.lock(0); lock) {
    CUTAWAY_TRY(sweep::Store store, sweep::Store::open(folder.database(), sweep::Database::Mode::kWrite));
    CUTAWAY_TRY(const sweep::Collected collected, sweep::collect(folder, store));
    for (const std::string& rejected : collected.rejected)
      putError("{}\n", rejected);
  }
  CUTAWAY_TRY(sweep::Store store, sweep::Store::open(folder.database(), sweep::Database::Mode::kRead));
  CUTAWAY_TRY(const std::vector<std::string> programs, store.programs());
  if (programs.empty()) return fail(ErrorCode::kNoSuchFile, "nothing was swept yet: begin with `sweep run`");
  CUTAWAY_TRY(std::vector<sweep::CellResult> cells, store.cells(programs.back()));
  return Shown{programs.back(), std::move(cells), std::move(store)};
}

nlohmann::json statusJson(const Shown& shown, const sweep::Matrix& matrix, const std::string& holder) {
  nlohmann::json outcomes = nlohmann::json::object(), cells = nlohmann::json::array();
  for (const auto& [outcome, count] : matrix.outcomes)
    outcomes[std::string(sweep::outcomeName(outcome))] = count;
  for (const sweep::CellResult& cell : shown.cells) {
    nlohmann::json figures = nlohmann::json::object();
    for (const auto& [name, figure] : cell.record.findings.figures)
      figures[name] = figure.value;
    cells.push_back({{"key", cell.key},
                     {"model", cell.cell.model},
                     {"configuration", cell.cell.configuration},
                     {"measure", sweep::measureName(cell.cell.measure)},
                     {"repeat", cell.cell.repeat},
                     {"outcome", cell.isDone ? sweep::outcomeName(cell.record.outcome) : "open"},
                     {"message", cell.record.message},
                     {"wall_s", cell.record.wallSeconds},
                     {"started_ms", cell.record.startedMs},
                     {"figures", std::move(figures)}});
  }
  return {{"schema_version", kReportSchemaVersion},
          {"program", shown.program},
          {"jobs", matrix.jobs},
          {"open", matrix.open},
          {"outcomes", outcomes},
          {"worked_on_by", holder},
          {"cells", std::move(cells)}};
}

int writeAnswer(const SweepOptions& options, const std::string& text) {
  if (options.output.empty()) {
    putRaw(text);
    return kDone;
  }
  const Result<void> written = writeFile(options.output, text);
  return written ? kDone : reportError(written.error());
}

}  // namespace

int planSweep(SweepOptions& options) {
  ConsoleProgress progress;
  waitForTheEnd();
  const Result<OpenedSweep> opened = openSweep(options, progress);
  if (!opened) return reportSweepError(opened.error());
  const std::vector<sweep::Job> open = sweep::openJobs(opened->expansion.jobs, opened->folder);
  if (options.json) {
    putRaw(dumpJson(planJson(*opened, open.size()), 2) + "\n");
    return kDone;
  }
  std::set<std::string> keys;
  double seconds = 0;
  for (const sweep::Job& job : opened->expansion.jobs)
    keys.insert(job.key);
  for (const sweep::Job& job : open)
    seconds += job.expectedSeconds();
  for (const sweep::Job& job : opened->expansion.jobs)
    put("{}  {}\n", job.key.substr(0, 8), sweep::titleOf(job));
  for (const std::string& note : opened->expansion.notes)
    put("{}\n", note);
  put("{} jobs, {} different, {} open ({:.0f} s of work, assumed), {} cells excluded\n", opened->expansion.jobs.size(),
      keys.size(), open.size(), seconds, opened->expansion.excludedCells);
  return kDone;
}

int runSweep(SweepOptions& options) {
  return runWith(options);
}

int resumeSweep(SweepOptions& options) {
  const std::filesystem::path folder = sweep::SweepFolder::of(options.plan).path();
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    return usageError(
        {ErrorCode::kInvalidArgument,
         fmt::format("there is nothing to go on with: '{}' is missing; begin with `sweep run`", folder.string()),
         {}});
  return runWith(options);
}

int showSweep(SweepOptions& options) {
  const Result<Shown> shown = readShown(options);
  if (!shown) return reportSweepError(shown.error());
  const sweep::Matrix matrix = sweep::matrixOf(shown->cells);
  const std::string holder = sweep::SweepFolder::of(options.plan).holder();
  if (options.json) {
    putRaw(dumpJson(statusJson(*shown, matrix, holder), 2) + "\n");
    return kDone;
  }
  putText(sweep::matrixText(matrix));
  put("program: {}\n", shown->program);
  if (!holder.empty()) put("worked on by {}\n", holder);
  return kDone;
}

int cancelSweep(SweepOptions& options) {
  const sweep::SweepFolder folder = sweep::SweepFolder::of(options.plan);
  const Result<std::vector<sweep::TaskList>> lists = sweep::readTaskLists(folder);
  if (lists && !lists->empty()) {
    if (const Result<void> ended = sweep::cancelTasks(*lists); !ended) return reportError(ended.error());
    put("the cluster was asked to end {} arrays\n", lists->size());
  }
  const std::string holder = folder.holder();
  long process = 0;
  char host[256] = {}, here[256] = {};
  gethostname(here, sizeof here - 1);
  if (holder.empty()) {
    put("nobody works on it\n");
    return kDone;
  }
  if (std::sscanf(holder.c_str(), "process %ld on %255s", &process, host) != 2 || process <= 1)
    return reportError({ErrorCode::kFail, fmt::format("who works on it is not known: {}", holder), {}});
  if (std::string_view(host) != here)
    return reportError({ErrorCode::kFail, fmt::format("it is worked on by {}: cancel it there", holder), {}});
  if (kill(static_cast<pid_t>(process), SIGTERM) != 0)
    return reportError({ErrorCode::kFail, fmt::format("{} cannot be asked to end", holder), {}});
  put("asked {} to end\n", holder);
  return kDone;
}

// The workflow's commands need the list of jobs.
int exportWorkflow(SweepOptions& options) {
  ConsoleProgress progress;
  waitForTheEnd();
  const Result<OpenedSweep> opened = openSweep(options, progress);
  if (!opened) return reportSweepError(opened.error());
  if (const Result<void> prepared = prepareJobs(*opened); !prepared) return reportError(prepared.error());
  const auto write = options.format == "make" ? sweep::makefileOf : sweep::snakefileOf;
  return writeAnswer(options, write(opened->expansion.jobs, opened->folder, taskCommand(options, *opened)));
}

int exportPage(const SweepOptions& options, Shown& shown, const sweep::Matrix& matrix) {
  std::vector<sweep::Trend> trends;
  for (const std::string& model : matrix.models) {
    for (const std::string& configuration : matrix.configurations) {
      Result<sweep::Trend> trend = shown.store.trend(model, configuration);
      if (!trend) return reportError(trend.error());
      trends.push_back(*std::move(trend));
    }
  }
  const std::string title = std::filesystem::path(options.plan).stem().string();
  return writeAnswer(options, sweep::matrixPage(matrix, title, shown.program, trends));
}

int exportSweep(SweepOptions& options) {
  if (options.format == "make" || options.format == "snakemake") return exportWorkflow(options);
  Result<Shown> shown = readShown(options);
  if (!shown) return reportSweepError(shown.error());
  const sweep::Matrix matrix = sweep::matrixOf(shown->cells);
  if (options.format == "csv") return writeAnswer(options, sweep::cellsCsv(shown->cells));
  if (options.format == "html") return exportPage(options, *shown, matrix);
  return writeAnswer(options, sweep::matrixText(matrix));
}

int workOnSweep(SweepOptions& options) {
  std::vector<std::string> keys = options.keys;
  if (!options.task.empty()) {
    const char* index = std::getenv("SLURM_ARRAY_TASK_ID");
    if (index == nullptr)
      return usageError({ErrorCode::kInvalidArgument, "--task is for tasks of a Slurm array, which this is not", {}});
    const Result<std::vector<std::string>> task = sweep::readTask(options.task, std::strtoul(index, nullptr, 10));
    if (!task) return reportSweepError(task.error());
    keys.insert(keys.end(), task->begin(), task->end());
  }
  if (keys.empty()) return usageError({ErrorCode::kInvalidArgument, "work needs --job KEY or --task FILE", {}});
  const ConsoleProgress progress;
  waitForTheEnd();
  const Result<std::vector<std::string>> leftOpen = sweep::workOn(
      sweep::SweepFolder::of(options.plan), keys, programOf(options), [&] { return progress.cancelled(); });
  if (!leftOpen) return reportSweepError(leftOpen.error());
  for (const std::string& reason : *leftOpen)
    putError("left open: {}\n", reason);
  return leftOpen->empty() ? kDone : kCheckFailed;
}

}  // namespace cutaway::cli
