// com.microsoft SkipLayerNormalization and SkipSimplifiedLayerNormalization: (input + skip + bias) normalised along the
// last axis.
//
// Halves are widened a row at a time; sum and statistics are taken in float.

#include "engine/operators/normalization.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/normalization/row_tasks.h"
#include "providers/cpu/kernels/normalization/statistics_output.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using cpu::Computed;
using cpu::isHalf;

// A vector of `count` elements of type T as what is computed in; nullptr when absent.
template <typename T>
Result<const T*> vectorInput(const KernelContext& context, size_t slot, int64_t count, std::string_view name) {
  const Tensor* tensor = slot < context.inputCount() ? context.input(slot) : nullptr;
  if (tensor == nullptr) return nullptr;
  CUTAWAY_CHECK(operators::checkRowVector(*tensor, ElementTypeOf<T>::value, count, name));
  return tensor->span<T>().data();
}

template <typename T>
class SkipNormalization final : public Kernel {
 public:
  using Wide = Computed<T>;
  SkipNormalization(const operators::SkipLayerSettings& settings, std::array<ElementType, 2> statisticTypes)
      : m_epsilon(static_cast<Wide>(settings.epsilon)),
        m_centered(settings.centered),
        m_biasSlot(settings.biasSlot),
        m_statisticTypes(statisticTypes) {}
  std::string_view variant() const override { return std::is_same_v<Wide, float> ? "highway" : "reference"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &skip = *context.input(1);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::SkipLayerSizes sizes, operators::skipLayerSizes(x, skip));
    const int64_t count = sizes.count, rows = sizes.rows, skipRows = sizes.skipRows;
    CUTAWAY_TRY(const T* gamma, vectorInput<T>(context, 2, count, "gamma"));
    CUTAWAY_TRY(const T* beta, m_centered ? vectorInput<T>(context, 3, count, "beta") : Result<const T*>(nullptr));
    CUTAWAY_TRY(const T* bias, vectorInput<T>(context, m_biasSlot, count, "bias"));
    if (gamma == nullptr) return fail(ErrorCode::kInvalidArgument, "gamma is absent");
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    StatisticsOutput means, inverses;
    CUTAWAY_CHECK(means.open(context, 1, m_statisticTypes[0], dims, dims.size() - 1));
    CUTAWAY_CHECK(inverses.open(context, 2, m_statisticTypes[1], dims, dims.size() - 1));
    T* sums = nullptr;
    if (context.outputCount() > 3 && context.hasOutput(3)) {
      CUTAWAY_TRY(Tensor * tensor, context.output(3, dims));
      sums = tensor->span<T>().data();
    }
    if (rows == 0 || count == 0) return {};
    const RowTasks tasks(rows, count);
    // Halves: gamma, beta, bias widened once, and two rows a task.
    CUTAWAY_TRY(
        std::span<std::byte> scratch,
        context.scratch(
            isHalf<T> ? static_cast<size_t>(count) * static_cast<size_t>(3 + 2 * tasks.count()) * sizeof(float) : 0));
    const Operands operands = prepare(gamma, beta, bias, count, scratch);
    const T *source = x.span<T>().data(), *residual = skip.span<T>().data();
    T* target = y->span<T>().data();
    tasks.run([&](int64_t task, int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const RowStatistics<Wide> found =
            one(source + row * count, residual + row % skipRows * count, operands, target + row * count,
                sums != nullptr ? sums + row * count : nullptr, count, operands.rows + 2 * task * count);
        means.set(row, static_cast<double>(found.mean));
        inverses.set(row, static_cast<double>(found.inverse));
      }
    });
    return {};
  }

 private:
  struct Operands {
    RowRule<Wide> rule;
    const Wide* bias = nullptr;
    Wide* rows = nullptr;  // scratch of the tasks
  };

  Operands prepare(const T* gamma, const T* beta, const T* bias, int64_t count, std::span<std::byte> scratch) const {
    Operands operands{.rule = {.scale = nullptr, .shift = nullptr, .epsilon = m_epsilon, .centered = m_centered}};
    if constexpr (isHalf<T>) {
      float* at = reinterpret_cast<float*>(scratch.data());
      const auto widen = [&](const T* from) -> const float* {
        if (from == nullptr) return nullptr;
        cpu::widenRun(from, at, count);
        at += count;
        return at - count;
      };
      operands.rule.scale = widen(gamma);
      operands.rule.shift = widen(beta);
      operands.bias = widen(bias);
      operands.rows = at;
    } else {
      operands.rule.scale = gamma;
      operands.rule.shift = beta;
      operands.bias = bias;
    }
    return operands;
  }

  static RowStatistics<Wide> one(const T* x, const T* skip, const Operands& operands, T* y, T* sums, int64_t count,
                                 Wide* rows) {
    if constexpr (isHalf<T>) {
      float *sum = rows, *other = rows + count;
      cpu::widenRun(x, sum, count);
      cpu::widenRun(skip, other, count);
      addRows(sum, other, operands.bias, sum, count);
      if (sums != nullptr) cpu::narrowRun(sum, sums, count);
      const RowStatistics<float> found = normalizeRow(sum, operands.rule, sum, count);
      cpu::narrowRun(sum, y, count);
      return found;
    } else {
      T* sum = sums != nullptr ? sums : y;
      addRows(x, skip, operands.bias, sum, count);
      return normalizeRow(sum, operands.rule, y, count);
    }
  }

  Wide m_epsilon;
  bool m_centered;
  size_t m_biasSlot;
  std::array<ElementType, 2> m_statisticTypes;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::SkipLayerSettings settings, operators::readSkipLayer(info.node()));
  const std::array<ElementType, 2> types = {statisticType(info, 1), statisticType(info, 2)};
  std::unique_ptr<Kernel> kernel;
  cpu::dispatchType(cpu::FloatTypes{}, info.inputElement(0), [&]<typename T>(cpu::TypeTag<T>) {
    kernel = std::make_unique<SkipNormalization<T>>(settings, types);
  });
  if (!kernel)
    return fail(ErrorCode::kNotImplemented, "{} of {}", info.node().opType, elementTypeName(info.inputElement(0)));
  return kernel;
}

constexpr TypeRule kReal[] = {{0, kRealList}};

// Each row of input and skip is read before the same row of the sum and then of the output is written.
constexpr InplaceHint kInplace[] = {
    {.input = 0, .output = 0}, {.input = 1, .output = 0}, {.input = 0, .output = 3}, {.input = 1, .output = 3}};

constexpr KernelRow kRows[] = {
    {.opType = "SkipLayerNormalization",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kReal,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create},
    {.opType = "SkipSimplifiedLayerNormalization",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kReal,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = create},
};

}  // namespace

KernelRows kernel_skip_normalization() {
  return kRows;
}

}  // namespace cutaway::cpu
