#pragma once
// Tasks for a cluster: jobs that want the same are packed, so that a task is worth starting, and one file lists them.
//
// A list's name is a hash of what it holds, and an array of a cluster carries that name: who was killed between giving
// out tasks and writing that down finds them again by it. Thread rule: pure apart from files. Example:
//   for (const TaskList& list : packTasks(jobs, 30, 1000, expected)) CUTAWAY_CHECK(writeTasks(folder, list));

#include <functional>

#include "sweep/results/sweep_folder.h"

namespace cutaway::sweep {

struct TaskList {
  std::string name;                             // 16 hexadecimal digits
  Limits limits;                                // those of every job; the time is that of the longest task
  std::vector<std::vector<std::string>> tasks;  // keys of jobs, in order
};

// Jobs of equal limits, first come first packed, until a task lasts `packSeconds`; at most `mostTasks` a list. Jobs
// that are alone on a node are packed as well: they run one after another.
std::vector<TaskList> packTasks(const std::vector<Job>& jobs, double packSeconds, size_t mostTasks,
                                const std::function<double(const Job&)>& expectedSeconds);

std::string shellQuoted(std::string_view text);  // 'it'\''s'
// What a task runs: `worker` (this program) does jobs with `program` (which may be another version of it).
std::string workCommand(const std::string& worker, const std::string& program, const std::filesystem::path& plan);

std::filesystem::path taskFile(const SweepFolder& folder, const TaskList& list);
Result<void> writeTasks(const SweepFolder& folder, const TaskList& list);
// The keys of one task. INVALID_ARGUMENT: no list of tasks, or not so many.
Result<std::vector<std::string>> readTask(const std::filesystem::path& file, size_t index);
// All lists of the folder, by name.
Result<std::vector<TaskList>> readTaskLists(const SweepFolder& folder);

// Does the jobs one after another; those that have a record already are passed by. What was left open is told, and
// the others are done all the same. Errors: the list of jobs cannot be read.
Result<std::vector<std::string>> workOn(const SweepFolder& folder, const std::vector<std::string>& keys,
                                        const std::string& program, const std::function<bool()>& cancelled);

}  // namespace cutaway::sweep
