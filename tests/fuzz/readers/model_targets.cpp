// Models: loaded and written again, walked to their plans, and, where the provider cpu is linked, run.
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/context_binary/inside_nodes.h"
#include "engine/report/json.h"
#include "engine/session/session.h"
#include "engine/stages/load/model_bytes.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/tensor/heap_limit.h"
#include "tests/fuzz/readers/message_rules.h"
#include "tests/fuzz/readers/scratch_folder.h"
#include "tests/fuzz/readers/targets.h"

#ifdef CUTAWAY_RUNS_MODELS
#include "providers/cpu/provider.h"
#endif

namespace cutaway::fuzz {

namespace {

constexpr auto kPatience = std::chrono::seconds(2), kMostWaiting = std::chrono::seconds(600);
constexpr std::clock_t kMostDeafness = 10 * CLOCKS_PER_SEC;
constexpr int64_t kMemoryLimitBytes = 64 << 20;

// Cancels what takes long: models may run for ever. What does not hear it is a finding: ten seconds of the processor,
// because a machine that is busy with others is none, or ten minutes of waiting.
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
    const std::clock_t cancelled = std::clock();
    const auto last = std::chrono::steady_clock::now() + kMostWaiting;
    while (!m_changed.wait_for(lock, kPatience, [this] { return m_done; })) {
      if (std::clock() - cancelled < kMostDeafness && std::chrono::steady_clock::now() < last) continue;
      std::fprintf(stderr, "Cancel is not heard\n");
      std::abort();
    }
  }

  CancelToken m_token;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_done = false;
  std::thread m_watch;
};

load::ModelSource sourceOf(std::string_view bytes) {
  load::ModelSource source = load::ModelSource::memory(std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr);
  source.externalFolder = scratchFolder();
  return source;
}

void dropTimes(nlohmann::json& json) {
  if (json.is_object())
    std::erase_if(json.get_ref<nlohmann::json::object_t&>(),
                  [](const auto& member) { return member.first.ends_with("_ns"); });
  if (!json.is_structured()) return;
  for (nlohmann::json& each : json)
    dropTimes(each);
}

// All that a walk says, but for times.
std::string toldBy(const WalkReport& walk) {
  nlohmann::json json = walkToJson(walk, {});
  dropTimes(json);
  return dumpJson(json, 1);
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
  if (!loaded) {
    judgeMessage(loaded.error(), bytes);
    // As it is opened to be looked at: without data that is missing.
    judged(load::load(sourceOf(bytes), {.allowMissingExternalData = true}, progress), bytes);
    return;
  }
  std::string written;
  const Result<void> wrote = load::writeModelBytes(loaded->model, [&](std::span<const std::byte> more) -> Result<void> {
    written.append(reinterpret_cast<const char*>(more.data()), more.size());
    return {};
  });
  if (!wrote) judgeMessage(wrote.error(), bytes);
  if (judged(resolve::resolve(loaded->model, {}, progress), bytes)) {
    const auto told = context_binary::readInside(context_binary::writeInside(loaded->model.graph));
    require(told.has_value(), told ? "" : "what writeInside() wrote is refused: " + describe(told.error()));
  }
  if (!wrote) return;
  const auto again = load::load(sourceOf(written), {}, progress);
  require(again.has_value(), again ? "" : "what was written is refused: " + describe(again.error()));
  CancelToken token;
  token.cancel();
  Progress cancelled(token);
  judged(load::load(sourceOf(bytes), {}, cancelled), bytes);
}

// By the name of a binary model, of a text, and of a link to a model in another folder, whose data lies there.
void readModelFile(std::string_view bytes) {
  static const std::filesystem::path link = [] {
    const std::filesystem::path folder = scratchFolder() / "links";
    std::filesystem::create_directory(folder);
    std::filesystem::create_symlink(scratchFolder() / "model.onnx", folder / "model.onnx");
    return folder / "model.onnx";
  }();
  const std::array<std::filesystem::path, 3> files{fileInScratch("model.onnx", bytes),
                                                   fileInScratch("model.textproto", bytes), link};
  for (const std::filesystem::path& file : files) {
    Progress progress;
    judged(load::load(load::ModelSource::file(file), {}, progress), bytes);
  }
}

// The same model twice tells the same, whatever memory held before.
void walkModel(std::string_view bytes) {
  const Deadline deadline;
  Progress progress(deadline.token());
  session::SessionOptions options = small();
  options.providers.clear();
  options.prepareRun = false;
  const auto walked = [&]() -> std::string {
    const auto made = session::Session::create(sourceOf(bytes), options, {}, progress);
    if (judged(made, bytes)) return toldBy(*(*made)->report());
    return describe(made.error());
  };
  const std::string first = walked(), second = walked();
  if (deadline.token().cancelled()) return;
  if (first != second) std::fprintf(stderr, "first:\n%s\nthen:\n%s\n", first.c_str(), second.c_str());
  require(first == second, "the same model is told otherwise the second time");
}

#ifdef CUTAWAY_RUNS_MODELS
void runModel(std::string_view bytes) {
  const Deadline deadline;
  const HeapLimit limit(kMemoryLimitBytes);  // inputs are memory of the run, too
  Progress progress(deadline.token());
  const auto made = session::Session::create(sourceOf(bytes), small(), {cpuProvider()}, progress);
  if (!made) return judgeMessage(made.error(), bytes);
  const auto feeds = session::randomFeeds(**made, 7, {}, {});
  if (!feeds) return judgeMessage(feeds.error(), bytes);
  const auto result = (*made)->run(*feeds, {.cancel = deadline.token()});
  if (!result) judgeMessage(result.error(), bytes);
}
#endif

}  // namespace cutaway::fuzz
