#pragma once
// Memory that was freed and that the C library keeps for later, given back to the system.
//
// A walk over a large model frees more than half of what it took, in small pieces between what stays. For programs that
// stay open afterwards; it takes some milliseconds for each hundred megabytes.
// Thread rule: any thread; allocations of others may wait meanwhile. Example: session.reset();  giveBackFreedMemory();

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace cutaway {

inline void giveBackFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace cutaway
