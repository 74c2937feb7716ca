// Compress: the slices whose condition is true; without an axis, the elements of the flattened input.

#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

class CompressKernel final : public Kernel {
 public:
  explicit CompressKernel(const KernelInfo& info)
      : m_flat(info.node().findAttribute("axis") == nullptr), m_axis(info.attribute<int64_t>("axis", 0)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* condition, requireTensor(context, 1));
    if (condition->type() != ElementType::kBool)
      return fail(ErrorCode::kInvalidArgument, "the condition of Compress has elements of type {}",
                  elementTypeName(condition->type()));
    Dims dims = data->dims();
    size_t axis = 0;
    if (m_flat) {
      dims = Dims{data->elementCount()};
    } else {
      CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, data->rank()));
      axis = static_cast<size_t>(resolved);
    }
    const int64_t length = dims[axis];
    const int64_t inner = productOf(dims, axis + 1, dims.size());
    const std::span<const bool> wanted = condition->span<bool>();
    // A condition may be shorter than the axis; what it says beyond the axis is an error.
    CUTAWAY_TRY(const std::span<int64_t> memory,
                scratchNumbers(context, std::min<int64_t>(length, static_cast<int64_t>(wanted.size()))));
    size_t kept = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!wanted[i]) continue;
      if (static_cast<int64_t>(i) >= length)
        return fail(ErrorCode::kInvalidArgument, "condition {} is true beyond the {} places of axis {}", i, length,
                    axis);
      memory[kept++] = static_cast<int64_t>(i) * inner;
    }
    const std::span<const int64_t> places = memory.first(kept);
    dims[axis] = static_cast<int64_t>(kept);
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    if (output->elementCount() == 0) return {};
    const int64_t outer = productOf(dims, 0, axis);
    for (int64_t i = 0; i < outer; ++i) {
      gatherBlocks(data->type(), elementAt(data->type(), data->data(), i * length * inner), places, inner,
                   elementAt(data->type(), output->mutableData(), i * dims[axis] * inner));
    }
    return {};
  }

 private:
  bool m_flat;
  int64_t m_axis;
};

constexpr KernelRow kRows[] = {
    {.opType = "Compress", .versions = {9}, .fastPath = "copy", .create = makeKernel<CompressKernel>},
};

}  // namespace

KernelRows kernel_compress() {
  return kRows;
}

}  // namespace cutaway
