// Softmax, LogSoftmax, Hardmax. Before version 13 the input is seen as a matrix, split at `axis`; from 13 on the
// operator works along the one axis.

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway {
namespace {

// The tensor as [outer, length, inner]; the operator works along the middle.
struct Split {
  int64_t outer = 1, length = 1, inner = 1;
};

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
  Softmax(SoftmaxKind kind, int64_t axis, bool flatten) : m_kind(kind), m_axis(axis), m_flatten(flatten) {}
  std::string_view variant() const override {
    return std::is_same_v<T, float> && m_kind != SoftmaxKind::kHardmax ? "highway" : "reference";
  }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const Split split, splitOf(x.dims()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    parallelFor(split.outer * split.inner, std::max<int64_t>(1, 1024 / split.length), [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t base = unit / split.inner * split.length * split.inner + unit % split.inner;
        one(source + base, target + base, split.length, split.inner);
      }
    });
    return {};
  }

 private:
  void one(const T* from, T* to, int64_t length, int64_t step) const {
    if (m_kind == SoftmaxKind::kHardmax) return hardmaxRun(from, to, length, step);
    if constexpr (std::is_same_v<T, float>) {
      if (step == 1) return softmaxRow(from, to, length, m_kind);
    }
    softmaxReference(from, to, length, step, m_kind);
  }

  Result<Split> splitOf(std::span<const int64_t> dims) const {
    const int64_t rank = static_cast<int64_t>(dims.size());
    if (rank == 0) return Split{};
    const int64_t axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis > rank || (axis == rank && !m_flatten))
      return fail(ErrorCode::kInvalidArgument, "axis {} of {}", m_axis, dimsToText(dims));
    const size_t at = static_cast<size_t>(axis);
    if (m_flatten) return Split{elementCount(dims.first(at)), elementCount(dims.subspan(at)), 1};
    return Split{elementCount(dims.first(at)), dims[at], elementCount(dims.subspan(at + 1))};
  }

  SoftmaxKind m_kind;
  int64_t m_axis;
  bool m_flatten;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createSoftmax(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  const SoftmaxKind kind = name == "Softmax"      ? SoftmaxKind::kSoftmax
                           : name == "LogSoftmax" ? SoftmaxKind::kLogSoftmax
                                                  : SoftmaxKind::kHardmax;
  const bool flatten = info.node().sinceVersion < 13;
  return std::make_unique<Softmax<T>>(kind, info.attribute<int64_t>("axis", flatten ? 1 : -1), flatten);
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

}  // namespace cutaway
