#pragma once
// Softmax and log-softmax of one run of numbers: plain loop for any step, vectors for adjacent floats and for adjacent
// runs.
//
// Thread rule: pure functions; `to` may be `from`.
// Example: softmaxRow(logits, probabilities, 1000, SoftmaxKind::kSoftmax);

#include <cmath>
#include <cstdint>

namespace cutaway::cpu {

enum class SoftmaxKind { kSoftmax, kLogSoftmax, kHardmax };

template <typename T>
void softmaxReference(const T* from, T* to, int64_t length, int64_t step, SoftmaxKind kind) {
  T largest = from[0];
  for (int64_t i = 1; i < length; ++i)
    largest = from[i * step] > largest ? from[i * step] : largest;
  double sum = 0;
  for (int64_t i = 0; i < length; ++i)
    sum += std::exp(from[i * step] - largest);
  if (kind == SoftmaxKind::kLogSoftmax) {
    const T logSum = static_cast<T>(std::log(sum));
    for (int64_t i = 0; i < length; ++i)
      to[i * step] = from[i * step] - largest - logSum;
    return;
  }
  const T inverse = static_cast<T>(1.0 / sum);
  for (int64_t i = 0; i < length; ++i)
    to[i * step] = std::exp(from[i * step] - largest) * inverse;
}

void softmaxRow(const float* from, float* to, int64_t length, SoftmaxKind kind);
// Softmax of `rows` rows that follow each other, many at once, so short that one of them fills no vector.
constexpr bool isShortSoftmax(int64_t length) {
  return length >= 2 && length <= 4;
}
void softmaxShortRows(const float* from, float* to, int64_t length, int64_t rows);

// `count` runs that begin one behind the other; the elements of each lie `step` apart. A run's result does not depend
// on its place among them.
void softmaxColumns(const float* from, float* to, int64_t length, int64_t step, int64_t count, SoftmaxKind kind);

}  // namespace cutaway::cpu
