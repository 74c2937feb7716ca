#pragma once
// Threads that help whoever has a loop to do. One pool serves the whole process: our loops (parallel.h) and those of
// libraries (library_loops.cpp).
//
// A task has seats. The caller takes seat 0 and starts at once; threads that have nothing to do take the others when
// they get to run, and only as long as there is something left. Nobody waits for a thread that has not come: on a busy
// machine the caller has done everything before. Idle threads look for work for 50 us, or 5 us where other programs
// want the cores, then sleep until one is called. There are as many threads as seats that are asked for at the same
// time, so that every seat is taken in the end by those whose work needs it (library loops with barriers). Thread rule:
// any thread, several at a time; a task belongs to its caller until help() returns. Example:
//   PoolTask task(3, drawParts, partsLeft, &loop);
//   if (!ThreadPool::shared().help(task)) ...   // no thread to be had: nothing was done

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cutaway {

class PoolTask {
 public:
  using Work = void (*)(void* context, int seat);  // once for each thread that comes; must not throw
  using HasMore = bool (*)(const void* context);   // whether it is still worth coming; any thread may ask

  // helpers: seats beside the caller's
  PoolTask(int helpers, Work work, HasMore hasMore, void* context)
      : m_helpers(helpers), m_work(work), m_hasMore(hasMore), m_context(context) {}
  PoolTask(const PoolTask&) = delete;
  PoolTask& operator=(const PoolTask&) = delete;

 private:
  friend class ThreadPool;
  int m_helpers;
  Work m_work;
  HasMore m_hasMore;
  void* m_context;
  int m_joined = 0;
  std::atomic<int> m_inside{0};  // changes under the pool's lock
  bool m_open = false;
  bool m_callerSleeps = false;
  std::condition_variable m_done;
  PoolTask* m_before = nullptr;
  PoolTask* m_after = nullptr;
};

class ThreadPool {
 public:
  static ThreadPool& shared();

  // Returns when the caller and all that came have returned from task.work. False: helpers were asked for and the
  // system has no thread for one of them; nothing was done then.
  bool help(PoolTask& task);
  // Threads that exist, at work or asleep.
  int threads() const;

 private:
  struct Worker {
    std::condition_variable wake;
    bool called = false;
    Worker* next = nullptr;  // below it among the sleepers
  };
  static constexpr int kCallsEach = 2;
  using Calls = std::array<Worker*, kCallsEach>;

  ThreadPool() = default;
  void serve();
  bool spawn();
  void open(PoolTask& task);
  void close(PoolTask& task);
  PoolTask* joinable() const;
  Calls callSleepers(const PoolTask& task);
  static void wake(const Calls& calls);

  mutable std::mutex m_mutex;
  PoolTask* m_first = nullptr;
  PoolTask* m_last = nullptr;
  Worker* m_sleepers = nullptr;
  int m_threads = 0;
  int m_wanted = 0;    // seats of all tasks that are being done
  int m_spinning = 0;  // threads that are looking for work
  std::atomic<uint32_t> m_posts{0};
};

}  // namespace cutaway
