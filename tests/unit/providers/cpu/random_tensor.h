#pragma once
// Tensors of seeded random numbers, for tests that compare two ways of computing the same thing.
//
// Thread rule: pure. Example: const Tensor x = randomTensor({1, 3, 8, 8}, 7);

#include <random>
#include <vector>

#include "engine/tensor/tensor.h"
#include "tests/unit/providers/cpu/case_runner.h"

namespace cutaway {

// Uniform in [-1, 1).
inline Tensor randomTensor(const std::vector<int64_t>& dims, uint32_t seed) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::mt19937 generator(seed);
  for (float& value : tensor.span<float>())
    value = static_cast<float>(generator()) / 2147483648.0f - 1.0f;
  return tensor;
}

// The same numbers in another float type.
inline Tensor asDouble(const Tensor& tensor) {
  Tensor result = *Tensor::create(ElementType::kDouble, tensor.dims());
  std::ranges::copy(tensor.span<float>(), result.span<double>().begin());
  return result;
}

inline Tensor asHalf(const Tensor& tensor) {
  Tensor result = *Tensor::create(ElementType::kFloat16, tensor.dims());
  floatToHalf(tensor.span<float>().data(), result.span<Float16>().data(), tensor.elementCount());
  return result;
}

inline Tensor asFloat(const Tensor& tensor) {
  Tensor result = *Tensor::create(ElementType::kFloat, tensor.dims());
  if (tensor.type() == ElementType::kDouble)
    std::ranges::transform(tensor.span<double>(), result.span<float>().begin(),
                           [](double value) { return static_cast<float>(value); });
  if (tensor.type() == ElementType::kFloat16)
    halfToFloat(tensor.span<Float16>().data(), result.span<float>().data(), tensor.elementCount());
  return result;
}

// Empty when `got` is `wanted` within the tolerance, else what differs first.
inline std::string difference(const Tensor& got, const Tensor& wanted, double relative, double absolute) {
  return testing::difference(wanted, got, relative, absolute);
}

}  // namespace cutaway
