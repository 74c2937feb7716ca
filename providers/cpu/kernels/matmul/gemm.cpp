// Gemm (all versions) and com.microsoft FusedGemm: Y = activation(alpha * op(A) op(B) + beta * C), C optional and
// broadcast to [rows, columns].

#include <optional>
#include <type_traits>

#include "engine/math/row_product.h"
#include "engine/operators/fused_activation.h"
#include "engine/operators/matmul.h"
#include "providers/cpu/kernels/convolution/fused_activation.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/kernel_settings.h"
#include "providers/cpu/kernels/matmul/prepared_product.h"
#include "providers/cpu/kernels/matmul/wide_product.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using operators::GemmShape;
using operators::gemmShape;

// An activation of FusedGemm that no product can apply itself: outer * op(inner * y), over the finished result.
struct LateActivation {
  cpu::PointwiseOp op{};
  cpu::PointwiseParameters parameters;
  float inner = 1.0f, outer = 1.0f;
};

struct GemmAttributes : operators::GemmSettings {
  math::Activation activation;
  std::optional<LateActivation> late;
  math::Precision precision = math::Precision::kFast;
};

template <typename T>
void applyLate(const std::optional<LateActivation>& late, std::span<T> y) {
  if (!late) return;
  if constexpr (std::is_same_v<T, float>) {
    for (float& value : y)
      value *= late->inner;
    cpu::floatLoop(late->op)(y.data(), y.data(), static_cast<int64_t>(y.size()), late->parameters);
    for (float& value : y)
      value *= late->outer;
  } else {
    for (T& value : y)
      value = static_cast<T>(
          late->outer * cpu::pointwiseReference(late->op, late->inner * static_cast<double>(value), late->parameters));
  }
}

template <typename T>
T summand(const GemmShape& shape, const T* c, int64_t row, int64_t column) {
  return c[row * shape.rowStrideC + column * shape.columnStrideC];
}

template <typename T>
class WideGemm final : public Kernel {
 public:
  explicit WideGemm(GemmAttributes attributes) : m_attributes(attributes) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(0), &b = *context.input(1);
    const Tensor* c = context.input(2);
    CUTAWAY_TRY(const GemmShape shape,
                gemmShape(m_attributes, a.dims(), b.dims(),
                          c != nullptr ? std::optional<std::span<const int64_t>>(c->dims()) : std::nullopt));
    CUTAWAY_TRY(Tensor * y, context.output(0, {shape.rows, shape.columns}));
    if (y->elementCount() == 0) return {};
    T* target = y->span<T>().data();
    multiplyWide<T>({shape.rows, shape.columns, shape.depth, m_attributes.transposeA, m_attributes.transposeB,
                     a.dims()[1], b.dims()[1]},
                    a.span<T>().data(), b.span<T>().data(), target);
    const T* addend = c != nullptr ? c->span<T>().data() : nullptr;
    for (int64_t i = 0; i < shape.rows; ++i) {
      for (int64_t j = 0; j < shape.columns; ++j) {
        T& value = target[i * shape.columns + j];
        if (m_attributes.alpha != 1.0f) value = static_cast<T>(m_attributes.alpha * value);
        if (addend != nullptr) value += scaled(summand(shape, addend, i, j));
        if (m_attributes.activation.kind != math::ActivationKind::kNone)
          value = static_cast<T>(m_attributes.activation(static_cast<float>(value)));
      }
    }
    applyLate(m_attributes.late, y->span<T>());
    return {};
  }

 private:
  T scaled(T value) const { return m_attributes.beta == 1.0f ? value : static_cast<T>(m_attributes.beta * value); }
  GemmAttributes m_attributes;
};

// C as one summand a column, straight from the caller.
bool isColumnBias(const GemmAttributes& attributes, const GemmShape& shape) {
  return shape.rowStrideC == 0 && (shape.columnStrideC == 1 || shape.columns == 1) && attributes.beta == 1.0f;
}

// One row: B is read where it lies, constant or not; unless it is packed as bfloat16, half as many bytes to read.
bool isRowProduct(const GemmAttributes& attributes, const GemmShape& shape, bool constant) {
  if (constant && math::roundsToBfloat16(attributes.precision, shape.depth, shape.columns)) return false;
  return shape.rows == 1 && shape.depth > 0 && attributes.alpha == 1.0f;
}

class FloatGemm final : public Kernel {
 public:
  // isRow: whether runs are known to be isRowProduct().
  FloatGemm(GemmAttributes attributes, PreparedProduct prepared, bool isRow)
      : m_attributes(attributes), m_prepared(std::move(prepared)) {
    m_variant = isRow                ? "highway:row"
                : m_prepared.product ? "onednn:" + m_prepared.product->implementation()
                                     : "onednn:gemm";
  }
  std::string_view variant() const override { return m_variant; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(0), &b = *context.input(1);
    const Tensor* c = context.input(2);
    CUTAWAY_TRY(const GemmShape shape,
                gemmShape(m_attributes, a.dims(), b.dims(),
                          c != nullptr ? std::optional<std::span<const int64_t>>(c->dims()) : std::nullopt));
    CUTAWAY_TRY(Tensor * y, context.output(0, {shape.rows, shape.columns}));
    if (y->elementCount() == 0) return {};
    const float* addend = c != nullptr ? c->span<float>().data() : nullptr;
    float* target = y->span<float>().data();
    const bool bias = addend != nullptr && isColumnBias(m_attributes, shape);
    if ((addend == nullptr || bias) && isRowProduct(m_attributes, shape, m_prepared.floats != nullptr)) {
      CUTAWAY_TRY(const float* columns, floatsOf(m_prepared.floats.get(), b));
      runRow(shape, a, columns, addend, *y);
      applyLate(m_attributes.late, y->span<float>());
      return {};
    }
    if (m_prepared.constantB.valid() && shape.depth > 0 && (addend == nullptr || bias)) {
      auto& state = static_cast<ProductState&>(*context.state());
      const math::MatrixProductShape known{.rows = shape.rows,
                                           .columns = shape.columns,
                                           .depth = shape.depth,
                                           .transposeB = m_attributes.transposeB,
                                           .bias = bias,
                                           .activation = m_attributes.activation,
                                           .precision = m_attributes.precision};
      CUTAWAY_TRY(ProductState::Entry * entry, state.find(m_prepared, known));
      if (entry->call) {
        CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(entry->call->product().scratchBytes()));
        CUTAWAY_CHECK(entry->call->run(a.span<float>().data(), *entry->packed, addend, target, scratch));
        applyLate(m_attributes.late, y->span<float>());
        return {};
      }
    }
    CUTAWAY_TRY(const float* factor, floatsOf(m_prepared.floats.get(), b));
    CUTAWAY_CHECK(runPlain(shape, a, factor, addend, *y));
    applyLate(m_attributes.late, y->span<float>());
    return {};
  }

 private:
  void runRow(const GemmShape& shape, const Tensor& a, const float* b, const float* bias, Tensor& y) const {
    float* target = y.span<float>().data();
    math::multiplyRow(a.span<float>().data(), b,
                      {.columns = shape.columns, .depth = shape.depth, .rowByRow = !m_attributes.transposeB}, target);
    for (int64_t j = 0; bias != nullptr && j < shape.columns; ++j)
      target[j] += bias[j];
    if (m_attributes.activation.kind == math::ActivationKind::kNone) return;
    for (float& value : y.span<float>())
      value = m_attributes.activation(value);
  }

  Result<void> runPlain(const GemmShape& shape, const Tensor& a, const float* b, const float* addend, Tensor& y) const {
    float* target = y.span<float>().data();
    if (addend != nullptr) {
      for (int64_t i = 0; i < shape.rows; ++i) {
        for (int64_t j = 0; j < shape.columns; ++j)
          target[i * shape.columns + j] = m_attributes.beta * summand(shape, addend, i, j);
      }
    }
    CUTAWAY_CHECK(math::multiply({.rows = shape.rows,
                                  .columns = shape.columns,
                                  .depth = shape.depth,
                                  .transposeA = m_attributes.transposeA,
                                  .transposeB = m_attributes.transposeB,
                                  .alpha = m_attributes.alpha,
                                  .beta = addend != nullptr ? 1.0f : 0.0f},
                                 a.span<float>().data(), b, target));
    if (m_attributes.activation.kind != math::ActivationKind::kNone) {
      for (float& value : y.span<float>())
        value = m_attributes.activation(value);
    }
    return {};
  }

  GemmAttributes m_attributes;
  PreparedProduct m_prepared;
  std::string m_variant;
};

// isRow: set where the shapes are known to be those of isRowProduct().
Result<PreparedProduct> prepare(const KernelInfo& info, const GemmAttributes& attributes, bool& isRow) {
  const Tensor* b = info.constantInput(1);
  if (b == nullptr || b->rank() != 2 || attributes.transposeA || attributes.alpha != 1.0f) return unpackedProduct(b);
  const auto staticDims = [&](size_t slot) {
    return info.inputType(slot).shape ? info.inputType(slot).shape->staticDims() : std::nullopt;
  };
  const auto a = staticDims(0);
  std::optional<std::vector<int64_t>> c = info.hasInput(2) ? staticDims(2) : std::nullopt;
  if (!a || elementCount(*a) == 0 || (info.hasInput(2) && !c)) return prepareProduct(b, nullptr);
  CUTAWAY_TRY(const GemmShape shape,
              gemmShape(attributes, *a, b->dims(), c ? std::optional<std::span<const int64_t>>(*c) : std::nullopt));
  const bool bias = c && isColumnBias(attributes, shape);
  isRow = (!c || bias) && isRowProduct(attributes, shape, true);
  if (isRow) return prepareProduct(b, nullptr);
  const math::MatrixProductShape known{.rows = shape.rows,
                                       .columns = shape.columns,
                                       .depth = shape.depth,
                                       .transposeB = attributes.transposeB,
                                       .bias = bias,
                                       .activation = attributes.activation,
                                       .precision = attributes.precision};
  return prepareProduct(b, shape.columns > 0 && (!c || bias) ? &known : nullptr);
}

// The activations of FusedGemm beyond those of readFusedActivation.
std::optional<LateActivation> lateActivation(const KernelInfo& info) {
  using Op = cpu::PointwiseOp;
  using operators::ElementFunction;
  const operators::FusedActivation fused = operators::readFusedActivation(info.node());
  const auto late = [&](Op op) {
    return LateActivation{.op = op, .parameters = {.alpha = fused.first, .beta = fused.second}};
  };
  const auto scaled = [&](Op op) { return LateActivation{.op = op, .inner = fused.second, .outer = fused.first}; };
  switch (fused.function) {
    case ElementFunction::kSoftplus:
      return late(Op::kSoftplus);
    case ElementFunction::kSoftsign:
      return late(Op::kSoftsign);
    case ElementFunction::kCelu:
      return late(Op::kCelu);
    case ElementFunction::kThresholdedRelu:
      return late(Op::kThresholdedRelu);
    case ElementFunction::kSelu:
      return late(Op::kSelu);
    case ElementFunction::kScaledSoftplus:
      return scaled(Op::kSoftplus);
    case ElementFunction::kScaledTanh:
      return scaled(Op::kTanh);
    default:
      return std::nullopt;
  }
}

Result<std::unique_ptr<Kernel>> createGemm(const KernelInfo& info) {
  GemmAttributes attributes;
  static_cast<operators::GemmSettings&>(attributes) = operators::readGemm(info.node());
  attributes.precision = settingsOf(info).precision;
  attributes.late = lateActivation(info);
  if (!attributes.late) {
    CUTAWAY_TRY(attributes.activation, readFusedActivation(info));
  }
  switch (info.inputElement(0)) {
    case ElementType::kDouble:
      return std::make_unique<WideGemm<double>>(attributes);
    case ElementType::kInt32:
      return std::make_unique<WideGemm<int32_t>>(attributes);
    case ElementType::kUint32:
      return std::make_unique<WideGemm<uint32_t>>(attributes);
    case ElementType::kInt64:
      return std::make_unique<WideGemm<int64_t>>(attributes);
    case ElementType::kUint64:
      return std::make_unique<WideGemm<uint64_t>>(attributes);
    default:
      break;
  }
  bool isRow = false;
  CUTAWAY_TRY(PreparedProduct prepared, prepare(info, attributes, isRow));
  return std::make_unique<FloatGemm>(attributes, std::move(prepared), isRow);
}

constexpr ElementType kExact[] = {ElementType::kDouble, ElementType::kInt32, ElementType::kUint32, ElementType::kInt64,
                                  ElementType::kUint64};
constexpr TypeRule kExactInput[] = {{0, kExact}};

constexpr KernelRow kRows[] = {
    {.opType = "Gemm", .versions = {1}, .types = kFloatInput, .fastPath = "onednn", .create = createGemm},
    {.opType = "Gemm", .versions = {1}, .types = kExactInput, .fastPath = "highway", .create = createGemm},
    {.opType = "Gemm",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createGemm>},
    {.opType = "FusedGemm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = createGemm},
    {.opType = "FusedGemm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kExactInput,
     .fastPath = "highway",
     .create = createGemm},
    {.opType = "FusedGemm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createGemm>},
};

}  // namespace

KernelRows kernel_gemm() {
  return kRows;
}

}  // namespace cutaway::cpu
