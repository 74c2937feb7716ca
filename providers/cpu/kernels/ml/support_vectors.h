#pragma once
// What SVMClassifier and SVMRegressor share: support vectors and the kernel function between them and a row of
// features.
//
// gamma, coef0 and degree are the three kernel_params. LINEAR x.v, POLY (gamma x.v + coef0)^degree, RBF exp(-gamma |x -
// v|^2), SIGMOID tanh(gamma x.v + coef0). Thread rule: immutable once made; evaluate for several callers at once.
// Example: CUTAWAY_TRY(const SupportVectors vectors, SupportVectors::read(info, count));
// CUTAWAY_CHECK(vectors.evaluate(x, 1, kernelValues));

#include <span>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cpu::ml {

// Rows of a batch that the SVM operators take at a time.
inline constexpr int64_t kRowBlock = 64;

float dotProduct(const float* a, const float* b, int64_t count);

class SupportVectors {
 public:
  // count: how many vectors there are; 0 for a linear model without any. INVALID_ARGUMENT when support_vectors cannot
  // be split evenly, or kernel_type or kernel_params are wrong.
  static Result<SupportVectors> read(const KernelInfo& info, int64_t count);

  int64_t count() const { return m_count; }
  int64_t features() const { return m_features; }
  // values[r, i] = K(row r of x, vector i), [rows, count()]; x is [rows, features()]. Threads are used inside.
  Result<void> evaluate(const float* x, int64_t rows, float* values) const;
  // The same for one row by the plain formula, in double.
  void evaluateReference(const float* x, float* values) const;

 private:
  enum class Kind : uint8_t { kLinear, kPoly, kRbf, kSigmoid };
  Kind m_kind = Kind::kLinear;
  float m_gamma = 0, m_coef0 = 0, m_degree = 0;
  int64_t m_count = 0;
  int64_t m_features = 0;
  void distances(const float* x, float* values) const;
  void transform(float* values, int64_t count) const;

  std::vector<float> m_vectors;  // [count, features]
  std::vector<float> m_columns;  // the same by feature, [features, count]
};

}  // namespace cutaway::cpu::ml
