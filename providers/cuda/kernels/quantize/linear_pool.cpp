// com.microsoft QLinearAveragePool and QLinearGlobalAveragePool: means of bytes in exact sums, rounded once.

#include "providers/cuda/kernels/convolution/window.h"
#include "providers/cuda/kernels/quantize/linear_scales.h"

namespace cutaway::cuda {
namespace {

class AveragePoolKernel final : public GpuKernel {
 public:
  AveragePoolKernel(WindowAttributes attributes, const KernelInfo& info)
      : m_attributes(std::move(attributes)),
        m_includesPadding(info.attribute<int64_t>("count_include_pad", 0) != 0),
        m_channelsLast(info.attribute<int64_t>("channels_last", 0) != 0) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find("linear.pool"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    if (x->rank() < 3)
      return fail(ErrorCode::kInvalidArgument, "QLinearAveragePool needs an input of rank 3 or more, not {}",
                  dimsToText(x->dims()));
    const size_t first = m_channelsLast ? 1 : 2;
    CUTAWAY_TRY(const Window window,
                placeWindow(m_attributes, std::span<const int64_t>(x->dims()).subspan(first, x->rank() - 2), {},
                            WindowFit::kMayExceed, kMostWindowAxes));
    Dims dims = x->dims();
    for (size_t axis = 0; axis < window.rank; ++axis)
      dims[first + axis] = window.output[axis];
    LinearPoolParameters parameters{.x = static_cast<const uint8_t*>(x->data()),
                                    .channels = x->dims()[m_channelsLast ? x->rank() - 1 : 1],
                                    .channelsLast = m_channelsLast,
                                    .includesPadding = m_includesPadding,
                                    .isSigned = isSigned(*x)};
    CUTAWAY_CHECK(fillWindow(window, parameters));
    CUTAWAY_TRY(parameters.scaleX, linearScale(call, 1, 2, x->type()));
    CUTAWAY_TRY(parameters.scaleY, linearScale(call, 3, 4, x->type()));
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    parameters.y = static_cast<uint8_t*>(y->mutableData());
    parameters.count = y->elementCount();
    if (parameters.count == 0) return {};
    return call.launch(m_kernel, parameters);
  }

 private:
  WindowAttributes m_attributes;
  bool m_includesPadding, m_channelsLast;
  DeviceKernel m_kernel;
};

class GlobalAveragePoolKernel final : public GpuKernel {
 public:
  explicit GlobalAveragePoolKernel(bool channelsLast) : m_channelsLast(channelsLast) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find("linear.mean"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    if (x->rank() < 3)
      return fail(ErrorCode::kInvalidArgument, "QLinearGlobalAveragePool needs an input of rank 3 or more, not {}",
                  dimsToText(x->dims()));
    const size_t first = m_channelsLast ? 1 : 2;
    Dims dims = x->dims();
    LinearRowParameters parameters{.x = static_cast<const uint8_t*>(x->data()), .length = 1, .isSigned = isSigned(*x)};
    for (size_t axis = first; axis < first + x->rank() - 2; ++axis) {
      parameters.length *= dims[axis];
      dims[axis] = 1;
    }
    CUTAWAY_TRY(parameters.scaleX, linearScale(call, 1, 2, x->type()));
    CUTAWAY_TRY(parameters.scaleY, linearScale(call, 3, 4, x->type()));
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    parameters.y = static_cast<uint8_t*>(y->mutableData());
    const int64_t channels = dims[m_channelsLast ? dims.size() - 1 : 1];
    parameters.outer = m_channelsLast ? dims[0] : dims[0] * channels;
    parameters.inner = m_channelsLast ? channels : 1;
    if (y->elementCount() == 0) return {};
    return call.launch(m_kernel, parameters);
  }

 private:
  bool m_channelsLast;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeAveragePool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  if (attributes.kernel.empty()) return fail(ErrorCode::kInvalidArgument, "QLinearAveragePool needs kernel_shape");
  CUTAWAY_CHECK(checkWindowRank(info));
  return std::make_unique<AveragePoolKernel>(std::move(attributes), info);
}

Result<std::unique_ptr<GpuKernel>> makeGlobalAveragePool(const KernelInfo& info) {
  return std::make_unique<GlobalAveragePoolKernel>(info.attribute<int64_t>("channels_last", 0) != 0);
}

constexpr ElementType kFloat[] = {ElementType::kFloat};
constexpr TypeRule kRules[] = {{0, kByteTypes}, {1, kFloat}, {3, kFloat}};

}  // namespace

KernelRows kernel_linear_pool() {
  static constexpr KernelRow rows[] = {
      {.opType = "QLinearAveragePool",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeAveragePool>},
      {.opType = "QLinearGlobalAveragePool",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeGlobalAveragePool>},
  };
  return rows;
}

}  // namespace cutaway::cuda
