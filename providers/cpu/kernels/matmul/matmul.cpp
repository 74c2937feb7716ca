// MatMul (all versions) and com.microsoft FusedMatMul (alpha, transposed operands) with its older name TransposeMatMul;
// MatMul of domain cutaway has a constant factor and a third input, one summand a column (fuse_product_bias.cpp).

#include "engine/operators/matmul.h"

#include <atomic>
#include <type_traits>

#include "engine/base/parallel.h"
#include "engine/math/row_product.h"
#include "providers/cpu/kernels/kernel_settings.h"
#include "providers/cpu/kernels/matmul/prepared_product.h"
#include "providers/cpu/kernels/matmul/wide_product.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using operators::MatMulShape;
using operators::matMulShape;
using operators::MatMulTransposes;

struct MatMulAttributes {
  MatMulTransposes transposes;
  float alpha = 1.0f;
  math::Precision precision = math::Precision::kFast;
  bool bias = false;
};

// All matrices of A against one B: a single product of more rows.
bool canFlatten(const MatMulShape& shape, const MatMulTransposes& transposes, size_t rankB) {
  return rankB == 2 && !transposes.a && !transposes.batchA && shape.depth > 0;
}

// One row: a constant B is read where it lies; unless it is packed as bfloat16, half as many bytes to read.
bool isRowProduct(const MatMulAttributes& attributes, int64_t rows, int64_t columns, int64_t depth) {
  return rows == 1 && attributes.alpha == 1.0f && !math::roundsToBfloat16(attributes.precision, depth, columns);
}

template <typename T>
class WideMatMul final : public Kernel {
 public:
  explicit WideMatMul(MatMulAttributes attributes) : m_attributes(attributes) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(0), &b = *context.input(1);
    CUTAWAY_TRY(const MatMulShape shape, matMulShape(a.dims(), b.dims(), m_attributes.transposes));
    CUTAWAY_TRY(Tensor * c, context.output(0, shape.output()));
    if (c->elementCount() == 0) return {};
    const ProductGeometry geometry{shape.rows,       shape.columns,    shape.depth,     shape.transposeA,
                                   shape.transposeB, shape.rowStrideA, shape.rowStrideB};
    const int64_t cells = shape.rows * shape.columns;
    T* target = c->span<T>().data();
    for (int64_t pair = 0; pair < shape.batchCount(); ++pair) {
      int64_t offsetA = 0, offsetB = 0;
      shape.offsets(pair, offsetA, offsetB);
      multiplyWide<T>(geometry, a.span<T>().data() + offsetA, b.span<T>().data() + offsetB, target + pair * cells);
    }
    if (m_attributes.alpha != 1.0f) {
      for (T& value : c->span<T>())
        value = static_cast<T>(value * m_attributes.alpha);
    }
    return {};
  }

 private:
  MatMulAttributes m_attributes;
};

class FloatMatMul final : public Kernel {
 public:
  // isRow: whether runs are known to be isRowProduct().
  FloatMatMul(MatMulAttributes attributes, PreparedProduct prepared, bool isRow)
      : m_attributes(attributes), m_prepared(std::move(prepared)) {
    m_variant = isRow                ? "highway:row"
                : m_prepared.product ? "onednn:" + m_prepared.product->implementation()
                                     : "onednn:gemm";
  }
  std::string_view variant() const override { return m_variant; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(0), &b = *context.input(1);
    CUTAWAY_TRY(MatMulShape shape, matMulShape(a.dims(), b.dims(), m_attributes.transposes));
    CUTAWAY_TRY(Tensor * c, context.output(0, shape.output()));
    if (c->elementCount() == 0) return {};
    const float* left = a.span<float>().data();
    float* target = c->span<float>().data();
    math::MultiplyShape product{.rows = shape.rows,
                                .columns = shape.columns,
                                .depth = shape.depth,
                                .transposeA = shape.transposeA,
                                .transposeB = shape.transposeB,
                                .alpha = m_attributes.alpha,
                                .beta = 0.0f,
                                .strideA = shape.rowStrideA,
                                .strideB = shape.rowStrideB,
                                .strideC = shape.columns};
    if (canFlatten(shape, m_attributes.transposes, b.rank())) {
      product.rows = c->elementCount() / shape.columns;
      if (m_prepared.constantB.valid() && isRowProduct(m_attributes, product.rows, shape.columns, shape.depth)) {
        CUTAWAY_TRY(const float* right, floatsOf(m_prepared.floats.get(), b));
        math::multiplyRow(left, right, {.columns = shape.columns, .depth = shape.depth, .rowByRow = !shape.transposeB},
                          target);
        return addBias(context, *c);
      }
      if (m_prepared.constantB.valid() && m_attributes.alpha == 1.0f) {
        CUTAWAY_TRY(const bool done, runPacked(context, product, left, target));
        if (done) return {};
      }
      CUTAWAY_TRY(const float* right, floatsOf(m_prepared.floats.get(), b));
      CUTAWAY_CHECK(math::multiply(product, left, right, target));
      return addBias(context, *c);
    }
    CUTAWAY_TRY(const float* right, floatsOf(m_prepared.floats.get(), b));
    CUTAWAY_CHECK(runBatch(shape, product, left, right, target));
    return addBias(context, *c);
  }

 private:
  // Where the product did not.
  Result<void> addBias(KernelContext& context, Tensor& c) const {
    if (!m_attributes.bias) return {};
    const std::span<const float> bias = context.input(2)->span<float>();
    const auto columns = static_cast<int64_t>(bias.size());
    float* target = c.span<float>().data();
    constexpr int64_t kGrainElements = 1 << 14;
    parallelFor(c.elementCount() / columns, std::max<int64_t>(1, kGrainElements / columns),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    for (int64_t i = 0; i < columns; ++i)
                      target[row * columns + i] += bias[static_cast<size_t>(i)];
                  }
                });
    return {};
  }

  Result<bool> runPacked(KernelContext& context, const math::MultiplyShape& product, const float* left,
                         float* target) const {
    auto& state = static_cast<ProductState&>(*context.state());
    CUTAWAY_TRY(ProductState::Entry * entry, state.find(m_prepared, {.rows = product.rows,
                                                                     .columns = product.columns,
                                                                     .depth = product.depth,
                                                                     .transposeB = product.transposeB,
                                                                     .bias = m_attributes.bias,
                                                                     .activation = {},
                                                                     .precision = m_attributes.precision}));
    if (!entry->call) return false;
    CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(entry->call->product().scratchBytes()));
    const float* bias = m_attributes.bias ? context.input(2)->span<float>().data() : nullptr;
    CUTAWAY_CHECK(entry->call->run(left, *entry->packed, bias, target, scratch));
    return true;
  }

  // Many pairs go side by side, each on one thread; few pairs one after the other on all threads.
  static Result<void> runBatch(const MatMulShape& shape, const math::MultiplyShape& product, const float* left,
                               const float* right, float* target) {
    const int64_t pairs = shape.batchCount(), cells = shape.rows * shape.columns;
    const auto one = [&](int64_t pair) {
      int64_t offsetA = 0, offsetB = 0;
      shape.offsets(pair, offsetA, offsetB);
      return math::multiply(product, left + offsetA, right + offsetB, target + pair * cells);
    };
    if (pairs < currentThreads()) {
      for (int64_t pair = 0; pair < pairs; ++pair)
        CUTAWAY_CHECK(one(pair));
      return {};
    }
    std::atomic<bool> failed = false;
    parallelFor(pairs, 1, [&](int64_t begin, int64_t end) {
      for (int64_t pair = begin; pair < end; ++pair) {
        if (!one(pair)) failed = true;
      }
    });
    if (failed)
      return fail(ErrorCode::kEngineError, "oneDNN could not multiply {}x{} by {}x{}", shape.rows, shape.depth,
                  shape.depth, shape.columns);
    return {};
  }

  MatMulAttributes m_attributes;
  PreparedProduct m_prepared;
  std::string m_variant;
};

// isRow: set where the shapes are known to be those of isRowProduct().
Result<PreparedProduct> prepare(const KernelInfo& info, const MatMulAttributes& attributes, bool& isRow) {
  const Tensor* b = info.constantInput(1);
  const auto& declared = info.inputType(0).shape;
  const auto dims = declared ? declared->staticDims() : std::nullopt;
  if (b == nullptr || b->rank() != 2 || attributes.transposes.a || attributes.transposes.batchA)
    return unpackedProduct(b);
  if (!dims || dims->empty() || elementCount(*dims) == 0) return prepareProduct(b, nullptr);
  CUTAWAY_TRY(const MatMulShape shape, matMulShape(*dims, b->dims(), attributes.transposes));
  const math::MatrixProductShape known{.rows = elementCount(*dims) / shape.depth,
                                       .columns = shape.columns,
                                       .depth = shape.depth,
                                       .transposeB = attributes.transposes.b,
                                       .bias = attributes.bias,
                                       .activation = {},
                                       .precision = attributes.precision};
  isRow = isRowProduct(attributes, known.rows, known.columns, known.depth);
  return prepareProduct(b, shape.columns > 0 && attributes.alpha == 1.0f && !isRow ? &known : nullptr);
}

Result<std::unique_ptr<Kernel>> createMatMul(const KernelInfo& info) {
  MatMulAttributes attributes;
  attributes.precision = settingsOf(info).precision;
  attributes.bias = info.hasInput(2);
  if (info.node().opType != "MatMul") {
    attributes.transposes = operators::readTransposes(info.node());
    attributes.alpha = info.attribute<float>("alpha", 1.0f);
  }
  switch (info.inputElement(0)) {
    case ElementType::kDouble:
      return std::make_unique<WideMatMul<double>>(attributes);
    case ElementType::kInt32:
      return std::make_unique<WideMatMul<uint32_t>>(attributes);
    case ElementType::kUint32:
      return std::make_unique<WideMatMul<uint32_t>>(attributes);
    case ElementType::kInt64:
      return std::make_unique<WideMatMul<uint64_t>>(attributes);
    case ElementType::kUint64:
      return std::make_unique<WideMatMul<uint64_t>>(attributes);
    default:
      break;
  }
  bool isRow = false;
  CUTAWAY_TRY(PreparedProduct prepared, prepare(info, attributes, isRow));
  return std::make_unique<FloatMatMul>(attributes, std::move(prepared), isRow);
}

constexpr ElementType kExact[] = {ElementType::kDouble, ElementType::kInt32, ElementType::kUint32, ElementType::kInt64,
                                  ElementType::kUint64};
constexpr TypeRule kExactInput[] = {{0, kExact}};

constexpr KernelRow kRows[] = {
    {.opType = "MatMul", .versions = {1}, .types = kFloatInput, .fastPath = "onednn", .create = createMatMul},
    {.opType = "MatMul", .versions = {1}, .types = kExactInput, .fastPath = "highway", .create = createMatMul},
    {.opType = "MatMul",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createMatMul>},
    {.opType = "MatMul", .domain = "cutaway", .versions = {1}, .types = kFloatInput, .create = createMatMul},
    {.opType = "FusedMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = createMatMul},
    {.opType = "FusedMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "highway",
     .create = createMatMul},
    {.opType = "FusedMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createMatMul>},
    {.opType = "TransposeMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = createMatMul},
    {.opType = "TransposeMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "highway",
     .create = createMatMul},
    {.opType = "TransposeMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createMatMul>},
};

}  // namespace

KernelRows kernel_matmul() {
  return kRows;
}

}  // namespace cutaway::cpu
