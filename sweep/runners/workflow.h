#pragma once
// The jobs as a file for make or Snakemake: a rule a job, whose command is `cutaway-cli sweep work`.
//
// Both do the work in the sweep's folder, where targets have names of hexadecimal digits alone. Thread rule: pure.
// Example: putRaw(makefileOf(jobs, folder, workCommand(worker, program, plan)));

#include "sweep/runners/task_list.h"

namespace cutaway::sweep {

std::string makefileOf(const std::vector<Job>& jobs, const SweepFolder& folder, const std::string& command);
std::string snakefileOf(const std::vector<Job>& jobs, const SweepFolder& folder, const std::string& command);

}  // namespace cutaway::sweep
