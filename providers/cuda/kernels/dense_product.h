#pragma once
// A matrix product by the library, or where that is missing or says no, by the tiled functor. For every kernel that
// multiplies.
//
// Thread rule: made on one thread, run on several.
// Example:
//   CUTAWAY_TRY(m_product, DenseProduct::make(resources, {.m = m, .n = n, .k = k}));
//   return m_product.run(call, {.a = x, .b = w, .y = y});

#include <memory>

#include "providers/cuda/functors/gemm_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {

struct ProductOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* y = nullptr;
  const void* bias = nullptr;
  const void* residual = nullptr;
};

class DenseProduct {
 public:
  // NOT_IMPLEMENTED when neither has the types. library false: the functor at once (shapes that change every run).
  static Result<DenseProduct> make(GpuResources& resources, const MatmulDescription& description, bool library = true);
  Result<void> run(GpuCall& call, const ProductOperands& operands) const;
  std::string_view variant() const {
    return m_operation != nullptr ? m_operation->variant() : m_kernel.name == nullptr ? "" : m_kernel.name;
  }

 private:
  std::shared_ptr<Operation> m_operation;
  DeviceKernel m_kernel;
  GemmParameters m_parameters;
  bool m_empty = false;
  bool m_bias = false, m_residual = false;
};

// The functor's name for a description, "" when it has no such types; and its parameters, pointers left open.
std::string gemmFunctor(const MatmulDescription& description);
GemmParameters gemmParameters(const MatmulDescription& description);

}  // namespace cutaway::cuda
