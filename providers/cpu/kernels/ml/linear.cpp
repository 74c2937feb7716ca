// LinearClassifier and LinearRegressor: scores = features x coefficients + intercepts, one row of coefficients a score.
//
// A classifier with a single score is binary: the score belongs to the second label, which it gets when above zero.
// Several scores: the highest, the first of equals. A univariate regressor knows only the post transform PROBIT, as in
// onnxruntime.

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/ml/post_transform.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

using ml::PostTransform;

// Below this many products a call of the library costs more than the loop here.
constexpr int64_t kSmallProduct = 4096;
constexpr int64_t kElementsPerThread = 16384;

struct LinearModel {
  std::vector<float> coefficients;  // [scores, features]
  std::vector<float> intercepts;    // empty: zeros
  PostTransform post = PostTransform::kNone;
};

// scores: [rows, count]. The definition, and what small models run.
void scoreReference(const LinearModel& model, const float* x, ml::FeatureRows shape, int64_t count, float* scores) {
  for (int64_t row = 0; row < shape.rows; ++row) {
    for (int64_t score = 0; score < count; ++score) {
      const float* weights = model.coefficients.data() + score * shape.columns;
      float sum = 0;
      for (int64_t i = 0; i < shape.columns; ++i)
        sum += x[row * shape.columns + i] * weights[i];
      scores[row * count + score] =
          sum + (model.intercepts.empty() ? 0.0f : model.intercepts[static_cast<size_t>(score)]);
    }
  }
}

Result<void> scoreRows(const LinearModel& model, const float* x, ml::FeatureRows shape, int64_t count, float* scores) {
  if (shape.rows == 0) return {};
  if (shape.columns == 0 || shape.rows * count * shape.columns <= kSmallProduct) {
    scoreReference(model, x, shape, count, scores);
    return {};
  }
  for (int64_t row = 0; row < shape.rows && !model.intercepts.empty(); ++row)
    std::ranges::copy(model.intercepts, scores + row * count);
  const math::MultiplyShape product{.rows = shape.rows,
                                    .columns = count,
                                    .depth = shape.columns,
                                    .transposeB = true,
                                    .beta = model.intercepts.empty() ? 0.0f : 1.0f};
  return math::multiply(product, x, model.coefficients.data(), scores);
}

Result<LinearModel> readModel(const KernelInfo& info) {
  LinearModel model{ml::floatList(info, "coefficients"), ml::floatList(info, "intercepts"), PostTransform::kNone};
  CUTAWAY_TRY(model.post, ml::postTransformOf(info));
  if (model.coefficients.empty())
    return fail(ErrorCode::kInvalidArgument, "{} has no coefficients", info.node().opType);
  return model;
}

// The model must have `count` rows of as many coefficients as the input has features. More than that are left alone, as
// onnxruntime does: published models count on it.
Result<void> checkFeatures(const LinearModel& model, int64_t count, int64_t features) {
  CUTAWAY_TRY(const int64_t needed, checkedMultiply(count, features));
  if (needed <= static_cast<int64_t>(model.coefficients.size())) return {};
  return fail(ErrorCode::kInvalidArgument, "{} coefficients for {} scores of {} features", model.coefficients.size(),
              count, features);
}

class LinearRegressor final : public Kernel {
 public:
  LinearRegressor(LinearModel model, int64_t targets) : m_model(std::move(model)), m_targets(targets) {}
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const ml::FeatureRows shape, ml::featureRows(*input));
    CUTAWAY_CHECK(checkFeatures(m_model, m_targets, shape.columns));
    CUTAWAY_TRY(const float* x, ml::floatsOf(context, *input));
    CUTAWAY_TRY(Tensor * output, context.output(0, {shape.rows, m_targets}));
    const std::span<float> scores = output->span<float>();
    CUTAWAY_CHECK(scoreRows(m_model, x, shape, m_targets, scores.data()));
    if (m_targets > 1 || m_model.post == PostTransform::kProbit)
      ml::applyPostTransform(m_model.post, scores, shape.rows, m_targets);
    return {};
  }

 private:
  LinearModel m_model;
  int64_t m_targets;
};

class LinearClassifier final : public Kernel {
 public:
  LinearClassifier(LinearModel model, ml::ClassLabels labels, int64_t scores)
      : m_model(std::move(model)), m_labels(std::move(labels)), m_scores(scores) {}
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const ml::FeatureRows shape, ml::featureRows(*input));
    CUTAWAY_CHECK(checkFeatures(m_model, m_scores, shape.columns));
    CUTAWAY_TRY(const float* x, ml::floatsOf(context, *input));
    const bool binary = m_scores == 1 && m_labels.size() == 2;
    const int64_t written = binary ? 2 : m_scores;
    CUTAWAY_TRY(const std::span<float> scores, scoreMemory(context, shape.rows, written));
    // The single scores of a binary classifier lie in the second half, where pairs written from the front never pass
    // them.
    float* raw = scores.data() + (binary ? shape.rows : 0);
    CUTAWAY_CHECK(scoreRows(m_model, x, shape, m_scores, raw));
    if (context.hasOutput(0)) {
      CUTAWAY_TRY(Tensor * labels, context.output(0, m_labels.type(), Dims{shape.rows}));
      writeLabels(raw, shape.rows, labels->mutableData());
    }
    if (binary) {
      for (int64_t row = 0; row < shape.rows; ++row)
        ml::writeBinaryScores(m_model.post, ml::SecondClass::kComplement, raw[row], scores.data() + 2 * row);
    } else {
      ml::applyPostTransform(m_model.post, scores, shape.rows, written);
    }
    return {};
  }

 private:
  static Result<std::span<float>> scoreMemory(KernelContext& context, int64_t rows, int64_t columns) {
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * output, context.output(1, {rows, columns}));
      return output->span<float>();
    }
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(rows * columns) * sizeof(float)));
    return std::span<float>(reinterpret_cast<float*>(memory.data()), static_cast<size_t>(rows * columns));
  }

  void writeLabels(const float* scores, int64_t rows, void* labels) const {
    parallelFor(rows, std::max<int64_t>(1, kElementsPerThread / m_scores), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const float* own = scores + row * m_scores;
        const bool binary = m_scores == 1 && m_labels.size() == 2;
        m_labels.write(
            binary ? (own[0] > 0.0f ? 1 : 0) : static_cast<size_t>(std::max_element(own, own + m_scores) - own), labels,
            row);
      }
    });
  }

  LinearModel m_model;
  ml::ClassLabels m_labels;
  int64_t m_scores;
};

Result<std::unique_ptr<Kernel>> createLinearRegressor(const KernelInfo& info) {
  CUTAWAY_TRY(LinearModel model, readModel(info));
  const int64_t targets = info.attribute<int64_t>("targets", 1);
  if (targets < 1 || static_cast<size_t>(targets) > model.coefficients.size())
    return fail(ErrorCode::kInvalidArgument, "targets is {} with {} coefficients", targets, model.coefficients.size());
  if (!model.intercepts.empty() && model.intercepts.size() != static_cast<size_t>(targets))
    return fail(ErrorCode::kInvalidArgument, "{} intercepts for {} targets", model.intercepts.size(), targets);
  return std::make_unique<LinearRegressor>(std::move(model), targets);
}

Result<std::unique_ptr<Kernel>> createLinearClassifier(const KernelInfo& info) {
  CUTAWAY_TRY(LinearModel model, readModel(info));
  CUTAWAY_TRY(ml::ClassLabels labels, ml::ClassLabels::read(info, "classlabels_ints", "classlabels_strings"));
  // The intercepts say how many scores there are; without them there is one a label.
  const size_t scores = model.intercepts.empty() ? labels.size() : model.intercepts.size();
  if (scores > labels.size())
    return fail(ErrorCode::kInvalidArgument, "{} intercepts for {} class labels", scores, labels.size());
  return std::make_unique<LinearClassifier>(std::move(model), std::move(labels), static_cast<int64_t>(scores));
}

constexpr KernelRow kRows[] = {
    {.opType = "LinearRegressor",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .fastPath = "onednn",
     .create = createLinearRegressor},
    {.opType = "LinearClassifier",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .fastPath = "onednn",
     .create = createLinearClassifier},
};

}  // namespace

KernelRows kernel_linear() {
  return kRows;
}

}  // namespace cutaway::cpu
