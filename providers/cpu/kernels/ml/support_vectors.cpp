#include "providers/cpu/kernels/ml/support_vectors.h"

#include <algorithm>
#include <cmath>

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/normalization/moments.h"

namespace cutaway::cpu::ml {

float dotProduct(const float* a, const float* b, int64_t count) {
  return static_cast<float>(sumInLanes<float>(count, [=](int64_t i) { return a[i] * b[i]; }));
}

Result<SupportVectors> SupportVectors::read(const KernelInfo& info, int64_t count) {
  SupportVectors made;
  const std::string kind = info.attribute<std::string>("kernel_type", "LINEAR");
  if (kind == "POLY")
    made.m_kind = Kind::kPoly;
  else if (kind == "RBF")
    made.m_kind = Kind::kRbf;
  else if (kind == "SIGMOID")
    made.m_kind = Kind::kSigmoid;
  else if (kind != "LINEAR")
    return fail(ErrorCode::kInvalidArgument, "kernel_type is '{}' and must be LINEAR, POLY, RBF or SIGMOID", kind);
  const std::vector<float> parameters = floatList(info, "kernel_params");
  if (!parameters.empty() && parameters.size() != 3)
    return fail(ErrorCode::kInvalidArgument, "kernel_params has {} entries and must have gamma, coef0 and degree",
                parameters.size());
  if (parameters.empty() && count > 0 && made.m_kind != Kind::kLinear)
    return fail(ErrorCode::kInvalidArgument, "kernel_type {} needs kernel_params", kind);
  if (!parameters.empty()) {
    made.m_gamma = parameters[0];
    made.m_coef0 = parameters[1];
    made.m_degree = parameters[2];
  }
  if (count == 0) return made;
  made.m_vectors = floatList(info, "support_vectors");
  const auto size = static_cast<int64_t>(made.m_vectors.size());
  if (count < 0 || size == 0 || size % count != 0)
    return fail(ErrorCode::kInvalidArgument, "support_vectors has {} numbers for {} vectors", size, count);
  made.m_count = count;
  made.m_features = size / count;
  made.m_columns.resize(made.m_vectors.size());
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t f = 0; f < made.m_features; ++f)
      made.m_columns[static_cast<size_t>(f * count + i)] = made.m_vectors[static_cast<size_t>(i * made.m_features + f)];
  }
  return made;
}

// Differences first: |x|^2 + |v|^2 - 2 x.v would lose what close vectors have between them. Feature by feature, so that
// the loop runs along the vectors.
void SupportVectors::distances(const float* x, float* values) const {
  std::fill_n(values, m_count, 0.0f);
  for (int64_t f = 0; f < m_features; ++f) {
    const float* column = m_columns.data() + f * m_count;
    const float own = x[f];
    for (int64_t i = 0; i < m_count; ++i)
      values[i] += (own - column[i]) * (own - column[i]);
  }
  for (int64_t i = 0; i < m_count; ++i)
    values[i] *= -m_gamma;
}

void SupportVectors::transform(float* values, int64_t count) const {
  if (m_kind == Kind::kLinear) return;
  if (m_kind == Kind::kRbf) return cpu::floatLoop(cpu::PointwiseOp::kExp)(values, values, count, {});
  for (int64_t i = 0; i < count; ++i)
    values[i] = m_gamma * values[i] + m_coef0;
  if (m_kind == Kind::kSigmoid) return cpu::floatLoop(cpu::PointwiseOp::kTanh)(values, values, count, {});
  if (m_degree == 2.0f) {
    for (int64_t i = 0; i < count; ++i)
      values[i] *= values[i];
  } else if (m_degree == 3.0f) {
    for (int64_t i = 0; i < count; ++i)
      values[i] *= values[i] * values[i];
  } else {
    for (int64_t i = 0; i < count; ++i)
      values[i] = std::pow(values[i], m_degree);
  }
}

Result<void> SupportVectors::evaluate(const float* x, int64_t rows, float* values) const {
  if (m_kind != Kind::kRbf)
    CUTAWAY_CHECK(math::multiply({.rows = rows, .columns = m_count, .depth = m_features}, x, m_columns.data(), values));
  parallelFor(rows, std::max<int64_t>(1, 32768 / std::max<int64_t>(1, m_count * m_features)),
              [&](int64_t begin, int64_t end) {
                if (m_kind == Kind::kRbf) {
                  for (int64_t row = begin; row < end; ++row)
                    distances(x + row * m_features, values + row * m_count);
                }
                transform(values + begin * m_count, (end - begin) * m_count);
              });
  return {};
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

}  // namespace cutaway::cpu::ml
