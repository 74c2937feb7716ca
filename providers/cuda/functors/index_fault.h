#pragma once
// Indexes that come from data are checked where they are used: a functor that sees one out of range uses another place
// instead, and leaves a record that the host reads at the end of the run.
//
// The record names who found it by the address of a text in host memory, which the device only carries. The first to
// report is kept. Thread rule: report() from any thread of any block. Example: if (index >= bound) {
// p.fault.report(index, bound, place); index = 0; }

#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

struct IndexFault {
  uint64_t who = 0;  // 0: nothing happened
  int64_t index = 0, bound = 0, place = 0;
};

struct FaultPlace {
  IndexFault* record = nullptr;
  uint64_t who = 0;

  // index: the value seen; bound: it must be below; place: which element of the indices it was.
  CUTAWAY_SHARED void report(int64_t index, int64_t bound, int64_t place) const {
    if (record == nullptr) return;
#ifdef __CUDA_ARCH__
    if (atomicCAS(reinterpret_cast<unsigned long long*>(&record->who), 0ull, static_cast<unsigned long long>(who)) !=
        0ull)
      return;
#else
    if (record->who != 0) return;
    record->who = who;
#endif
    record->index = index;
    record->bound = bound;
    record->place = place;
  }

  // Python's rule: negative indexes count from the end. Out of range: reported, and -1.
  CUTAWAY_SHARED int64_t resolve(int64_t index, int64_t bound, int64_t place) const {
    const int64_t resolved = index < 0 ? index + bound : index;
    if (resolved >= 0 && resolved < bound) return resolved;
    report(index, bound, place);
    return -1;
  }
};

}  // namespace cutaway::cuda
