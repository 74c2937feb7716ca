// Helpers look for work in the runs that are open, one step at a time when several are, so that none starves. Whoever
// finds nothing spins for some microseconds and then sleeps on a counter that every change bumps; a change that comes
// between looking and sleeping is seen, because the counter is read before looking.

#include "engine/execute/dataflow/dataflow_executor.h"

#include <algorithm>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/parallel.h"
#include "engine/base/signal_stack.h"
#include "engine/execute/dataflow/dataflow_run.h"
#include "engine/execute/run_recorder.h"

namespace cutaway::execute {
namespace {

constexpr int kSpins = 300;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Until `counter` is no longer `seen`.
void waitForChange(const std::atomic<uint32_t>& counter, uint32_t seen) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (counter.load(std::memory_order_acquire) != seen) return;
    pause();
  }
  counter.wait(seen, std::memory_order_acquire);
}

}  // namespace

class DataflowExecutor::Pool {
 public:
  Pool(const GraphProgram& program, const DataflowOptions& options)
      : m_program(program),
        m_workers(std::max(options.workers, 1)),
        m_threads(std::max(1, (options.threads > 0 ? options.threads : availableThreads()) / m_workers)),
        m_leastNodeNs(options.leastNodeNs),
        m_costs(guessedCostsNs(*program.graph, *program.order)) {}

  ~Pool() {
    m_ending = true;
    wakeHelpers();
    m_changes.notify_all();
  }

  int workers() const { return m_workers; }
  int threadsPerWorker() const { return m_threads; }

  Result<void> run(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept) {
    CUTAWAY_TRY(Entry entry, entryFor(frame.pattern()));
    const auto [plan, trial] = entry;
    if (trial != nullptr && trial->state.load(std::memory_order_relaxed) != Trial::kPays) {
      const int run = trial->runs.fetch_add(1, std::memory_order_relaxed);
      if (run == 1 || trial->state.load(std::memory_order_relaxed) == Trial::kDoesNotPay)
        return runOneByOne(frame, control, kept, *trial);
    }
    std::unique_ptr<DataflowRun> run = take();
    frame.setConcurrent(true, m_workers);
    run->start(plan, frame, control, &kept);
    open(run.get());
    work(*run);
    close(run.get());
    frame.setConcurrent(false);
    Result<void> result = run->result();
    giveBack(std::move(run));
    return result;
  }

 private:
  // Whether steps are long enough with these shapes.
  struct Trial {
    enum State : int { kOpen, kPays, kDoesNotPay };
    std::atomic<int> state{kOpen};
    std::atomic<int> runs{0};
  };
  struct Entry {
    std::shared_ptr<const DataflowPlan> plan;
    std::shared_ptr<Trial> trial;  // nullptr: dataflow without trial
  };

  Result<void> runOneByOne(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept, Trial& trial) {
    const ThreadShare share(m_threads);
    const Stopwatch watch;
    Result<void> done = runMainFrame(frame, control, kept);
    if (done && trial.state.load(std::memory_order_relaxed) == Trial::kOpen) {
      const int64_t steps = std::max<int64_t>(1, static_cast<int64_t>(m_program.steps.size()));
      trial.state.store(watch.elapsedNs() / steps < m_leastNodeNs ? Trial::kDoesNotPay : Trial::kPays,
                        std::memory_order_relaxed);
    }
    return done;
  }

  // --- plans, by pattern. Few patterns live at once (PatternCache bounds them): a list does.
  Result<Entry> entryFor(const std::shared_ptr<const pattern::MemoryPatternGroup>& pattern) {
    const std::scoped_lock lock(m_plansMutex);
    for (const Planned& each : m_plans)
      if (each.key == pattern.get() && (pattern == nullptr || !each.pattern.expired())) return each.entry;
    std::erase_if(m_plans, [](const Planned& each) { return each.key != nullptr && each.pattern.expired(); });
    CUTAWAY_TRY(DataflowPlan plan, planDataflow(m_program, pattern.get(), m_costs));
    Entry entry{std::make_shared<const DataflowPlan>(std::move(plan)),
                m_leastNodeNs > 0 ? std::make_shared<Trial>() : nullptr};
    m_plans.push_back({pattern.get(), pattern, std::move(entry)});
    return m_plans.back().entry;
  }

  std::unique_ptr<DataflowRun> take() {
    const std::scoped_lock lock(m_mutex);
    startHelpers();
    if (m_idle.empty()) return std::make_unique<DataflowRun>();
    std::unique_ptr<DataflowRun> run = std::move(m_idle.back());
    m_idle.pop_back();
    return run;
  }
  void giveBack(std::unique_ptr<DataflowRun> run) {
    const std::scoped_lock lock(m_mutex);
    m_idle.push_back(std::move(run));
  }

  void startHelpers() {
    if (!m_helpers.empty()) return;
    m_open.reserve(64);
    for (int worker = 1; worker < m_workers; ++worker)
      m_helpers.emplace_back([this, worker] { help(worker); });
  }

  void open(DataflowRun* run) {
    {
      const std::scoped_lock lock(m_mutex);
      m_open.push_back(run);
      m_openCount.store(m_open.size(), std::memory_order_relaxed);
    }
    if (run->hasReady()) wakeHelpers();
  }

  // No helper is inside afterwards.
  void close(DataflowRun* run) {
    {
      const std::scoped_lock lock(m_mutex);
      std::erase(m_open, run);
      m_openCount.store(m_open.size(), std::memory_order_relaxed);
    }
    for (int inside = run->helpers.load(std::memory_order_acquire); inside != 0;
         inside = run->helpers.load(std::memory_order_acquire))
      run->helpers.wait(inside, std::memory_order_acquire);
  }

  void wakeHelpers() {
    m_changes.fetch_add(1, std::memory_order_seq_cst);
    m_changes.notify_one();
  }
  static void wakeCaller(DataflowRun& run) {
    run.changes.fetch_add(1, std::memory_order_seq_cst);
    run.changes.notify_one();
  }

  // The caller's part of its own run.
  void work(DataflowRun& run) {
    const ThreadShare share(m_threads);
    const CancelScope scope(run.stop());
    const RunControl control = run.controlFor(0);
    StepContext context(run.frame(), run.frame().scratch(0), &run.stop(), control.recorder);
    while (!run.over()) {
      const uint32_t seen = run.changes.load(std::memory_order_seq_cst);
      uint32_t more = 0;
      uint32_t step = run.next(more);
      if (step == DataflowRun::kNoStep) {
        if (!run.over() && !run.hasReady()) wait(run, seen, control.recorder);
        continue;
      }
      while (step != DataflowRun::kNoStep) {
        if (more > 0) wakeHelpers();
        step = run.execute(step, control, context, more);
      }
    }
  }

  static void wait(DataflowRun& run, uint32_t seen, LaneRecorder* recorder) {
    const int64_t startNs = recorder != nullptr ? nowNs() : 0;
    waitForChange(run.changes, seen);
    if (recorder != nullptr) recorder->engineSpan("wait", startNs, nowNs(), true);
  }

  // --- helpers

  DataflowRun* findRun() {
    const std::scoped_lock lock(m_mutex);
    for (size_t i = 0; i < m_open.size(); ++i) {
      DataflowRun* run = m_open[(m_turn + i) % m_open.size()];
      if (run->over() || !run->hasReady()) continue;
      m_turn = (m_turn + i + 1) % m_open.size();
      run->helpers.fetch_add(1, std::memory_order_acq_rel);
      return run;
    }
    return nullptr;
  }

  void helpRun(DataflowRun& run, int worker) {
    const CancelScope scope(run.stop());
    const WorkScope work(run.work());
    const ShortMemoryHelp memory(run.shortMemory());
    const RunControl control = run.controlFor(worker);
    StepContext context(run.frame(), run.frame().scratch(static_cast<size_t>(worker)), &run.stop(), control.recorder);
    uint32_t more = 0;
    uint32_t step = run.next(more);
    while (step != DataflowRun::kNoStep) {
      if (more > 0) {
        wakeHelpers();
        wakeCaller(run);
      }
      step = run.execute(step, control, context, more);
    }
  }

  void leave(DataflowRun& run) {
    // Its caller may end the run as soon as it sees the count: nothing of the run is touched after.
    wakeCaller(run);
    const std::scoped_lock lock(m_mutex);
    if (run.helpers.fetch_sub(1, std::memory_order_acq_rel) == 1) run.helpers.notify_one();
  }

  void help(int worker) {
    leaveSignalsToOthers();
    const ThreadShare share(m_threads);
    while (!m_ending.load(std::memory_order_acquire)) {
      const uint32_t seen = m_changes.load(std::memory_order_seq_cst);
      DataflowRun* run = findRun();
      if (run == nullptr) {
        if (!m_ending.load(std::memory_order_acquire)) waitForChange(m_changes, seen);
        continue;
      }
      helpRun(*run, worker);
      leave(*run);
    }
    m_changes.notify_one();
  }

  struct Planned {
    const pattern::MemoryPatternGroup* key;
    std::weak_ptr<const pattern::MemoryPatternGroup> pattern;
    Entry entry;
  };

  const GraphProgram& m_program;
  const int m_workers;
  const int m_threads;
  const int64_t m_leastNodeNs;
  const std::vector<int64_t> m_costs;
  std::mutex m_plansMutex;
  std::vector<Planned> m_plans;
  std::mutex m_mutex;  // of the lists below
  std::vector<std::unique_ptr<DataflowRun>> m_idle;
  std::vector<DataflowRun*> m_open;
  size_t m_turn = 0;
  std::atomic<size_t> m_openCount{0};
  std::atomic<uint32_t> m_changes{0};
  std::atomic<bool> m_ending{false};
  std::vector<std::jthread> m_helpers;  // last: joined first
};

DataflowExecutor::DataflowExecutor(const GraphProgram& program, const DataflowOptions& options)
    : m_pool(std::make_unique<Pool>(program, options)) {}
DataflowExecutor::~DataflowExecutor() = default;
int DataflowExecutor::workers() const {
  return m_pool->workers();
}
int DataflowExecutor::threadsPerWorker() const {
  return m_pool->threadsPerWorker();
}
Result<void> DataflowExecutor::run(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept) {
  return m_pool->run(frame, control, kept);
}

}  // namespace cutaway::execute
