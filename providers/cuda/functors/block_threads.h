#pragma once
// The threads of a block on the host, taking turns: so that what they do together (shared memory, sync, reductions over
// warps) is tested without a GPU.
//
// Each thread of the block is a coroutine. It runs until it waits at sync() or syncWarp(); the others follow, in
// ascending or in descending order, and all go on together. Code that reads what another thread writes without a wait
// between sees the old bytes in at least one of the two orders. Threads that end while others wait are a fault of the
// functor, and are told. Thread rule: one team per host thread. Example: BlockThreads team(64, false);  if
// (!team.run([&](int thread) { ... team.sync(); ... })) refuse();

#include <cstddef>
#include <functional>
#include <memory>

namespace cutaway::cuda {

enum class HostBlocks : unsigned char {
  kSingle,    // a block has one thread: the plain loop, fast
  kForward,   // as many threads as the device would have, in ascending order
  kBackward,  // in descending order; elements of forEach too
};
// Of this host thread.
HostBlocks& hostBlocks();

class BlockThreads {
 public:
  static constexpr size_t kPlaceBytes = 64;
  BlockThreads(int threads, bool backwards);
  ~BlockThreads();
  BlockThreads(const BlockThreads&) = delete;
  BlockThreads& operator=(const BlockThreads&) = delete;

  // body(thread) for every thread. False: some ended while others waited for them.
  bool run(const std::function<void(int)>& body);
  int threads() const;
  // --- Called by the thread whose turn it is
  void sync();
  void syncWarp();
  // A place of each thread for values that the others read.
  unsigned char* place(int thread);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace cutaway::cuda
