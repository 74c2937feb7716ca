// Squeeze and Unsqueeze: axes of one element leave or enter the dims. Axes are an attribute up to version 11 and an
// input from 13 on.

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

constexpr int32_t kAxesAreInput = 13;

// Axes from the attribute or the input; nullopt when the node names none.
Result<std::optional<Dims>> namedAxes(const KernelContext& context, bool fromInput,
                                      const std::optional<Dims>& attribute) {
  if (!fromInput) return attribute;
  const Tensor* axes = optionalTensor(context, 1);
  if (axes == nullptr) return std::optional<Dims>();
  CUTAWAY_TRY(Dims list, readIntegers(*axes));
  return std::optional<Dims>(std::move(list));
}

std::optional<Dims> axesAttribute(const KernelInfo& info) {
  if (info.node().findAttribute("axes") == nullptr) return std::nullopt;
  return listAttribute(info.node(), "axes");
}

class SqueezeKernel final : public Kernel {
 public:
  explicit SqueezeKernel(const KernelInfo& info)
      : m_axesAreInput(info.node().sinceVersion >= kAxesAreInput), m_axes(axesAttribute(info)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const std::optional<Dims> named, namedAxes(context, m_axesAreInput, m_axes));
    Dims axes;
    if (named) {
      CUTAWAY_TRY(axes, resolveAxes(*named, data->rank()));
    }
    Dims drop = filledList(data->rank(), 0);
    for (size_t i = 0; i < data->rank(); ++i)
      drop[i] = !named && data->dims()[i] == 1;
    for (const int64_t axis : axes) {
      if (data->dims()[static_cast<size_t>(axis)] != 1) {
        return fail(ErrorCode::kInvalidArgument, "axis {} of {} has not one element and cannot be squeezed", axis,
                    dimsToText(data->dims()));
      }
      drop[static_cast<size_t>(axis)] = 1;
    }
    size_t kept = 0;
    for (const int64_t dropped : drop)
      kept += dropped == 0;
    Dims dims = filledList(kept, 0);
    for (size_t i = 0, next = 0; i < data->rank(); ++i) {
      if (drop[i] == 0) dims[next++] = data->dims()[i];
    }
    return copyReshaped(context, *data, dims);
  }

 private:
  bool m_axesAreInput;
  std::optional<Dims> m_axes;
};

class UnsqueezeKernel final : public Kernel {
 public:
  explicit UnsqueezeKernel(const KernelInfo& info)
      : m_axesAreInput(info.node().sinceVersion >= kAxesAreInput || info.node().opType == "ExpandDims"),
        m_axes(axesAttribute(info)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const std::optional<Dims> named, namedAxes(context, m_axesAreInput, m_axes));
    if (!named) return fail(ErrorCode::kInvalidArgument, "Unsqueeze needs axes");
    const size_t rank = data->rank() + named->size();
    CUTAWAY_TRY(const Dims axes, resolveAxes(*named, rank));
    Dims dims = filledList(rank, -1);
    for (const int64_t axis : axes)
      dims[static_cast<size_t>(axis)] = 1;
    for (size_t i = 0, next = 0; i < rank; ++i) {
      if (dims[i] == -1) dims[i] = data->dims()[next++];
    }
    return copyReshaped(context, *data, dims);
  }

 private:
  bool m_axesAreInput;
  std::optional<Dims> m_axes;
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

}  // namespace cutaway
