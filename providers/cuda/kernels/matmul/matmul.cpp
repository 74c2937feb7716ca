// MatMul and Gemm in all versions, their com.microsoft forms (FusedMatMul, TransposeMatMul, FusedMatMulActivation,
// FusedGemm, GemmFastGelu), and the product that the rewrites of this provider make.

#include "providers/cuda/kernels/matmul/activation_attributes.h"
#include "providers/cuda/kernels/matmul/product.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

struct ProductSettings {
  Transposes transposes;
  ProductFinish finish;
  int addendSlot = -1, residualSlot = -1;
  bool matrices = false;  // Gemm: both operands have two axes
};

// C of Gemm, or a bias, over the result's rows and columns.
Result<void> placeAddend(std::string_view op, std::span<const int64_t> c, const Pairing& p, ProductFinish& finish) {
  using Addend = ProductFinish::Addend;
  const int64_t columns = c.empty() ? 1 : c.back(), rows = c.size() > 1 ? c[c.size() - 2] : 1;
  bool fits = (columns == p.columns || columns == 1) && (rows == p.rows || rows == 1);
  for (size_t axis = 0; axis + 2 < c.size(); ++axis)
    fits = fits && c[axis] == 1;
  if (!fits)
    return fail(ErrorCode::kInvalidArgument, "{}: {} does not broadcast to [{},{}]", op, dimsToText(c), p.rows,
                p.columns);
  if (columns == p.columns && rows == p.rows && rows > 1 && finish.scale == 1 && !finish.residual)
    finish.residual = true;
  else if (columns == p.columns && rows == 1)
    finish.addend = Addend::kColumns;
  else if (rows == 1)
    finish.addend = Addend::kOne;
  else
    finish.addend = columns == p.columns ? Addend::kCells : Addend::kRows;
  return {};
}

class ProductKernel final : public GpuKernel {
 public:
  ProductKernel(ProductSettings settings, std::string op, ElementType type)
      : m_settings(settings), m_op(std::move(op)), m_type(type) {}
  std::string_view variant() const override { return m_product.variant(); }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> prepare(const KernelInfo& info, GpuResources& resources) override {
    const auto known = [&](size_t slot) -> std::optional<std::vector<int64_t>> {
      return info.inputType(slot).shape ? info.inputType(slot).shape->staticDims() : std::nullopt;
    };
    const auto a = known(0), b = known(1);
    std::optional<std::vector<int64_t>> addend;
    const bool hasAddend = m_settings.addendSlot >= 0 && info.hasInput(static_cast<size_t>(m_settings.addendSlot));
    if (hasAddend) addend = known(static_cast<size_t>(m_settings.addendSlot));
    if (!a || !b || (hasAddend && !addend)) return m_product.prepare(resources, m_type, std::nullopt);
    const bool hasResidual =
        m_settings.residualSlot >= 0 && info.hasInput(static_cast<size_t>(m_settings.residualSlot));
    CUTAWAY_TRY(const ProductWanted wanted,
                want(*a, *b, hasAddend ? std::optional<std::span<const int64_t>>(*addend) : std::nullopt, hasResidual));
    return m_product.prepare(resources, m_type, wanted);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &a = *call.input(0), &b = *call.input(1);
    const auto given = [&](int slot) {
      return slot >= 0 && static_cast<size_t>(slot) < call.inputCount() ? call.input(static_cast<size_t>(slot))
                                                                        : nullptr;
    };
    const Tensor *addend = given(m_settings.addendSlot), *residual = given(m_settings.residualSlot);
    CUTAWAY_TRY(const ProductWanted wanted,
                want(a.dims(), b.dims(),
                     addend != nullptr ? std::optional<std::span<const int64_t>>(addend->dims()) : std::nullopt,
                     residual != nullptr));
    CUTAWAY_TRY(Tensor * y, call.output(0, wanted.pairing.output));
    if (residual != nullptr && residual->elementCount() != y->elementCount())
      return fail(ErrorCode::kInvalidArgument, "{}: a residual of {} for a result of {}", m_op,
                  dimsToText(residual->dims()), dimsToText(y->dims()));
    const Tensor* asResidual = residual == nullptr && wanted.finish.residual ? addend : residual;
    return m_product.run(call, wanted,
                         {.a = a.data(),
                          .b = b.data(),
                          .y = y->mutableData(),
                          .addend = addend != nullptr ? addend->data() : nullptr,
                          .residual = asResidual != nullptr ? asResidual->data() : nullptr});
  }

 private:
  Result<ProductWanted> want(std::span<const int64_t> a, std::span<const int64_t> b,
                             std::optional<std::span<const int64_t>> addend, bool residual) const {
    if (m_settings.matrices)
      CUTAWAY_CHECK(operators::gemmShape({.transposeA = m_settings.transposes.a, .transposeB = m_settings.transposes.b},
                                         a, b, addend));
    ProductWanted wanted{.pairing = {}, .finish = m_settings.finish};
    CUTAWAY_TRY(wanted.pairing, pairMatrices(a, b, m_settings.transposes));
    wanted.finish.residual = residual;
    if (addend) CUTAWAY_CHECK(placeAddend(m_op, *addend, wanted.pairing, wanted.finish));
    return wanted;
  }

  ProductSettings m_settings;
  std::string m_op;
  ElementType m_type;
  ProductSlot m_product;
};

std::unique_ptr<GpuKernel> productOf(const KernelInfo& info, const ProductSettings& settings) {
  return std::make_unique<ProductKernel>(settings, info.node().opType, info.inputElement(0));
}

Result<std::unique_ptr<GpuKernel>> makeMatMul(const KernelInfo& info) {
  return productOf(info, {});
}

Result<std::unique_ptr<GpuKernel>> makeFusedMatMul(const KernelInfo& info) {
  ProductSettings settings;
  settings.transposes = operators::readTransposes(info.node());
  settings.finish.alpha = info.attribute<float>("alpha", 1.0f);
  if (info.node().opType == "FusedMatMulActivation") CUTAWAY_CHECK(readActivation(info, settings.finish));
  return productOf(info, settings);
}

Result<std::unique_ptr<GpuKernel>> makeGemm(const KernelInfo& info) {
  const operators::GemmSettings gemm = operators::readGemm(info.node());
  ProductSettings settings{
      .transposes = {.a = gemm.transposeA, .b = gemm.transposeB}, .finish = {}, .addendSlot = 2, .matrices = true};
  settings.finish.alpha = gemm.alpha;
  settings.finish.scale = info.hasInput(2) ? gemm.beta : 1.0f;
  CUTAWAY_CHECK(readActivation(info, settings.finish));
  return productOf(info, settings);
}

Result<std::unique_ptr<GpuKernel>> makeGemmFastGelu(const KernelInfo& info) {
  ProductSettings settings{.transposes = {}, .finish = {}, .addendSlot = 2};
  settings.finish.kind = FinishKind::kGeluTanh;
  return productOf(info, settings);
}

// A, B, bias?, residual?: what fuse_product makes of a product and its followers.
Result<std::unique_ptr<GpuKernel>> makeFusedProduct(const KernelInfo& info) {
  ProductSettings settings{
      .transposes = operators::readTransposes(info.node()), .finish = {}, .addendSlot = 2, .residualSlot = 3};
  settings.finish.alpha = info.attribute<float>("alpha", 1.0f);
  settings.finish.scale = info.hasInput(2) ? info.attribute<float>("beta", 1.0f) : 1.0f;
  CUTAWAY_CHECK(readActivation(info, settings.finish));
  return productOf(info, settings);
}

constexpr ElementType kNumbers[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                    ElementType::kDouble, ElementType::kInt32,   ElementType::kUint32,
                                    ElementType::kInt64,  ElementType::kUint64};
constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble};
constexpr TypeRule kNumberRule[] = {{0, kNumbers}};
constexpr TypeRule kFloatRule[] = {{0, kFloats}};

constexpr KernelRow kRows[] = {
    {.opType = "MatMul",
     .versions = {1},
     .types = kNumberRule,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeMatMul>},
    {.opType = "Gemm", .versions = {1}, .types = kNumberRule, .fastPath = "cublasLt", .create = gpuKernel<makeGemm>},
    {.opType = "FusedMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatRule,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeFusedMatMul>},
    {.opType = "FusedMatMulActivation",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatRule,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeFusedMatMul>},
    {.opType = "TransposeMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatRule,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeFusedMatMul>},
    {.opType = "FusedGemm",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kNumberRule,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeGemm>},
    {.opType = "GemmFastGelu",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatRule,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeGemmFastGelu>},
    {.opType = "FusedProduct",
     .domain = kCudaDomain,
     .versions = {1},
     .types = kFloatRule,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeFusedProduct>},
};

}  // namespace

KernelRows kernel_matmul() {
  return kRows;
}

}  // namespace cutaway::cuda
