#pragma once
// Jobs as processes of this machine, as many at a time as its cores and memory take.
//
// Thread rule: the main thread; the folder's lock is held. Example:
//   CUTAWAY_TRY(const RunSummary summary, runLocal(jobs, {.program = program}, folder, store, progress));

#include <functional>

#include "sweep/runners/job_process.h"

#include "engine/base/progress.h"

namespace cutaway::sweep {

struct LocalOptions {
  Program program;
  int64_t cores = 0, memoryBytes = 0;  // 0: what this machine has
};

struct RunSummary {
  int64_t done = 0;  // jobs of this run
  std::map<Outcome, int64_t> outcomes;
  std::vector<std::string> leftOpen;  // "MODEL, CONFIGURATION: why"
  bool diskIsFull = false;
};

// Jobs that are recorded already are not done again; of several with one key one is done. Errors: MODEL_LOAD_CANCELED;
// those of the store.
Result<RunSummary> runLocal(const std::vector<Job>& jobs, const LocalOptions& options, const SweepFolder& folder,
                            Store& store, Progress& progress);

// Jobs that have no record, each key once, in the order given.
std::vector<Job> openJobs(const std::vector<Job>& jobs, const SweepFolder& folder);
std::string titleOf(const Job& job);  // "corpus/a.onnx, cpu, bench 2"

}  // namespace cutaway::sweep
