#pragma once
// One run of one frame by several workers: which steps may start, which have ended, and what went wrong.
//
// Workers take steps one after the other: next() gives the first, execute() runs it and gives the next. Counters are
// atomic; the queue of steps that may start is a heap by urgency behind a short lock: one queue keeps the order by
// urgency exact. Thread rule: start() and result() by the caller of the run; everything else by any worker. Example:
// for (uint32_t step = run.next(more); step != DataflowRun::kNoStep;) step = run.execute(step, context, more);

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/execute/dataflow/dataflow_plan.h"
#include "engine/execute/executor_step.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::execute {

class DataflowRun {
 public:
  static constexpr uint32_t kNoStep = 0xFFFFFFFF;

  // Takes the plan's counters over; allocates only when the plan is another than last time.
  void start(std::shared_ptr<const DataflowPlan> plan, Frame& frame, const RunControl& control,
             std::vector<KeptValue>* kept);

  const StopSignal& stop() const { return *m_stop; }
  Frame& frame() const { return *m_frame; }

  // A step that may start, kNoStep when there is none now. more: steps left in the queue, which another worker might
  // take.
  uint32_t next(uint32_t& more);
  // Runs a step and gives the next one. control: the worker's own, as controlFor() made it.
  uint32_t execute(uint32_t step, const RunControl& control, StepContext& context, uint32_t& more);
  // What a worker hands to bodies: the run's, with the worker's lane.
  RunControl controlFor(int worker) const;
  bool hasReady() const { return m_ready.load(std::memory_order_seq_cst) > 0; }
  // Nothing more will start: all steps have ended, or the run failed or was stopped.
  bool over() const {
    return m_remaining.load(std::memory_order_acquire) == 0 || m_halted.load(std::memory_order_acquire);
  }
  void halt() { m_halted.store(true, std::memory_order_release); }
  // After every worker has left.
  Result<void> result();

  uint64_t work() const { return m_work; }                         // its caller's, for those who help
  ShortMemoryScope* shortMemory() const { return m_shortMemory; }  // likewise

  std::atomic<int> helpers{0};       // inside this run
  std::atomic<uint32_t> changes{0};  // counts what its caller may wait for

 private:
  void fail(Error error);
  uint32_t complete(uint32_t step, uint32_t& more);
  uint32_t exchange(std::span<const uint32_t> started, bool take, uint32_t& more);
  void release(uint32_t step);
  Result<void> runOne(uint32_t step, const RunControl& control, StepContext& context);

  std::shared_ptr<const DataflowPlan> m_plan;
  Frame* m_frame = nullptr;
  const RunControl* m_control = nullptr;
  std::vector<KeptValue>* m_kept = nullptr;
  uint64_t m_work = 0;
  ShortMemoryScope* m_shortMemory = nullptr;
  std::shared_ptr<HeapBudget> m_budget;  // of its caller
  std::vector<uint8_t> m_wanted;         // by step; empty: every step runs. Others only count as ended
  std::optional<StopSignal> m_stop;
  std::unique_ptr<std::atomic<uint32_t>[]> m_missing;
  std::unique_ptr<std::atomic<uint32_t>[]> m_touches;
  std::atomic<uint32_t> m_remaining{0};
  std::atomic<uint32_t> m_ready{0};
  std::atomic<bool> m_halted{false};
  std::atomic<bool> m_failed{false};
  std::mutex m_mutex;            // of what follows
  std::vector<uint32_t> m_heap;  // urgencies of steps that may start, smallest first
  Error m_error;
};

}  // namespace cutaway::execute
