// LpNormalization: divides each run along one axis by its 1- or 2-norm; a run of zeros stays zeros.

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway {
namespace {

template <typename T>
class LpNormalization final : public Kernel {
 public:
  LpNormalization(int64_t axis, int64_t p) : m_axis(axis), m_p(p) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    const int64_t rank = static_cast<int64_t>(dims.size()), axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "LpNormalization: axis {} of {}", m_axis, dimsToText(dims));
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const size_t at = static_cast<size_t>(axis);
    const int64_t outer = elementCount(dims.first(at)), length = dims[at], inner = elementCount(dims.subspan(at + 1));
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    parallelFor(outer * inner, 64, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t base = unit / inner * length * inner + unit % inner;
        if (inner == 1 && m_p == 2) {
          const T size = static_cast<T>(std::sqrt(rowSquares(source + base, T(0), length)));
          scaleRow(source + base, T(0), size == T(0) ? T(0) : T(1) / size, T(0), target + base, length);
          continue;
        }
        T norm = 0;
        for (int64_t i = 0; i < length; ++i) {
          const T value = source[base + i * inner];
          norm += m_p == 1 ? std::abs(value) : value * value;
        }
        if (m_p == 2) norm = std::sqrt(norm);
        for (int64_t i = 0; i < length; ++i)
          target[base + i * inner] = norm == T(0) ? T(0) : source[base + i * inner] / norm;
      }
    });
    return {};
  }

 private:
  int64_t m_axis;
  int64_t m_p;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createLpNormalization(const KernelInfo& info) {
  const int64_t p = info.attribute<int64_t>("p", 2);
  if (p != 1 && p != 2)
    return fail(ErrorCode::kInvalidArgument, "LpNormalization: p is {}, only 1 and 2 are defined", p);
  return std::make_unique<LpNormalization<T>>(info.attribute<int64_t>("axis", -1), p);
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "LpNormalization",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createLpNormalization<float>},
    {.opType = "LpNormalization",
     .versions = {1},
     .types = kDoubleInput,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createLpNormalization<double>},
    {.opType = "LpNormalization",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "threads",
     .create = createThroughFloat<createLpNormalization<float>>},
};

}  // namespace

KernelRows kernel_lp_normalization() {
  return kRows;
}

}  // namespace cutaway
