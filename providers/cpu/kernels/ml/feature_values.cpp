// Binarizer and Imputer: features compared with a threshold, and one value replaced by others. Output and input are of
// one type.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kElementsPerThread = 16384;

// For integers x > t says the same as x > floor(t); a floor out of range is moved to where every or no x passes.
template <typename T>
struct Threshold {
  T value = 0;
  bool allPass = false;
  explicit Threshold(float threshold) {
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(threshold);
    } else {
      const double floor = std::floor(static_cast<double>(threshold));
      allPass = floor < static_cast<double>(std::numeric_limits<T>::min());
      const bool nonePass = !(floor < static_cast<double>(std::numeric_limits<T>::max()));  // NaN too
      value = nonePass  ? std::numeric_limits<T>::max()
              : allPass ? std::numeric_limits<T>::min()
                        : static_cast<T>(floor);
    }
  }
};

template <typename T>
class Binarizer final : public Kernel {
 public:
  explicit Binarizer(float threshold) : m_threshold(threshold) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(Tensor * output, context.output(0, input->dims()));
    const T* from = input->span<T>().data();
    T* to = output->span<T>().data();
    const T threshold = m_threshold.value;
    parallelFor(input->elementCount(), kElementsPerThread, [&](int64_t begin, int64_t end) {
      if (m_threshold.allPass)
        std::fill(to + begin, to + end, T(1));
      else
        for (int64_t i = begin; i < end; ++i)
          to[i] = from[i] > threshold ? T(1) : T(0);
    });
    return {};
  }

 private:
  Threshold<T> m_threshold;
};

template <typename T>
class Imputer final : public Kernel {
 public:
  Imputer(T replaced, std::vector<T> imputed) : m_replaced(replaced), m_imputed(std::move(imputed)) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    if (input->rank() == 0)
      return fail(ErrorCode::kInvalidArgument, "Imputer takes features along the last axis; the input is a scalar");
    const int64_t columns = input->dims()[input->rank() - 1];
    if (m_imputed.size() != 1 && static_cast<int64_t>(m_imputed.size()) != columns) {
      return fail(ErrorCode::kInvalidArgument, "{} imputed values; the input has {} features", m_imputed.size(),
                  columns);
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, input->dims()));
    const T* from = input->span<T>().data();
    T* to = output->span<T>().data();
    const int64_t rows = columns == 0 ? 0 : input->elementCount() / columns;
    parallelFor(rows, std::max<int64_t>(1, kElementsPerThread / std::max<int64_t>(1, columns)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row)
                    impute(from + row * columns, to + row * columns, columns);
                });
    return {};
  }

 private:
  void impute(const T* from, T* to, int64_t columns) const {
    const T* imputed = m_imputed.data();
    const int64_t step = m_imputed.size() == 1 ? 0 : 1;
    if (m_replaced != m_replaced) {  // NaN
      for (int64_t i = 0; i < columns; ++i)
        to[i] = from[i] != from[i] ? imputed[i * step] : from[i];
    } else {
      for (int64_t i = 0; i < columns; ++i)
        to[i] = from[i] == m_replaced ? imputed[i * step] : from[i];
    }
  }

  T m_replaced;
  std::vector<T> m_imputed;
};

template <typename T>
Result<std::unique_ptr<Kernel>> makeImputer(const KernelInfo& info) {
  std::vector<T> imputed;
  T replaced = 0;
  if constexpr (std::is_floating_point_v<T>) {
    const std::vector<float> given = ml::floatList(info, "imputed_value_floats");
    imputed.assign(given.begin(), given.end());
    replaced = static_cast<T>(info.attribute<float>("replaced_value_float", 0.0f));
  } else {
    for (const int64_t value : ml::integerList(info, "imputed_value_int64s")) {
      if (!std::in_range<T>(value))
        return fail(ErrorCode::kInvalidArgument, "the imputed value {} does not fit {}", value,
                    elementTypeName(info.inputElement(0)));
      imputed.push_back(static_cast<T>(value));
    }
    const int64_t value = info.attribute<int64_t>("replaced_value_int64", 0);
    if (!std::in_range<T>(value))
      return fail(ErrorCode::kInvalidArgument, "the replaced value {} does not fit {}", value,
                  elementTypeName(info.inputElement(0)));
    replaced = static_cast<T>(value);
  }
  if (imputed.empty())
    return fail(ErrorCode::kInvalidArgument, "Imputer of {} needs {}", elementTypeName(info.inputElement(0)),
                std::is_floating_point_v<T> ? "imputed_value_floats" : "imputed_value_int64s");
  return std::make_unique<Imputer<T>>(replaced, std::move(imputed));
}

Result<std::unique_ptr<Kernel>> createImputer(const KernelInfo& info) {
  Result<std::unique_ptr<Kernel>> kernel =
      fail(ErrorCode::kNotImplemented, "Imputer of {}", elementTypeName(info.inputElement(0)));
  cpu::dispatchType(ml::FeatureTypes{}, info.inputElement(0),
                    [&]<typename T>(cpu::TypeTag<T>) { kernel = makeImputer<T>(info); });
  return kernel;
}

Result<std::unique_ptr<Kernel>> createBinarizer(const KernelInfo& info) {
  std::unique_ptr<Kernel> kernel;
  const float threshold = info.attribute<float>("threshold", 0.0f);
  cpu::dispatchType(ml::FeatureTypes{}, info.inputElement(0),
                    [&]<typename T>(cpu::TypeTag<T>) { kernel = std::make_unique<Binarizer<T>>(threshold); });
  if (kernel == nullptr)
    return fail(ErrorCode::kNotImplemented, "Binarizer of {}", elementTypeName(info.inputElement(0)));
  return kernel;
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};
constexpr KernelRow kRows[] = {
    {.opType = "Binarizer",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createBinarizer},
    {.opType = "Imputer",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createImputer},
};

}  // namespace

KernelRows kernel_feature_values() {
  return kRows;
}

}  // namespace cutaway::cpu
