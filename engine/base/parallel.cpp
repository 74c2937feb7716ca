// A loop is cut into chunks that threads draw one after another: who is slow draws few. Chunks are cut by count, grain
// and number of threads alone (never by time), and no result may depend on which thread draws which.
//
// Each seat has a run of neighbouring chunks and draws from those of others when its own is done: from one loop to the
// next over the same tensor a thread mostly finds in its core's cache what it wrote there.
//
// Four chunks a thread even out what threads differ in; they are as many for each and of one size, so that no thread is
// left with the last while the others wait. Loops of many grains get more of them, of at least 64 grains, because
// between chunks a thread asks whether it should stop.

#include "engine/base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include <sched.h>

#include "engine/base/cancel_scope.h"
#include "engine/base/cpu_quota.h"
#include "engine/base/crash_guard.h"
#include "engine/base/file_begin.h"
#include "engine/base/loop_part.h"
#include "engine/base/loop_scope.h"
#include "engine/base/thread_pool.h"

namespace cutaway {
namespace {

thread_local int t_share = 0;  // 0: no ThreadShare on this thread
thread_local bool t_insideLoop = false;
thread_local int t_part = 0;  // of the innermost loop

int affinityCores() {
  // The fixed cpu_set_t has 1024 bits; larger machines need a larger mask.
  for (int bits = 1024; bits <= (1 << 20); bits *= 2) {
    cpu_set_t* mask = CPU_ALLOC(bits);
    if (mask == nullptr) break;
    const size_t sizeBytes = CPU_ALLOC_SIZE(bits);
    const bool known = sched_getaffinity(0, sizeBytes, mask) == 0;
    const int count = known ? CPU_COUNT_S(sizeBytes, mask) : 0;
    CPU_FREE(mask);
    if (known) return count;
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

int countAvailableThreads() {
  const std::string membership = fileBegin("/proc/self/cgroup").value_or("");
  const int cores = std::max(affinityCores(), 1);
  return std::min(cores, cpuQuota("/sys/fs/cgroup", membership).value_or(cores));
}

// Most pieces of one part, and the grains that each has at least.
constexpr int64_t kMostPieces = 128;
constexpr int64_t kLeastGrains = 64;

constexpr int64_t kChunksEach = 4;

int64_t pieceOf(int64_t count, int64_t grain) {
  if (grain > count / (2 * kLeastGrains)) return count;
  const int64_t unit = kLeastGrains * grain;
  const int64_t units = (count - 1) / unit + 1;
  return unit * ((units - 1) / kMostPieces + 1);
}

void runPieces(int64_t begin, int64_t count, int64_t piece, const StopSignal* stop, detail::LoopBody body,
               void* context) {
  for (int64_t done = 0; done < count && !(stop != nullptr && stop->requested()); done += std::min(piece, count - done))
    body(context, begin + done, begin + done + std::min(piece, count - done));
}

// Of a loop that several threads do. `longer` chunks have one more than the others, and lie between them: neighbouring
// halves of the chunks are halves of the loop.
struct Chunks {
  int64_t number = 1, size = 0, longer = 0;
  int64_t begin(int64_t chunk) const { return chunk * size + longer * chunk / number; }
};

Chunks chunksOf(int64_t count, int64_t grain, int64_t threads) {
  const int64_t each = (count - 1) / threads + 1;
  const int64_t piece = pieceOf(each, grain);
  if (piece <= each / kChunksEach) return {.number = (count - 1) / piece + 1, .size = piece};
  const int64_t number = threads * std::min(kChunksEach, count / grain / threads);
  return {.number = number, .size = count / number, .longer = count % number};
}

// A loop that one thread does has one part.
struct OnlyPart {
  OnlyPart() : before(std::exchange(t_part, 0)) {}
  ~OnlyPart() { t_part = before; }
  OnlyPart(const OnlyPart&) = delete;
  OnlyPart& operator=(const OnlyPart&) = delete;
  const int before;
};

// Neighbouring chunks, drawn in their order. Each has a cache line of its own: a thread that draws from its own
// disturbs nobody.
struct alignas(64) Run {
  std::atomic<int64_t> next{0};
  int64_t end = 0;
};

constexpr int64_t kMostRuns = 16;  // seats beyond share them

struct Loop {
  Loop(int64_t all, const Chunks& cut, int64_t threads, detail::LoopBody body, void* context)
      : count(all), chunks(cut), runs(std::min({threads, cut.number, kMostRuns})), body(body), context(context) {
    for (int64_t run = 0; run < runs; ++run) {
      each[run].next.store(chunks.number * run / runs, std::memory_order_relaxed);
      each[run].end = chunks.number * (run + 1) / runs;
    }
  }
  // The first exception; the others are let go.
  void keep(std::exception_ptr exception) {
    if (!hasThrown.exchange(true, std::memory_order_relaxed)) thrown = std::move(exception);
  }

  const int64_t count;
  const Chunks chunks;
  const int64_t runs;
  const detail::LoopBody body;
  void* const context;
  const detail::LoopOwner owner;
  std::atomic<bool> hasThrown{false};
  std::exception_ptr thrown;  // read when all threads have returned
  std::array<Run, kMostRuns> each;
};

void drawChunks(void* of, int seat) {
  Loop& loop = *static_cast<Loop*>(of);
  const detail::LoopScope scope(loop.owner, seat);
  try {
    for (int64_t other = 0; other < loop.runs; ++other) {
      Run& run = loop.each[(seat + other) % loop.runs];
      for (int64_t chunk; (chunk = run.next.fetch_add(1, std::memory_order_relaxed)) < run.end;) {
        if (stopRequested() || loop.hasThrown.load(std::memory_order_relaxed)) return;
        const bool isLast = chunk + 1 == loop.chunks.number;
        loop.body(loop.context, loop.chunks.begin(chunk), isLast ? loop.count : loop.chunks.begin(chunk + 1));
      }
    }
  } catch (...) {
    loop.keep(std::current_exception());
  }
}

bool chunksLeft(const void* of) {
  const Loop& loop = *static_cast<const Loop*>(of);
  return std::any_of(loop.each.begin(), loop.each.begin() + loop.runs,
                     [](const Run& run) { return run.next.load(std::memory_order_relaxed) < run.end; });
}

}  // namespace

int loopPart() {
  return t_part;
}

detail::LoopOwner::LoopOwner() : stop(currentStopSignal()), memory(ShortMemoryScope::current()), work(currentWork()) {}

detail::LoopScope::LoopScope(const LoopOwner& owner, int seat)
    : m_cancel(owner.stop),
      m_memory(owner.memory),
      m_work(std::exchange(threadWork, owner.work)),
      m_part(std::exchange(t_part, seat)),
      m_insideLoop(std::exchange(t_insideLoop, true)) {
  CrashGuard::prepareThread();
}

detail::LoopScope::~LoopScope() {
  t_insideLoop = m_insideLoop;
  t_part = m_part;
  threadWork = m_work;
}

bool detail::insideLoop() {
  return t_insideLoop;
}

int availableThreads() {
  static const int count = countAvailableThreads();
  return count;
}

int currentThreads() {
  if (t_insideLoop) return 1;
  return t_share > 0 ? t_share : availableThreads();
}

int usefulThreads(int64_t work, int64_t workPerThread) {
  return static_cast<int>(std::clamp<int64_t>(work / std::max<int64_t>(1, workPerThread), 1, currentThreads()));
}

ThreadShare::ThreadShare(int threads) : m_previous(t_share) {
  t_share = threads > 0 ? threads : availableThreads();
}

ThreadShare::~ThreadShare() {
  t_share = m_previous;
}

void detail::runParallel(int64_t count, int64_t grain, LoopBody body, void* context) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int64_t threads = std::min<int64_t>(currentThreads(), count / grain);
  const StopSignal* stop = currentStopSignal();
  if (threads > 1) {
    Loop loop(count, chunksOf(count, grain, threads), threads, body, context);
    PoolTask task(static_cast<int>(threads) - 1, drawChunks, chunksLeft, &loop);
    if (ThreadPool::shared().help(task)) {
      if (loop.thrown) std::rethrow_exception(std::move(loop.thrown));
      return;
    }
  }
  const OnlyPart part;
  runPieces(0, count, pieceOf(count, grain), stop, body, context);
}

}  // namespace cutaway
