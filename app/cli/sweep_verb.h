#pragma once
// What the verbs sweep and gate share: their options, the plan read and expanded, jobs run wherever they are to.
//
// Thread rule: the main thread. Example: see sweep.cpp.

#include <string>
#include <vector>

#include "sweep/plan/expand.h"
#include "sweep/results/sweep_folder.h"
#include "sweep/runners/job_process.h"
#include "sweep/runners/local_runner.h"

#include "app/cli/verb.h"
#include "engine/base/progress.h"
#include "engine/base/result.h"

namespace cutaway::cli {

struct SweepOptions {
  std::string action, plan, runner = "local", program, format = "text", output, task;
  int64_t cores = 0;
  uint64_t memoryBytes = 0;
  std::vector<std::string> retry, keys;
  bool noWait = false, json = false;
};

// --on, --cores, --memory, --program.
void declareRunner(CLI::App& command, SweepOptions& options);

struct OpenedSweep {
  sweep::Plan plan;
  sweep::Program program;
  sweep::Expansion expansion;
  sweep::SweepFolder folder;
};
// The plan read and checked, the program asked, the jobs made. Nothing is written but packs that are unpacked.
Result<OpenedSweep> openSweep(const SweepOptions& options, Progress& progress);

std::string programOf(const SweepOptions& options);  // --program, or this one; absolute
// What a cluster or a workflow runs for a job, up to its name.
std::string taskCommand(const SweepOptions& options, const OpenedSweep& opened);
// The list of jobs and the cells, for others to work on.
Result<void> prepareJobs(const OpenedSweep& opened);

// Runs what is open: the folder's lock is taken, the jobs and cells are written, the records collected. Prints what was
// left open.
Result<sweep::RunSummary> runOpenJobs(const SweepOptions& options, const OpenedSweep& opened, Progress& progress);

// A plan, or an option, that is wrong is the command line's fault: exit code 2.
int reportSweepError(const Error& error);

int planSweep(SweepOptions& options);
int runSweep(SweepOptions& options);
int resumeSweep(SweepOptions& options);
int showSweep(SweepOptions& options);
int cancelSweep(SweepOptions& options);
int exportSweep(SweepOptions& options);
int workOnSweep(SweepOptions& options);

}  // namespace cutaway::cli
