#include "providers/cuda/kernels/dense_product.h"

namespace cutaway::cuda {

static_assert(static_cast<int32_t>(Activation::kElu) == kActivationElu &&
              static_cast<int32_t>(Activation::kGeluErf) == kActivationGeluErf &&
              static_cast<int32_t>(Activation::kClip) == kActivationClip);

std::string gemmFunctor(const MatmulDescription& description) {
  const char* a = functorType(description.a);
  const char* b = functorType(description.b);
  if (a == nullptr || b == nullptr) return {};
  const bool narrow = (description.a == ElementType::kInt8 || description.a == ElementType::kUint8) &&
                      (description.b == ElementType::kInt8 || description.b == ElementType::kUint8);
  if (narrow) return description.y == ElementType::kInt32 ? fmt::format("gemm.{}.{}", a, b) : std::string();
  const bool biasFits =
      !description.epilogue.bias || description.bias == description.y || description.bias == ElementType::kFloat;
  return description.a == description.b && description.a == description.y && biasFits ? fmt::format("gemm.{}", a)
                                                                                      : std::string();
}

GemmParameters gemmParameters(const MatmulDescription& d) {
  GemmParameters p;
  p.m = d.m, p.n = d.n, p.k = d.k, p.batches = d.batch;
  p.batchStrideA = d.batchStrideA, p.batchStrideB = d.batchStrideB, p.batchStrideY = d.batchStrideY,
  p.batchStrideResidual = d.batchStrideY;
  p.rowStrideA = d.rowStrideA != 0 ? d.rowStrideA : d.transposeA ? d.m : d.k;
  p.rowStrideB = d.rowStrideB != 0 ? d.rowStrideB : d.transposeB ? d.k : d.n;
  p.rowStrideY = d.rowStrideY != 0 ? d.rowStrideY : d.n;
  p.rowStrideResidual = p.rowStrideY;
  p.alpha = d.alpha;
  p.activation = static_cast<int32_t>(d.epilogue.activation);
  p.first = d.epilogue.first, p.second = d.epilogue.second;
  p.transposeA = d.transposeA ? 1 : 0, p.transposeB = d.transposeB ? 1 : 0;
  p.biasIsFloat = d.epilogue.bias && d.bias == ElementType::kFloat ? 1 : 0;
  return p;
}

Result<DenseProduct> DenseProduct::make(GpuResources& resources, const MatmulDescription& description, bool library) {
  DenseProduct product;
  product.m_empty = description.batch == 0 || description.m == 0 || description.n == 0;
  product.m_bias = description.epilogue.bias;
  product.m_residual = description.epilogue.residual;
  if (resources.backend() == nullptr || product.m_empty) return product;
  // A sum over nothing is left to the functor: libraries refuse it.
  if (library && description.k > 0) {
    std::unique_ptr<Operation> operation;
    const Status status = resources.backend()->makeMatmul(description, resources.artifacts(), operation);
    if (!status.ok() && status.code != StatusCode::kUnsupported) return fail(asError(status, "a matrix product"));
    product.m_operation = std::move(operation);
  }
  if (product.m_operation != nullptr) return product;
  CUTAWAY_TRY(product.m_kernel, resources.find(gemmFunctor(description)));
  product.m_parameters = gemmParameters(description);
  return product;
}

Result<void> DenseProduct::run(GpuCall& call, const ProductOperands& operands) const {
  if (m_empty) return {};
  if (m_operation == nullptr) {
    GemmParameters p = m_parameters;
    p.a = operands.a, p.b = operands.b, p.y = operands.y;
    p.bias = m_bias ? operands.bias : nullptr;
    p.residual = m_residual ? operands.residual : nullptr;
    return call.launch(m_kernel, p);
  }
  const void* pointers[5] = {operands.a, operands.b, operands.y};
  size_t count = 3;
  if (m_bias) pointers[count++] = operands.bias;
  if (m_residual) pointers[count++] = operands.residual;
  if (count == 3) return call.run(*m_operation, {operands.a, operands.b, operands.y});
  if (count == 4) return call.run(*m_operation, {operands.a, operands.b, operands.y, pointers[3]});
  return call.run(*m_operation, {operands.a, operands.b, operands.y, pointers[3], pointers[4]});
}

}  // namespace cutaway::cuda
