// BatchNormalization (inference), MeanVarianceNormalization and LpNormalization.

#include "engine/operators/normalization.h"
#include "providers/cuda/functors/statistics_functors.h"
#include "providers/cuda/kernels/normalization/row_norm.h"
#include "providers/cuda/kernels/reduction/reduction_layout.h"

namespace cutaway::cuda {
namespace {

constexpr TypeRule kRules[] = {{0, kNormFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};

class BatchKernel final : public GpuKernel {
 public:
  BatchKernel(const operators::BatchNormSettings& settings, std::string functor)
      : m_functor(std::move(functor)), m_settings(settings) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::BatchNormSizes sizes, operators::batchNormSizes(m_settings, dims));
    BatchNormParameters p{.x = x.data(),
                          .count = x.elementCount(),
                          .channels = sizes.channels,
                          .cells = sizes.cells,
                          .epsilon = m_settings.epsilon};
    const void** const places[] = {&p.scale, &p.shift, &p.mean, &p.variance};
    for (size_t i = 0; i < 4; ++i) {
      const Tensor& tensor = *call.input(i + 1);
      if (tensor.elementCount() != p.channels || tensor.type() != call.input(1)->type()) {
        return fail(ErrorCode::kInvalidArgument, "BatchNormalization: input {} has {} elements of {}, not {}", i + 1,
                    tensor.elementCount(), elementTypeName(tensor.type()), p.channels);
      }
      *places[i] = tensor.data();
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.y = y->mutableData();
    if (p.count == 0) return {};
    const int64_t bytes = bitsOf(x.type()) / 8;
    p.packed = isPackedBytes(p.x, p.cells, bytes) && isPackedBytes(p.y, p.cells, bytes);
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  operators::BatchNormSettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeBatch(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::BatchNormSettings settings, operators::readBatchNormalization(info.node()));
  if (settings.training)
    return fail(ErrorCode::kNotImplemented,
                "BatchNormalization in training mode: statistics of the batch are not computed here");
  for (size_t slot = 2; slot < 5; ++slot) {
    if (info.inputElement(slot) != info.inputElement(1))
      return fail(ErrorCode::kNotImplemented, "BatchNormalization with a scale of {} and an input {} of {}",
                  elementTypeName(info.inputElement(1)), slot, elementTypeName(info.inputElement(slot)));
  }
  CUTAWAY_TRY(std::string functor, normFunctor("batch", info.inputElement(0), info.inputElement(1)));
  return std::make_unique<BatchKernel>(settings, std::move(functor));
}

class MeanVarianceKernel final : public GpuKernel {
 public:
  MeanVarianceKernel(std::string functor, std::vector<int64_t> axes, bool variance)
      : m_functor(std::move(functor)), m_axes(std::move(axes)), m_variance(variance) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const operators::AxisSet axes, operators::axisSet(m_axes, x.rank()));
    CUTAWAY_TRY(const ReductionLayout layout, ReductionLayout::make(x.dims(), axes, true));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (layout.outputs == 0 || layout.count == 0) return {};
    AxesNormParameters p{.x = x.data(),
                         .y = y->mutableData(),
                         .groups = layout.outputs,
                         .count = layout.count,
                         .kept = layout.kept,
                         .reduced = layout.outer,
                         .variance = m_variance};
    if (layout.run > 1) {
      if (p.reduced.rank == kMaximumRank)
        return fail(ErrorCode::kNotImplemented, "MeanVarianceNormalization over more than {} groups of axes",
                    kMaximumRank);
      p.reduced.dims[p.reduced.rank] = layout.run;
      p.reduced.strides[0][p.reduced.rank++] = layout.step;
    }
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  std::vector<int64_t> m_axes;
  bool m_variance;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeMeanVariance(const KernelInfo& info) {
  const std::string functor = fmt::format("norm.axes.{}", functorType(info.inputElement(0)));
  operators::MeanVarianceSettings settings = operators::readMeanVariance(info.node());
  return std::make_unique<MeanVarianceKernel>(functor, std::move(settings.axes), settings.variance);
}

class LpKernel final : public GpuKernel {
 public:
  LpKernel(const operators::LpNormSettings& settings, ElementType type)
      : m_functor(fmt::format("norm.lp.{}", functorType(type))), m_settings(settings) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const size_t at, operators::lpNormAxis(m_settings, dims));
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    const int64_t inner = elementCount(dims.subspan(at + 1));
    return call.launch(m_kernel, LpParameters{.x = x.data(),
                                              .y = y->mutableData(),
                                              .runs = dims[at] == 0 ? 0 : elementCount(dims.first(at)) * inner,
                                              .length = dims[at],
                                              .inner = inner,
                                              .power = static_cast<int32_t>(m_settings.power)});
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  operators::LpNormSettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeLp(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::LpNormSettings settings, operators::readLpNormalization(info.node()));
  return std::make_unique<LpKernel>(settings, info.inputElement(0));
}

}  // namespace

KernelRows kernel_given_statistics() {
  static constexpr KernelRow rows[] = {
      {.opType = "BatchNormalization",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeBatch>},
      {.opType = "MeanVarianceNormalization",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeMeanVariance>},
      {.opType = "LpNormalization",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeLp>},
  };
  return rows;
}

}  // namespace cutaway::cuda
