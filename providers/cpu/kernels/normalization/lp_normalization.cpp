// LpNormalization: divides each run along one axis by its 1- or 2-norm; a run of zeros stays zeros.

#include <cmath>

#include "engine/base/parallel.h"
#include "engine/operators/normalization.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class LpNormalization final : public Kernel {
 public:
  explicit LpNormalization(const operators::LpNormSettings& settings) : m_settings(settings), m_p(settings.power) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const size_t at, operators::lpNormAxis(m_settings, dims));
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
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
  operators::LpNormSettings m_settings;
  int64_t m_p;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createLpNormalization(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::LpNormSettings settings, operators::readLpNormalization(info.node()));
  return std::make_unique<LpNormalization<T>>(settings);
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

}  // namespace cutaway::cpu
