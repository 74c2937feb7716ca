// OneHotEncoder: every element becomes a row of zeros with a one at its category's place. Numbers are cut to integers
// first.

#include <algorithm>
#include <array>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/lookup_table.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

class OneHotEncoder final : public Kernel {
 public:
  OneHotEncoder(const ml::ClassLabels& categories, bool zeros)
      : m_width(static_cast<int64_t>(categories.size())), m_zeros(zeros) {
    if (categories.areStrings())
      m_strings = StringLookup(categories.strings(), Repeated::kLast);
    else
      m_numbers = NumberLookup(categories.integers(), Repeated::kLast);
  }
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_CHECK(checkedMultiply(input->elementCount(), m_width));
    Dims dims = filledList(input->rank() + 1, m_width);
    for (size_t axis = 0; axis < input->rank(); ++axis)
      dims[axis] = input->dims()[axis];
    CUTAWAY_TRY(Tensor * output, context.output(0, dims));
    const std::span<float> rows = output->span<float>();
    if (input->type() == ElementType::kString)
      return encode(input->span<std::string>(), rows, [&](const std::string& word) { return m_strings.find(word); });
    Result<void> result;
    cpu::dispatchType(ml::FeatureTypes{}, input->type(), [&]<typename T>(cpu::TypeTag<T>) {
      result = encode(input->span<T>(), rows, [&](T value) { return placeOf(value); });
    });
    return result;
  }

 private:
  template <typename T>
  int32_t placeOf(T value) const {
    if constexpr (std::is_floating_point_v<T>) {
      // What does not fit an integer (NaN, infinities) is no category.
      if (!(value > T(-9.2e18) && value < T(9.2e18))) return NumberLookup::kNone;
    }
    return m_numbers.find(static_cast<int64_t>(value));
  }

  template <typename T, typename Find>
  Result<void> encode(std::span<const T> elements, std::span<float> rows, Find&& find) const {
    const auto count = static_cast<int64_t>(elements.size());
    std::fill(rows.begin(), rows.end(), 0.0f);
    if (!m_zeros) {
      for (size_t i = 0; i < elements.size(); ++i) {
        if (find(elements[i]) < 0)
          return fail(ErrorCode::kInvalidArgument, "element {} is none of the {} categories, and zeros is 0", i,
                      m_width);
      }
    }
    parallelFor(count, 4096, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int32_t place = find(elements[static_cast<size_t>(i)]);
        if (place >= 0) rows[static_cast<size_t>(i * m_width + place)] = 1.0f;
      }
    });
    return {};
  }

  int64_t m_width;
  bool m_zeros;
  NumberLookup m_numbers;
  StringLookup m_strings;
};

Result<std::unique_ptr<Kernel>> createOneHotEncoder(const KernelInfo& info) {
  CUTAWAY_TRY(const ml::ClassLabels categories, ml::ClassLabels::read(info, "cats_int64s", "cats_strings"));
  const bool strings = info.inputElement(0) == ElementType::kString;
  if (strings != categories.areStrings())
    return fail(ErrorCode::kInvalidArgument, "the categories are {}, the input is {}",
                categories.areStrings() ? "strings" : "integers", elementTypeName(info.inputElement(0)));
  return std::make_unique<OneHotEncoder>(categories, info.attribute<int64_t>("zeros", 1) != 0);
}

constexpr auto kTypes = cpu::elementTypes(cpu::Join<ml::FeatureTypes, cpu::TypeList<std::string>>{});
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr KernelRow kRows[] = {
    {.opType = "OneHotEncoder",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = kRules,
     .fastPath = "threads",
     .create = createOneHotEncoder},
};

}  // namespace

KernelRows kernel_one_hot_encoder() {
  return kRows;
}

}  // namespace cutaway::cpu
