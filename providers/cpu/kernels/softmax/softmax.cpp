// Softmax, LogSoftmax, Hardmax. Before version 13 the input is seen as a matrix, split at `axis`; from 13 on the
// operator works along the one axis.

#include "engine/operators/softmax.h"

#include <algorithm>
#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

template <typename T>
void hardmaxRun(const T* from, T* to, int64_t length, int64_t step) {
  int64_t best = 0;
  for (int64_t i = 1; i < length; ++i) {
    if (from[i * step] > from[best * step]) best = i;
  }
  for (int64_t i = 0; i < length; ++i)
    to[i * step] = T(0);
  to[best * step] = T(1);
}

template <typename T>
class Softmax final : public Kernel {
 public:
  Softmax(SoftmaxKind kind, const operators::SoftmaxSettings& settings) : m_kind(kind), m_settings(settings) {}
  std::string_view variant() const override {
    return std::is_same_v<T, float> && m_kind != SoftmaxKind::kHardmax ? "highway" : "reference";
  }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const operators::AxisSplit split, operators::softmaxSplit(m_settings, x.dims()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    if constexpr (std::is_same_v<T, float>) {
      if (split.inner > 1 && m_kind != SoftmaxKind::kHardmax) {
        besideEachOther(source, target, split);
        return {};
      }
      if (m_kind == SoftmaxKind::kSoftmax && isShortSoftmax(split.length)) {
        constexpr int64_t kGrainRows = 4096;
        parallelFor(split.outer, kGrainRows, [&](int64_t begin, int64_t end) {
          softmaxShortRows(source + begin * split.length, target + begin * split.length, split.length, end - begin);
        });
        return {};
      }
    }
    parallelFor(split.outer * split.inner, std::max<int64_t>(1, 1024 / split.length), [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t base = unit / split.inner * split.length * split.inner + unit % split.inner;
        one(source + base, target + base, split.length, split.inner);
      }
    });
    return {};
  }

 private:
  // Runs whose elements are `inner` apart, many at once.
  void besideEachOther(const float* source, float* target, const operators::AxisSplit& split) const {
    constexpr int64_t kColumns = 64;  // whole lines of the cache, and whole vectors of every machine
    const int64_t blocks = (split.inner + kColumns - 1) / kColumns;
    const int64_t grain = std::max<int64_t>(1, 1024 / (split.length * std::min(split.inner, kColumns)));
    parallelFor(split.outer * blocks, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t column = unit % blocks * kColumns;
        const int64_t base = unit / blocks * split.length * split.inner + column;
        softmaxColumns(source + base, target + base, split.length, split.inner,
                       std::min(kColumns, split.inner - column), m_kind);
      }
    });
  }

  void one(const T* from, T* to, int64_t length, int64_t step) const {
    if (m_kind == SoftmaxKind::kHardmax) return hardmaxRun(from, to, length, step);
    if constexpr (std::is_same_v<T, float>) {
      if (step == 1) return softmaxRow(from, to, length, m_kind);
    }
    softmaxReference(from, to, length, step, m_kind);
  }

  SoftmaxKind m_kind;
  operators::SoftmaxSettings m_settings;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createSoftmax(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  const SoftmaxKind kind = name == "Softmax"      ? SoftmaxKind::kSoftmax
                           : name == "LogSoftmax" ? SoftmaxKind::kLogSoftmax
                                                  : SoftmaxKind::kHardmax;
  return std::make_unique<Softmax<T>>(kind, operators::readSoftmax(info.node()));
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "Softmax",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createSoftmax<float>},
    {.opType = "Softmax", .versions = {1}, .types = kDoubleInput, .inplace = kInplace, .create = createSoftmax<double>},
    {.opType = "Softmax",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .create = createThroughFloat<createSoftmax<float>>},
    {.opType = "LogSoftmax",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createSoftmax<float>},
    {.opType = "LogSoftmax",
     .versions = {1},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createSoftmax<double>},
    {.opType = "LogSoftmax",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .create = createThroughFloat<createSoftmax<float>>},
    {.opType = "Hardmax", .versions = {1}, .types = kFloatInput, .inplace = kInplace, .create = createSoftmax<float>},
    {.opType = "Hardmax", .versions = {1}, .types = kDoubleInput, .inplace = kInplace, .create = createSoftmax<double>},
    {.opType = "Hardmax",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .create = createThroughFloat<createSoftmax<float>>},
};

}  // namespace

KernelRows kernel_softmax() {
  return kRows;
}

}  // namespace cutaway::cpu
