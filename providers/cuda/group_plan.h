#pragma once
// Where the values inside a group lie: offsets in one block of device memory, shared by values that are not alive at
// once; views lie where their input lies.
//
// Largest first, each at the lowest offset that is free during its life (first fit by size). Values of unknown size
// have no place. Thread rule: pure. Quadratic in the values of a group at worst. Example: const GroupPlan plan =
// planGroup(lives);

#include <cstdint>
#include <vector>

namespace cutaway::cuda {

struct ValueLife {
  int64_t sizeBytes = -1;  // -1: unknown
  int32_t first = -1;      // step that makes it; -1: it is not made inside
  int32_t last = -1;       // the last step that reads it, or a view of it
};

struct GroupPlan {
  std::vector<int64_t> offsets;  // by value; -1: none
  int64_t sizeBytes = 0;
};

GroupPlan planGroup(const std::vector<ValueLife>& lives);

}  // namespace cutaway::cuda
