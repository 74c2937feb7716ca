// Squeeze and Unsqueeze: axes of one element leave or enter the dims. Axes are an attribute up to version 11 and an
// input from 13 on.

#include "engine/operators/reshape.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class SqueezeKernel final : public Kernel {
 public:
  explicit SqueezeKernel(const KernelInfo& info) : m_axes(operators::squeezeAxes(info.node())) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const std::optional<Dims> axes, m_axes.read(optionalTensor(context, 1)));
    CUTAWAY_TRY(const Dims dims, operators::squeezedDims(data->dims(), axes));
    return copyReshaped(context, *data, dims);
  }

 private:
  operators::ListOperand m_axes;
};

class UnsqueezeKernel final : public Kernel {
 public:
  explicit UnsqueezeKernel(const KernelInfo& info) : m_axes(operators::squeezeAxes(info.node())) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const std::optional<Dims> axes, m_axes.read(optionalTensor(context, 1)));
    CUTAWAY_TRY(const Dims dims, operators::unsqueezedDims(data->dims(), axes));
    return copyReshaped(context, *data, dims);
  }

 private:
  operators::ListOperand m_axes;
};

constexpr InplaceHint kView[] = {{0, 0, AliasKind::kAlias}};
constexpr int kAxesOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "Squeeze",
     .versions = {1, 12},
     .inplace = kView,
     .fastPath = "copy",
     .create = makeKernel<SqueezeKernel>},
    {.opType = "Squeeze",
     .versions = {13},
     .inplace = kView,
     .hostInputs = kAxesOnHost,
     .fastPath = "copy",
     .create = makeKernel<SqueezeKernel>},
    {.opType = "Unsqueeze",
     .versions = {1, 12},
     .inplace = kView,
     .fastPath = "copy",
     .create = makeKernel<UnsqueezeKernel>},
    {.opType = "Unsqueeze",
     .versions = {13},
     .inplace = kView,
     .hostInputs = kAxesOnHost,
     .fastPath = "copy",
     .create = makeKernel<UnsqueezeKernel>},
    {.opType = "ExpandDims",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kView,
     .hostInputs = kAxesOnHost,
     .fastPath = "copy",
     .create = makeKernel<UnsqueezeKernel>},
};

}  // namespace

KernelRows kernel_squeeze() {
  return kRows;
}

}  // namespace cutaway::cpu
