// Static splitting: part p of n always gets the same range, so that results do not depend on which thread is faster.
//
// A part is taken in pieces, between which the thread asks whether it should stop. Pieces are cut by count alone (never
// by time), at multiples of 64 grains from the part's beginning: loops that work in vectors or blocks of rows meet the
// same boundaries as without pieces, and results stay the same.
//
// The number of threads a caller may use is thread-local. With OpenMP it is also told to OpenMP (whose setting is per
// calling thread, too), because oneDNN asks OpenMP how many threads to use: one ThreadShare governs both.

#include "engine/base/parallel.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sched.h>

#include "engine/base/cancel_scope.h"
#include "engine/base/cpu_quota.h"
#include "engine/base/crash_guard.h"
#include "engine/base/loop_part.h"

#ifdef CUTAWAY_OPENMP
#include <omp.h>
#endif

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
  std::ifstream file("/proc/self/cgroup");
  const std::string membership{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const int cores = std::max(affinityCores(), 1);
  return std::min(cores, cpuQuota("/sys/fs/cgroup", membership).value_or(cores));
}

void tellLibrary([[maybe_unused]] int threads) {
#ifdef CUTAWAY_OPENMP
  omp_set_num_threads(threads);
#endif
}

// Most pieces of one part, and the grains that each has at least.
constexpr int64_t kMostPieces = 128;
constexpr int64_t kLeastGrains = 64;

struct Split {
  int64_t count;
  int64_t chunk;
  int64_t piece;
  int parts;
  const StopSignal* stop;
  ThreadWork work;  // of the caller, who waits for all parts
};

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

void runPart(const Split& split, int part, detail::LoopBody body, void* context) {
  const int64_t begin = split.chunk * part;
  const bool outer = t_insideLoop;
  t_insideLoop = true;
  const int outerPart = std::exchange(t_part, part);
  const CancelScope scope(split.stop);
  const ThreadWork outerWork = std::exchange(detail::threadWork, split.work);
  CrashGuard::prepareThread();
  runPieces(begin, std::min(split.chunk, split.count - begin), split.piece, split.stop, body, context);
  // A helping thread still belongs to its caller afterwards: loops of other libraries run on it too.
  detail::threadWork = outerWork.work == split.work.work ? outerWork : ThreadWork{split.work.work, nullptr, nullptr, 0};
  t_part = outerPart;
  t_insideLoop = outer;
}

void runParts(const Split& split, detail::LoopBody body, void* context) {
#ifdef CUTAWAY_OPENMP
  // The team may be smaller than asked for (OMP_THREAD_LIMIT): each thread takes every size-th part.
#pragma omp parallel num_threads(split.parts)
  {
    const int size = omp_get_num_threads();
    for (int part = omp_get_thread_num(); part < split.parts; part += size)
      runPart(split, part, body, context);
  }
#else
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<size_t>(split.parts - 1));
  for (int part = 1; part < split.parts; ++part)
    threads.emplace_back([&split, part, body, context] { runPart(split, part, body, context); });
  runPart(split, 0, body, context);
#endif
}

bool insideLoop() {
#ifdef CUTAWAY_OPENMP
  return t_insideLoop || omp_in_parallel() != 0;
#else
  return t_insideLoop;
#endif
}

}  // namespace

int loopPart() {
  return t_part;
}

int availableThreads() {
  static const int count = countAvailableThreads();
  return count;
}

int currentThreads() {
  if (insideLoop()) return 1;
  return t_share > 0 ? t_share : availableThreads();
}

int usefulThreads(int64_t work, int64_t workPerThread) {
  return static_cast<int>(std::clamp<int64_t>(work / std::max<int64_t>(1, workPerThread), 1, currentThreads()));
}

ThreadShare::ThreadShare(int threads) : m_previous(t_share) {
  t_share = threads > 0 ? threads : availableThreads();
  tellLibrary(t_share);
}

ThreadShare::~ThreadShare() {
  t_share = m_previous;
  tellLibrary(m_previous > 0 ? m_previous : availableThreads());
}

void detail::runParallel(int64_t count, int64_t grain, LoopBody body, void* context) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int64_t threads = std::min<int64_t>(currentThreads(), count / grain);
  const StopSignal* stop = currentStopSignal();
  if (threads <= 1) {
    const int outerPart = std::exchange(t_part, 0);
    runPieces(0, count, pieceOf(count, grain), stop, body, context);
    t_part = outerPart;
    return;
  }
  const int64_t chunk = (count - 1) / threads + 1;
  runParts({count, chunk, pieceOf(chunk, grain), static_cast<int>((count - 1) / chunk + 1), stop, currentWork()}, body,
           context);
}

}  // namespace cutaway
