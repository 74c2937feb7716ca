// A plan opened, and its jobs run where they are to.
#include <algorithm>

#include "sweep/runners/model_pack.h"
#include "sweep/runners/slurm_runner.h"
#include <nlohmann/json.hpp>

#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/sweep_verb.h"
#include "engine/session/configuration/configuration.h"

namespace cutaway::cli {

namespace {

constexpr size_t kShownReasons = 20;
constexpr int64_t kLockMs = 2000;

Result<void> checkSettings(const std::string& json) {
  CUTAWAY_TRY(const session::Configuration read,
              session::configurationFromJson(sweep::configurationText(nlohmann::json::parse(json)), "settings"));
  (void)read;
  return {};
}

// Results that are to be had again are forgotten, their records too.
Result<void> forgetOutcomes(const SweepOptions& options, const OpenedSweep& opened, sweep::Store& store) {
  if (options.retry.empty()) return {};
  CUTAWAY_TRY(const std::vector<sweep::CellResult> cells, store.cells(opened.program.version));
  std::vector<std::string> keys;
  for (const sweep::CellResult& cell : cells) {
    const bool again =
        cell.isDone && std::ranges::find(options.retry, sweep::outcomeName(cell.record.outcome)) != options.retry.end();
    if (again) keys.push_back(cell.key);
  }
  for (const std::string& key : keys) {
    std::error_code ignored;
    std::filesystem::remove(opened.folder.record(key), ignored);
  }
  return store.forget(keys);
}

Result<sweep::RunSummary> runWhere(const SweepOptions& options, const OpenedSweep& opened, sweep::Store& store,
                                   Progress& progress) {
  if (options.runner == "slurm")
    return sweep::runSlurm(
        opened.expansion.jobs,
        {.command = taskCommand(options, opened), .settings = opened.plan.slurm, .wait = !options.noWait},
        opened.folder, store, progress);
  const auto memory = static_cast<int64_t>(std::min<uint64_t>(options.memoryBytes, INT64_MAX));
  return sweep::runLocal(opened.expansion.jobs,
                         {.program = opened.program, .cores = options.cores, .memoryBytes = memory}, opened.folder,
                         store, progress);
}

}  // namespace

int reportSweepError(const Error& error) {
  if (error.code == ErrorCode::kInvalidArgument) return usageError(error);
  return reportError(error);
}

std::string taskCommand(const SweepOptions& options, const OpenedSweep& opened) {
  return sweep::workCommand(programOf({}), opened.program.path, std::filesystem::absolute(options.plan));
}

std::string programOf(const SweepOptions& options) {
  std::error_code ignored;
  const std::filesystem::path path = options.program.empty() ? std::filesystem::read_symlink("/proc/self/exe", ignored)
                                                             : std::filesystem::path(options.program);
  return std::filesystem::absolute(path).string();
}

Result<void> prepareJobs(const OpenedSweep& opened) {
  CUTAWAY_CHECK(opened.folder.make());
  CUTAWAY_TRY(const FileDescriptor lock, opened.folder.lock(kLockMs));
  CUTAWAY_TRY(sweep::Store store, sweep::Store::open(opened.folder.database(), sweep::Database::Mode::kWrite));
  CUTAWAY_CHECK(store.setCells(opened.expansion.jobs, opened.program.version));
  return opened.folder.writeJobs(opened.expansion.jobs);
}

Result<OpenedSweep> openSweep(const SweepOptions& options, Progress& progress) {
  CUTAWAY_TRY(sweep::Plan plan, sweep::readPlan(options.plan, checkSettings));
  CUTAWAY_TRY(sweep::Program program, sweep::askProgram(programOf(options)));
  sweep::SweepFolder folder = sweep::SweepFolder::of(options.plan);
  const auto openPack = [&](const std::filesystem::path& pack) { return sweep::unpackModels(pack, folder); };
  CUTAWAY_TRY(sweep::Expansion expansion, sweep::expand(plan, program.version, openPack, progress));
  return OpenedSweep{std::move(plan), std::move(program), std::move(expansion), std::move(folder)};
}

Result<sweep::RunSummary> runOpenJobs(const SweepOptions& options, const OpenedSweep& opened, Progress& progress) {
  CUTAWAY_CHECK(opened.folder.make());
  CUTAWAY_TRY(const FileDescriptor lock, opened.folder.lock(kLockMs));
  CUTAWAY_TRY(sweep::Store store, sweep::Store::open(opened.folder.database(), sweep::Database::Mode::kWrite));
  CUTAWAY_CHECK(store.setCells(opened.expansion.jobs, opened.program.version));
  CUTAWAY_CHECK(forgetOutcomes(options, opened, store));
  CUTAWAY_CHECK(opened.folder.writeJobs(opened.expansion.jobs));
  for (const std::string& note : opened.expansion.notes)
    putError("{}\n", note);
  CUTAWAY_TRY(sweep::RunSummary summary, runWhere(options, opened, store, progress));
  for (size_t i = 0; i < std::min(summary.leftOpen.size(), kShownReasons); ++i)
    putError("left open: {}\n", summary.leftOpen[i]);
  if (summary.leftOpen.size() > kShownReasons)
    putError("left open: {} more\n", summary.leftOpen.size() - kShownReasons);
  return summary;
}

}  // namespace cutaway::cli
