// Compress: the slices whose condition is true; without an axis, the elements of the flattened input.

#include "engine/operators/compress.h"

#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class CompressKernel final : public Kernel {
 public:
  explicit CompressKernel(const KernelInfo& info) : m_settings(info.node()) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* condition, requireTensor(context, 1));
    CUTAWAY_TRY(operators::CompressPlacement placed, m_settings.place(*data, *condition));
    const int64_t length = placed.length, inner = placed.inner;
    const std::span<const bool> wanted = condition->span<bool>();
    // A condition may be shorter than the axis; what it says beyond the axis is an error.
    CUTAWAY_TRY(const std::span<int64_t> memory,
                scratchNumbers(context, std::min<int64_t>(length, static_cast<int64_t>(wanted.size()))));
    size_t kept = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!wanted[i]) continue;
      if (static_cast<int64_t>(i) >= length)
        return fail(operators::conditionBeyondAxis(placed, static_cast<int64_t>(i)));
      memory[kept++] = static_cast<int64_t>(i) * inner;
    }
    const std::span<const int64_t> places = memory.first(kept);
    placed.dims[placed.axis] = static_cast<int64_t>(kept);
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), placed.dims));
    if (output->elementCount() == 0) return {};
    for (int64_t i = 0; i < placed.outer; ++i) {
      gatherBlocks(data->type(), elementAt(data->type(), data->data(), i * length * inner), places, inner,
                   elementAt(data->type(), output->mutableData(), i * static_cast<int64_t>(kept) * inner));
    }
    return {};
  }

 private:
  operators::CompressSettings m_settings;
};

constexpr KernelRow kRows[] = {
    {.opType = "Compress", .versions = {9}, .fastPath = "copy", .create = makeKernel<CompressKernel>},
};

}  // namespace

KernelRows kernel_compress() {
  return kRows;
}

}  // namespace cutaway::cpu
