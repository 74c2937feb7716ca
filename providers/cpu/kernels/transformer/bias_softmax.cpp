// com.microsoft BiasSoftmax: softmax(data + bias) over the axes from `axis` on; the bias repeats over the inner or the
// outer part of the axes before.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway {
namespace {

template <typename T>
class BiasSoftmax final : public Kernel {
 public:
  BiasSoftmax(int64_t axis, bool inner) : m_axis(axis), m_inner(inner) {}
  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &bias = *context.input(1);
    const int64_t rank = static_cast<int64_t>(x.rank()), axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "BiasSoftmax: axis {} of {}", m_axis, dimsToText(x.dims()));
    const std::span<const int64_t> dims = x.dims();
    const int64_t rows = elementCount(dims.first(static_cast<size_t>(axis))),
                  count = elementCount(dims.subspan(static_cast<size_t>(axis)));
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    if (rows == 0 || count == 0) return {};
    const int64_t biasRows = bias.elementCount() / count;
    if (bias.type() != x.type() || biasRows < 1 || biasRows * count != bias.elementCount() || rows % biasRows != 0) {
      return fail(ErrorCode::kInvalidArgument, "BiasSoftmax: bias {} does not repeat over {}", dimsToText(bias.dims()),
                  dimsToText(dims));
    }
    const int64_t repeat = rows / biasRows;
    const T *source = x.span<T>().data(), *offset = bias.span<T>().data();
    T* target = y->span<T>().data();
    parallelFor(rows, std::max<int64_t>(1, 1024 / count), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        T* to = target + row * count;
        addRows(source + row * count, offset + (m_inner ? row / repeat : row % biasRows) * count, nullptr, to, count);
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
  int64_t m_axis;
  bool m_inner;
};

template <typename T>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "BiasSoftmax has no bias");
  return std::make_unique<BiasSoftmax<T>>(info.attribute<int64_t>("axis", 1),
                                          info.attribute<int64_t>("is_inner_broadcast", 0) != 0);
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

}  // namespace cutaway
