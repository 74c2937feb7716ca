#pragma once
// How the matrices of two tensors pair in a product: batch axes broadcast, 1-D operands gain an axis that the result
// loses; and which products of the backend that makes.
//
// Thread rule: plain values, no heap for results of up to eight axes.
// Example: CUTAWAY_TRY(const Pairing pairing, pairMatrices(a.dims(), b.dims(), {}));

#include <span>

#include "engine/operators/matmul.h"
#include "engine/tensor/tensor.h"
#include "providers/cuda/backend/operations.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

using Transposes = operators::MatMulTransposes;

struct Pairing {
  int64_t rows = 1, columns = 1, depth = 1;
  bool transposeA = false, transposeB = false;  // stored the other way round
  int64_t rowStrideA = 1, rowStrideB = 1;       // from stored row to stored row
  IndexMap<2> batch;                            // where the matrices of a pair begin; axes merged
  int64_t pairs = 1;
  Dims output;

  int64_t cells() const { return rows * columns; }
};

// INVALID_ARGUMENT when they do not fit. Many matrices of A against one B become one product of more rows.
Result<Pairing> pairMatrices(std::span<const int64_t> a, std::span<const int64_t> b, const Transposes& transposes);

// The last batch axis as the strides of one library product; the axes before it make a list of such products
// (outerPairs of them, each `description.batch` pairs long).
void describePairing(const Pairing& pairing, MatmulDescription& description);
inline int64_t outerPairs(const Pairing& pairing, const MatmulDescription& description) {
  return description.batch == 0 ? 0 : pairing.pairs / description.batch;
}

}  // namespace cutaway::cuda
