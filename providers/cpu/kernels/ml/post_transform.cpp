// The five post transforms of ai.onnx.ml.

#include "providers/cpu/kernels/ml/post_transform.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace cutaway::cpu::ml {

Result<PostTransform> parsePostTransform(std::string_view name) {
  if (name == "NONE") return PostTransform::kNone;
  if (name == "SOFTMAX") return PostTransform::kSoftmax;
  if (name == "LOGISTIC") return PostTransform::kLogistic;
  if (name == "SOFTMAX_ZERO") return PostTransform::kSoftmaxZero;
  if (name == "PROBIT") return PostTransform::kProbit;
  return fail(ErrorCode::kInvalidArgument,
              "post_transform is '{}' and must be NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT", name);
}

Result<PostTransform> postTransformOf(const KernelInfo& info) {
  return parsePostTransform(info.attribute<std::string>("post_transform", "NONE"));
}

template <typename T>
T logistic(T x) {
  const T upper = T(1) / (T(1) + std::exp(-std::abs(x)));
  return x < T(0) ? T(1) - upper : upper;
}

template <typename T>
T probit(T p) {
  constexpr T kSkew = T(0.147);
  constexpr T kPi = T(3.14159);
  const T x = T(2) * p - T(1);
  const T logarithm = std::log((T(1) - x) * (T(1) + x));
  const T half = T(2) / (kPi * kSkew) + T(0.5) * logarithm;
  const T root = std::sqrt(-half + std::sqrt(half * half - logarithm / kSkew));
  return T(1.41421356) * (x < T(0) ? -root : root);
}

namespace {

constexpr double kZeroScore = 1e-7;

template <typename T>
bool isZeroScore(T score) {
  return score <= T(kZeroScore) && score >= -T(kZeroScore);
}

template <typename T>
void softmaxRow(std::span<T> row) {
  const T highest = *std::max_element(row.begin(), row.end());
  T sum = 0;
  for (T& score : row)
    sum += score = std::exp(score - highest);
  for (T& score : row)
    score /= sum;
}

template <typename T>
void softmaxZeroRow(std::span<T> row) {
  const T highest = *std::max_element(row.begin(), row.end());
  const T scale = std::exp(-highest);
  T sum = 0;
  for (T& score : row) {
    if (isZeroScore(score)) {
      score *= scale;
    } else {
      sum += score = std::exp(score - highest);
    }
  }
  // A row of zeros has nothing to share out.
  if (sum == T(0)) return;
  for (T& score : row)
    score /= sum;
}

}  // namespace

template <typename T>
void applyPostTransform(PostTransform transform, std::span<T> row) {
  if (row.empty()) return;
  switch (transform) {
    case PostTransform::kNone:
      return;
    case PostTransform::kSoftmax:
      return softmaxRow(row);
    case PostTransform::kSoftmaxZero:
      return softmaxZeroRow(row);
    case PostTransform::kLogistic:
      for (T& score : row)
        score = logistic(score);
      return;
    case PostTransform::kProbit:
      for (T& score : row)
        score = probit(score);
      return;
  }
}

template <typename T>
void applyPostTransform(PostTransform transform, std::span<T> scores, int64_t rows, int64_t columns) {
  if (transform == PostTransform::kNone) return;
  if (transform != PostTransform::kSoftmax && transform != PostTransform::kSoftmaxZero)
    return applyPostTransform(transform, scores);
  for (int64_t row = 0; row < rows; ++row)
    applyPostTransform(transform, scores.subspan(static_cast<size_t>(row * columns), static_cast<size_t>(columns)));
}

template <typename T>
void writeBinaryScores(PostTransform transform, SecondClass second, T score, T* scores) {
  const T other = second == SecondClass::kOpposite || transform == PostTransform::kLogistic ? -score : T(1) - score;
  scores[0] = other;
  scores[1] = score;
  if (transform == PostTransform::kProbit || transform == PostTransform::kLogistic)
    applyPostTransform(transform, std::span<T>(scores, 2));
}

template float logistic<float>(float);
template double logistic<double>(double);
template float probit<float>(float);
template double probit<double>(double);
template void applyPostTransform<float>(PostTransform, std::span<float>);
template void applyPostTransform<double>(PostTransform, std::span<double>);
template void applyPostTransform<float>(PostTransform, std::span<float>, int64_t, int64_t);
template void applyPostTransform<double>(PostTransform, std::span<double>, int64_t, int64_t);
template void writeBinaryScores<float>(PostTransform, SecondClass, float, float*);
template void writeBinaryScores<double>(PostTransform, SecondClass, double, double*);

}  // namespace cutaway::cpu::ml
