#include "providers/cuda/kernels/matmul/pairing.h"

#include <algorithm>

#include "providers/cuda/kernels/index_plan.h"

namespace cutaway::cuda {
namespace {

constexpr size_t kMostAxes = 12;

// One operand seen as [batch..., stored rows, stored columns].
struct Side {
  int64_t batch[kMostAxes] = {}, strides[kMostAxes] = {};
  size_t batchRank = 0;
  int64_t rows = 1, columns = 1, rowStride = 1;
};

Side sideOf(std::span<const int64_t> dims, bool vectorIsRow, bool batchInside) {
  Side side;
  if (dims.size() == 1) {
    (vectorIsRow ? side.columns : side.rows) = dims[0];
    side.rowStride = vectorIsRow ? dims[0] : 1;
    return side;
  }
  int64_t strides[kMostAxes];
  int64_t step = 1;
  for (size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= std::max<int64_t>(dims[axis], 1);
  }
  // The batch form stores [rows, batch..., columns].
  const bool moved = batchInside && dims.size() > 2;
  const size_t rowAxis = moved ? 0 : dims.size() - 2, firstBatch = moved ? 1 : 0;
  side.batchRank = dims.size() - 2;
  for (size_t i = 0; i < side.batchRank; ++i) {
    side.batch[i] = dims[i + firstBatch];
    side.strides[i] = strides[i + firstBatch];
  }
  side.rows = dims[rowAxis];
  side.columns = dims.back();
  side.rowStride = strides[rowAxis];
  return side;
}

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
  if (a.empty() || b.empty() || a.size() > kMostAxes || b.size() > kMostAxes)
    return fail(ErrorCode::kInvalidArgument, "a matrix product needs operands of rank 1 to {}, not {} and {}",
                kMostAxes, dimsToText(a), dimsToText(b));
  const Side left = sideOf(a, true, transposes.batchA), right = sideOf(b, false, transposes.batchB);
  Pairing pairing;
  pairing.transposeA = transposes.a && a.size() > 1;
  pairing.transposeB = transposes.b && b.size() > 1;
  pairing.rowStrideA = left.rowStride;
  pairing.rowStrideB = right.rowStride;
  pairing.rows = pairing.transposeA ? left.columns : left.rows;
  pairing.depth = pairing.transposeA ? left.rows : left.columns;
  pairing.columns = pairing.transposeB ? right.rows : right.columns;
  if ((pairing.transposeB ? right.columns : right.rows) != pairing.depth)
    return fail(ErrorCode::kInvalidArgument, "{} and {} cannot be multiplied: {} and {} numbers along the sum",
                dimsToText(a), dimsToText(b), pairing.depth, pairing.transposeB ? right.columns : right.rows);
  const size_t rank = std::max(left.batchRank, right.batchRank);
  int64_t batch[kMostAxes], strides[2][kMostAxes], output[kMostAxes + 2];
  size_t outputRank = 0;
  for (size_t i = 0; i < rank; ++i) {
    const bool inLeft = i + left.batchRank >= rank, inRight = i + right.batchRank >= rank;
    const size_t l = i + left.batchRank - rank, r = i + right.batchRank - rank;
    const int64_t sizeL = inLeft ? left.batch[l] : 1, sizeR = inRight ? right.batch[r] : 1;
    if (sizeL != sizeR && sizeL != 1 && sizeR != 1)
      return fail(ErrorCode::kInvalidArgument, "{} and {} do not broadcast", dimsToText(a), dimsToText(b));
    batch[i] = sizeL == 1 ? sizeR : sizeL;
    strides[0][i] = sizeL == 1 ? 0 : left.strides[l];
    strides[1][i] = sizeR == 1 ? 0 : right.strides[r];
    pairing.pairs *= batch[i];
    output[outputRank++] = batch[i];
  }
  if (a.size() > 1) output[outputRank++] = pairing.rows;
  if (b.size() > 1) output[outputRank++] = pairing.columns;
  pairing.output.assign({output, outputRank});
  if (pairing.pairs > 1) {
    CUTAWAY_TRY(pairing.batch, indexMap<2>({batch, rank}, {std::span<const int64_t>{strides[0], rank},
                                                           std::span<const int64_t>{strides[1], rank}}));
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
