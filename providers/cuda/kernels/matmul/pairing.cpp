#include "providers/cuda/kernels/matmul/pairing.h"

#include "providers/cuda/kernels/index_plan.h"

namespace cutaway::cuda {
namespace {

// All matrices of A, which lie one after the other, against one B.
void flatten(Pairing& pairing) {
  if (pairing.pairs < 2 || pairing.transposeA || pairing.batch.rank != 1 || pairing.batch.strides[1][0] != 0 ||
      pairing.batch.strides[0][0] != pairing.rows * pairing.rowStrideA)
    return;
  pairing.rows *= pairing.pairs;
  pairing.pairs = 1;
  pairing.batch = {};
}

}  // namespace

Result<Pairing> pairMatrices(std::span<const int64_t> a, std::span<const int64_t> b, const Transposes& transposes) {
  CUTAWAY_TRY(const operators::MatMulShape shape, operators::matMulShape(a, b, transposes));
  Pairing pairing{.rows = shape.rows,
                  .columns = shape.columns,
                  .depth = shape.depth,
                  .transposeA = shape.transposeA,
                  .transposeB = shape.transposeB,
                  .rowStrideA = shape.rowStrideA,
                  .rowStrideB = shape.rowStrideB,
                  .batch = {},
                  .pairs = shape.batchCount(),
                  .output = Dims(shape.output())};
  if (pairing.pairs > 1) {
    const size_t rank = shape.batchRank;
    CUTAWAY_TRY(pairing.batch,
                indexMap<2>({shape.batch.data(), rank}, {std::span<const int64_t>{shape.strideA.data(), rank},
                                                         std::span<const int64_t>{shape.strideB.data(), rank}}));
    flatten(pairing);
  }
  return pairing;
}

void describePairing(const Pairing& pairing, MatmulDescription& description) {
  description.m = pairing.rows;
  description.n = pairing.columns;
  description.k = pairing.depth;
  description.transposeA = pairing.transposeA;
  description.transposeB = pairing.transposeB;
  description.rowStrideA = pairing.rowStrideA;
  description.rowStrideB = pairing.rowStrideB;
  description.rowStrideY = pairing.columns;
  description.batch = pairing.pairs == 0 ? 0 : 1;
  description.batchStrideA = description.batchStrideB = description.batchStrideY = 0;
  if (pairing.batch.rank == 0) return;
  const int last = pairing.batch.rank - 1;
  description.batch = pairing.batch.dims[last];
  description.batchStrideA = pairing.batch.strides[0][last];
  description.batchStrideB = pairing.batch.strides[1][last];
  description.batchStrideY = pairing.cells();
}

}  // namespace cutaway::cuda
