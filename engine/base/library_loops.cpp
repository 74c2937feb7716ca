// oneDNN's loops on our threads. Debian's library is built for OpenMP and asks for six functions of it; the program has
// them here, and the dynamic linker takes a program's functions before those of libgomp. OpenMP's own threads wait for
// each other at the end of every loop, busily: with another program beside it a run takes 3 to 20 times as long. Here
// parts of a loop are drawn by the threads that get to run.
//
// The number of threads the library plans for is the caller's (ThreadShare). A team's parts may wait for each other
// (GOMP_barrier, or the library's own barriers): the pool has a thread for every seat, so that all parts start in the
// end. Other libraries in the process that use OpenMP keep libgomp.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <type_traits>
#include <utility>

#include <dlfcn.h>

#include "engine/base/loop_scope.h"
#include "engine/base/parallel.h"
#include "engine/base/thread_pool.h"

namespace cutaway {
namespace {

using TeamBody = void (*)(void*);

class Team {
 public:
  Team(TeamBody body, void* data, int size) : m_body(body), m_data(data), m_size(size) {}
  int size() const { return m_size; }

  static void draw(void* of, int seat);
  static bool hasMore(const void* of) {
    const Team& team = *static_cast<const Team*>(of);
    return team.m_next.load(std::memory_order_relaxed) < team.m_size;
  }

  void waitForAll() {
    std::unique_lock lock(m_mutex);
    if (++m_waiting == m_size) {
      m_waiting = 0;
      ++m_round;
      m_all.notify_all();
      return;
    }
    m_all.wait(lock, [this, round = m_round] { return m_round != round; });
  }

 private:
  const TeamBody m_body;
  void* const m_data;
  const int m_size;
  const detail::LoopOwner m_owner;
  std::atomic<int> m_next{0};
  std::mutex m_mutex;
  std::condition_variable m_all;
  int m_waiting = 0;
  uint64_t m_round = 0;
};

// The team's part that this thread does; no team outside of library loops.
struct Place {
  Team* team = nullptr;
  int part = 0;
};
static_assert(std::is_trivially_destructible_v<Place>);
thread_local constinit Place t_place;

void Team::draw(void* of, int seat) {
  Team& team = *static_cast<Team*>(of);
  const detail::LoopScope scope(team.m_owner, seat);
  const Place outer = t_place;
  for (int part; (part = team.m_next.fetch_add(1, std::memory_order_relaxed)) < team.m_size;) {
    t_place = {&team, part};
    team.m_body(team.m_data);
  }
  t_place = outer;
}

// Where the library whose loops are ours lies in memory.
struct Range {
  const void* begin = nullptr;
  const void* end = nullptr;
};

const Range& servedLibrary() {
  static const Range range = [] {
    dl_find_object found{};
    void* const known = ::dlsym(RTLD_DEFAULT, "dnnl_version");
    if (known == nullptr || ::_dl_find_object(known, &found) != 0) return Range{};
    return Range{found.dlfo_map_start, found.dlfo_map_end};
  }();
  return range;
}

bool isServed(const void* caller) {
  return caller >= servedLibrary().begin && caller < servedLibrary().end;
}

// libgomp's function, for everybody else; nullptr where no library brought libgomp.
template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

}  // namespace cutaway

using cutaway::isServed, cutaway::next, cutaway::Place, cutaway::PoolTask, cutaway::t_place, cutaway::Team;

// The names and signatures are those of the OpenMP runtime that g++ compiles for. oneDNN is all that is compiled so
// here.
extern "C" {

[[gnu::visibility("default")]] int omp_get_max_threads() {
  static const auto others = next<int()>("omp_get_max_threads");
  return isServed(__builtin_return_address(0)) || others == nullptr ? cutaway::currentThreads() : others();
}

[[gnu::visibility("default")]] int omp_get_num_threads() {
  static const auto others = next<int()>("omp_get_num_threads");
  if (isServed(__builtin_return_address(0)) || others == nullptr)
    return t_place.team != nullptr ? t_place.team->size() : 1;
  return others();
}

[[gnu::visibility("default")]] int omp_get_thread_num() {
  static const auto others = next<int()>("omp_get_thread_num");
  return isServed(__builtin_return_address(0)) || others == nullptr ? t_place.part : others();
}

[[gnu::visibility("default")]] int omp_in_parallel() {
  static const auto others = next<int()>("omp_in_parallel");
  return isServed(__builtin_return_address(0)) || others == nullptr ? cutaway::detail::insideLoop() : others();
}

[[gnu::visibility("default")]] void GOMP_barrier() {
  static const auto others = next<void()>("GOMP_barrier");
  if (!isServed(__builtin_return_address(0)) && others != nullptr) return others();
  if (t_place.team != nullptr) t_place.team->waitForAll();
}

// threads: 0 for as many as the caller may use.
[[gnu::visibility("default")]] void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  static const auto others = next<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
  if (!isServed(__builtin_return_address(0)) && others != nullptr) return others(body, data, threads, flags);
  const int size = cutaway::detail::insideLoop() ? 1
                   : threads > 0                 ? static_cast<int>(threads)
                                                 : cutaway::currentThreads();
  if (size > 1) {
    Team team(body, data, size);
    PoolTask task(size - 1, Team::draw, Team::hasMore, &team);
    if (cutaway::ThreadPool::shared().help(task)) return;
  }
  Team alone(body, data, 1);
  const Place outer = std::exchange(t_place, Place{&alone, 0});
  body(data);
  t_place = outer;
}

}  // extern "C"
