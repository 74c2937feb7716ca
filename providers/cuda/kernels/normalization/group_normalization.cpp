// InstanceNormalization, GroupNormalization (18: one scale a group; 21: one a channel), and com.microsoft GroupNorm and
// SkipGroupNorm, channels first or last, with SiLU behind.

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

// groups 0: one a channel.
class GroupKernel final : public GpuKernel {
 public:
  GroupKernel(const KernelInfo& info, std::string functor, int64_t groups, bool scaleByGroup)
      : m_functor(std::move(functor)),
        m_groups(groups),
        m_scaleByGroup(scaleByGroup),
        m_epsilon(info.attribute<float>("epsilon", 1e-5f)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &scale = *call.input(1), &shift = *call.input(2);
    const std::span<const int64_t> dims = x.dims();
    if (dims.size() < 2)
      return fail(ErrorCode::kInvalidArgument, "normalisation by group needs an input of rank 2 or more, not {}",
                  dimsToText(dims));
    const int64_t channels = dims[1], groups = m_groups == 0 ? channels : m_groups;
    if (groups < 1 || channels % groups != 0)
      return fail(ErrorCode::kInvalidArgument, "{} channels do not split into {} groups", channels, groups);
    // Version 18 has one scale a group; files that follow its correction early have one a channel.
    const bool byGroup = m_scaleByGroup && scale.elementCount() == groups;
    const int64_t scales = byGroup ? groups : channels;
    if (scale.elementCount() != scales || shift.elementCount() != scales || shift.type() != scale.type()) {
      return fail(ErrorCode::kInvalidArgument, "scale and bias need {} elements, they have {} and {}", scales,
                  scale.elementCount(), shift.elementCount());
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    GroupNormParameters p{.x = x.data(),
                          .scale = scale.data(),
                          .shift = shift.data(),
                          .y = y->mutableData(),
                          .units = dims[0] * groups,
                          .groups = groups,
                          .perGroup = channels / groups,
                          .cells = elementCount(dims.subspan(2)),
                          .epsilon = m_epsilon,
                          .scaleByGroup = byGroup};
    return launchGroups(call, m_kernel, p, x.type());
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  int64_t m_groups;
  bool m_scaleByGroup;
  float m_epsilon;
  DeviceKernel m_kernel;
};

class ContribGroupKernel final : public GpuKernel {
 public:
  ContribGroupKernel(const KernelInfo& info, std::string functor)
      : m_functor(std::move(functor)),
        m_groups(info.attribute<int64_t>("groups", 0)),
        m_epsilon(info.attribute<float>("epsilon", 1e-5f)),
        m_silu(info.attribute<int64_t>("activation", 0) == 1),
        m_channelsLast(info.attribute<int64_t>("channels_last", 1) != 0),
        m_skip(info.node().opType == "SkipGroupNorm") {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &gamma = *call.input(1), &beta = *call.input(2);
    const std::span<const int64_t> dims = x.dims();
    if (dims.size() != 4)
      return fail(ErrorCode::kInvalidArgument, "the input must have rank 4, it is {}", dimsToText(dims));
    const int64_t channels = m_channelsLast ? dims[3] : dims[1];
    if (channels % m_groups != 0)
      return fail(ErrorCode::kInvalidArgument, "{} channels do not split into {} groups", channels, m_groups);
    if (gamma.elementCount() != channels || beta.elementCount() != channels || beta.type() != gamma.type())
      return fail(ErrorCode::kInvalidArgument, "gamma is {}, beta {}, not [{}]", dimsToText(gamma.dims()),
                  dimsToText(beta.dims()), channels);
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    GroupNormParameters p{.x = x.data(),
                          .scale = gamma.data(),
                          .shift = beta.data(),
                          .y = y->mutableData(),
                          .units = dims[0] * m_groups,
                          .groups = m_groups,
                          .perGroup = channels / m_groups,
                          .cells = m_channelsLast ? dims[1] * dims[2] : dims[2] * dims[3],
                          .epsilon = m_epsilon,
                          .channelsLast = m_channelsLast,
                          .silu = m_silu};
    if (m_skip) CUTAWAY_CHECK(addSkip(call, x, channels, p));
    return launchGroups(call, m_kernel, p, x.type());
  }
  std::string_view variant() const override { return m_functor; }

 private:
  Result<void> addSkip(GpuCall& call, const Tensor& x, int64_t channels, GroupNormParameters& p) const {
    const Tensor &skip = *call.input(3), *bias = call.inputCount() > 4 ? call.input(4) : nullptr;
    if (skip.type() != x.type() || (bias != nullptr && bias->type() != x.type()))
      return fail(ErrorCode::kInvalidArgument, "skip and bias must be {}, as the input is", elementTypeName(x.type()));
    const Dims& dims = skip.dims();
    const bool whole = dims == x.dims();
    const bool pooled =
        dims.size() == 2 ||
        (dims.size() == 4 && (m_channelsLast ? dims[1] == 1 && dims[2] == 1 : dims[2] == 1 && dims[3] == 1));
    if (!whole && (!pooled || skip.elementCount() != x.dims()[0] * channels || dims[0] != x.dims()[0])) {
      return fail(ErrorCode::kInvalidArgument, "skip is {}, which does not fit the input {}", dimsToText(skip.dims()),
                  dimsToText(x.dims()));
    }
    if (bias != nullptr && bias->elementCount() != channels)
      return fail(ErrorCode::kInvalidArgument, "bias is {}, not [{}]", dimsToText(bias->dims()), channels);
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
  int64_t m_groups;
  float m_epsilon;
  bool m_silu, m_channelsLast, m_skip;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeInstance(const KernelInfo& info) {
  CUTAWAY_TRY(std::string functor, normFunctor("group", info.inputElement(0), info.inputElement(1)));
  return std::make_unique<GroupKernel>(info, std::move(functor), 0, false);
}

Result<std::unique_ptr<GpuKernel>> makeGroup(const KernelInfo& info) {
  const int64_t groups = info.attribute<int64_t>("num_groups", 0);
  if (groups < 1) return fail(ErrorCode::kInvalidArgument, "GroupNormalization: num_groups is {}", groups);
  CUTAWAY_TRY(std::string functor, normFunctor("group", info.inputElement(0), info.inputElement(1)));
  return std::make_unique<GroupKernel>(info, std::move(functor), groups, info.node().sinceVersion < 21);
}

Result<std::unique_ptr<GpuKernel>> makeContribGroup(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  const int64_t groups = info.attribute<int64_t>("groups", 0), activation = info.attribute<int64_t>("activation", 0);
  if (groups < 1) return fail(ErrorCode::kInvalidArgument, "{}: groups is {}", name, groups);
  if (activation != 0 && activation != 1)
    return fail(ErrorCode::kInvalidArgument, "{}: activation is {}, only 0 and 1 are defined", name, activation);
  if (!info.hasInput(1) || !info.hasInput(2) || (name == "SkipGroupNorm" && !info.hasInput(3)))
    return fail(ErrorCode::kInvalidArgument, "{} lacks an input", name);
  CUTAWAY_TRY(std::string functor, normFunctor("group", info.inputElement(0), info.inputElement(1)));
  return std::make_unique<ContribGroupKernel>(info, std::move(functor));
}

}  // namespace

KernelRows kernel_group_normalization() {
  static constexpr KernelRow rows[] = {
      {.opType = "InstanceNormalization",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeInstance>},
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
