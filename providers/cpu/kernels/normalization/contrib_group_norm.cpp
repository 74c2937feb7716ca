// com.microsoft GroupNorm and SkipGroupNorm: groups of channels of an image normalised together, channels first or
// last, with SiLU behind it when `activation` is 1.
//
// SkipGroupNorm adds a skip tensor (a whole image, or one number a channel) and a bias first, and can hand out the sum.

#include <cmath>

#include "engine/base/parallel.h"
#include "engine/operators/normalization.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using GroupRule = operators::ImageGroupNormSettings;
using Geometry = operators::GroupNormSizes;  // [image, cell, channel] in either layout

class ContribGroupNorm final : public Kernel {
 public:
  explicit ContribGroupNorm(GroupRule rule) : m_rule(rule) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const Geometry at,
                operators::imageGroupNormSizes(m_rule, dims, context.input(1)->dims(), context.input(2)->dims()));
    std::vector<float> storage[2];
    const float *gamma = valuesAs<float>(*context.input(1), storage[0]),
                *beta = valuesAs<float>(*context.input(2), storage[1]);
    if (gamma == nullptr || beta == nullptr) return fail(ErrorCode::kInvalidArgument, "gamma and beta must be floats");
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const float* source = x.span<float>().data();
    if (m_rule.skip) {
      CUTAWAY_TRY(source, addSkip(context, x, at, *y));
    }
    float* target = y->span<float>().data();
    parallelFor(at.images * m_rule.groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t image = unit / m_rule.groups, first = unit % m_rule.groups * at.perGroup;
        const int64_t base = image * at.cells * at.channels + first * (m_rule.channelsLast ? 1 : at.cells);
        m_rule.channelsLast ? groupLast(source + base, target + base, gamma + first, beta + first, at)
                            : groupFirst(source + base, target + base, gamma + first, beta + first, at);
      }
    });
    if (m_rule.silu) {
      const cpu::FloatLoop loop = cpu::floatLoop(cpu::PointwiseOp::kSwish);
      parallelFor(x.elementCount(), 8192, [&](int64_t begin, int64_t end) {
        loop(target + begin, target + begin, end - begin, {.alpha = 1.0});
      });
    }
    return {};
  }

 private:
  // x + skip + bias, in the sum output when there is one, else in y.
  Result<const float*> addSkip(KernelContext& context, const Tensor& x, const Geometry& at, Tensor& y) const {
    const Tensor &skip = *context.input(3), *bias = context.inputCount() > 4 ? context.input(4) : nullptr;
    CUTAWAY_TRY(const bool whole, operators::skipIsWholeImage(m_rule, at, x, skip, bias));
    Tensor* sum = &y;
    if (context.outputCount() > 1 && context.hasOutput(1)) {
      CUTAWAY_TRY(sum, context.output(1, x.dims()));
    }
    const float *source = x.span<float>().data(), *other = skip.span<float>().data(),
                *perChannel = bias != nullptr ? bias->span<float>().data() : nullptr;
    float* target = sum->span<float>().data();
    const int64_t image = at.cells * at.channels;
    for (int64_t n = 0; n < at.images; ++n) {
      if (m_rule.channelsLast) {
        for (int64_t cell = 0; cell < at.cells; ++cell) {
          const int64_t offset = n * image + cell * at.channels;
          addRows(source + offset, whole ? other + offset : other + n * at.channels, perChannel, target + offset,
                  at.channels);
        }
        continue;
      }
      for (int64_t c = 0; c < at.channels; ++c) {
        const int64_t offset = n * image + c * at.cells;
        const float constant =
            (whole ? 0.0f : other[n * at.channels + c]) + (perChannel != nullptr ? perChannel[c] : 0.0f);
        if (whole) addRows(source + offset, other + offset, nullptr, target + offset, at.cells);
        scaleRow(whole ? target + offset : source + offset, 0.0f, 1.0f, constant, target + offset, at.cells);
      }
    }
    return target;
  }

  void groupFirst(const float* x, float* y, const float* gamma, const float* beta, const Geometry& at) const {
    const int64_t count = at.perGroup * at.cells;
    const double size = static_cast<double>(std::max<int64_t>(count, 1));
    const float mean = static_cast<float>(rowSum(x, count) / size),
                variance = static_cast<float>(rowSquares(x, mean, count) / size);
    const float inverse = 1.0f / std::sqrt(variance + m_rule.epsilon);
    for (int64_t c = 0; c < at.perGroup; ++c)
      scaleRow(x + c * at.cells, mean, gamma[c] * inverse, beta[c], y + c * at.cells, at.cells);
  }

  void groupLast(const float* x, float* y, const float* gamma, const float* beta, const Geometry& at) const {
    const double size = static_cast<double>(std::max<int64_t>(at.perGroup * at.cells, 1));
    double sum = 0, squares = 0;
    for (int64_t cell = 0; cell < at.cells; ++cell)
      sum += rowSum(x + cell * at.channels, at.perGroup);
    const float mean = static_cast<float>(sum / size);
    for (int64_t cell = 0; cell < at.cells; ++cell)
      squares += rowSquares(x + cell * at.channels, mean, at.perGroup);
    const float inverse = 1.0f / std::sqrt(static_cast<float>(squares / size) + m_rule.epsilon);
    for (int64_t cell = 0; cell < at.cells; ++cell) {
      const float* from = x + cell * at.channels;
      float* to = y + cell * at.channels;
      for (int64_t c = 0; c < at.perGroup; ++c)
        to[c] = (from[c] - mean) * inverse * gamma[c] + beta[c];
    }
  }

  GroupRule m_rule;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const GroupRule rule, operators::readImageGroupNorm(info.node()));
  return std::make_unique<ContribGroupNorm>(rule);
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0}};
// The sum is complete before the result is begun, and each of its elements reads its own element of input and skip
// alone.
constexpr InplaceHint kInplaceSkip[] = {
    {.input = 0, .output = 0}, {.input = 3, .output = 0}, {.input = 0, .output = 1}, {.input = 3, .output = 1}};

constexpr KernelRow kRows[] = {
    {.opType = "GroupNorm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create},
    {.opType = "GroupNorm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<create>},
    {.opType = "SkipGroupNorm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplaceSkip,
     .fastPath = "highway",
     .create = create},
    {.opType = "SkipGroupNorm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplaceSkip,
     .fastPath = "highway",
     .create = createThroughFloat<create>},
};

}  // namespace

KernelRows kernel_contrib_group_norm() {
  return kRows;
}

}  // namespace cutaway::cpu
