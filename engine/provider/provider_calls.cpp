#include "engine/provider/provider_calls.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/parallel.h"
#include "engine/base/short_memory.h"
#include "engine/base/signal_stack.h"
#include "engine/base/thread_work.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway {

namespace {

constexpr std::chrono::milliseconds kPoll{20};
// A provider that looks at the cancel token now and then ends by itself within this.
constexpr std::chrono::milliseconds kGrace{300};

using OwnedProviders = std::vector<std::unique_ptr<ExecutionProvider>>;

// Calls that were given up and have not returned, and the providers kept alive for them.
class AbandonedCalls {
 public:
  // Never destroyed: an abandoned thread may return while the process ends.
  static AbandonedCalls& instance() {
    static AbandonedCalls* const calls = std::make_unique<AbandonedCalls>().release();
    return *calls;
  }

  void add(const void* call, const ExecutionProvider* provider) {
    const std::lock_guard lock(m_mutex);
    m_calls.push_back({call, provider, {}});
  }

  // The call has come back after all: gives what was kept for it, to be destroyed outside of the lock.
  std::vector<OwnedProviders> remove(const void* call) {
    const std::lock_guard lock(m_mutex);
    const auto found =
        std::find_if(m_calls.begin(), m_calls.end(), [&](const Call& each) { return each.call == call; });
    if (found == m_calls.end()) return {};
    std::vector<OwnedProviders> kept = std::move(found->kept);
    m_calls.erase(found);
    // Providers of one session have one fate: another call to one of them goes on keeping them.
    for (auto owned = kept.begin(); owned != kept.end();)
      owned = keepFor(*owned) ? kept.erase(owned) : owned + 1;
    return kept;
  }

  // False: nobody needs them.
  bool keep(OwnedProviders& providers) {
    const std::lock_guard lock(m_mutex);
    return keepFor(providers);
  }

 private:
  struct Call {
    const void* call;
    const ExecutionProvider* provider;
    std::vector<OwnedProviders> kept;
  };

  bool keepFor(OwnedProviders& providers) {
    for (Call& each : m_calls) {
      const bool concerned = std::any_of(providers.begin(), providers.end(),
                                         [&](const auto& provider) { return provider.get() == each.provider; });
      if (!concerned) continue;
      each.kept.push_back(std::move(providers));
      return true;
    }
    return false;
  }

  std::mutex m_mutex;
  std::vector<Call> m_calls;
};

}  // namespace

struct ProviderCalls::Worker {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> work;
  std::exception_ptr thrown;
  bool done = false;
  bool stop = false;
  std::thread thread;

  // Holds the state by itself: the owner may be gone when an abandoned call returns.
  static void serve(const std::shared_ptr<Worker>& self) {
    std::unique_lock lock(self->mutex);
    for (;;) {
      self->changed.wait(lock, [&] { return self->stop || self->work; });
      if (!self->work) return;
      std::function<void()> work = std::move(self->work);
      self->work = nullptr;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        work();
      } catch (...) {  // where there was no memory for the answer
        thrown = std::current_exception();
      }
      work = nullptr;  // what it held goes before the caller goes on
      lock.lock();
      self->thrown = std::move(thrown);
      self->done = true;
      self->changed.notify_all();
    }
  }
};

ProviderCalls::ProviderCalls(CancelToken token) : m_token(std::move(token)) {}

ProviderCalls::~ProviderCalls() {
  if (!m_worker) return;
  {
    const std::lock_guard lock(m_worker->mutex);
    m_worker->stop = true;
  }
  m_worker->changed.notify_all();
  if (m_worker->thread.joinable()) m_worker->thread.join();
}

bool ProviderCalls::run(const ExecutionProvider& provider, std::function<void()> work) {
  if (m_abandoned) return false;
  if (!m_worker) {
    auto worker = std::make_shared<Worker>();
    // Made by this thread, which may fail at it: an exception would leave the other one.
    AbandonedCalls& abandoned = AbandonedCalls::instance();
    try {
      worker->thread = std::thread([worker, &abandoned] {
        leaveSignalsToOthers();
        Worker::serve(worker);
        const std::vector<OwnedProviders> unneeded = abandoned.remove(worker.get());
      });
    } catch (const std::system_error& error) {
      log::warn(log::Category::kProviders,
                "no thread for calls to providers ({}): a provider that hangs cannot be cancelled", error.what());
      work();
      return true;
    }
    m_worker = std::move(worker);
  }
  const int threads = currentThreads();
  // Of the call alone: one that was given up may tell it long after its caller has gone.
  const auto refusal = std::make_shared<std::optional<Error>>();
  std::function<void()> whole = [threads, refusal, of = currentWork(), budget = HeapLimit::budget(),
                                 work = std::move(work)] {
    const ThreadShare share(threads);
    const HeapLimit limit(budget);
    const WorkScope scope(of);
    const ShortMemoryScope memory;
    work();
    *refusal = memory.refusal();
  };
  std::unique_lock lock(m_worker->mutex);
  m_worker->done = false;
  m_worker->work = std::move(whole);
  m_worker->changed.notify_all();
  const auto isDone = [this] { return m_worker->done; };
  while (!m_worker->changed.wait_for(lock, kPoll, isDone)) {
    if (!m_token.cancelled()) continue;
    if (m_worker->changed.wait_for(lock, kGrace, isDone)) break;
    log::warn(log::Category::kProviders, "provider {} does not come back: the call to it is given up", provider.name());
    m_abandoned = true;
    m_worker->stop = true;
    AbandonedCalls::instance().add(m_worker.get(), &provider);
    m_worker->thread.detach();
    return false;
  }
  if (m_worker->thrown) std::rethrow_exception(std::exchange(m_worker->thrown, nullptr));
  ShortMemoryScope* const memory = ShortMemoryScope::current();
  if (*refusal && memory != nullptr) memory->tell(**refusal);
  return true;
}

void disposeProviders(std::vector<std::unique_ptr<ExecutionProvider>> providers) {
  AbandonedCalls::instance().keep(providers);
}

}  // namespace cutaway
