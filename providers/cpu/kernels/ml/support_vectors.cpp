#include "providers/cpu/kernels/ml/support_vectors.h"

#include <cmath>

#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/normalization/moments.h"

namespace cutaway::ml {

float dotProduct(const float* a, const float* b, int64_t count) {
  return static_cast<float>(sumInLanes<float>(count, [=](int64_t i) { return a[i] * b[i]; }));
}

namespace {

// Differences first: |x|^2 + |v|^2 - 2 x.v would lose what close vectors have between them.
float squaredDistance(const float* a, const float* b, int64_t count) {
  return static_cast<float>(sumInLanes<float>(count, [=](int64_t i) { return (a[i] - b[i]) * (a[i] - b[i]); }));
}

}  // namespace

Result<SupportVectors> SupportVectors::read(const KernelInfo& info, int64_t count) {
  SupportVectors made;
  const std::string kind = info.attribute<std::string>("kernel_type", "LINEAR");
  if (kind == "POLY") made.m_kind = Kind::kPoly;
  else if (kind == "RBF") made.m_kind = Kind::kRbf;
  else if (kind == "SIGMOID") made.m_kind = Kind::kSigmoid;
  else if (kind != "LINEAR") return fail(ErrorCode::kInvalidArgument, "kernel_type is '{}' and must be LINEAR, POLY, RBF or SIGMOID", kind);
  const std::vector<float> parameters = floatList(info, "kernel_params");
  if (!parameters.empty() && parameters.size() != 3) return fail(ErrorCode::kInvalidArgument, "kernel_params has {} entries and must have gamma, coef0 and degree", parameters.size());
  if (parameters.empty() && count > 0 && made.m_kind != Kind::kLinear) return fail(ErrorCode::kInvalidArgument, "kernel_type {} needs kernel_params", kind);
  if (!parameters.empty()) {
    made.m_gamma = parameters[0];
    made.m_coef0 = parameters[1];
    made.m_degree = parameters[2];
  }
  if (count == 0) return made;
  made.m_vectors = floatList(info, "support_vectors");
  const auto size = static_cast<int64_t>(made.m_vectors.size());
  if (count < 0 || size == 0 || size % count != 0) return fail(ErrorCode::kInvalidArgument, "support_vectors has {} numbers for {} vectors", size, count);
  made.m_count = count;
  made.m_features = size / count;
  return made;
}

void SupportVectors::evaluate(const float* x, float* values) const {
  const float* vector = m_vectors.data();
  if (m_kind == Kind::kRbf) {
    for (int64_t i = 0; i < m_count; ++i, vector += m_features) values[i] = -m_gamma * squaredDistance(x, vector, m_features);
    cpu::floatLoop(cpu::PointwiseOp::kExp)(values, values, m_count, {});
    return;
  }
  for (int64_t i = 0; i < m_count; ++i, vector += m_features) values[i] = dotProduct(x, vector, m_features);
  if (m_kind == Kind::kLinear) return;
  for (int64_t i = 0; i < m_count; ++i) values[i] = m_gamma * values[i] + m_coef0;
  if (m_kind == Kind::kSigmoid) cpu::floatLoop(cpu::PointwiseOp::kTanh)(values, values, m_count, {});
  else for (int64_t i = 0; i < m_count; ++i) values[i] = std::pow(values[i], m_degree);
}

void SupportVectors::evaluateReference(const float* x, float* values) const {
  for (int64_t i = 0; i < m_count; ++i) {
    const float* vector = m_vectors.data() + i * m_features;
    double dot = 0, distance = 0;
    for (int64_t f = 0; f < m_features; ++f) {
      const double difference = double{x[f]} - vector[f];
      dot += double{x[f]} * vector[f];
      distance += difference * difference;
    }
    const double shifted = m_gamma * dot + m_coef0;
    double value = dot;
    if (m_kind == Kind::kPoly) value = std::pow(shifted, m_degree);
    if (m_kind == Kind::kSigmoid) value = std::tanh(shifted);
    if (m_kind == Kind::kRbf) value = std::exp(-m_gamma * distance);
    values[i] = static_cast<float>(value);
  }
}

}  // namespace cutaway::ml
