#include "providers/cuda/module/lt_plan.h"

#include <cuda_fp16.h>

namespace cutaway::cuda {
namespace {

cudaDataType_t nativeType(ElementType type) {
  switch (type) {
    case ElementType::kFloat16:
      return CUDA_R_16F;
    case ElementType::kBfloat16:
      return CUDA_R_16BF;
    case ElementType::kDouble:
      return CUDA_R_64F;
    case ElementType::kInt8:
      return CUDA_R_8I;
    case ElementType::kInt32:
      return CUDA_R_32I;
    default:
      return CUDA_R_32F;
  }
}

struct Arithmetic {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t scale = CUDA_R_32F;
};

Arithmetic arithmeticOf(const MatmulDescription& d) {
  switch (d.a) {
    case ElementType::kDouble:
      return {CUBLAS_COMPUTE_64F, CUDA_R_64F};
    case ElementType::kInt8:
      return {CUBLAS_COMPUTE_32I, CUDA_R_32I};
    case ElementType::kFloat:
      return {d.math == MathMode::kPrecise ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F};
    case ElementType::kFloat16:
      if (d.math == MathMode::kLowerAccumulation && d.y == ElementType::kFloat16)
        return {CUBLAS_COMPUTE_16F, CUDA_R_16F};
      return {};
    default:
      return {};
  }
}

LtScalar scalar(float value, cudaDataType_t type) {
  LtScalar result{};
  if (type == CUDA_R_64F)
    result.twice = value;
  else if (type == CUDA_R_32I)
    result.whole = static_cast<int32_t>(value);
  else if (type == CUDA_R_16F)
    result.half = __half_raw(__float2half(value)).x;
  else
    result.single = value;
  return result;
}

cublasLtEpilogue_t epilogueOf(const Epilogue& e) {
  switch (e.activation) {
    case Activation::kRelu:
      return e.bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    case Activation::kGeluTanh:
      return e.bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    default:
      return e.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
  }
}

// Steps that stop at the first failure, whose name they keep.
class Steps {
 public:
  explicit Steps(const LtLibrary& lt) : m_lt(lt) {}
  template <typename Call>
  void then(const char* what, Call call) {
    if (m_failure.ok()) m_failure = ltStatus(m_lt, call(), what);
  }
  Status take() { return std::move(m_failure); }

 private:
  const LtLibrary& m_lt;
  Status m_failure;
};

void addLayout(Steps& steps, const LtLibrary& lt, cublasLtMatrixLayoutOpaque_t& native, const StoredMatrix& matrix,
               cudaDataType_t type, int64_t batch) {
  steps.then("cublasLtMatrixLayoutInit", [&] {
    return lt.initLayout(&native, sizeof(native), type, static_cast<uint64_t>(matrix.rows),
                         static_cast<uint64_t>(matrix.columns), matrix.leading);
  });
  if (batch == 1) return;
  const int32_t count = static_cast<int32_t>(batch);
  steps.then("cublasLt batch count",
             [&] { return lt.setLayout(&native, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count)); });
  steps.then("cublasLt batch stride", [&] {
    return lt.setLayout(&native, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &matrix.batchStride,
                        sizeof(matrix.batchStride));
  });
}

}  // namespace

Status LtPlan::describe(const LtLibrary& lt, const MatmulDescription& d) {
  const Arithmetic arithmetic = arithmeticOf(d);
  layout = productLayout(d);
  lowAccumulation = d.math == MathMode::kLowerAccumulation;
  alpha = scalar(d.alpha, arithmetic.scale);
  beta = scalar(d.epilogue.residual ? 1.0F : 0.0F, arithmetic.scale);
  Steps steps(lt);
  steps.then("cublasLtMatmulDescInit",
             [&] { return lt.initProduct(&product, sizeof(product), arithmetic.compute, arithmetic.scale); });
  const auto set = [&](cublasLtMatmulDescAttributes_t which, auto value, const char* what) {
    steps.then(what, [&] { return lt.setProduct(&product, which, &value, sizeof(value)); });
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, layout.first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, "cublasLt transposition");
  set(CUBLASLT_MATMUL_DESC_TRANSB, layout.second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, "cublasLt transposition");
  if (const cublasLtEpilogue_t epilogue = epilogueOf(d.epilogue); epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue, "cublasLt epilogue");
  if (d.epilogue.bias) {
    // A pointer as aligned as the real ones will be: the heuristic looks at it.
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, reinterpret_cast<const void*>(uintptr_t{256}), "cublasLt bias");
    if (d.bias != d.y)
      set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, static_cast<int32_t>(nativeType(d.bias)), "cublasLt bias type");
  }
  addLayout(steps, lt, first, layout.first, nativeType(d.b), d.batch);
  addLayout(steps, lt, second, layout.second, nativeType(d.a), d.batch);
  addLayout(steps, lt, result, layout.result, nativeType(d.y), d.batch);
  return steps.take();
}

Status LtPlan::algorithms(const LtLibrary& lt, cublasLtHandle_t handle, uint32_t alignmentBytes, int wanted,
                          std::vector<LtAlgorithm>& found) const {
  cublasLtMatmulPreferenceOpaque_t preference{};
  Steps steps(lt);
  steps.then("cublasLtMatmulPreferenceInit", [&] { return lt.initPreference(&preference, sizeof(preference)); });
  const auto set = [&](cublasLtMatmulPreferenceAttributes_t which, auto value) {
    steps.then("cublasLt preference", [&] { return lt.setPreference(&preference, which, &value, sizeof(value)); });
  };
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<uint64_t>(kLtWorkspaceBytes));
  for (const auto which : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                           CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    set(which, alignmentBytes);
  // Partial sums of a split product are added in the compute type, not in 16 bits.
  if (!lowAccumulation)
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  std::vector<cublasLtMatmulHeuristicResult_t> results(static_cast<size_t>(wanted));
  int count = 0;
  steps.then("cublasLtMatmulAlgoGetHeuristic", [&] {
    return lt.heuristic(handle, const_cast<cublasLtMatmulDescOpaque_t*>(&product), layoutOf(first), layoutOf(second),
                        layoutOf(result), layoutOf(result), &preference, wanted, results.data(), &count);
  });
  if (Status failure = steps.take(); !failure.ok()) return failure;
  found.clear();
  for (int i = 0; i < count; ++i) {
    const cublasLtMatmulHeuristicResult_t& each = results[static_cast<size_t>(i)];
    if (each.state == CUBLAS_STATUS_SUCCESS) found.push_back({each.algo, each.workspaceSize});
  }
  return found.empty() ? Status::unsupported("cuBLASLt has no algorithm for this product") : Status{};
}

bool LtPlan::accepts(const LtLibrary& lt, cublasLtHandle_t handle, const LtAlgorithm& kept) const {
  cublasLtMatmulHeuristicResult_t answer{};
  const cublasStatus_t status =
      lt.check(handle, const_cast<cublasLtMatmulDescOpaque_t*>(&product), layoutOf(first), layoutOf(second),
               layoutOf(result), layoutOf(result), &kept.algorithm, &answer);
  return status == CUBLAS_STATUS_SUCCESS && answer.workspaceSize <= kept.workspaceBytes;
}

}  // namespace cutaway::cuda
