// MaxPool, AveragePool, LpPool: one number for each window, in either layout; and com.microsoft's NhwcMaxPool.

#include "providers/cuda/functors/pooling_functors.h"
#include "providers/cuda/kernels/pooling/pooling_rows.h"

namespace cutaway::cuda {
namespace {

struct PoolingRule {
  WindowAttributes window;
  bool channelsLast = false, countPadding = false, columnMajor = false;
  double power = 2;
};

class WindowPool final : public GpuKernel {
 public:
  WindowPool(PoolingRule rule, std::string functor) : m_rule(std::move(rule)), m_functor(std::move(functor)) {}
  std::string_view variant() const override { return m_functor; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    if (x.rank() < 3)
      return fail(ErrorCode::kInvalidArgument, "a pooling needs an input of rank 3 or more, not {}",
                  dimsToText(x.dims()));
    const ImageView image = viewImage(x.dims(), m_rule.channelsLast);
    CUTAWAY_TRY(const Window window,
                placeWindow(m_rule.window, image.spatial, {}, WindowFit::kMayExceed, kMostWindowAxes));
    const ImageDims dims =
        imageDims(image.batch, image.channels, {window.output.data(), window.rank}, m_rule.channelsLast);
    CUTAWAY_TRY(Tensor * y, call.output(0, dims.span()));
    PoolingParameters p{.x = x.data(),
                        .y = y->mutableData(),
                        .batch = image.batch,
                        .channels = image.channels,
                        .channelsLast = m_rule.channelsLast,
                        .countPadding = m_rule.countPadding,
                        .columnMajor = m_rule.columnMajor,
                        .power = m_rule.power};
    if (call.outputCount() > 1 && call.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * places, call.context().output(1, ElementType::kInt64, dims.span()));
      p.places = static_cast<int64_t*>(places->mutableData());
    }
    if (y->elementCount() == 0) return {};
    CUTAWAY_CHECK(fillWindow(window, p));
    return call.launch(m_kernel, p);
  }

 private:
  PoolingRule m_rule;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeWindowPool(const KernelInfo& info) {
  CUTAWAY_CHECK(checkWindowRank(info));
  PoolingRule rule;
  CUTAWAY_TRY(rule.window, readWindowAttributes(info.node()));
  const std::string& name = info.node().opType;
  if (rule.window.kernel.empty()) return fail(ErrorCode::kInvalidArgument, "{} needs kernel_shape", name);
  rule.channelsLast = isChannelsLast(info) || name == "NhwcMaxPool";
  rule.countPadding = info.attribute<int64_t>("count_include_pad", 0) != 0;
  rule.columnMajor = info.attribute<int64_t>("storage_order", 0) != 0;
  // A float in version 1, an integer later.
  if (name == "LpPool")
    rule.power = info.node().sinceVersion == 1 ? static_cast<double>(info.attribute<float>("p", 2.0f))
                                               : static_cast<double>(info.attribute<int64_t>("p", 2));
  if (!(rule.power > 0)) return fail(ErrorCode::kInvalidArgument, "LpPool: p is {}", rule.power);
  if (rule.channelsLast && info.hasOutput(1))
    return fail(ErrorCode::kNotImplemented, "places of maxima count in channels-first order");
  const char* kind = name == "AveragePool" ? "average" : name == "LpPool" ? "lp" : "max";
  return std::make_unique<WindowPool>(std::move(rule),
                                      fmt::format("pooling.{}.{}", kind, functorType(info.inputElement(0))));
}

constexpr ElementType kBytes[] = {ElementType::kInt8, ElementType::kUint8};
constexpr TypeRule kByteRules[] = {{0, kBytes}};

}  // namespace

KernelRows kernel_window_pool() {
  static constexpr KernelRow rows[] = {
      {.opType = "MaxPool",
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "MaxPool",
       .versions = {12},
       .types = kByteRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "AveragePool",
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "LpPool",
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "MaxPool",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "MaxPool",
       .domain = kChannelsLastDomain,
       .versions = {12},
       .types = kByteRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "AveragePool",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "LpPool",
       .domain = kChannelsLastDomain,
       .versions = {1},
       .types = kPooledRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
      {.opType = "NhwcMaxPool",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kByteRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeWindowPool>},
  };
  return rows;
}

}  // namespace cutaway::cuda
