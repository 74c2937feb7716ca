// com.microsoft QLinearAveragePool and QLinearGlobalAveragePool: means of bytes in exact sums, rounded once.

#include "engine/operators/linear_pool.h"

#include "providers/cuda/kernels/convolution/window.h"
#include "providers/cuda/kernels/quantize/linear_scales.h"

namespace cutaway::cuda {
namespace {

class AveragePoolKernel final : public GpuKernel {
 public:
  AveragePoolKernel(WindowAttributes attributes, const KernelInfo& info)
      : m_attributes(std::move(attributes)), m_settings(operators::readLinearPool(info.node())) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find("linear.pool"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    CUTAWAY_TRY(const operators::LinearPoolAxes axes,
                operators::linearPoolAxes("QLinearAveragePool", m_settings, x->dims()));
    const size_t first = m_settings.firstSpatialAxis();
    CUTAWAY_TRY(const Window window,
                placeWindow(m_attributes, axes.spatial, {}, WindowFit::kMayExceed, kMostWindowAxes));
    Dims dims = x->dims();
    for (size_t axis = 0; axis < window.rank; ++axis)
      dims[first + axis] = window.output[axis];
    LinearPoolParameters parameters{.x = static_cast<const uint8_t*>(x->data()),
                                    .channels = axes.channels,
                                    .channelsLast = m_settings.channelsLast,
                                    .includesPadding = m_settings.includesPadding,
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
  operators::LinearPoolSettings m_settings;
  DeviceKernel m_kernel;
};

class GlobalAveragePoolKernel final : public GpuKernel {
 public:
  explicit GlobalAveragePoolKernel(const operators::LinearPoolSettings& settings) : m_settings(settings) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find("linear.mean"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    CUTAWAY_TRY(const operators::GlobalPoolSizes sizes, operators::globalLinearPoolSizes(m_settings, x->dims()));
    LinearRowParameters parameters{
        .x = static_cast<const uint8_t*>(x->data()), .length = sizes.cells, .isSigned = isSigned(*x)};
    CUTAWAY_TRY(parameters.scaleX, linearScale(call, 1, 2, x->type()));
    CUTAWAY_TRY(parameters.scaleY, linearScale(call, 3, 4, x->type()));
    CUTAWAY_TRY(Tensor * y, call.output(0, sizes.outputDims));
    parameters.y = static_cast<uint8_t*>(y->mutableData());
    const int64_t images = x->dims()[0];
    parameters.outer = m_settings.channelsLast ? images : images * sizes.channels;
    parameters.inner = m_settings.channelsLast ? sizes.channels : 1;
    if (y->elementCount() == 0) return {};
    return call.launch(m_kernel, parameters);
  }

 private:
  operators::LinearPoolSettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeAveragePool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, operators::readLinearPoolWindow(info.node()));
  CUTAWAY_CHECK(checkWindowRank(info));
  return std::make_unique<AveragePoolKernel>(std::move(attributes), info);
}

Result<std::unique_ptr<GpuKernel>> makeGlobalAveragePool(const KernelInfo& info) {
  return std::make_unique<GlobalAveragePoolKernel>(operators::readLinearPool(info.node()));
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
