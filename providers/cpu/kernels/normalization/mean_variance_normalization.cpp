// MeanVarianceNormalization: (x - mean) / (standard deviation + 1e-9) over the axes named (0, 2, 3 when none are).
//
// The operator's function body takes the variance as E[x^2] - E[x]^2; here it is taken around the mean, which is the
// same number with less rounding. The withdrawn version 1 has across_channels (axis 1 is averaged over, too) and
// normalize_variance (0: only the mean is taken off).

#include <array>
#include <cmath>

#include "engine/operators/normalization.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr size_t kMaxRank = 16;
constexpr double kTiny = 1e-9;

template <typename T>
class MeanVarianceNormalization final : public Kernel {
 public:
  MeanVarianceNormalization(std::vector<int64_t> axes, bool variance) : m_axes(std::move(axes)), m_variance(variance) {}
  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "reference"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    const int64_t rank = static_cast<int64_t>(dims.size());
    if (dims.size() > kMaxRank) return fail(ErrorCode::kNotImplemented, "MeanVarianceNormalization of rank {}", rank);
    // Strides into the table of groups: 0 along the axes that are averaged over.
    std::array<bool, kMaxRank> averaged{};
    for (const int64_t axis : m_axes) {
      if (axis < -rank || axis >= rank)
        return fail(ErrorCode::kInvalidArgument, "MeanVarianceNormalization: axis {} of {}", axis, dimsToText(dims));
      averaged[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
    }
    std::array<int64_t, kMaxRank> stride{};
    int64_t groups = 1;
    for (size_t axis = dims.size(); axis-- > 0;) {
      stride[axis] = averaged[axis] ? 0 : groups;
      if (!averaged[axis]) groups *= dims[axis];
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const int64_t count = y->elementCount();
    if (count == 0) return {};
    CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(static_cast<size_t>(groups) * 2 * sizeof(double)));
    double *mean = reinterpret_cast<double*>(scratch.data()), *spread = mean + groups;
    std::fill_n(mean, 2 * groups, 0.0);
    const double perGroup = static_cast<double>(count / groups);
    // The last axes that are averaged over are runs of adjacent elements of one group.
    size_t leading = dims.size();
    int64_t length = 1;
    for (; leading > 0 && averaged[leading - 1]; --leading)
      length *= dims[leading - 1];
    const std::span<const int64_t> outer = dims.first(leading);
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    visit(outer, stride, [&](int64_t run, int64_t group) {
      mean[group] += length == 1 ? static_cast<double>(source[run]) : rowSum(source + run * length, length);
    });
    for (int64_t group = 0; group < groups; ++group)
      mean[group] /= perGroup;
    visit(outer, stride, [&](int64_t run, int64_t group) {
      const double difference = static_cast<double>(source[run * length]) - mean[group];
      spread[group] += length == 1 ? difference * difference
                                   : rowSquares(source + run * length, static_cast<T>(mean[group]), length);
    });
    for (int64_t group = 0; group < groups; ++group)
      spread[group] = m_variance ? std::sqrt(spread[group] / perGroup) + kTiny : 1;
    visit(outer, stride, [&](int64_t run, int64_t group) {
      if (length == 1) {
        target[run] = static_cast<T>((static_cast<double>(source[run]) - mean[group]) / spread[group]);
      } else {
        scaleRow(source + run * length, static_cast<T>(mean[group]), static_cast<T>(1.0 / spread[group]), T(0),
                 target + run * length, length);
      }
    });
    return {};
  }

 private:
  // Calls each(flat index, group) for every position of dims in order; the group advances by strides.
  template <typename Each>
  static void visit(std::span<const int64_t> dims, const std::array<int64_t, kMaxRank>& stride, Each&& each) {
    std::array<int64_t, kMaxRank> index{};
    const int64_t count = elementCount(dims);
    int64_t group = 0;
    for (int64_t i = 0; i < count; ++i) {
      each(i, group);
      for (size_t axis = dims.size(); axis-- > 0;) {
        group += stride[axis];
        if (++index[axis] < dims[axis]) break;
        group -= stride[axis] * dims[axis];
        index[axis] = 0;
      }
    }
  }

  std::vector<int64_t> m_axes;
  bool m_variance;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createMeanVariance(const KernelInfo& info) {
  operators::MeanVarianceSettings settings = operators::readMeanVariance(info.node());
  return std::make_unique<MeanVarianceNormalization<T>>(std::move(settings.axes), settings.variance);
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "MeanVarianceNormalization",
     .versions = {1, 8},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createMeanVariance<float>},
    {.opType = "MeanVarianceNormalization",
     .versions = {1, 8},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createMeanVariance<double>},
    {.opType = "MeanVarianceNormalization",
     .versions = {1, 8},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<createMeanVariance<float>>},
    {.opType = "MeanVarianceNormalization",
     .versions = {9},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createMeanVariance<float>},
    {.opType = "MeanVarianceNormalization",
     .versions = {9},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createMeanVariance<double>},
    {.opType = "MeanVarianceNormalization",
     .versions = {9},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<createMeanVariance<float>>},
};

}  // namespace

KernelRows kernel_mean_variance_normalization() {
  return kRows;
}

}  // namespace cutaway::cpu
