#pragma once
// Memory that was freed and that the C library keeps for later, given back to the system.
//
// A walk over a large model frees more than half of what it took, in small pieces between what stays. For programs that
// stay open afterwards; it takes some milliseconds for each hundred megabytes.
// Thread rule: any thread; allocations of others may wait meanwhile. Example: session.reset();  giveBackFreedMemory();

#include <algorithm>
#include <cstdlib>
#include <thread>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace cutaway {

// The C library makes a heap for each thread that meets another one at its own, eight for each core, and keeps what is
// free at the end of all but the first one: up to tens of megabytes each. One for each core serves as many threads as
// can run. At the very beginning, before there are threads.
inline void keepFewHeaps() {
#ifdef __GLIBC__
  constexpr int kFewest = 4;
  mallopt(M_ARENA_MAX, std::max(kFewest, static_cast<int>(std::thread::hardware_concurrency())));
#endif
}

inline void giveBackFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace cutaway
