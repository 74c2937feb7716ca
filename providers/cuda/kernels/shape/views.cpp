// Identity, Reshape, Flatten, Squeeze, Unsqueeze: the same elements under other dims. The plan lets the output share
// the input's buffer; where it does not, the bytes are copied.

#include <functional>

#include "engine/operators/reshape.h"
#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {
namespace {

// What a view operator makes of its input's dims; given: the second input, or nullptr.
using NewDims = std::function<Result<Dims>(const Tensor& data, const Tensor* given)>;

class ViewKernel final : public GpuKernel {
 public:
  explicit ViewKernel(NewDims newDims) : m_newDims(std::move(newDims)) {}

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Dims dims, m_newDims(*data, optionalTensor(call, 1)));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    const int64_t bytes = data->sizeBytes();
    if (bytes == 0 || output->data() == data->data()) return {};
    return call.copy(output->mutableData(), data->data(), static_cast<size_t>(bytes));
  }

  std::string_view variant() const override { return "view"; }

 private:
  NewDims m_newDims;
};

Result<std::unique_ptr<GpuKernel>> makeView(const KernelInfo& info, NewDims newDims) {
  if (!info.inputType(0).isTensor())
    return fail(ErrorCode::kNotImplemented, "input 0 is a sequence, optional or map; those stay on the host");
  if (info.inputElement(0) == ElementType::kString)
    return fail(ErrorCode::kNotImplemented, "strings lie in host memory only");
  return std::make_unique<ViewKernel>(std::move(newDims));
}

Result<std::unique_ptr<GpuKernel>> makeIdentity(const KernelInfo& info) {
  return makeView(info, [](const Tensor& data, const Tensor*) -> Result<Dims> { return data.dims(); });
}
Result<std::unique_ptr<GpuKernel>> makeFlatten(const KernelInfo& info) {
  return makeView(info, [axis = info.attribute<int64_t>("axis", 1)](const Tensor& data, const Tensor*) {
    return operators::flattenedDims(data.dims(), axis);
  });
}
Result<std::unique_ptr<GpuKernel>> makeReshape(const KernelInfo& info) {
  const bool zeroIsZero = info.attribute<int64_t>("allowzero", 0) != 0;
  return makeView(info,
                  [shape = operators::reshapeShape(info.node()), zeroIsZero](const Tensor& data,
                                                                             const Tensor* given) -> Result<Dims> {
                    CUTAWAY_TRY(const std::optional<Dims> wanted, shape.read(given));
                    return operators::reshapedDims(data.dims(), wanted, zeroIsZero);
                  });
}
Result<std::unique_ptr<GpuKernel>> makeSqueeze(const KernelInfo& info) {
  return makeView(
      info, [named = operators::squeezeAxes(info.node())](const Tensor& data, const Tensor* given) -> Result<Dims> {
        CUTAWAY_TRY(const std::optional<Dims> axes, named.read(given));
        return operators::squeezedDims(data.dims(), axes);
      });
}
Result<std::unique_ptr<GpuKernel>> makeUnsqueeze(const KernelInfo& info) {
  return makeView(
      info, [named = operators::squeezeAxes(info.node())](const Tensor& data, const Tensor* given) -> Result<Dims> {
        CUTAWAY_TRY(const std::optional<Dims> axes, named.read(given));
        return operators::unsqueezedDims(data.dims(), axes);
      });
}

constexpr InplaceHint kView[] = {{0, 0, AliasKind::kAlias}};
constexpr int kSecondOnHost[] = {1};

}  // namespace

KernelRows kernel_views() {
  static constexpr KernelRow rows[] = {
      {.opType = "Identity", .versions = {1}, .inplace = kView, .fastPath = "view", .create = gpuKernel<makeIdentity>},
      {.opType = "Reshape", .versions = {1, 4}, .inplace = kView, .fastPath = "view", .create = gpuKernel<makeReshape>},
      {.opType = "Reshape",
       .versions = {5},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeReshape>},
      {.opType = "Flatten", .versions = {1}, .inplace = kView, .fastPath = "view", .create = gpuKernel<makeFlatten>},
      {.opType = "Squeeze",
       .versions = {1, 12},
       .inplace = kView,
       .fastPath = "view",
       .create = gpuKernel<makeSqueeze>},
      {.opType = "Squeeze",
       .versions = {13},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeSqueeze>},
      {.opType = "Unsqueeze",
       .versions = {1, 12},
       .inplace = kView,
       .fastPath = "view",
       .create = gpuKernel<makeUnsqueeze>},
      {.opType = "Unsqueeze",
       .versions = {13},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeUnsqueeze>},
      {.opType = "ExpandDims",
       .domain = "com.microsoft",
       .versions = {1},
       .inplace = kView,
       .hostInputs = kSecondOnHost,
       .fastPath = "view",
       .create = gpuKernel<makeUnsqueeze>},
  };
  return rows;
}

}  // namespace cutaway::cuda
