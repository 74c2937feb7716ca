#include "sweep/runners/task_list.h"

#include <algorithm>

#include "sweep/plan/model_hash.h"
#include "sweep/runners/local_runner.h"

#include "engine/base/folder_entries.h"
#include "engine/base/read_text_file.h"
#include "engine/base/write_file.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kNameLength = 16;
constexpr int64_t kLargestList = 256 * 1024 * 1024;
constexpr int64_t kLookMs = 200;

std::string limitsText(const Limits& limits) {
  return fmt::format("{} {} {} {} {}", limits.cpus, limits.memoryBytes, limits.gpus, limits.features, limits.exclusive);
}

void nameList(TaskList& list) {
  std::string text = limitsText(list.limits);
  for (const auto& task : list.tasks)
    text += fmt::format("\n{}", fmt::join(task, " "));
  list.name = hashText(text).substr(0, kNameLength);
}

}  // namespace

std::vector<TaskList> packTasks(const std::vector<Job>& jobs, double packSeconds, size_t mostTasks,
                                const std::function<double(const Job&)>& expectedSeconds) {
  std::map<std::string, std::vector<const Job*>> alike;
  for (const Job& job : jobs)
    alike[limitsText(job.limits)].push_back(&job);
  std::vector<TaskList> lists;
  for (const auto& [limits, members] : alike) {
    double seconds = packSeconds;  // of the open task: full, so that the first job begins one
    double longest = 0, allowed = 0;
    const auto close = [&] {
      lists.back().limits.timeoutSeconds = longest;
      nameList(lists.back());
    };
    bool isOpen = false;
    for (const Job* job : members) {
      if (isOpen && seconds >= packSeconds && lists.back().tasks.size() >= mostTasks) {
        close();
        isOpen = false;
      }
      if (!isOpen) {
        lists.push_back({.name = "", .limits = job->limits, .tasks = {}});
        isOpen = true;
        longest = 0;
        seconds = packSeconds;
      }
      if (lists.back().tasks.empty() || seconds >= packSeconds) {
        lists.back().tasks.emplace_back();
        seconds = allowed = 0;
      }
      lists.back().tasks.back().push_back(job->key);
      seconds += expectedSeconds(*job);
      allowed += job->limits.timeoutSeconds;
      longest = std::max(longest, allowed);
    }
    if (isOpen) close();
  }
  return lists;
}

std::string shellQuoted(std::string_view text) {
  std::string out = "'";
  for (const char each : text)
    out += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return out + "'";
}

std::string workCommand(const std::string& worker, const std::string& program, const std::filesystem::path& plan) {
  return fmt::format("{} sweep work {} --program {}", shellQuoted(worker), shellQuoted(plan.string()),
                     shellQuoted(program));
}

std::filesystem::path taskFile(const SweepFolder& folder, const TaskList& list) {
  return folder.tasks() / (list.name + ".json");
}

Result<void> writeTasks(const SweepFolder& folder, const TaskList& list) {
  std::error_code error;
  std::filesystem::create_directories(folder.tasks(), error);
  if (error) return fail(writeFailure(folder.tasks(), error.value(), 0));
  return writeFile(taskFile(folder, list), Json(list.tasks).dump() + "\n", {.sameContent = true});
}

Result<std::vector<std::string>> readTask(const std::filesystem::path& file, size_t index) {
  CUTAWAY_TRY(const std::string text, readTextFile(file, {.what = "the list of tasks", .largestBytes = kLargestList}));
  const Json tasks = Json::parse(text, nullptr, false);
  if (!tasks.is_array() || index >= tasks.size() || !tasks[index].is_array())
    return fail(ErrorCode::kInvalidArgument, "'{}' has no task {}", file.string(), index);
  std::vector<std::string> keys;
  for (const Json& key : tasks[index]) {
    if (!key.is_string() || !isKey(key.get<std::string>()))
      return fail(ErrorCode::kInvalidArgument, "'{}', task {}: it names no job", file.string(), index);
    keys.push_back(key.get<std::string>());
  }
  return keys;
}

Result<std::vector<TaskList>> readTaskLists(const SweepFolder& folder) {
  std::vector<TaskList> lists;
  for (const std::filesystem::path& file : folderEntries(folder.tasks())) {
    if (file.extension() != ".json") continue;
    TaskList& list = lists.emplace_back();
    list.name = file.stem().string();
    for (size_t i = 0;; ++i) {
      Result<std::vector<std::string>> keys = readTask(file, i);
      if (!keys) break;
      list.tasks.push_back(*std::move(keys));
    }
  }
  return lists;
}

Result<std::vector<std::string>> workOn(const SweepFolder& folder, const std::vector<std::string>& keys,
                                        const std::string& programPath, const std::function<bool()>& cancelled) {
  CUTAWAY_TRY(const std::vector<Job> jobs, folder.readJobs());
  CUTAWAY_TRY(const Program program, askProgram(programPath));
  const Machine machine = thisMachine();
  ModelWatch models;
  std::vector<std::string> leftOpen;
  for (const std::string& key : keys) {
    std::error_code ignored;
    if (std::filesystem::exists(folder.record(key), ignored)) continue;
    const auto job = std::ranges::find(jobs, key, &Job::key);
    if (job == jobs.end()) {
      leftOpen.push_back(fmt::format("{}: the plan has no such job any more", key));
      continue;
    }
    auto running = JobProcess::start(*job, program, folder, machine, models);
    if (!running) {
      leftOpen.push_back(fmt::format("{}: {}", titleOf(*job), running.error().message));
      continue;
    }
    while (!(*running)->isOver()) {
      if (cancelled()) return fail(cancelledError());
      waitForChildren(kLookMs);
    }
    if (const JobEnd end = (*running)->finish(); !end.record)
      leftOpen.push_back(fmt::format("{}: {}", titleOf(*job), end.reason));
  }
  return leftOpen;
}

}  // namespace cutaway::sweep
