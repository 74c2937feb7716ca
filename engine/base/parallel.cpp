// Static splitting: part p of n always gets the same range, so that results do not depend on which thread is faster.
//
// The number of threads a caller may use is thread-local. With OpenMP it is also told to OpenMP (whose setting is per calling thread, too), because oneDNN asks OpenMP how many
// threads to use: one ThreadShare governs both.

#include "engine/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/cpu_quota.h"

#ifdef CUTAWAY_OPENMP
#include <omp.h>
#endif

namespace cutaway {
namespace {

thread_local int t_share = 0;         // 0: no ThreadShare on this thread
thread_local bool t_insideLoop = false;

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

struct Split {
  int64_t count;
  int64_t chunk;
  int parts;
};

void runPart(const Split& split, int part, detail::LoopBody body, void* context) {
  const int64_t begin = split.chunk * part;
  const bool outer = t_insideLoop;
  t_insideLoop = true;
  body(context, begin, begin + std::min(split.chunk, split.count - begin));
  t_insideLoop = outer;
}

void runParts(const Split& split, detail::LoopBody body, void* context) {
#ifdef CUTAWAY_OPENMP
  // The team may be smaller than asked for (OMP_THREAD_LIMIT): each thread takes every size-th part.
#pragma omp parallel num_threads(split.parts)
  {
    const int size = omp_get_num_threads();
    for (int part = omp_get_thread_num(); part < split.parts; part += size) runPart(split, part, body, context);
  }
#else
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<size_t>(split.parts - 1));
  for (int part = 1; part < split.parts; ++part) threads.emplace_back([&split, part, body, context] { runPart(split, part, body, context); });
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
  if (threads <= 1) {
    body(context, 0, count);
    return;
  }
  const int64_t chunk = (count - 1) / threads + 1;
  runParts({count, chunk, static_cast<int>((count - 1) / chunk + 1)}, body, context);
}

}  // namespace cutaway
