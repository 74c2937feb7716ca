// Scaler and Normalizer: features shifted and scaled by column, and rows divided by their norm. Both write floats
// whatever they read.

#include <algorithm>
#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kElementsPerThread = 16384;

int64_t rowGrain(int64_t columns) {
  return std::max<int64_t>(1, kElementsPerThread / std::max<int64_t>(1, columns));
}

// Floats in float, everything else in double: what is lost is lost in the last rounding only.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, float>, float, double>;

template <typename T>
class Scaler final : public Kernel {
 public:
  Scaler(const std::vector<float>& offset, const std::vector<float>& scale)
      : m_offset(offset.begin(), offset.end()), m_scale(scale.begin(), scale.end()) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    if (input->rank() == 0) return fail(ErrorCode::kInvalidArgument, "Scaler takes [C] or [N, C], not a scalar");
    const int64_t columns = input->dims()[input->rank() - 1];
    CUTAWAY_CHECK(checkLength("offset", m_offset.size(), columns));
    CUTAWAY_CHECK(checkLength("scale", m_scale.size(), columns));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kFloat, input->dims()));
    const T* from = input->span<T>().data();
    float* to = output->span<float>().data();
    if (m_offset.size() == 1 && m_scale.size() == 1) {
      const Wide<T> offset = m_offset[0], scale = m_scale[0];
      parallelFor(input->elementCount(), kElementsPerThread, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          to[i] = static_cast<float>((static_cast<Wide<T>>(from[i]) - offset) * scale);
      });
      return {};
    }
    const size_t offsetStep = m_offset.size() > 1 ? 1 : 0, scaleStep = m_scale.size() > 1 ? 1 : 0;
    const int64_t rows = columns == 0 ? 0 : input->elementCount() / columns;
    parallelFor(rows, rowGrain(columns), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        scaleRow(from + row * columns, to + row * columns, columns, offsetStep, scaleStep);
    });
    return {};
  }

 private:
  static Result<void> checkLength(std::string_view name, size_t length, int64_t columns) {
    if (length == 1 || static_cast<int64_t>(length) == columns) return {};
    return fail(ErrorCode::kInvalidArgument, "{} has {} entries; the input has {} features", name, length, columns);
  }

  void scaleRow(const T* from, float* to, int64_t columns, size_t offsetStep, size_t scaleStep) const {
    const Wide<T>* offset = m_offset.data();
    const Wide<T>* scale = m_scale.data();
    if (offsetStep == 1 && scaleStep == 1) {
      for (int64_t i = 0; i < columns; ++i)
        to[i] = static_cast<float>((static_cast<Wide<T>>(from[i]) - offset[i]) * scale[i]);
    } else {
      for (int64_t i = 0; i < columns; ++i)
        to[i] = static_cast<float>((static_cast<Wide<T>>(from[i]) - offset[static_cast<size_t>(i) * offsetStep]) *
                                   scale[static_cast<size_t>(i) * scaleStep]);
    }
  }

  std::vector<Wide<T>> m_offset;
  std::vector<Wide<T>> m_scale;
};

enum class Norm : uint8_t { kMax, kL1, kL2 };

template <typename T>
class Normalizer final : public Kernel {
 public:
  explicit Normalizer(Norm norm) : m_norm(norm) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const ml::FeatureRows shape, ml::featureRows(*input));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kFloat, input->dims()));
    const T* from = input->span<T>().data();
    float* to = output->span<float>().data();
    parallelFor(shape.rows, rowGrain(shape.columns), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        normalize(from + row * shape.columns, to + row * shape.columns, shape.columns);
    });
    return {};
  }

 private:
  Wide<T> divisorOf(const T* row, int64_t columns) const {
    const auto at = [&](int64_t i) { return static_cast<Wide<T>>(row[i]); };
    if (m_norm == Norm::kL1)
      return static_cast<Wide<T>>(sumInLanes<Wide<T>>(columns, [&](int64_t i) { return std::abs(at(i)); }));
    if (m_norm == Norm::kL2)
      return static_cast<Wide<T>>(std::sqrt(sumInLanes<Wide<T>>(columns, [&](int64_t i) { return at(i) * at(i); })));
    // The largest value, not the largest size: a row of negative numbers becomes positive. NaN never wins.
    Wide<T> largest = -std::numeric_limits<Wide<T>>::infinity();
    for (int64_t i = 0; i < columns; ++i)
      largest = std::max(largest, at(i));
    return largest;
  }

  void normalize(const T* from, float* to, int64_t columns) const {
    if (columns == 0) return;
    Wide<T> divisor = divisorOf(from, columns);
    if (divisor == Wide<T>(0)) divisor = Wide<T>(1);  // the row stays as it is
    for (int64_t i = 0; i < columns; ++i)
      to[i] = static_cast<float>(static_cast<Wide<T>>(from[i]) / divisor);
  }

  Norm m_norm;
};

Result<std::unique_ptr<Kernel>> createScaler(const KernelInfo& info) {
  std::vector<float> offset = ml::floatList(info, "offset"), scale = ml::floatList(info, "scale");
  if (offset.empty() && scale.empty()) return fail(ErrorCode::kInvalidArgument, "Scaler has neither offset nor scale");
  if (offset.empty()) offset = {0.0f};
  if (scale.empty()) scale = {1.0f};
  if (offset.size() != scale.size() && offset.size() != 1 && scale.size() != 1)
    return fail(ErrorCode::kInvalidArgument, "offset has {} entries, scale {}", offset.size(), scale.size());
  std::unique_ptr<Kernel> kernel;
  cpu::dispatchType(ml::FeatureTypes{}, info.inputElement(0),
                    [&]<typename T>(cpu::TypeTag<T>) { kernel = std::make_unique<Scaler<T>>(offset, scale); });
  if (kernel == nullptr) return fail(ErrorCode::kNotImplemented, "Scaler of {}", elementTypeName(info.inputElement(0)));
  return kernel;
}

Result<std::unique_ptr<Kernel>> createNormalizer(const KernelInfo& info) {
  const std::string name = info.attribute<std::string>("norm", "MAX");
  if (name != "MAX" && name != "L1" && name != "L2")
    return fail(ErrorCode::kInvalidArgument, "norm is '{}' and must be MAX, L1 or L2", name);
  const Norm norm = name == "MAX" ? Norm::kMax : name == "L1" ? Norm::kL1 : Norm::kL2;
  std::unique_ptr<Kernel> kernel;
  cpu::dispatchType(ml::FeatureTypes{}, info.inputElement(0),
                    [&]<typename T>(cpu::TypeTag<T>) { kernel = std::make_unique<Normalizer<T>>(norm); });
  if (kernel == nullptr)
    return fail(ErrorCode::kNotImplemented, "Normalizer of {}", elementTypeName(info.inputElement(0)));
  return kernel;
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};
constexpr KernelRow kRows[] = {
    {.opType = "Scaler",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createScaler},
    {.opType = "Normalizer",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createNormalizer},
};

}  // namespace

KernelRows kernel_feature_scaling() {
  return kRows;
}

}  // namespace cutaway::cpu
