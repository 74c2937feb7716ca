#pragma once
// Jobs as arrays of a Slurm cluster: what is open and not queued is packed and given to sbatch, and records are
// collected while the cluster works.
//
// The cluster does not need this program to go on: it may end at any moment and be resumed. Thread rule: the main
// thread; the folder's lock is held. Example: runSlurm(jobs, request, folder, store, progress)

#include "sweep/runners/local_runner.h"
#include "sweep/runners/slurm.h"

#include "engine/base/progress.h"

namespace cutaway::sweep {

struct SlurmRun {
  std::string command;  // workCommand()
  SlurmSettings settings;
  bool wait = true;
};

// A task that left the queue without records for its jobs - its node broke down too often, it was cancelled by somebody
// - is given out again, three times at most. Errors: sbatch's and squeue's; MODEL_LOAD_CANCELED, when the cluster goes
// on.
Result<RunSummary> runSlurm(const std::vector<Job>& jobs, const SlurmRun& run, const SweepFolder& folder, Store& store,
                            Progress& progress);

}  // namespace cutaway::sweep
