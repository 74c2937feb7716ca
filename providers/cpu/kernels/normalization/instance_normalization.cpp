// InstanceNormalization (all versions) and GroupNormalization (18: one scale a group; 21: one a channel): each group of
// channels of one image has its own mean and variance.

#include <cmath>

#include "engine/base/parallel.h"
#include "engine/operators/normalization.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class GroupNormalization final : public Kernel {
 public:
  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "reference"; }
  explicit GroupNormalization(const operators::GroupNormSettings& settings)
      : m_settings(settings), m_epsilon(static_cast<T>(settings.epsilon)) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::GroupNormSizes sizes,
                operators::groupNormSizes(m_settings, dims, context.input(1)->elementCount(),
                                          context.input(2)->elementCount()));
    const int64_t groups = sizes.groups, perGroup = sizes.perGroup, cells = sizes.cells;
    const bool scaleByGroup = sizes.scaleByGroup;
    std::vector<T> storage[2];
    const T *scale = valuesAs<T>(*context.input(1), storage[0]), *bias = valuesAs<T>(*context.input(2), storage[1]);
    if (scale == nullptr || bias == nullptr)
      return fail(ErrorCode::kInvalidArgument, "normalisation by group needs a float scale and bias");
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
  operators::GroupNormSettings m_settings;
  T m_epsilon;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createNormalization(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::GroupNormSettings settings, operators::readGroupNormalization(info.node()));
  return std::make_unique<GroupNormalization<T>>(settings);
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

}  // namespace cutaway::cpu
