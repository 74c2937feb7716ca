#include "sweep/runners/slurm_runner.h"

#include <algorithm>
#include <map>
#include <thread>

#include "sweep/runners/slurm_accounting.h"

#include "engine/base/clock.h"
#include "engine/base/printable.h"

namespace cutaway::sweep {

namespace {

constexpr int kMostRounds = 3;
constexpr int64_t kShortestLookMs = 500, kLongestLookMs = 15'000;
constexpr double kSilentSeconds = 600;  // a controller that restarts is waited for so long

class SlurmRunner {
 public:
  SlurmRunner(const SlurmRun& run, const SweepFolder& folder, Store& store, Progress& progress)
      : m_run(run), m_folder(folder), m_store(store), m_progress(progress) {}

  Result<RunSummary> run(const std::vector<Job>& jobs) {
    CUTAWAY_CHECK(collectNow());
    const size_t openBefore = openJobs(jobs, m_folder).size();
    m_progress.begin("sweep", fmt::format("{} jobs on the cluster", openBefore));
    int64_t lookMs = kShortestLookMs;
    for (int round = 0; true;) {
      if (m_progress.cancelled()) return fail(cancelledError());
      CUTAWAY_CHECK(collectNow());
      const std::vector<Job> open = openJobs(jobs, m_folder);
      m_progress.update(openBefore - open.size(), openBefore);
      if (open.empty()) break;
      const Result<std::set<std::string>> queued = queuedKeys();
      if (!queued && isSilentTooLong()) return fail(queued.error());
      if (queued) {
        m_answeredNs = nowNs();
        // A task that ended between the two looks has its records by now.
        const std::vector<Job> lost = without(openJobs(jobs, m_folder), *queued);
        const bool isStuck = queued->empty() && round == kMostRounds;
        if (isStuck && !lost.empty()) return giveUp(openBefore, lost);
        if (!lost.empty() && (round == 0 || (queued->empty() && round < kMostRounds))) {
          CUTAWAY_CHECK(giveOut(lost));
          ++round;
          lookMs = kShortestLookMs;
        }
        if (!m_run.wait) return giveUp(openBefore, {});
      }
      sleepFor(lookMs);
      lookMs = std::min(lookMs * 3 / 2, kLongestLookMs);
    }
    m_summary.done = static_cast<int64_t>(openBefore);
    return std::move(m_summary);
  }

 private:
  Result<void> collectNow() {
    CUTAWAY_TRY(const Collected collected, collect(m_folder, m_store));
    m_summary.leftOpen.insert(m_summary.leftOpen.end(), collected.rejected.begin(), collected.rejected.end());
    return {};
  }

  static std::vector<std::string> keysOf(const SlurmTask& task, const std::vector<TaskList>& lists) {
    const auto list = std::ranges::find(lists, task.list, &TaskList::name);
    return list != lists.end() && task.index < list->tasks.size() ? list->tasks[task.index]
                                                                  : std::vector<std::string>{};
  }

  Result<std::set<std::string>> queuedKeys() {
    CUTAWAY_TRY(const std::vector<TaskList> lists, readTaskLists(m_folder));
    CUTAWAY_TRY(const std::vector<SlurmTask> tasks, queuedTasks(lists));
    std::set<std::string> keys;
    for (const SlurmTask& task : tasks) {
      for (const std::string& key : keysOf(task, lists))
        keys.insert(key);
    }
    return keys;
  }

  // What Slurm says of the last task of each job: "FAILED (NonZeroExitCode)".
  std::map<std::string, std::string> endings() const {
    std::map<std::string, std::string> words;
    const Result<std::vector<TaskList>> lists = readTaskLists(m_folder);
    for (const SlurmTask& task : lists ? endedTasks(*lists) : std::vector<SlurmTask>{}) {
      const bool hasReason = !task.reason.empty() && task.reason != "None";
      for (const std::string& key : keysOf(task, *lists))
        words[key] = hasReason ? fmt::format("{} ({})", task.state, task.reason) : task.state;
    }
    return words;
  }

  static std::vector<Job> without(std::vector<Job> jobs, const std::set<std::string>& keys) {
    std::erase_if(jobs, [&](const Job& job) { return keys.contains(job.key); });
    return jobs;
  }

  Result<void> giveOut(const std::vector<Job>& jobs) {
    const auto expected = [](const Job& job) { return job.expectedSeconds(); };
    for (const TaskList& list : packTasks(jobs, m_run.settings.packSeconds, largestArray(), expected)) {
      CUTAWAY_CHECK(writeTasks(m_folder, list));
      CUTAWAY_TRY(const std::string id, submit(list, m_run.settings, {m_run.command, taskFile(m_folder, list)}));
      (void)id;  // the array is found by its name
    }
    return {};
  }

  bool isSilentTooLong() const { return static_cast<double>(nowNs() - m_answeredNs) > kSilentSeconds * 1e9; }

  // In steps, so that Ctrl-C is heard.
  void sleepFor(int64_t milliseconds) const {
    for (int64_t slept = 0; slept < milliseconds && !m_progress.cancelled(); slept += 100)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }

  Result<RunSummary> giveUp(size_t openBefore, const std::vector<Job>& lost) {
    std::map<std::string, std::string> ends = lost.empty() ? std::map<std::string, std::string>() : endings();
    for (const Job& job : lost) {
      const std::string& end = ends[job.key];
      m_summary.leftOpen.push_back(fmt::format("{}: no result after {} tasks{}{}; what they said is in '{}'",
                                               titleOf(job), kMostRounds, end.empty() ? "" : ", the last one ended as ",
                                               printable(end), m_folder.tasks().string()));
    }
    m_summary.done = static_cast<int64_t>(openBefore) - static_cast<int64_t>(lost.size());
    if (lost.empty()) m_summary.done = 0;  // given out, and not waited for
    return std::move(m_summary);
  }

  const SlurmRun& m_run;
  const SweepFolder& m_folder;
  Store& m_store;
  Progress& m_progress;
  int64_t m_answeredNs = nowNs();
  RunSummary m_summary;
};

}  // namespace

Result<RunSummary> runSlurm(const std::vector<Job>& jobs, const SlurmRun& run, const SweepFolder& folder, Store& store,
                            Progress& progress) {
  return SlurmRunner(run, folder, store, progress).run(jobs);
}

}  // namespace cutaway::sweep
