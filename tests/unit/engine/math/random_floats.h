#pragma once
// Operands of products for tests: floats between -1 and 1.
//
// Thread rule: pure. Example: const std::vector<float> weights = numbers(out * in, 2);

#include <cstdint>
#include <random>
#include <vector>

namespace cutaway::math {

inline std::vector<float> numbers(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& each : values)
    each = number(random);
  return values;
}

}  // namespace cutaway::math
