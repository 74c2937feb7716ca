#pragma once
// Runs of a tensor's elements as doubles, whatever type they are stored in.
//
// Thread rule: pure. Example: double numbers[kNumberRun];  readNumbers(tensor, begin, kNumberRun, numbers);

#include <cstdint>

#include "engine/tensor/tensor.h"

namespace cutaway::study {

inline constexpr int64_t kNumberRun = 1024;  // as many as stay in the nearest cache

// Strings, complex numbers and types that nobody knows have none.
bool hasNumbers(ElementType type);
// Row-major elements [begin, begin + count); count at most kNumberRun. Booleans are 0 and 1; zeros where the type has
// no numbers.
void readNumbers(const Tensor& tensor, int64_t begin, int64_t count, double* to);

}  // namespace cutaway::study
