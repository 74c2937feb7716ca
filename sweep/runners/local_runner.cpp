#include "sweep/runners/local_runner.h"

#include <algorithm>
#include <list>

#include <sched.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/folder_entries.h"
#include "engine/base/new_file.h"

namespace cutaway::sweep {

namespace {

constexpr int64_t kLookMs = 200;  // at the clock and for Ctrl-C; a job that ends is seen at once
constexpr int64_t kCollectNs = 2'000'000'000;

class LocalRunner {
 public:
  LocalRunner(const LocalOptions& options, const SweepFolder& folder, Store& store, Progress& progress)
      : m_program(options.program), m_folder(folder), m_store(store), m_progress(progress), m_machine(thisMachine()) {
    m_cores = options.cores > 0 ? options.cores : m_machine.cores;
    m_memory = options.memoryBytes > 0 ? options.memoryBytes : m_machine.memoryBytes / 10 * 9;
  }

  Result<RunSummary> run(const std::vector<Job>& jobs) {
    clearScratch();
    m_waiting.assign(jobs.begin(), jobs.end());
    m_progress.begin("sweep", fmt::format("{} jobs", jobs.size()));
    leaveTooLarge();
    while (!m_waiting.empty() || !m_running.empty()) {
      if (m_progress.cancelled()) break;
      while (!m_summary.diskIsFull && startNext()) {
      }
      if (m_running.empty() && m_summary.diskIsFull) break;
      if (!m_running.empty()) waitForChildren(kLookMs);
      finishEnded(jobs.size());
      if (nowNs() - m_collectedNs > kCollectNs) CUTAWAY_CHECK(collectNow());
    }
    m_running.clear();
    CUTAWAY_CHECK(collectNow());
    if (m_progress.cancelled()) return fail(cancelledError());
    return std::move(m_summary);
  }

 private:
  // What killed runners left behind. Where a cluster has tasks, theirs are in use.
  void clearScratch() const {
    std::error_code ignored;
    if (std::filesystem::exists(m_folder.tasks(), ignored)) return;
    for (const std::filesystem::path& each : folderEntries(m_folder.scratch()))
      std::filesystem::remove_all(each, ignored);
  }

  // A job that wants more than there is can never be done here.
  void leaveTooLarge() {
    m_waiting.remove_if([&](const Job& job) {
      const Limits& limits = job.limits;
      if (limits.cpus <= m_cores && limits.memoryBytes <= m_memory) return false;
      m_summary.leftOpen.push_back(fmt::format("{}: it wants {} cores and {:.0f} MB, and there are {} and {:.0f} MB",
                                               titleOf(job), limits.cpus, static_cast<double>(limits.memoryBytes) / 1e6,
                                               m_cores, static_cast<double>(m_memory) / 1e6));
      return true;
    });
  }

  bool fits(const Job& job) const {
    int64_t cores = job.limits.cpus, memory = job.limits.memoryBytes, gpus = job.limits.gpus;
    for (const auto& running : m_running) {
      const Limits& taken = running->job().limits;
      if (taken.exclusive || job.limits.exclusive) return false;
      cores += taken.cpus;
      memory += taken.memoryBytes;
      gpus += taken.gpus > 0 && job.limits.gpus > 0 ? 1 : 0;
    }
    return cores <= m_cores && memory <= m_memory && (job.limits.gpus == 0 || gpus == job.limits.gpus);
  }

  // The first that fits; one that is to be alone is not passed by for ever: nothing starts while it is first in line.
  bool startNext() {
    const auto next = std::ranges::find_if(m_waiting, [&](const Job& job) { return fits(job); });
    if (next == m_waiting.end()) return false;
    if (next != m_waiting.begin() && m_waiting.front().limits.exclusive) return false;
    const Job job = std::move(*next);
    m_waiting.erase(next);
    auto started = JobProcess::start(job, m_program, m_folder, m_machine, m_models);
    if (started)
      m_running.push_back(*std::move(started));
    else
      leave(job, started.error().message, isWriteFailure(started.error()));
    return true;
  }

  void leave(const Job& job, const std::string& reason, bool diskIsFull) {
    m_summary.leftOpen.push_back(fmt::format("{}: {}", titleOf(job), reason));
    m_summary.diskIsFull = m_summary.diskIsFull || diskIsFull;
  }

  void finishEnded(size_t total) {
    for (auto each = m_running.begin(); each != m_running.end();) {
      if (!(*each)->isOver()) {
        ++each;
        continue;
      }
      const JobEnd end = (*each)->finish();
      if (end.record) {
        ++m_summary.done;
        ++m_summary.outcomes[end.record->outcome];
      } else {
        leave((*each)->job(), end.reason, end.diskIsFull);
      }
      each = m_running.erase(each);
      m_progress.update(static_cast<uint64_t>(m_summary.done), total);
    }
  }

  Result<void> collectNow() {
    CUTAWAY_TRY(const Collected collected, collect(m_folder, m_store));
    m_summary.leftOpen.insert(m_summary.leftOpen.end(), collected.rejected.begin(), collected.rejected.end());
    m_collectedNs = nowNs();
    return {};
  }

  const Program m_program;
  const SweepFolder& m_folder;
  Store& m_store;
  Progress& m_progress;
  const Machine m_machine;
  ModelWatch m_models;
  int64_t m_cores = 1, m_memory = 0, m_collectedNs = nowNs();
  std::list<Job> m_waiting;
  std::list<std::unique_ptr<JobProcess>> m_running;
  RunSummary m_summary;
};

}  // namespace

std::string titleOf(const Job& job) {
  return fmt::format("{}, {}, {}{}", job.cell.model, job.cell.configuration, measureName(job.cell.measure),
                     job.cell.repeat > 0 ? fmt::format(" {}", job.cell.repeat + 1) : "");
}

std::vector<Job> openJobs(const std::vector<Job>& jobs, const SweepFolder& folder) {
  std::set<std::string> taken = folder.recordedKeys();
  std::vector<Job> open;
  for (const Job& job : jobs) {
    if (taken.insert(job.key).second) open.push_back(job);
  }
  return open;
}

Result<RunSummary> runLocal(const std::vector<Job>& jobs, const LocalOptions& options, const SweepFolder& folder,
                            Store& store, Progress& progress) {
  return LocalRunner(options, folder, store, progress).run(openJobs(jobs, folder));
}

}  // namespace cutaway::sweep
