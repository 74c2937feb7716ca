// One lock guards who is where. It is held for some stores only; a loop takes it twice, a helping thread twice more.
//
// Whoever takes a seat calls up to two sleepers for the seats that are left, so that many threads are awake after few
// steps and the caller pays for two calls at most. A thread that spins sees m_posts change and needs no call. Caller
// and helpers come for the lock at the same moments: who finds it taken looks again before it sleeps, because to be
// woken takes a hundred times as long as the lock is held.
//
// To wake a sleeper takes 10 to 50 us, as long as many a layer's loop. So threads look for work for as long as it takes
// to get from one layer to the next, but shortly where other programs want the cores: a thread that is set aside while
// it looks notices it by the clock.

#include "engine/base/thread_pool.h"

#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/clock.h"
#include "engine/base/signal_stack.h"

namespace cutaway {
namespace {

constexpr int64_t kLongSpinNs = 50'000;
constexpr int64_t kShortSpinNs = 5'000;
constexpr int64_t kSetAsideNs = 200'000;  // between two looks at the clock, which are some hundred ns apart
constexpr int64_t kBusyForNs = 20'000'000;

// Until then other programs are taken to want the cores.
constinit std::atomic<int64_t> busyUntilNs{0};

void pauseShortly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <typename Condition>
void spinUntil(Condition&& condition) {
  int64_t now = nowNs();
  const int64_t end = now + (now < busyUntilNs.load(std::memory_order_relaxed) ? kShortSpinNs : kLongSpinNs);
  do {
    for (int i = 0; i < 8; ++i) {
      if (condition()) return;
      pauseShortly();
    }
    const int64_t before = std::exchange(now, nowNs());
    if (now - before > kSetAsideNs) {
      busyUntilNs.store(now + kBusyForNs, std::memory_order_relaxed);
      return;
    }
  } while (now < end);
}

void lockSoon(std::unique_lock<std::mutex>& lock) {
  constexpr int kLooks = 64;
  for (int look = 0; look < kLooks; ++look) {
    if (lock.try_lock()) return;
    pauseShortly();
  }
  lock.lock();
}

}  // namespace

// Never destroyed: its threads sleep until the process ends, and loops may run in destructors of static objects.
ThreadPool& ThreadPool::shared() {
  static ThreadPool* const pool = new ThreadPool;
  return *pool;
}

int ThreadPool::threads() const {
  const std::scoped_lock lock(m_mutex);
  return m_threads;
}

bool ThreadPool::spawn() {
  try {
    std::thread([this] {
      leaveSignalsToOthers();
      serve();
    }).detach();
  } catch (const std::system_error&) {
    return false;
  } catch (const std::bad_alloc&) {  // for what a thread begins with
    return false;
  }
  ++m_threads;
  return true;
}

void ThreadPool::open(PoolTask& task) {
  task.m_open = true;
  task.m_before = m_last;
  (m_last != nullptr ? m_last->m_after : m_first) = &task;
  m_last = &task;
  m_posts.fetch_add(1, std::memory_order_release);
}

void ThreadPool::close(PoolTask& task) {
  if (!task.m_open) return;
  task.m_open = false;
  (task.m_before != nullptr ? task.m_before->m_after : m_first) = task.m_after;
  (task.m_after != nullptr ? task.m_after->m_before : m_last) = task.m_before;
}

PoolTask* ThreadPool::joinable() const {
  for (PoolTask* task = m_first; task != nullptr; task = task->m_after)
    if (task->m_hasMore(task->m_context)) return task;
  return nullptr;
}

ThreadPool::Calls ThreadPool::callSleepers(const PoolTask& task) {
  Calls calls{};
  int seats = task.m_helpers - task.m_joined - m_spinning;
  for (Worker*& call : calls) {
    if (seats-- <= 0 || m_sleepers == nullptr) break;
    call = m_sleepers;
    m_sleepers = call->next;
    call->called = true;
  }
  return calls;
}

// After the lock is let go: who wakes up wants it.
void ThreadPool::wake(const Calls& calls) {
  for (Worker* call : calls)
    if (call != nullptr) call->wake.notify_one();
}

void ThreadPool::serve() {
  Worker self;
  std::unique_lock lock(m_mutex);
  while (true) {
    if (PoolTask* task = joinable()) {
      const int seat = ++task->m_joined;
      task->m_inside.fetch_add(1, std::memory_order_relaxed);
      if (task->m_joined == task->m_helpers) close(*task);
      const Calls calls = callSleepers(*task);
      lock.unlock();
      wake(calls);
      task->m_work(task->m_context, seat);
      lockSoon(lock);
      // The caller takes the lock before it goes: the task is there until this thread lets go of it.
      if (task->m_inside.fetch_sub(1, std::memory_order_release) == 1 && task->m_callerSleeps)
        task->m_done.notify_one();
      continue;
    }
    const uint32_t seen = m_posts.load(std::memory_order_relaxed);
    const auto posted = [&] { return m_posts.load(std::memory_order_acquire) != seen; };
    ++m_spinning;
    lock.unlock();
    spinUntil(posted);
    lockSoon(lock);
    --m_spinning;
    if (posted()) continue;
    self.next = m_sleepers;
    m_sleepers = &self;
    self.wake.wait(lock, [&] { return self.called; });
    self.called = false;
  }
}

bool ThreadPool::help(PoolTask& task) {
  if (task.m_helpers <= 0) {
    task.m_work(task.m_context, 0);
    return true;
  }
  std::unique_lock lock(m_mutex, std::defer_lock);
  lockSoon(lock);
  m_wanted += task.m_helpers;
  while (m_threads < m_wanted) {
    if (spawn()) continue;
    m_wanted -= task.m_helpers;
    return false;
  }
  open(task);
  const Calls calls = callSleepers(task);
  lock.unlock();
  wake(calls);

  task.m_work(task.m_context, 0);

  spinUntil([&] { return task.m_inside.load(std::memory_order_acquire) == 0; });
  lockSoon(lock);
  close(task);
  m_wanted -= task.m_helpers;
  task.m_callerSleeps = true;
  task.m_done.wait(lock, [&] { return task.m_inside.load(std::memory_order_acquire) == 0; });
  return true;
}

}  // namespace cutaway
