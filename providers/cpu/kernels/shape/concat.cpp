// Concat: inputs one after the other along an axis. Each is one strided move into its place; what the plan has put
// there already stays as it is.

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

class ConcatKernel final : public Kernel {
 public:
  // Version 1 lets the axis be left out.
  explicit ConcatKernel(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", 1)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* first, requireTensor(context, 0));
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, first->rank()));
    const size_t axis = static_cast<size_t>(resolved);
    Dims dims = first->dims();
    for (size_t i = 1; i < context.inputCount(); ++i) {
      CUTAWAY_TRY(const Tensor* input, requireTensor(context, i));
      CUTAWAY_CHECK(checkFits(*first, *input, axis, i));
      CUTAWAY_TRY(dims[axis], checkedAdd(dims[axis], input->dims()[axis]));
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, first->type(), dims));
    const int64_t inner = productOf(dims, axis + 1, dims.size());
    int64_t start = 0;
    for (size_t i = 0; i < context.inputCount(); ++i) {
      const Tensor& input = *context.input(i);
      const int64_t row = input.dims()[axis] * inner;
      const int64_t rows = productOf(dims, 0, axis);
      void* place = elementAt(input.type(), output->mutableData(), start);
      if (rows != 1 || input.data() != place) {
        moveStrided(input.type(),
                    {.dims = Dims{rows, row}, .fromStrides = Dims{row, 1}, .toStrides = Dims{dims[axis] * inner, 1}},
                    input.data(), place);
      }
      start += row;
    }
    return {};
  }

 private:
  static Result<void> checkFits(const Tensor& first, const Tensor& input, size_t axis, size_t slot) {
    bool fits = input.rank() == first.rank() && input.type() == first.type();
    for (size_t i = 0; fits && i < first.rank(); ++i)
      fits = i == axis || input.dims()[i] == first.dims()[i];
    if (fits) return {};
    return fail(ErrorCode::kInvalidArgument, "input {} of shape {} cannot stand beside {} along axis {}", slot,
                dimsToText(input.dims()), dimsToText(first.dims()), axis);
  }

  int64_t m_axis;
};

constexpr InplaceHint kJoins[] = {{.input = InplaceHint::kEveryInput, .output = 0, .kind = AliasKind::kJoin}};
constexpr KernelRow kRows[] = {
    {.opType = "Concat", .versions = {1}, .inplace = kJoins, .fastPath = "copy", .create = makeKernel<ConcatKernel>},
};

}  // namespace

KernelRows kernel_concat() {
  return kRows;
}

}  // namespace cutaway
