#include "engine/session/async_runs.h"

#include <exception>
#include <system_error>

#include "engine/base/exception_text.h"
#include "engine/base/log.h"
#include "engine/base/signal_stack.h"

namespace cutaway::session {

AsyncRuns::~AsyncRuns() {
  {
    const std::lock_guard lock(m_mutex);
    m_ends = true;
    if (m_isRunning) m_running.cancel();
    for (const Job& job : m_waiting)
      job.options.cancel.cancel();
  }
  m_changed.notify_all();
  if (m_thread.joinable()) m_thread.join();
}

Result<void> AsyncRuns::start(std::vector<execute::Feed> feeds, execute::RunOptions options, Done done) {
  const std::lock_guard lock(m_mutex);
  if (!m_thread.joinable()) {
    try {
      m_thread = std::thread([this] { serve(); });
    } catch (const std::system_error& error) {
      return fail(ErrorCode::kFail, "no thread for a run that comes back later: {}", error.what());
    }
  }
  if (m_ends) options.cancel.cancel();
  m_waiting.push_back({std::move(feeds), std::move(options), std::move(done)});
  m_changed.notify_all();
  return {};
}

void AsyncRuns::serve() {
  leaveSignalsToOthers();
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, [this] { return m_ends || !m_waiting.empty(); });
    if (m_waiting.empty()) return;
    Job job = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_running = job.options.cancel;
    m_isRunning = true;
    lock.unlock();
    perform(job);
    lock.lock();
    m_isRunning = false;
  }
}

void AsyncRuns::perform(Job& job) {
  Result<execute::RunResult> result;
  try {
    result = m_session.run(job.feeds, job.options);
  } catch (const std::exception& exception) {
    result = fail(ErrorCode::kRuntimeException, "{}", exceptionText(exception));
  }
  job.feeds.clear();
  try {
    job.done(std::move(result));
  } catch (const std::exception& exception) {
    log::error(log::Category::kProgram, "what follows a run threw: {}", exceptionText(exception));
  } catch (...) {
    log::error(log::Category::kProgram, "what follows a run threw what is no exception");
  }
}

}  // namespace cutaway::session
