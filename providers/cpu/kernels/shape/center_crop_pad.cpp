// CenterCropPad: axes that are too long are cut evenly at both ends, axes that are too short get zeros at both ends; an
// odd rest goes to the end.

#include <algorithm>
#include <array>
#include <string>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class CenterCropPadKernel final : public Kernel {
 public:
  explicit CenterCropPadKernel(const KernelInfo& info)
      : m_axes(listAttribute(info.node(), "axes")), m_allAxes(info.node().findAttribute("axes") == nullptr) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* shape, requireTensor(context, 1));
    CUTAWAY_TRY(const Dims wanted, readIntegers(*shape));
    CUTAWAY_TRY(const Dims dims, outputDims(*data, wanted));
    const ElementType type = data->type();
    CUTAWAY_TRY(Tensor * output, context.output(0, type, dims));
    if (output->elementCount() == 0) return {};
    fillWithZeros(*output);
    StridedMove move{data->dims(), rowMajorStrides(data->dims()), rowMajorStrides(dims)};
    int64_t from = 0;
    int64_t to = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      const int64_t surplus = data->dims()[i] - dims[i];
      move.dims[i] = std::min(data->dims()[i], dims[i]);
      if (move.dims[i] == 0) return {};
      if (surplus > 0) from += surplus / 2 * move.fromStrides[i];
      if (surplus < 0) to += -surplus / 2 * move.toStrides[i];
    }
    moveStrided(type, move, elementAt(type, data->data(), from), elementAt(type, output->mutableData(), to));
    return {};
  }

 private:
  Result<Dims> outputDims(const Tensor& data, const Dims& wanted) const {
    Dims axes = filledList(data.rank(), 0);
    for (size_t i = 0; i < axes.size(); ++i)
      axes[i] = static_cast<int64_t>(i);
    if (!m_allAxes) {
      CUTAWAY_TRY(axes, resolveAxes(m_axes, data.rank()));
    }
    if (wanted.size() != axes.size())
      return fail(ErrorCode::kInvalidArgument, "a shape of {} numbers is given for {} axes", wanted.size(),
                  axes.size());
    Dims dims = data.dims();
    for (size_t i = 0; i < axes.size(); ++i) {
      if (wanted[i] < 0)
        return fail(ErrorCode::kInvalidArgument, "the wanted length of axis {} is {}", axes[i], wanted[i]);
      dims[static_cast<size_t>(axes[i])] = wanted[i];
    }
    return dims;
  }

  static void fillWithZeros(Tensor& tensor) {
    if (tensor.type() == ElementType::kString) {
      std::ranges::fill(tensor.span<std::string>(), std::string());
    } else {
      std::ranges::fill(tensor.mutableBytes(), std::byte{0});
    }
  }

  Dims m_axes;
  bool m_allAxes;
};

constexpr int kShapeOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "CenterCropPad",
     .versions = {18},
     .hostInputs = kShapeOnHost,
     .fastPath = "copy",
     .create = makeKernel<CenterCropPadKernel>},
};

}  // namespace

KernelRows kernel_center_crop_pad() {
  return kRows;
}

}  // namespace cutaway::cpu
