#include "providers/cpu/kernels/ml/class_probabilities.h"

#include <algorithm>
#include <cmath>

#include "providers/cpu/kernels/ml/post_transform.h"

namespace cutaway::cpu::ml {

float pairProbability(float decision, float a, float b) {
  constexpr float kSmallest = 1e-7f;
  return std::clamp(1.0f - logistic(decision * a + b), kSmallest, 1.0f - kSmallest);
}

// Minimises p Q p over probabilities p: for each class in turn the step that is best for it, then all are scaled to sum
// to one.
void coupleProbabilities(int64_t classes, const float* pairwise, float* workspace, float* probabilities) {
  float* q = workspace;
  float* qp = workspace + classes * classes;
  for (int64_t t = 0; t < classes; ++t) {
    probabilities[t] = 1.0f / static_cast<float>(classes);
    q[t * classes + t] = 0;
    for (int64_t j = 0; j < classes; ++j) {
      if (j == t) continue;
      q[t * classes + t] += pairwise[j * classes + t] * pairwise[j * classes + t];
      q[t * classes + j] = j < t ? q[j * classes + t] : -pairwise[j * classes + t] * pairwise[t * classes + j];
    }
  }
  const float tolerance = 0.005f / static_cast<float>(classes);
  const int64_t rounds = std::max<int64_t>(100, classes);
  for (int64_t round = 0; round < rounds; ++round) {
    // Recomputed each round for accuracy.
    float pqp = 0;
    for (int64_t t = 0; t < classes; ++t) {
      qp[t] = 0;
      for (int64_t j = 0; j < classes; ++j)
        qp[t] += q[t * classes + j] * probabilities[j];
      pqp += probabilities[t] * qp[t];
    }
    float worst = 0;
    for (int64_t t = 0; t < classes; ++t)
      worst = std::max(worst, std::abs(qp[t] - pqp));
    if (worst < tolerance) return;
    for (int64_t t = 0; t < classes; ++t) {
      const float step = (-qp[t] + pqp) / q[t * classes + t];
      probabilities[t] += step;
      pqp = (pqp + step * (step * q[t * classes + t] + 2 * qp[t])) / (1 + step) / (1 + step);
      for (int64_t j = 0; j < classes; ++j) {
        qp[j] = (qp[j] + step * q[t * classes + j]) / (1 + step);
        probabilities[j] /= (1 + step);
      }
    }
  }
}

}  // namespace cutaway::cpu::ml
