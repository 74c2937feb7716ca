// ArrayFeatureExtractor: elements of the last axis picked by index; a list [C] counts as [1, C].

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

using Types = cpu::Join<ml::FeatureTypes, cpu::TypeList<std::string>>;

class ArrayFeatureExtractor final : public Kernel {
 public:
  explicit ArrayFeatureExtractor(const KernelInfo&) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* places, requireTensor(context, 1));
    if (input->rank() == 0)
      return fail(ErrorCode::kInvalidArgument, "ArrayFeatureExtractor takes elements of the last axis; X is a scalar");
    const size_t last = input->rank() - 1;
    const int64_t columns = input->dims()[last], picked = places->elementCount();
    const auto indices = places->span<int64_t>();
    for (size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0 || indices[i] >= columns)
        return fail(ErrorCode::kInvalidArgument, "Y[{}] is {}; the last axis of X has {} elements", i, indices[i],
                    columns);
    }
    const int64_t rows = productOf(input->dims(), 0, last);
    CUTAWAY_CHECK(checkedMultiply(rows, picked));
    Dims dims = filledList(std::max<size_t>(2, input->rank()), 1);
    for (size_t axis = 0; axis < last; ++axis)
      dims[axis] = input->dims()[axis];
    dims[dims.size() - 1] = picked;
    CUTAWAY_TRY(Tensor * output, context.output(0, dims));
    cpu::dispatchType(Types{}, input->type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T* from = input->span<T>().data();
      T* to = output->span<T>().data();
      parallelFor(rows, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, picked)), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          for (int64_t i = 0; i < picked; ++i)
            to[row * picked + i] = from[row * columns + indices[static_cast<size_t>(i)]];
        }
      });
    });
    return {};
  }
};

constexpr ElementType kIndexTypes[] = {ElementType::kInt64};
constexpr auto kTypes = cpu::elementTypes(Types{});
constexpr TypeRule kRules[] = {{0, kTypes}, {1, kIndexTypes}};
constexpr KernelRow kRows[] = {
    {.opType = "ArrayFeatureExtractor",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = kRules,
     .fastPath = "threads",
     .create = makeKernel<ArrayFeatureExtractor>},
};

}  // namespace

KernelRows kernel_array_feature_extractor() {
  return kRows;
}

}  // namespace cutaway::cpu
