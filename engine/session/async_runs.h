#pragma once
// Runs that are asked for and come back later: a thread of their own does them, one after the other, in the order of
// asking.
//
// Thread rule: start() from any thread, `done` is called on the thread of the runs, once for each start(). It may
// start() again, and must not destroy what runs. Example:
//   AsyncRuns runs(*session);
//   CUTAWAY_CHECK(runs.start(std::move(feeds), {}, [](Result<RunResult> result) { show(std::move(result)); }));

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/session/session.h"

namespace cutaway::session {

class AsyncRuns {
 public:
  using Done = std::function<void(Result<execute::RunResult>)>;

  // The session outlives it.
  explicit AsyncRuns(Session& session) : m_session(session) {}
  // Cancels what runs or waits, whose `done` is still called, and waits for that.
  ~AsyncRuns();
  AsyncRuns(const AsyncRuns&) = delete;
  AsyncRuns& operator=(const AsyncRuns&) = delete;

  // Returns before the run begins. Feeds keep the tensors that they hold. FAIL: no thread can be had; `done` is not
  // called then. What `done` throws is logged.
  Result<void> start(std::vector<execute::Feed> feeds, execute::RunOptions options, Done done);

 private:
  struct Job {
    std::vector<execute::Feed> feeds;
    execute::RunOptions options;
    Done done;
  };
  void serve();
  void perform(Job& job);

  Session& m_session;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Job> m_waiting;
  CancelToken m_running;  // of the run under way, when there is one
  bool m_isRunning = false;
  bool m_ends = false;
  std::thread m_thread;  // begins with the first start()
};

}  // namespace cutaway::session
