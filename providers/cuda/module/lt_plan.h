#pragma once
// One product in cuBLASLt's terms: descriptors, numbers, and the algorithms that may do it.
//
// Thread rule: made on one thread, then read.
// Example: LtPlan plan;  if (Status status = plan.describe(lt, description); !status.ok()) return status;
// plan.algorithms(lt, handle, 16, 1, found);

#include <vector>

#include "providers/cuda/backend/operations.h"
#include "providers/cuda/module/lt_library.h"
#include "providers/cuda/module/matmul_layout.h"

namespace cutaway::cuda {

inline constexpr size_t kLtWorkspaceBytes = size_t{32} << 20;  // what NVIDIA recommends for Hopper

struct LtAlgorithm {
  cublasLtMatmulAlgo_t algorithm{};
  uint64_t workspaceBytes = 0;
};

// A number in the type that a product scales in.
union LtScalar {
  float single;
  double twice;
  int32_t whole;
  uint16_t half;
};

struct LtPlan {
  cublasLtMatmulDescOpaque_t product{};
  cublasLtMatrixLayoutOpaque_t first{}, second{}, result{};
  LtScalar alpha{}, beta{};
  ProductLayout layout;
  bool lowAccumulation = false;

  Status describe(const LtLibrary& lt, const MatmulDescription& description);
  // Best first, as the library's heuristic has them, for operands that lie on multiples of alignmentBytes.
  Status algorithms(const LtLibrary& lt, cublasLtHandle_t handle, uint32_t alignmentBytes, int wanted,
                    std::vector<LtAlgorithm>& found) const;
  // False: a kept algorithm is not one of this library for this product.
  bool accepts(const LtLibrary& lt, cublasLtHandle_t handle, const LtAlgorithm& algorithm) const;
};

// The descriptors' parameters are not const in cuBLASLt's calls, though they are only read.
inline cublasLtMatrixLayout_t layoutOf(const cublasLtMatrixLayoutOpaque_t& layout) {
  return const_cast<cublasLtMatrixLayout_t>(&layout);
}

}  // namespace cutaway::cuda
