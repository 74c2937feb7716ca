#pragma once
// operator new of the whole program, which counts and fails where a test says so. The test says ALONE and lists
// tests/program/counted_heap.cpp among its sources.
//
// Thread rule: any thread. Example: counted_heap::isShort = true; QVERIFY(objects.find() == nullptr);

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cutaway::counted_heap {

extern std::atomic<int64_t> allocations;
extern std::atomic<int64_t> failAt;          // that allocation, counted from when it was set, fails; -1: none
extern std::atomic<size_t> refusedFrom;      // blocks of so many bytes fail, as where memory is short; 0: none
extern constinit thread_local bool isShort;  // every allocation of this thread fails

// Counts one. Tests whose code asks the C library, too, have that ask here.
bool mayAllocate();

}  // namespace cutaway::counted_heap
