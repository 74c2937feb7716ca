// UnfoldTensor of com.microsoft: all slices of `size` cells along one axis, `step` apart, as a new last axis.

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class UnfoldTensor final : public Kernel {
 public:
  UnfoldTensor(int64_t axis, int64_t size, int64_t step) : m_axis(axis), m_size(size), m_step(step) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const int64_t place, resolveAxis(m_axis, x->rank()));
    const size_t axis = static_cast<size_t>(place), rank = x->rank();
    if (m_size > x->dims()[axis])
      return fail(ErrorCode::kInvalidArgument, "UnfoldTensor: slices of {} do not fit axis {} of {}", m_size, axis,
                  dimsToText(x->dims()));
    const Dims strides = rowMajorStrides(x->dims());
    StridedMove move{filledList(rank + 1, m_size), filledList(rank + 1, strides[axis]), Dims()};
    for (size_t i = 0; i < rank; ++i) {
      move.dims[i] = x->dims()[i];
      move.fromStrides[i] = strides[i];
    }
    move.dims[axis] = (x->dims()[axis] - m_size) / m_step + 1;
    // With one slice the stride is never used, and might not fit.
    move.fromStrides[axis] = move.dims[axis] > 1 ? strides[axis] * m_step : 0;
    move.toStrides = rowMajorStrides(move.dims);
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), move.dims));
    if (y->elementCount() > 0) moveStrided(x->type(), move, x->data(), y->mutableData());
    return {};
  }

 private:
  int64_t m_axis, m_size, m_step;
};

Result<std::unique_ptr<Kernel>> createUnfoldTensor(const KernelInfo& info) {
  const int64_t size = info.attribute<int64_t>("size", 0), step = info.attribute<int64_t>("step", 1);
  if (size < 1 || step < 1)
    return fail(ErrorCode::kInvalidArgument, "UnfoldTensor: size {} and step {} must be 1 or more", size, step);
  return std::unique_ptr<Kernel>(std::make_unique<UnfoldTensor>(info.attribute<int64_t>("dim", -1), size, step));
}

constexpr KernelRow kRows[] = {{.opType = "UnfoldTensor",
                                .domain = "com.microsoft",
                                .versions = {1},
                                .fastPath = "copy",
                                .create = createUnfoldTensor}};

}  // namespace

KernelRows kernel_unfold_tensor() {
  return kRows;
}

}  // namespace cutaway::cpu
