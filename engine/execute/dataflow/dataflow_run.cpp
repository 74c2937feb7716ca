#include "engine/execute/dataflow/dataflow_run.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "engine/base/thread_work.h"
#include "engine/execute/run_recorder.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::execute {

static void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

void DataflowRun::start(std::shared_ptr<const DataflowPlan> plan, Frame& frame, const RunControl& control,
                        std::vector<KeptValue>* kept) {
  if (plan != m_plan) {
    m_missing = std::make_unique<std::atomic<uint32_t>[]>(plan->nodes);
    m_touches = std::make_unique<std::atomic<uint32_t>[]>(plan->releasable.size());
    m_heap.reserve(plan->steps);
    m_plan = std::move(plan);
  }
  m_frame = &frame;
  m_control = &control;
  m_work = currentWork().work;
  m_shortMemory = ShortMemoryScope::current();
  m_budget = HeapLimit::budget();
  m_kept = kept != nullptr && !control.keep.empty() ? kept : nullptr;
  for (size_t node = 0; node < m_plan->nodes; ++node)
    m_missing[node].store(m_plan->missing[node], std::memory_order_relaxed);
  for (size_t i = 0; i < m_plan->releasable.size(); ++i)
    m_touches[i].store(m_plan->touchCounts[i], std::memory_order_relaxed);
  m_wanted.clear();
  if (const StepList* list = frame.steps(); list != nullptr) {
    m_wanted.assign(m_plan->steps, 0);
    for (uint32_t step : list->steps)
      m_wanted[step] = 1;
  }
  m_halted = m_failed = false;
  m_error = {};
  m_stop.emplace(control.cancel, control.deadlineNs, &m_failed);
  m_heap.clear();
  for (uint32_t step : m_plan->first)
    m_heap.push_back(m_plan->urgency[step]);  // ascending already: a heap
  m_remaining.store(static_cast<uint32_t>(m_plan->steps), std::memory_order_relaxed);
  m_ready.store(static_cast<uint32_t>(m_heap.size()), std::memory_order_seq_cst);
}

uint32_t DataflowRun::next(uint32_t& more) {
  return exchange({}, true, more);
}

// Puts steps into the queue and, with `take`, takes the most urgent one of all.
uint32_t DataflowRun::exchange(std::span<const uint32_t> started, bool take, uint32_t& more) {
  more = 0;
  if (started.empty() && (!take || !hasReady())) return kNoStep;
  // Held for some tens of nanoseconds: rarely worth going to sleep for.
  std::unique_lock lock(m_mutex, std::defer_lock);
  for (int attempt = 0; attempt < 200 && !lock.try_lock(); ++attempt)
    relax();
  if (!lock.owns_lock()) lock.lock();
  for (uint32_t step : started) {
    m_heap.push_back(m_plan->urgency[step]);
    std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
  }
  uint32_t taken = kNoStep;
  if (take && !m_heap.empty() && !m_halted.load(std::memory_order_relaxed)) {
    std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    taken = m_plan->stepByUrgency[m_heap.back()];
    m_heap.pop_back();
  }
  more = static_cast<uint32_t>(m_heap.size());
  m_ready.store(more, std::memory_order_seq_cst);
  return taken;
}

RunControl DataflowRun::controlFor(int worker) const {
  RunControl control;
  control.cancel = m_control->cancel;
  control.deadlineNs = m_control->deadlineNs;
  if (m_control->lanes != nullptr) control.recorder = &m_control->lanes->lane(worker);
  return control;
}

uint32_t DataflowRun::execute(uint32_t step, const RunControl& control, StepContext& context, uint32_t& more) {
  more = 0;
  if (m_stop->requested()) {
    halt();
    return kNoStep;
  }
  Result<void> done;
  try {
    if (m_wanted.empty() || m_wanted[step] != 0) done = runOne(step, control, context);
  } catch (...) {
    done = cutaway::fail(exceptionError(*m_frame, step));
  }
  if (!done) {
    context.end();
    fail(stepError(m_frame->program(), step, std::move(done).error()));
    return kNoStep;
  }
  // What a kernel left that was told to stop must not be read.
  if (m_stop->requested()) {
    halt();
    return kNoStep;
  }
  release(step);
  return complete(step, more);
}

Result<void> DataflowRun::runOne(uint32_t step, const RunControl& control, StepContext& context) {
  const HeapLimit limit(m_budget);  // on this thread, too
  if (control.recorder != nullptr) control.recorder->beginStep(m_frame->program(), step);
  CUTAWAY_CHECK(runStep(*m_frame, step, control, context));
  if (control.recorder != nullptr) control.recorder->endStep(*m_frame, step);
  if (m_kept == nullptr) return {};
  const std::scoped_lock lock(m_mutex);
  return keepOutputs(*m_frame, step, *m_control, *m_kept);
}

void DataflowRun::release(uint32_t step) {
  for (uint32_t place : m_plan->touched.row(step)) {
    if (m_touches[place].fetch_sub(1, std::memory_order_acq_rel) == 1) m_frame->release(m_plan->releasable[place]);
  }
}

uint32_t DataflowRun::complete(uint32_t step, uint32_t& more) {
  std::array<uint32_t, 32> started;
  size_t count = 0;
  const auto start = [&](uint32_t next) {
    started[count++] = next;
    if (count < started.size()) return;
    exchange(started, false, more);
    count = 0;
  };
  for (uint32_t next : m_plan->successors.row(step)) {
    if (m_missing[next].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
    if (next < m_plan->steps) {
      start(next);
      continue;
    }
    // A join: it runs nothing, and only steps follow it.
    for (uint32_t behind : m_plan->successors.row(next))
      if (m_missing[behind].fetch_sub(1, std::memory_order_acq_rel) == 1) start(behind);
  }
  const uint32_t taken = exchange({started.data(), count}, true, more);
  m_remaining.fetch_sub(1, std::memory_order_acq_rel);
  return taken;
}

void DataflowRun::fail(Error error) {
  const std::scoped_lock lock(m_mutex);
  // Of several, the first: others may only have stopped because of it.
  if (!m_failed.exchange(true)) m_error = std::move(error);
  m_halted.store(true, std::memory_order_release);
}

// Workers note what they keep in the order of time; callers see it in the order of values.
static void sortKept(std::vector<KeptValue>& kept) {
  std::map<uint32_t, RuntimeValue> byValue;
  for (KeptValue& each : kept)
    byValue.insert_or_assign(each.value, std::move(each.copy));
  kept.clear();
  for (auto& [value, copy] : byValue)
    kept.push_back({value, std::move(copy)});
}

Result<void> DataflowRun::result() {
  const StopSignal::Cause cause = m_stop->cause();
  if (cause == StopSignal::Cause::kCancelled || cause == StopSignal::Cause::kDeadline)
    return cutaway::fail(stoppedError(*m_stop));
  if (m_failed) return cutaway::fail(std::move(m_error));
  if (m_remaining != 0)
    return cutaway::fail(ErrorCode::kEngineError, "{} of {} steps never became ready", m_remaining.load(),
                         m_plan->steps);
  if (m_kept != nullptr) sortKept(*m_kept);
  return {};
}

}  // namespace cutaway::execute
