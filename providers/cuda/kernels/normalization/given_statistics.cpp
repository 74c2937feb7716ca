// BatchNormalization (inference), MeanVarianceNormalization and LpNormalization.

#include "providers/cuda/functors/statistics_functors.h"
#include "providers/cuda/kernels/normalization/row_norm.h"
#include "providers/cuda/kernels/reduction/reduction_layout.h"

namespace cutaway::cuda {
namespace {

constexpr TypeRule kRules[] = {{0, kNormFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};

class BatchKernel final : public GpuKernel {
 public:
  BatchKernel(const KernelInfo& info, std::string functor)
      : m_functor(std::move(functor)),
        m_epsilon(info.attribute<float>("epsilon", 1e-5f)),
        m_perActivation(info.attribute<int64_t>("spatial", 1) == 0) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const std::span<const int64_t> dims = x.dims();
    if (dims.empty()) return fail(ErrorCode::kInvalidArgument, "BatchNormalization needs an input of rank 1 or more");
    BatchNormParameters p{.x = x.data(),
                          .count = x.elementCount(),
                          .channels = dims.size() > 1 ? dims[1] : 1,
                          .cells = dims.size() > 2 ? elementCount(dims.subspan(2)) : 1,
                          .epsilon = m_epsilon};
    if (m_perActivation) p.channels *= p.cells, p.cells = 1;
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
  float m_epsilon;
  bool m_perActivation;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeBatch(const KernelInfo& info) {
  if (info.inputCount() < 5) return fail(ErrorCode::kInvalidArgument, "BatchNormalization needs five inputs");
  bool several = false;
  for (size_t slot = 1; slot < info.outputCount(); ++slot)
    several = several || info.hasOutput(slot);
  const bool isNew = info.node().sinceVersion >= 14;
  if (isNew ? info.attribute<int64_t>("training_mode", 0) != 0 : several)
    return fail(ErrorCode::kNotImplemented,
                "BatchNormalization in training mode: statistics of the batch are not taken here");
  if (several)
    return fail(ErrorCode::kInvalidArgument,
                "BatchNormalization has statistics to give in training mode only (training_mode is 0)");
  for (size_t slot = 2; slot < 5; ++slot) {
    if (info.inputElement(slot) != info.inputElement(1))
      return fail(ErrorCode::kNotImplemented, "BatchNormalization with a scale of {} and an input {} of {}",
                  elementTypeName(info.inputElement(1)), slot, elementTypeName(info.inputElement(slot)));
  }
  CUTAWAY_TRY(std::string functor, normFunctor("batch", info.inputElement(0), info.inputElement(1)));
  return std::make_unique<BatchKernel>(info, std::move(functor));
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
    CUTAWAY_TRY(const ReductionLayout layout, ReductionLayout::make(x.dims(), m_axes, false, true));
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
  if (info.node().sinceVersion >= 9)
    return std::make_unique<MeanVarianceKernel>(functor, info.attribute<std::vector<int64_t>>("axes", {0, 2, 3}), true);
  std::vector<int64_t> axes{0, 2, 3};
  if (info.attribute<int64_t>("across_channels", 0) != 0) axes.push_back(1);
  return std::make_unique<MeanVarianceKernel>(functor, std::move(axes),
                                              info.attribute<int64_t>("normalize_variance", 1) != 0);
}

class LpKernel final : public GpuKernel {
 public:
  LpKernel(const KernelInfo& info, int64_t power)
      : m_functor(fmt::format("norm.lp.{}", functorType(info.inputElement(0)))),
        m_axis(info.attribute<int64_t>("axis", -1)),
        m_power(power) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const std::span<const int64_t> dims = x.dims();
    const int64_t rank = static_cast<int64_t>(dims.size()), axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "LpNormalization: axis {} of {}", m_axis, dimsToText(dims));
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    const size_t at = static_cast<size_t>(axis);
    const int64_t inner = elementCount(dims.subspan(at + 1));
    return call.launch(m_kernel, LpParameters{.x = x.data(),
                                              .y = y->mutableData(),
                                              .runs = dims[at] == 0 ? 0 : elementCount(dims.first(at)) * inner,
                                              .length = dims[at],
                                              .inner = inner,
                                              .power = static_cast<int32_t>(m_power)});
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  int64_t m_axis;
  int64_t m_power;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeLp(const KernelInfo& info) {
  const int64_t p = info.attribute<int64_t>("p", 2);
  if (p != 1 && p != 2)
    return fail(ErrorCode::kInvalidArgument, "LpNormalization: p is {}, only 1 and 2 are defined", p);
  return std::make_unique<LpKernel>(info, p);
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
