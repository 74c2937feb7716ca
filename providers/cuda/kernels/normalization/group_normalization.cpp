// InstanceNormalization, GroupNormalization (18: one scale a group; 21: one a channel), and com.microsoft GroupNorm and
// SkipGroupNorm, channels first or last, with SiLU behind.

#include "engine/operators/normalization.h"
#include "providers/cuda/functors/group_norm_functors.h"
#include "providers/cuda/kernels/normalization/row_norm.h"

namespace cutaway::cuda {
namespace {

constexpr TypeRule kRules[] = {{0, kNormFloats}, {1, kNormFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};
constexpr InplaceHint kOverSkip[] = {{0, 0, AliasKind::kMayInplace},
                                     {3, 0, AliasKind::kMayInplace},
                                     {0, 1, AliasKind::kMayInplace},
                                     {3, 1, AliasKind::kMayInplace}};
constexpr int64_t kBusyBlocks = 528, kMostSegments = 32;

// Segments by the shape alone; everything but pointers must be set.
Result<void> launchGroups(GpuCall& call, const DeviceKernel& kernel, GroupNormParameters& p, ElementType type) {
  const int64_t count = p.perGroup * p.cells;
  if (count > 0x7fffffff)
    return fail(ErrorCode::kNotImplemented, "a group of {} elements: places within it are 31 bits wide", count);
  if (p.units == 0 || count == 0) return {};
  int64_t segments = 1;
  if (p.units < kBusyBlocks / 2 && count >= 16384)
    segments = std::min({count / 8192, (kBusyBlocks + p.units - 1) / p.units, kMostSegments});
  p.perSegment = segments == 1 ? count : ((count + segments - 1) / segments + 1023) / 1024 * 1024;
  // Channels last: a segment begins with a cell.
  if (segments > 1 && p.channelsLast) p.perSegment = (p.perSegment + p.perGroup - 1) / p.perGroup * p.perGroup;
  p.segments = (count + p.perSegment - 1) / p.perSegment;
  p.threads = p.perSegment <= 1024 ? 64 : p.perSegment <= 4096 ? 256 : 512;
  const int64_t bytes = bitsOf(type) / 8, neighbours = p.channelsLast ? p.perGroup : p.cells;
  p.packed = isPackedBytes(p.x, neighbours, bytes) && isPackedBytes(p.y, neighbours, bytes) &&
             isPackedBytes(p.sum, neighbours, bytes) && isPackedBytes(p.x, p.perSegment, bytes);
  if (p.segments > 1) {
    CUTAWAY_TRY(void* partial, call.scratch(static_cast<size_t>(p.units * p.segments) * sizeof(Moments)));
    p.partial = static_cast<Moments*>(partial);
  }
  return call.launch(kernel, p);
}

class GroupKernel final : public GpuKernel {
 public:
  GroupKernel(const operators::GroupNormSettings& settings, std::string functor)
      : m_functor(std::move(functor)), m_settings(settings) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &scale = *call.input(1), &shift = *call.input(2);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::GroupNormSizes sizes,
                operators::groupNormSizes(m_settings, dims, scale.elementCount(), shift.elementCount()));
    if (shift.type() != scale.type())
      return fail(ErrorCode::kInvalidArgument, "scale is {}, bias {}", elementTypeName(scale.type()),
                  elementTypeName(shift.type()));
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    GroupNormParameters p{.x = x.data(),
                          .scale = scale.data(),
                          .shift = shift.data(),
                          .y = y->mutableData(),
                          .units = sizes.images * sizes.groups,
                          .groups = sizes.groups,
                          .perGroup = sizes.perGroup,
                          .cells = sizes.cells,
                          .epsilon = m_settings.epsilon,
                          .scaleByGroup = sizes.scaleByGroup};
    return launchGroups(call, m_kernel, p, x.type());
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  operators::GroupNormSettings m_settings;
  DeviceKernel m_kernel;
};

class ContribGroupKernel final : public GpuKernel {
 public:
  ContribGroupKernel(const operators::ImageGroupNormSettings& settings, std::string functor)
      : m_functor(std::move(functor)), m_settings(settings) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &gamma = *call.input(1), &beta = *call.input(2);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::GroupNormSizes sizes,
                operators::imageGroupNormSizes(m_settings, dims, gamma.dims(), beta.dims()));
    if (beta.type() != gamma.type())
      return fail(ErrorCode::kInvalidArgument, "gamma is {}, beta {}", elementTypeName(gamma.type()),
                  elementTypeName(beta.type()));
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    GroupNormParameters p{.x = x.data(),
                          .scale = gamma.data(),
                          .shift = beta.data(),
                          .y = y->mutableData(),
                          .units = sizes.images * sizes.groups,
                          .groups = sizes.groups,
                          .perGroup = sizes.perGroup,
                          .cells = sizes.cells,
                          .epsilon = m_settings.epsilon,
                          .channelsLast = m_settings.channelsLast,
                          .silu = m_settings.silu};
    if (m_settings.skip) CUTAWAY_CHECK(addSkip(call, x, sizes, p));
    return launchGroups(call, m_kernel, p, x.type());
  }
  std::string_view variant() const override { return m_functor; }

 private:
  Result<void> addSkip(GpuCall& call, const Tensor& x, const operators::GroupNormSizes& sizes,
                       GroupNormParameters& p) const {
    const Tensor &skip = *call.input(3), *bias = call.inputCount() > 4 ? call.input(4) : nullptr;
    CUTAWAY_TRY(const bool whole, operators::skipIsWholeImage(m_settings, sizes, x, skip, bias));
    p.skip = skip.data();
    p.pooledSkip = !whole;
    p.bias = bias == nullptr ? nullptr : bias->data();
    if (call.outputCount() > 1 && call.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * sum, call.output(1, x.dims()));
      p.sum = sum->mutableData();
    }
    return {};
  }

  std::string m_functor;
  operators::ImageGroupNormSettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeGroup(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::GroupNormSettings settings, operators::readGroupNormalization(info.node()));
  CUTAWAY_TRY(std::string functor, normFunctor("group", info.inputElement(0), info.inputElement(1)));
  return std::make_unique<GroupKernel>(settings, std::move(functor));
}

Result<std::unique_ptr<GpuKernel>> makeContribGroup(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::ImageGroupNormSettings settings, operators::readImageGroupNorm(info.node()));
  CUTAWAY_TRY(std::string functor, normFunctor("group", info.inputElement(0), info.inputElement(1)));
  return std::make_unique<ContribGroupKernel>(settings, std::move(functor));
}

}  // namespace

KernelRows kernel_group_normalization() {
  static constexpr KernelRow rows[] = {
      {.opType = "InstanceNormalization",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeGroup>},
      {.opType = "GroupNormalization",
       .versions = {18},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeGroup>},
      {.opType = "GroupNorm",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeContribGroup>},
      {.opType = "SkipGroupNorm",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOverSkip,
       .fastPath = "cuda",
       .create = gpuKernel<makeContribGroup>},
  };
  return rows;
}

}  // namespace cutaway::cuda
