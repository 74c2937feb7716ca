#pragma once
// How tasks ended that left no result: what Slurm's accounting says of them, or its controller as long as it remembers.
//
// sacct's JSON is read in both of its shapes: since Slurm 23.11 states are lists, and numbers are objects. Thread rule:
// the main thread. Example: for (const SlurmTask& task : endedTasks(lists)) ...

#include "sweep/runners/slurm.h"

namespace cutaway::sweep {

// In the order in which they were given out. Empty where neither knows.
std::vector<SlurmTask> endedTasks(const std::vector<TaskList>& lists);
// The tasks of arrays of ours in what `sacct --json` prints. FAIL: it is no such thing.
Result<std::vector<SlurmTask>> parseAccounting(std::string_view text);

}  // namespace cutaway::sweep
