#pragma once
// Slurm's own commands: sbatch, squeue, scancel, scontrol. Nothing is linked, and no scheduling is done here.
//
// squeue is read in its text form: its JSON has another shape in every release, and all jobs of the cluster in it; the
// format's letters are the same since Slurm 2. Thread rule: the main thread. Example:
//   CUTAWAY_TRY(const std::string id, submit(list, settings, request));

#include "sweep/runners/task_list.h"

namespace cutaway::sweep {

struct SlurmTask {
  std::string list;           // TaskList::name
  size_t index = 0;           // of the task in it
  std::string state, reason;  // "PENDING", "Resources"
};

struct SlurmRequest {
  std::string command;  // of a task, up to its list: workCommand()
  std::filesystem::path taskFile;
};

// sbatch's arguments, for tests and for people who want to see them.
std::vector<std::string> sbatchArguments(const TaskList& list, const SlurmSettings& settings,
                                         const SlurmRequest& request);
// The id of the array. FAIL with sbatch's words.
Result<std::string> submit(const TaskList& list, const SlurmSettings& settings, const SlurmRequest& request);
// Tasks of these lists that wait or run. FAIL: the controller does not answer.
Result<std::vector<SlurmTask>> queuedTasks(const std::vector<TaskList>& lists);
// The same with further arguments for squeue.
Result<std::vector<SlurmTask>> askQueue(const std::vector<TaskList>& lists, const std::vector<std::string>& further);
Result<std::vector<SlurmTask>> parseQueue(std::string_view text);
std::string arrayNames(const std::vector<TaskList>& lists);  // of Slurm's jobs, with commas between
std::string listOfArray(std::string_view name);              // TaskList::name; empty: it is no array of ours
Result<void> cancelTasks(const std::vector<TaskList>& lists);
size_t largestArray();  // tasks; what the controller says, or Slurm's default

}  // namespace cutaway::sweep
