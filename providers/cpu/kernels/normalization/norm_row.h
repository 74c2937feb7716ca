#pragma once
// One run of numbers brought to mean 0 and variance 1 (or mean square 1), scaled and shifted: Highway for floats, plain
// loops for every type.
//
// Thread rule: pure functions; y may be x, sum may be a or b. scale, shift and bias may be nullptr (1, 0, 0).
// Example: const RowStatistics found = normalizeRow(x, {.scale = gamma, .shift = beta, .epsilon = 1e-5f, .centered =
// true}, y, 768);

#include <cmath>
#include <cstdint>

namespace cutaway::cpu {

template <typename T>
struct RowRule {
  const T* scale = nullptr;
  const T* shift = nullptr;
  T epsilon = 0;
  bool centered = true;  // false: the mean is taken as 0 (root mean square)
};

template <typename T>
struct RowStatistics {
  T mean = 0;
  T inverse = 0;  // 1 / sqrt(variance + epsilon)
};

// The definition, in double; the others are tested against it.
template <typename T>
RowStatistics<T> normalizeRowReference(const T* x, const RowRule<T>& rule, T* y, int64_t count) {
  double mean = 0, squares = 0;
  for (int64_t i = 0; rule.centered && i < count; ++i)
    mean += static_cast<double>(x[i]);
  if (count > 0) mean /= static_cast<double>(count);
  for (int64_t i = 0; i < count; ++i)
    squares += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
  const double variance = count > 0 ? squares / static_cast<double>(count) : 0.0;
  const double inverse = 1.0 / std::sqrt(variance + static_cast<double>(rule.epsilon));
  for (int64_t i = 0; i < count; ++i) {
    const double value = (static_cast<double>(x[i]) - mean) * inverse *
                         (rule.scale != nullptr ? static_cast<double>(rule.scale[i]) : 1.0);
    y[i] = static_cast<T>(value + (rule.shift != nullptr ? static_cast<double>(rule.shift[i]) : 0.0));
  }
  return {static_cast<T>(mean), static_cast<T>(inverse)};
}

// The variance is taken around the mean in a second pass over the (cached) row, which loses nothing when the mean is
// large.
RowStatistics<float> normalizeRow(const float* x, const RowRule<float>& rule, float* y, int64_t count);
inline RowStatistics<double> normalizeRow(const double* x, const RowRule<double>& rule, double* y, int64_t count) {
  return normalizeRowReference(x, rule, y, count);
}

// sum = a + b + bias.
void addRows(const float* a, const float* b, const float* bias, float* sum, int64_t count);
inline void addRows(const double* a, const double* b, const double* bias, double* sum, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    sum[i] = a[i] + b[i] + (bias != nullptr ? bias[i] : 0.0);
}

// Sum of the values, and sum of the squared distances from `center`: for statistics over several runs.
double rowSum(const float* x, int64_t count);
double rowSquares(const float* x, float center, int64_t count);
// y = (x - center) * factor + summand.
void scaleRow(const float* x, float center, float factor, float summand, float* y, int64_t count);

inline double rowSum(const double* x, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += x[i];
  return sum;
}
inline double rowSquares(const double* x, double center, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += (x[i] - center) * (x[i] - center);
  return sum;
}
inline void scaleRow(const double* x, double center, double factor, double summand, double* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    y[i] = (x[i] - center) * factor + summand;
}

}  // namespace cutaway::cpu
