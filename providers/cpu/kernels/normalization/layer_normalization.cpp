// LayerNormalization (from 17 on, and the form that exporters wrote into opsets before it),
// SimplifiedLayerNormalization and RMSNormalization: each run of the axes from `axis` on has its own mean and variance
// (or mean square).

#include <array>
#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/normalization/row_tasks.h"
#include "providers/cpu/kernels/normalization/statistics_output.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway {
namespace {

constexpr size_t kMaxRank = 16;

// Steps between the elements of scale or bias as the normalised axes advance: its own axes from the right, 0 where it
// is broadcast.
struct Broadcast {
  const void* values = nullptr;
  std::array<int64_t, kMaxRank> stride{};
  bool dense = true;  // as many elements as a run has, in order
  bool absent = true;
};

// Over all of x's axes, because scale may broadcast over leading ones too.
Result<Broadcast> broadcastOver(std::span<const int64_t> dims, size_t axis, const Tensor* operand,
                                std::string_view name) {
  Broadcast result;
  if (operand == nullptr) return result;
  result.absent = false;
  const std::span<const int64_t> own = operand->dims();
  if (own.size() > dims.size())
    return fail(ErrorCode::kInvalidArgument, "{} is {}, the input {}", name, dimsToText(own), dimsToText(dims));
  int64_t stride = 1;
  for (size_t back = 1; back <= own.size(); ++back) {
    const size_t at = dims.size() - back;
    const int64_t size = own[own.size() - back];
    if (size != dims[at] && size != 1)
      return fail(ErrorCode::kInvalidArgument, "{} is {}, which does not broadcast to {}", name, dimsToText(own),
                  dimsToText(dims));
    result.stride[at] = size == 1 && dims[at] != 1 ? 0 : stride;
    if (size != dims[at] && at >= axis) result.dense = false;
    if (size != 1 && at < axis) result.dense = false;
    stride *= size;
  }
  for (size_t at = axis; at + own.size() < dims.size(); ++at)
    result.dense = result.dense && dims[at] == 1;
  return result;
}

struct LayerRule {
  int64_t axis = -1;
  float epsilon = 1e-5f;
  bool centered = true;
  size_t inverseSlot = 2;  // where 1 / standard deviation goes; the mean goes to 1 when this is 2
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
    const int64_t rank = static_cast<int64_t>(dims.size()), axis = m_rule.axis < 0 ? m_rule.axis + rank : m_rule.axis;
    if (axis < 0 || axis >= rank || dims.size() > kMaxRank)
      return fail(ErrorCode::kInvalidArgument, "layer normalisation: axis {} of {}", m_rule.axis, dimsToText(dims));
    const size_t at = static_cast<size_t>(axis);
    const int64_t runs = elementCount(dims.first(at)), count = elementCount(dims.subspan(at));
    const Tensor* biasTensor = m_rule.centered && context.inputCount() > 2 ? context.input(2) : nullptr;
    std::vector<T> storage[2];
    CUTAWAY_TRY(const Broadcast scaleSteps, broadcastOver(dims, at, context.input(1), "Scale"));
    CUTAWAY_TRY(const Broadcast biasSteps, broadcastOver(dims, at, biasTensor, "B"));
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
  static int64_t place(std::span<const int64_t> dims, const Broadcast& steps, int64_t flat) {
    int64_t offset = 0;
    for (size_t axis = dims.size(); axis-- > 0;) {
      offset += flat % dims[axis] * steps.stride[axis];
      flat /= dims[axis];
    }
    return offset;
  }

  LayerRule m_rule;
};

LayerRule layerRule(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  LayerRule rule{.axis = info.attribute<int64_t>("axis", -1),
                 .epsilon = info.attribute<float>("epsilon", 1e-5f),
                 .centered = name == "LayerNormalization"};
  if (name == "SimplifiedLayerNormalization") rule.inverseSlot = 1;
  for (size_t slot = 1; slot < 3; ++slot)
    rule.types[slot] = statisticType(info, slot);
  return rule;
}

template <typename T>
Result<std::unique_ptr<Kernel>> createLayerNormalization(const KernelInfo& info) {
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "{} has no scale", info.node().opType);
  // Before opset 17 the scale gives the output its type; this kernel may write over its input, so it keeps to one type.
  if (info.node().opType == "LayerNormalization" && info.inputElement(0) == ElementTypeOf<T>::value &&
      info.inputElement(1) != ElementTypeOf<T>::value) {
    return fail(ErrorCode::kNotImplemented, "LayerNormalization of {} with a scale of {}",
                elementTypeName(info.inputElement(0)), elementTypeName(info.inputElement(1)));
  }
  return std::make_unique<LayerNormalization<T>>(layerRule(info));
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
    const int64_t rank = static_cast<int64_t>(dims.size()), axis = m_rule.axis < 0 ? m_rule.axis + rank : m_rule.axis;
    if (axis < 0 || axis >= rank || dims.size() > kMaxRank) return m_otherwise->run(context);
    const size_t at = static_cast<size_t>(axis);
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
    const int64_t rows = elementCount(dims.first(at)), count = elementCount(dims.subspan(at));
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
  if (info.inputElement(0) == ElementType::kFloat16)
    return std::make_unique<HalfLayerNormalization<Float16>>(layerRule(info), std::move(otherwise));
  return std::make_unique<HalfLayerNormalization<Bfloat16>>(layerRule(info), std::move(otherwise));
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

}  // namespace cutaway
