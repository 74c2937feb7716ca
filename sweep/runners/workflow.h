#pragma once
// The jobs as a file for make or Snakemake: a rule a job, whose command is `cutaway-cli sweep work`.
//
// Both do the work in the sweep's folder, where targets have names of hexadecimal digits alone. Thread rule: pure.
// Example: putRaw(makefileOf(jobs, folder, program, plan));

#include "sweep/results/sweep_folder.h"

namespace cutaway::sweep {

std::string makefileOf(const std::vector<Job>& jobs, const SweepFolder& folder, const std::string& program,
                       const std::string& plan);
std::string snakefileOf(const std::vector<Job>& jobs, const SweepFolder& folder, const std::string& program,
                        const std::string& plan);

}  // namespace cutaway::sweep
