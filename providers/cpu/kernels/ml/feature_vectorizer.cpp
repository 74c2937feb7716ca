// FeatureVectorizer: the rows of several inputs side by side as floats. An input that is shorter than its entry in
// inputdimensions is filled up with zeros, a longer one is cut.

#include <algorithm>
#include <limits>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

class FeatureVectorizer final : public Kernel {
 public:
  FeatureVectorizer(std::vector<int64_t> widths, int64_t total) : m_widths(std::move(widths)), m_total(total) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    int64_t rows = 0;
    for (size_t slot = 0; slot < m_widths.size(); ++slot) {
      CUTAWAY_TRY(const Tensor* input, requireTensor(context, slot));
      CUTAWAY_TRY(const int64_t own, rowsOf(*input, slot));
      if (slot == 0) rows = own;
      if (own != rows)
        return fail(ErrorCode::kInvalidArgument, "input {} has {} rows, input 0 has {}", slot, own, rows);
    }
    CUTAWAY_CHECK(checkedMultiply(rows, m_total));
    CUTAWAY_TRY(Tensor * output, context.output(0, {rows, m_total}));
    int64_t at = 0;
    for (size_t slot = 0; slot < m_widths.size(); ++slot) {
      const Tensor& input = *context.input(slot);
      float* target = output->span<float>().data() + at;
      const bool known = cpu::dispatchType(ml::FeatureTypes{}, input.type(), [&]<typename T>(cpu::TypeTag<T>) {
        copyRows(input.span<T>(), rows, m_widths[slot], target);
      });
      if (!known) return fail(ErrorCode::kInvalidArgument, "input {} is {}", slot, elementTypeName(input.type()));
      at += m_widths[slot];
    }
    return {};
  }

 private:
  // [C] is one row; what follows the first axis is one row, whatever its shape.
  static Result<int64_t> rowsOf(const Tensor& input, size_t slot) {
    if (input.rank() == 0)
      return fail(ErrorCode::kInvalidArgument, "input {} is a scalar; [C] or [N, C] is needed", slot);
    return input.rank() == 1 ? 1 : input.dims()[0];
  }

  template <typename T>
  void copyRows(std::span<const T> from, int64_t rows, int64_t width, float* to) const {
    if (rows == 0) return;
    const int64_t given = static_cast<int64_t>(from.size()) / rows, copied = std::min(given, width);
    parallelFor(rows, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, width)), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* source = from.data() + row * given;
        float* target = to + row * m_total;
        for (int64_t i = 0; i < copied; ++i)
          target[i] = static_cast<float>(source[i]);
        std::fill(target + copied, target + width, 0.0f);
      }
    });
  }

  std::vector<int64_t> m_widths;
  int64_t m_total;
};

Result<std::unique_ptr<Kernel>> createFeatureVectorizer(const KernelInfo& info) {
  std::vector<int64_t> widths = ml::integerList(info, "inputdimensions");
  if (widths.empty() || widths.size() != info.inputCount())
    return fail(ErrorCode::kInvalidArgument, "inputdimensions has {} entries for {} inputs", widths.size(),
                info.inputCount());
  int64_t total = 0;
  for (const int64_t width : widths) {
    if (width < 0) return fail(ErrorCode::kInvalidArgument, "inputdimensions has the entry {}", width);
    CUTAWAY_TRY(total, checkedAdd(total, width));
  }
  return std::make_unique<FeatureVectorizer>(std::move(widths), total);
}

constexpr TypeRule kRules[] = {{TypeRule::kAllInputs, ml::kFeatureTypes}};
constexpr KernelRow kRows[] = {
    {.opType = "FeatureVectorizer",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = kRules,
     .fastPath = "threads",
     .create = createFeatureVectorizer},
};

}  // namespace

KernelRows kernel_feature_vectorizer() {
  return kRows;
}

}  // namespace cutaway::cpu
