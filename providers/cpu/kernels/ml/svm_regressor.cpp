// SVMRegressor: the coefficients' sum over kernel values plus rho, one number a row; with one_class its sign, 1 above
// zero and -1 otherwise.
//
// Without support vectors the coefficients weigh the features themselves. post_transform has no effect on a single
// number, as in onnxruntime.

#include <algorithm>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/ml/post_transform.h"
#include "providers/cpu/kernels/ml/support_vectors.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

class SvmRegressor final : public Kernel {
 public:
  SvmRegressor(ml::SupportVectors vectors, std::vector<float> coefficients, float rho, bool oneClass)
      : m_vectors(std::move(vectors)), m_coefficients(std::move(coefficients)), m_rho(rho), m_oneClass(oneClass) {}
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const ml::FeatureRows shape, ml::featureRows(*input));
    const int64_t features =
        m_vectors.count() == 0 ? static_cast<int64_t>(m_coefficients.size()) : m_vectors.features();
    if (shape.columns != features)
      return fail(ErrorCode::kInvalidArgument, "the input has {} features, the model {}", shape.columns, features);
    CUTAWAY_TRY(const float* x, ml::floatsOf(context, *input));
    CUTAWAY_TRY(Tensor * output, context.output(0, Dims{shape.rows, 1}));
    float* y = output->span<float>().data();
    const int64_t block = std::min(shape.rows, ml::kRowBlock);
    CUTAWAY_TRY(const int64_t floats, checkedMultiply(block, m_vectors.count()));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(floats) * sizeof(float)));
    auto* kernelValues = reinterpret_cast<float*>(memory.data());
    for (int64_t first = 0; first < shape.rows; first += block) {
      const int64_t count = std::min(block, shape.rows - first);
      if (m_vectors.count() > 0) CUTAWAY_CHECK(m_vectors.evaluate(x + first * shape.columns, count, kernelValues));
      for (int64_t i = 0; i < count; ++i)
        y[first + i] = regress(x + (first + i) * shape.columns, shape.columns, kernelValues + i * m_vectors.count());
    }
    return {};
  }

 private:
  float regress(const float* x, int64_t features, const float* kernelValues) const {
    float value = m_rho;
    if (m_vectors.count() == 0) {
      value += ml::dotProduct(x, m_coefficients.data(), features);
    } else {
      value += ml::dotProduct(kernelValues, m_coefficients.data(), m_vectors.count());
    }
    return !m_oneClass ? value : value > 0.0f ? 1.0f : -1.0f;
  }

  ml::SupportVectors m_vectors;
  std::vector<float> m_coefficients;
  float m_rho;
  bool m_oneClass;
};

Result<std::unique_ptr<Kernel>> createSvmRegressor(const KernelInfo& info) {
  CUTAWAY_CHECK(ml::postTransformOf(info));
  const int64_t count = info.attribute<int64_t>("n_supports", 0);
  if (count < 0) return fail(ErrorCode::kInvalidArgument, "n_supports is {}", count);
  CUTAWAY_TRY(ml::SupportVectors vectors, ml::SupportVectors::read(info, count));
  std::vector<float> coefficients = ml::floatList(info, "coefficients");
  const std::vector<float> rho = ml::floatList(info, "rho");
  if (rho.empty()) return fail(ErrorCode::kInvalidArgument, "rho is empty");
  if (coefficients.empty() || (count > 0 && static_cast<int64_t>(coefficients.size()) != count))
    return fail(ErrorCode::kInvalidArgument, "{} coefficients for {} support vectors", coefficients.size(), count);
  return std::make_unique<SvmRegressor>(std::move(vectors), std::move(coefficients), rho[0],
                                        info.attribute<int64_t>("one_class", 0) != 0);
}

constexpr KernelRow kRows[] = {
    {.opType = "SVMRegressor",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .fastPath = "onednn",
     .create = createSvmRegressor},
};

}  // namespace

KernelRows kernel_svm_regressor() {
  return kRows;
}

}  // namespace cutaway::cpu
