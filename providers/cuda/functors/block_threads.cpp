// Coroutines by swapcontext: no thread of the system is started, so every run takes the same turns.
#include "providers/cuda/functors/block_threads.h"

#include <algorithm>
#include <new>
#include <type_traits>
#include <vector>

#include <ucontext.h>

#include "engine/base/per_thread.h"

namespace cutaway::cuda {
namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr int kWarp = 32;
enum class Turn : unsigned char { kReady, kAtSync, kAtWarp, kEnded };

// Stacks are kept for the next block; pages that nothing touches cost nothing.
std::vector<std::unique_ptr<std::byte[]>>& spareStacks() {
  static const PerThread<std::vector<std::unique_ptr<std::byte[]>>> stacks;
  return stacks.own();
}

std::unique_ptr<std::byte[]> takeStack() {
  auto& spare = spareStacks();
  if (spare.empty()) return std::unique_ptr<std::byte[]>(new std::byte[kStackBytes]);
  auto stack = std::move(spare.back());
  spare.pop_back();
  return stack;
}

}  // namespace

HostBlocks& hostBlocks() {
  static_assert(std::is_trivially_destructible_v<HostBlocks>);
  thread_local HostBlocks mode = HostBlocks::kSingle;
  return mode;
}

struct BlockThreads::State {
  struct Thread {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack;
    Turn turn = Turn::kReady;
  };
  std::vector<Thread> threads;
  std::vector<unsigned char> places;
  ucontext_t scheduler{};
  const std::function<void(int)>* body = nullptr;
  int current = 0;
  bool backwards = false;

  void wait(Turn turn) {
    Thread& own = threads[static_cast<size_t>(current)];
    own.turn = turn;
    swapcontext(&own.context, &scheduler);
  }
  static void enter(unsigned high, unsigned low) {
    auto* state = reinterpret_cast<State*>((static_cast<uintptr_t>(high) << 32) | low);
    (*state->body)(state->current);
    state->threads[static_cast<size_t>(state->current)].turn = Turn::kEnded;
  }
  void start(Thread& thread) {
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = kStackBytes;
    thread.context.uc_link = &scheduler;
    const auto self = reinterpret_cast<uintptr_t>(this);
    makecontext(&thread.context, reinterpret_cast<void (*)()>(&State::enter), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self & 0xffffffffu));
    thread.turn = Turn::kReady;
  }
  // Every ready thread goes on until it waits or ends. False: none was ready.
  bool takeTurns() {
    bool any = false;
    const int count = static_cast<int>(threads.size());
    for (int i = 0; i < count; ++i) {
      current = backwards ? count - 1 - i : i;
      Thread& thread = threads[static_cast<size_t>(current)];
      if (thread.turn != Turn::kReady) continue;
      any = true;
      swapcontext(&scheduler, &thread.context);
    }
    return any;
  }
  bool allAre(size_t first, size_t last, Turn turn) const {
    return std::all_of(threads.begin() + static_cast<ptrdiff_t>(first), threads.begin() + static_cast<ptrdiff_t>(last),
                       [&](const Thread& thread) { return thread.turn == turn; });
  }
  // Lets those go on who all wait at the same place: warps first, then the block.
  bool release() {
    bool any = false;
    for (size_t first = 0; first < threads.size(); first += kWarp) {
      const size_t last = std::min(first + kWarp, threads.size());
      if (!allAre(first, last, Turn::kAtWarp)) continue;
      for (size_t i = first; i < last; ++i)
        threads[i].turn = Turn::kReady;
      any = true;
    }
    if (any || !allAre(0, threads.size(), Turn::kAtSync)) return any;
    for (Thread& thread : threads)
      thread.turn = Turn::kReady;
    return true;
  }
};

BlockThreads::BlockThreads(int threads, bool backwards) : m_state(std::make_unique<State>()) {
  m_state->threads.resize(static_cast<size_t>(threads));
  m_state->places.resize(static_cast<size_t>(threads) * kPlaceBytes);
  m_state->backwards = backwards;
  spareStacks().reserve(spareStacks().size() + m_state->threads.size());  // they come back in a destructor
  for (State::Thread& thread : m_state->threads)
    thread.stack = takeStack();
}

BlockThreads::~BlockThreads() {
  for (State::Thread& thread : m_state->threads)
    spareStacks().push_back(std::move(thread.stack));
}

bool BlockThreads::run(const std::function<void(int)>& body) {
  m_state->body = &body;
  for (State::Thread& thread : m_state->threads)
    m_state->start(thread);
  do {
    while (m_state->takeTurns()) {
    }
  } while (m_state->release());
  return m_state->allAre(0, m_state->threads.size(), Turn::kEnded);
}

int BlockThreads::threads() const {
  return static_cast<int>(m_state->threads.size());
}
void BlockThreads::sync() {
  m_state->wait(Turn::kAtSync);
}
void BlockThreads::syncWarp() {
  m_state->wait(Turn::kAtWarp);
}
unsigned char* BlockThreads::place(int thread) {
  return m_state->places.data() + static_cast<size_t>(thread) * kPlaceBytes;
}

}  // namespace cutaway::cuda
