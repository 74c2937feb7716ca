#pragma once
// The largest number in any range of a list, in constant time after n log n preparation (a sparse table: Bender and
// Farach-Colton, "The LCA problem revisited", 2000).
//
// Thread rule: immutable once built; the list must outlive it. Example: RangeMaximum largest(liveBytes);  largest.at(3,
// 9);

#include <cstdint>
#include <vector>

namespace cutaway::pattern {

class RangeMaximum {
 public:
  explicit RangeMaximum(const std::vector<int64_t>& numbers);
  // Where the largest of first..last is (both included, first <= last), the first of equal ones.
  int32_t at(int32_t first, int32_t last) const;

 private:
  int32_t larger(int32_t a, int32_t b) const;
  const std::vector<int64_t>& m_numbers;
  std::vector<std::vector<int32_t>> m_levels;  // [k][i]: of the 2^k numbers from i on
};

}  // namespace cutaway::pattern
