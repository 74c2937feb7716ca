// GlobalAveragePool, GlobalMaxPool, GlobalLpPool: one number for each plane; LRN, across channels. Either layout.

#include "providers/cuda/functors/planes_functors.h"
#include "providers/cuda/kernels/pooling/pooling_rows.h"

namespace cutaway::cuda {
namespace {

constexpr size_t kMostAxes = 16;

class PlanePool final : public GpuKernel {
 public:
  PlanePool(PlaneFold fold, double power, bool channelsLast, std::string functor)
      : m_fold(fold), m_power(power), m_channelsLast(channelsLast), m_functor(std::move(functor)) {}
  std::string_view variant() const override { return m_functor; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    if (x.rank() < 2 || x.rank() > kMostAxes)
      return fail(ErrorCode::kInvalidArgument, "global pooling of {}", dimsToText(x.dims()));
    const ImageView image = viewImage(x.dims(), m_channelsLast);
    std::array<int64_t, kMostAxes> pooled;
    pooled.fill(1);
    pooled[0] = image.batch;
    pooled[m_channelsLast ? x.rank() - 1 : 1] = image.channels;
    CUTAWAY_TRY(Tensor * y, call.output(0, std::span<const int64_t>(pooled.data(), x.rank())));
    if (y->elementCount() == 0) return {};
    return call.launch(m_kernel, PlaneParameters{.x = x.data(),
                                                 .y = y->mutableData(),
                                                 .batch = image.batch,
                                                 .channels = image.channels,
                                                 .cells = elementCount(image.spatial),
                                                 .fold = m_fold,
                                                 .power = m_power});
  }

 private:
  PlaneFold m_fold;
  double m_power;
  bool m_channelsLast;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makePlanePool(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  const PlaneFold fold = name == "GlobalAveragePool" ? PlaneFold::kAverage
                         : name == "GlobalMaxPool"   ? PlaneFold::kMaximum
                                                     : PlaneFold::kPower;
  const double power = info.node().sinceVersion == 1 ? static_cast<double>(info.attribute<float>("p", 2.0f))
                                                     : static_cast<double>(info.attribute<int64_t>("p", 2));
  if (!(power > 0)) return fail(ErrorCode::kInvalidArgument, "{}: p is {}", name, power);
  const bool last = isChannelsLast(info);
  return std::make_unique<PlanePool>(
      fold, power, last, fmt::format("planes.{}.{}", last ? "last" : "first", functorType(info.inputElement(0))));
}

class LrnKernel final : public GpuKernel {
 public:
  LrnKernel(LrnParameters rule, std::string functor) : m_rule(rule), m_functor(std::move(functor)) {}
  std::string_view variant() const override { return m_functor; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    if (x.rank() < 2)
      return fail(ErrorCode::kInvalidArgument, "LRN needs an input of rank 2 or more, not {}", dimsToText(x.dims()));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    const ImageView image = viewImage(x.dims(), m_rule.channelsLast);
    LrnParameters p = m_rule;
    p.x = x.data();
    p.y = y->mutableData();
    p.count = x.elementCount();
    p.channels = image.channels;
    p.cells = elementCount(image.spatial);
    return call.launch(m_kernel, p);
  }

 private:
  LrnParameters m_rule;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeLrn(const KernelInfo& info) {
  LrnParameters rule;
  rule.size = info.attribute<int64_t>("size", 0);
  if (rule.size < 1) return fail(ErrorCode::kInvalidArgument, "LRN: size is {}", rule.size);
  rule.alpha = static_cast<double>(info.attribute<float>("alpha", 1e-4f));
  rule.beta = static_cast<double>(info.attribute<float>("beta", 0.75f));
  rule.bias = static_cast<double>(info.attribute<float>("bias", 1.0f));
  rule.channelsLast = isChannelsLast(info);
  return std::make_unique<LrnKernel>(rule, fmt::format("planes.lrn.{}", functorType(info.inputElement(0))));
}

}  // namespace

KernelRows kernel_plane_pool() {
  static constexpr KernelRow rows[] = {
      {.opType = "GlobalAveragePool",
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makePlanePool>},
      {.opType = "GlobalMaxPool",
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makePlanePool>},
      {.opType = "GlobalLpPool",
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makePlanePool>},
      {.opType = "LRN", .versions = {1}, .types = kPooledRules, .fastPath = "cuda", .create = gpuKernel<makeLrn>},
      {.opType = "GlobalAveragePool",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makePlanePool>},
      {.opType = "GlobalMaxPool",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makePlanePool>},
      {.opType = "GlobalLpPool",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makePlanePool>},
      {.opType = "LRN",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeLrn>},
  };
  return rows;
}

}  // namespace cutaway::cuda
