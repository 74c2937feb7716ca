// com.microsoft BiasSoftmax: softmax(data + bias) over the axes from `axis` on; the bias repeats over the inner or the
// outer part of the axes before.

#include "engine/base/parallel.h"
#include "engine/operators/softmax.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class BiasSoftmax final : public Kernel {
 public:
  explicit BiasSoftmax(const operators::BiasSoftmaxSettings& settings) : m_settings(settings) {}
  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &bias = *context.input(1);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::AxisSplit split, operators::biasSoftmaxSplit(m_settings, dims));
    const int64_t rows = split.outer, count = split.length;
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    if (rows == 0 || count == 0) return {};
    CUTAWAY_TRY(const int64_t biasRows, operators::biasSoftmaxRows(split, x, bias));
    const int64_t repeat = rows / biasRows;
    const T *source = x.span<T>().data(), *offset = bias.span<T>().data();
    T* target = y->span<T>().data();
    parallelFor(rows, std::max<int64_t>(1, 1024 / count), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        T* to = target + row * count;
        addRows(source + row * count, offset + (m_settings.innerBroadcast ? row / repeat : row % biasRows) * count,
                nullptr, to, count);
        if constexpr (std::is_same_v<T, float>) {
          softmaxRow(to, to, count, SoftmaxKind::kSoftmax);
        } else {
          softmaxReference(to, to, count, 1, SoftmaxKind::kSoftmax);
        }
      }
    });
    return {};
  }

 private:
  operators::BiasSoftmaxSettings m_settings;
};

template <typename T>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::BiasSoftmaxSettings settings, operators::readBiasSoftmax(info.node()));
  return std::make_unique<BiasSoftmax<T>>(settings);
}

// A bias of the shape of the data has a row for each of its rows.
constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0}, {.input = 1, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "BiasSoftmax",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create<float>},
    {.opType = "BiasSoftmax",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = create<double>},
    {.opType = "BiasSoftmax",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<create<float>>},
};

}  // namespace

KernelRows kernel_bias_softmax() {
  return kRows;
}

}  // namespace cutaway::cpu
