#pragma once
// Sums, means and variances of runs of numbers in a fixed order, whatever the number of threads; and operands of
// another float type.
//
// Thread rule: pure functions.
// Example: const Moments<float> moments = momentsOf(row, count);

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

inline constexpr int64_t kSumLanes = 16;

// Sums term(i) for i below count in kSumLanes interleaved parts, so that the loop vectorises and rounding does not grow
// with the length as in one chain.
template <typename T, typename Term>
double sumInLanes(int64_t count, Term&& term) {
  std::array<T, kSumLanes> lanes{};
  const int64_t whole = count / kSumLanes * kSumLanes;
  for (int64_t at = 0; at < whole; at += kSumLanes) {
    for (int64_t lane = 0; lane < kSumLanes; ++lane)
      lanes[lane] += term(at + lane);
  }
  for (int64_t at = whole; at < count; ++at)
    lanes[at - whole] += term(at);
  double total = 0;
  for (const T lane : lanes)
    total += lane;
  return total;
}

template <typename T>
struct Moments {
  T mean = 0;
  T variance = 0;  // of the population: divided by the count
};

// Two passes: the variance is taken around the mean, which loses nothing when the mean is large.
template <typename T>
Moments<T> momentsOf(const T* values, int64_t count) {
  Moments<T> moments;
  if (count <= 0) return moments;
  const T mean =
      static_cast<T>(sumInLanes<T>(count, [&](int64_t i) { return values[i]; }) / static_cast<double>(count));
  moments.mean = mean;
  moments.variance =
      static_cast<T>(sumInLanes<T>(count, [&](int64_t i) { return (values[i] - mean) * (values[i] - mean); }) /
                     static_cast<double>(count));
  return moments;
}

// The values of a tensor as T: its own memory when it holds T, otherwise `storage`. nullptr for types that are not
// floats.
template <typename T>
const T* valuesAs(const Tensor& tensor, std::vector<T>& storage) {
  if (tensor.type() == ElementTypeOf<T>::value) return tensor.span<T>().data();
  storage.resize(static_cast<size_t>(tensor.elementCount()));
  switch (tensor.type()) {
    case ElementType::kFloat:
      std::ranges::transform(tensor.span<float>(), storage.begin(), [](float value) { return static_cast<T>(value); });
      break;
    case ElementType::kDouble:
      std::ranges::transform(tensor.span<double>(), storage.begin(),
                             [](double value) { return static_cast<T>(value); });
      break;
    case ElementType::kFloat16:
      std::ranges::transform(tensor.span<Float16>(), storage.begin(),
                             [](Float16 value) { return static_cast<T>(value.toFloat()); });
      break;
    case ElementType::kBfloat16:
      std::ranges::transform(tensor.span<Bfloat16>(), storage.begin(),
                             [](Bfloat16 value) { return static_cast<T>(value.toFloat()); });
      break;
    default:
      return nullptr;
  }
  return storage.data();
}

}  // namespace cutaway::cpu
