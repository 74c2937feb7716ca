// LayerNormalization (from 17 on, and the form that exporters wrote into opsets before it),
// SimplifiedLayerNormalization and RMSNormalization: each run of the axes from `axis` on has its own mean and variance
// (or mean square).

#include <array>
#include <cmath>

#include "engine/base/parallel.h"
#include "engine/operators/normalization.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/normalization/row_tasks.h"
#include "providers/cpu/kernels/normalization/statistics_output.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

struct LayerRule : operators::LayerNormSettings {
  std::array<ElementType, 3> types{};
};

template <typename T>
class LayerNormalization final : public Kernel {
 public:
  explicit LayerNormalization(LayerRule rule) : m_rule(rule) {}
  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "reference"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::LayerNormSizes sizes, operators::layerNormSizes(m_rule, dims));
    const size_t at = sizes.axis;
    const int64_t runs = sizes.rows, count = sizes.count;
    const Tensor* biasTensor = m_rule.centered && context.inputCount() > 2 ? context.input(2) : nullptr;
    std::vector<T> storage[2];
    CUTAWAY_TRY(const operators::RowOperand scaleSteps,
                operators::rowOperand(dims, at, context.input(1)->dims(), "Scale"));
    operators::RowOperand biasSteps;
    if (biasTensor != nullptr) {
      CUTAWAY_TRY(biasSteps, operators::rowOperand(dims, at, biasTensor->dims(), "B"));
    }
    const T* scale = valuesAs<T>(*context.input(1), storage[0]);
    const T* bias = biasTensor != nullptr ? valuesAs<T>(*biasTensor, storage[1]) : nullptr;
    if (scale == nullptr || (biasTensor != nullptr && bias == nullptr))
      return fail(ErrorCode::kInvalidArgument, "layer normalisation needs a float Scale and B");
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    StatisticsOutput means, inverses;
    if (m_rule.inverseSlot == 2) CUTAWAY_CHECK(means.open(context, 1, m_rule.types[1], dims, at));
    CUTAWAY_CHECK(inverses.open(context, m_rule.inverseSlot, m_rule.types[m_rule.inverseSlot], dims, at));
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    const bool dense = scaleSteps.dense && biasSteps.dense;
    const RowRule<T> rule{.scale = dense ? scale : nullptr,
                          .shift = dense ? bias : nullptr,
                          .epsilon = static_cast<T>(m_rule.epsilon),
                          .centered = m_rule.centered};
    parallelFor(runs, std::max<int64_t>(1, 4096 / std::max<int64_t>(count, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        T* to = target + unit * count;
        const RowStatistics<T> found = normalizeRow(source + unit * count, rule, to, count);
        means.set(unit, static_cast<double>(found.mean));
        inverses.set(unit, static_cast<double>(found.inverse));
        for (int64_t i = 0; !dense && i < count; ++i) {
          const int64_t flat = unit * count + i;
          to[i] = to[i] * scale[place(dims, scaleSteps, flat)] +
                  (bias != nullptr ? bias[place(dims, biasSteps, flat)] : T(0));
        }
      }
    });
    return {};
  }

 private:
  static int64_t place(std::span<const int64_t> dims, const operators::RowOperand& steps, int64_t flat) {
    int64_t offset = 0;
    for (size_t axis = dims.size(); axis-- > 0;) {
      offset += flat % dims[axis] * steps.stride[axis];
      flat /= dims[axis];
    }
    return offset;
  }

  LayerRule m_rule;
};

Result<LayerRule> layerRule(const KernelInfo& info) {
  LayerRule rule;
  CUTAWAY_TRY(static_cast<operators::LayerNormSettings&>(rule), operators::readLayerNorm(info.node()));
  for (size_t slot = 1; slot < 3; ++slot)
    rule.types[slot] = statisticType(info, slot);
  return rule;
}

template <typename T>
Result<std::unique_ptr<Kernel>> createLayerNormalization(const KernelInfo& info) {
  CUTAWAY_TRY(const LayerRule rule, layerRule(info));
  // Before opset 17 the scale gives the output its type; this kernel may write over its input, so it keeps to one type.
  if (info.node().opType == "LayerNormalization" && info.inputElement(0) == ElementTypeOf<T>::value &&
      info.inputElement(1) != ElementTypeOf<T>::value) {
    return fail(ErrorCode::kNotImplemented, "LayerNormalization of {} with a scale of {}",
                elementTypeName(info.inputElement(0)), elementTypeName(info.inputElement(1)));
  }
  return std::make_unique<LayerNormalization<T>>(rule);
}

// Halves, widened a row at a time. Operands of another type or shape than a row go through whole tensors of float.
template <typename T>
class HalfLayerNormalization final : public Kernel {
 public:
  HalfLayerNormalization(LayerRule rule, std::unique_ptr<Kernel> otherwise)
      : m_rule(rule), m_otherwise(std::move(otherwise)) {}
  std::string_view variant() const override { return "highway"; }
  std::unique_ptr<KernelState> createState() const override { return m_otherwise->createState(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &scale = *context.input(1);
    const std::span<const int64_t> dims = x.dims();
    const Result<operators::LayerNormSizes> sizes = operators::layerNormSizes(m_rule, dims);
    if (!sizes) return m_otherwise->run(context);
    const size_t at = sizes->axis;
    const Tensor* bias = m_rule.centered && context.inputCount() > 2 ? context.input(2) : nullptr;
    const auto isRow = [&](const Tensor& operand) {
      return operand.type() == ElementTypeOf<T>::value &&
             std::ranges::equal(std::span<const int64_t>(operand.dims()), dims.subspan(at));
    };
    if (x.type() != ElementTypeOf<T>::value || !isRow(scale) || (bias != nullptr && !isRow(*bias)))
      return m_otherwise->run(context);
    CUTAWAY_TRY(Tensor * y, context.output(0, ElementTypeOf<T>::value, dims));
    StatisticsOutput means, inverses;
    if (m_rule.inverseSlot == 2) CUTAWAY_CHECK(means.open(context, 1, m_rule.types[1], dims, at));
    CUTAWAY_CHECK(inverses.open(context, m_rule.inverseSlot, m_rule.types[m_rule.inverseSlot], dims, at));
    const int64_t rows = sizes->rows, count = sizes->count;
    const RowTasks tasks(rows, count);
    CUTAWAY_TRY(std::span<std::byte> scratch,
                context.scratch(static_cast<size_t>(count) * static_cast<size_t>(2 + tasks.count()) * sizeof(float)));
    float *factors = reinterpret_cast<float*>(scratch.data()), *summands = factors + count, *wide = summands + count;
    cpu::widenRun(scale.span<T>().data(), factors, count);
    if (bias != nullptr) cpu::widenRun(bias->span<T>().data(), summands, count);
    const RowRule<float> rule{.scale = factors,
                              .shift = bias != nullptr ? summands : nullptr,
                              .epsilon = m_rule.epsilon,
                              .centered = m_rule.centered};
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    tasks.run([&](int64_t task, int64_t begin, int64_t end) {
      float* row = wide + task * count;
      for (int64_t unit = begin; unit < end; ++unit) {
        cpu::widenRun(source + unit * count, row, count);
        const RowStatistics<float> found = normalizeRow(row, rule, row, count);
        cpu::narrowRun(row, target + unit * count, count);
        means.set(unit, static_cast<double>(found.mean));
        inverses.set(unit, static_cast<double>(found.inverse));
      }
    });
    return {};
  }

 private:
  LayerRule m_rule;
  std::unique_ptr<Kernel> m_otherwise;
};

Result<std::unique_ptr<Kernel>> createHalf(const KernelInfo& info) {
  CUTAWAY_TRY(std::unique_ptr<Kernel> otherwise, createThroughFloat<createLayerNormalization<float>>(info));
  CUTAWAY_TRY(const LayerRule rule, layerRule(info));
  if (info.inputElement(0) == ElementType::kFloat16)
    return std::make_unique<HalfLayerNormalization<Float16>>(rule, std::move(otherwise));
  return std::make_unique<HalfLayerNormalization<Bfloat16>>(rule, std::move(otherwise));
}

// The scale may be of another type than the input, and gives the output its type.
Result<std::unique_ptr<Kernel>> createSimplified(const KernelInfo& info) {
  const ElementType x = info.inputElement(0), scale = info.inputElement(1);
  if ((x == ElementType::kDouble) != (scale == ElementType::kDouble))
    return fail(ErrorCode::kNotImplemented, "SimplifiedLayerNormalization of {} with a scale of {}", elementTypeName(x),
                elementTypeName(scale));
  if (x == ElementType::kDouble) return createLayerNormalization<double>(info);
  if (x == ElementType::kFloat && scale == ElementType::kFloat) return createLayerNormalization<float>(info);
  return x == scale ? createHalf(info) : createThroughFloat<createLayerNormalization<float>>(info);
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr TypeRule kReal[] = {{0, kRealList}, {1, kRealList}};

constexpr KernelRow kRows[] = {
    {.opType = "LayerNormalization",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createLayerNormalization<float>},
    {.opType = "LayerNormalization",
     .versions = {1},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createLayerNormalization<double>},
    {.opType = "LayerNormalization",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createHalf},
    {.opType = "RMSNormalization",
     .versions = {23},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createLayerNormalization<float>},
    {.opType = "RMSNormalization",
     .versions = {23},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createLayerNormalization<double>},
    {.opType = "RMSNormalization",
     .versions = {23},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createHalf},
    {.opType = "SimplifiedLayerNormalization",
     .versions = {1},
     .types = kReal,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createSimplified},
    {.opType = "SimplifiedLayerNormalization",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kReal,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createSimplified},
};

}  // namespace

KernelRows kernel_layer_normalization() {
  return kRows;
}

}  // namespace cutaway::cpu
