// InstanceNormalization (all versions) and GroupNormalization (18: one scale a group; 21: one a channel): each group of
// channels of one image has its own mean and variance.

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway {
namespace {

template <typename T>
class GroupNormalization final : public Kernel {
 public:
  // groups 0: one a channel.
  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "reference"; }
  GroupNormalization(int64_t groups, bool scaleByGroup, float epsilon)
      : m_groups(groups), m_scaleByGroup(scaleByGroup), m_epsilon(static_cast<T>(epsilon)) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    if (dims.size() < 2)
      return fail(ErrorCode::kInvalidArgument, "normalisation by group needs an input of rank 2 or more, not {}",
                  dimsToText(dims));
    const int64_t channels = dims[1], groups = m_groups == 0 ? channels : m_groups;
    if (groups < 1 || channels % groups != 0)
      return fail(ErrorCode::kInvalidArgument, "{} channels do not split into {} groups", channels, groups);
    const int64_t perGroup = channels / groups, cells = elementCount(dims.subspan(2)),
                  scaleCount = context.input(1)->elementCount();
    // Version 18 has one scale a group; files that follow its correction early have one a channel, as onnxruntime reads
    // them.
    const bool scaleByGroup = m_scaleByGroup && scaleCount == groups;
    const int64_t scales = scaleByGroup ? groups : channels;
    std::vector<T> storage[2];
    const T *scale = valuesAs<T>(*context.input(1), storage[0]), *bias = valuesAs<T>(*context.input(2), storage[1]);
    if (scale == nullptr || bias == nullptr || scaleCount != scales || context.input(2)->elementCount() != scales) {
      return fail(ErrorCode::kInvalidArgument, "scale and bias need {} elements, they have {} and {}", scales,
                  scaleCount, context.input(2)->elementCount());
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    parallelFor(dims[0] * groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t group = unit % groups, base = unit * perGroup * cells;
        const double count = static_cast<double>(std::max<int64_t>(perGroup * cells, 1));
        const T mean = static_cast<T>(rowSum(source + base, perGroup * cells) / count);
        const T variance = static_cast<T>(rowSquares(source + base, mean, perGroup * cells) / count);
        const T inverse = T(1) / std::sqrt(variance + m_epsilon);
        for (int64_t c = 0; c < perGroup; ++c) {
          const int64_t index = scaleByGroup ? group : group * perGroup + c;
          scaleRow(source + base + c * cells, mean, scale[index] * inverse, bias[index], target + base + c * cells,
                   cells);
        }
      }
    });
    return {};
  }

 private:
  int64_t m_groups;
  bool m_scaleByGroup;
  T m_epsilon;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createNormalization(const KernelInfo& info) {
  const float epsilon = info.attribute<float>("epsilon", 1e-5f);
  if (info.node().opType == "InstanceNormalization") return std::make_unique<GroupNormalization<T>>(0, false, epsilon);
  const int64_t groups = info.attribute<int64_t>("num_groups", 0);
  if (groups < 1) return fail(ErrorCode::kInvalidArgument, "GroupNormalization: num_groups is {}", groups);
  return std::make_unique<GroupNormalization<T>>(groups, info.node().sinceVersion < 21, epsilon);
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "InstanceNormalization",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createNormalization<float>},
    {.opType = "InstanceNormalization",
     .versions = {1},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createNormalization<double>},
    {.opType = "InstanceNormalization",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<createNormalization<float>>},
    {.opType = "GroupNormalization",
     .versions = {18},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createNormalization<float>},
    {.opType = "GroupNormalization",
     .versions = {18},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createNormalization<double>},
    {.opType = "GroupNormalization",
     .versions = {18},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<createNormalization<float>>},
};

}  // namespace

KernelRows kernel_instance_normalization() {
  return kRows;
}

}  // namespace cutaway
