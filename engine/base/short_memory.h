#pragma once
// What is said where memory is short: what it was for, how much, and what helps. Such messages are made here alone.
//
// Thread rule: pure. Example: if (block == nullptr) return fail(noMemoryFor("reordered weights", sizeBytes));

#include <cstdint>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway {

// What the user allows; limitBytes 0: as much as there is.
struct MemoryAllowance {
  int64_t heldBytes = 0;
  int64_t limitBytes = 0;
};

// FAIL, by policy where the allowance would be passed: it is the user's to raise.
Error noMemoryFor(std::string_view what, int64_t sizeBytes, const MemoryAllowance& allowance = {});
// RUNTIME_EXCEPTION for a std::bad_alloc, whose size nobody knows: "out of memory WHERE: ...".
Error outOfMemory(std::string_view where);

}  // namespace cutaway
