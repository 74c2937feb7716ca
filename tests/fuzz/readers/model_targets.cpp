// Models: loaded and written again, walked to their plans, and, where the provider cpu is linked, run.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "engine/session/session.h"
#include "engine/stages/load/model_bytes.h"
#include "engine/stages/resolve/resolve.h"
#include "tests/fuzz/readers/message_rules.h"
#include "tests/fuzz/readers/targets.h"

#ifdef CUTAWAY_RUNS_MODELS
#include "providers/cpu/provider.h"
#endif

namespace cutaway::fuzz {

namespace {

constexpr auto kPatience = std::chrono::seconds(2), kMostDeafness = std::chrono::seconds(10);
constexpr int64_t kMemoryLimitBytes = 64 << 20;

// Cancels what takes long: models may run for ever. What does not hear it is a finding.
class Deadline {
 public:
  Deadline() : m_watch([this] { watch(); }) {}
  ~Deadline() {
    {
      const std::lock_guard lock(m_mutex);
      m_done = true;
    }
    m_changed.notify_all();
    m_watch.join();
  }
  const CancelToken& token() const { return m_token; }

 private:
  void watch() {
    std::unique_lock lock(m_mutex);
    if (m_changed.wait_for(lock, kPatience, [this] { return m_done; })) return;
    m_token.cancel();
    if (m_changed.wait_for(lock, kMostDeafness, [this] { return m_done; })) return;
    std::fprintf(stderr, "Cancel is not heard\n");
    std::abort();
  }

  CancelToken m_token;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_done = false;
  std::thread m_watch;
};

load::ModelSource sourceOf(std::string_view bytes) {
  return load::ModelSource::memory(std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr);
}

session::SessionOptions small() {
  session::SessionOptions options;
  options.providers = {"cpu"};
  options.threads = 1;
  options.memoryLimitBytes = kMemoryLimitBytes;
  return options;
}

}  // namespace

void readModel(std::string_view bytes) {
  Progress progress;
  auto loaded = load::load(sourceOf(bytes), {}, progress);
  if (!loaded) return judgeMessage(loaded.error(), bytes);
  std::string written;
  const Result<void> wrote = load::writeModelBytes(loaded->model, [&](std::span<const std::byte> more) -> Result<void> {
    written.append(reinterpret_cast<const char*>(more.data()), more.size());
    return {};
  });
  if (!wrote) judgeMessage(wrote.error(), bytes);
  if (const auto resolved = resolve::resolve(loaded->model, {}, progress); !resolved)
    judgeMessage(resolved.error(), bytes);
  if (!wrote) return;
  if (const auto again = load::load(sourceOf(written), {}, progress); !again) {
    std::fprintf(stderr, "what was written is refused: %s\n", describe(again.error()).c_str());
    std::abort();
  }
}

void walkModel(std::string_view bytes) {
  const Deadline deadline;
  Progress progress(deadline.token());
  session::SessionOptions options = small();
  options.providers.clear();
  options.prepareRun = false;
  const auto made = session::Session::create(sourceOf(bytes), options, {}, progress);
  if (!made) judgeMessage(made.error(), bytes);
}

#ifdef CUTAWAY_RUNS_MODELS
void runModel(std::string_view bytes) {
  const Deadline deadline;
  Progress progress(deadline.token());
  const auto made = session::Session::create(sourceOf(bytes), small(), {cpuProvider()}, progress);
  if (!made) return judgeMessage(made.error(), bytes);
  const auto feeds = session::randomFeeds(**made, 7, {});
  if (!feeds) return judgeMessage(feeds.error(), bytes);
  const auto result = (*made)->run(*feeds, {.cancel = deadline.token()});
  if (!result) judgeMessage(result.error(), bytes);
}
#endif

}  // namespace cutaway::fuzz
