#pragma once
// Matrix products without a library: y = activation(alpha * (a - zeroA)(b - zeroB) + bias + beta * residual),
// row-major, batches by an index map.
//
// A block makes one tile of 64 x 64: slices of 16 along k go to shared memory, and each of 256 threads keeps 4 x 4 sums
// in registers (the classic register tiling of Volkov and Demmel, "Benchmarking GPUs to tune dense linear algebra",
// 2008). On the host the one thread plays all 256 in turn. Thread rule: as shared.h. Example: see
// kernels/dense_product.h.

#include "providers/cuda/functors/epilogue.h"
#include "providers/cuda/functors/executor.h"

namespace cutaway::cuda {

struct GemmParameters {
  const void* a = nullptr;         // [m, k], or [k, m] when transposeA
  const void* b = nullptr;         // [k, n], or [n, k] when transposeB
  void* y = nullptr;               // [m, n]
  const void* bias = nullptr;      // n values (one per column), of y's type or float
  const void* residual = nullptr;  // as y, by its own strides
  const void* zeroA = nullptr;     // 8-bit products: subtracted from a; one value, or one per row
  const void* zeroB = nullptr;     // and from b; one value, or one per column
  int64_t m = 0, n = 0, k = 0;
  int64_t batches = 1;
  IndexMap<2> batchMap;  // elements of a and b; rank 0: the batch is the first index of dense strides below
  int64_t batchStrideA = 0, batchStrideB = 0, batchStrideY = 0, batchStrideResidual = 0;
  int64_t rowStrideA = 0, rowStrideB = 0, rowStrideY = 0;   // between stored rows
  int64_t rowStrideResidual = 0, columnStrideResidual = 1;  // 0: broadcast
  float alpha = 1, beta = 1;
  float first = 0, second = 0;  // of the activation
  int32_t activation = kActivationNone;
  int32_t transposeA = 0, transposeB = 0;
  int32_t biasIsFloat = 0;
  int32_t zeroStrideA = 0, zeroStrideB = 0;
};

inline constexpr int kGemmTile = 64, kGemmDepth = 16, kGemmPlay = 4, kGemmPitch = kGemmTile + 4;
#ifdef __CUDACC__
inline constexpr int kGemmSlots = 1;
#else
inline constexpr int kGemmSlots = kThreadsPerBlock;
#endif
static_assert(kGemmTile / kGemmPlay * (kGemmTile / kGemmPlay) == kThreadsPerBlock);

// Sum: what products are added up in. TA, TB: operands. TY: result.
template <typename TA, typename TB, typename TY, typename Sum>
struct Gemm {
  GemmParameters p;

  static constexpr int64_t sharedBytes() { return int64_t{2} * kGemmDepth * kGemmPitch * sizeof(Sum); }
  CUTAWAY_SHARED int64_t tilesM() const { return (p.m + kGemmTile - 1) / kGemmTile; }
  CUTAWAY_SHARED int64_t tilesN() const { return (p.n + kGemmTile - 1) / kGemmTile; }

  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    const int64_t tiles = tilesM() * tilesN(), batch = number / tiles, tile = number - batch * tiles;
    const int64_t row0 = tile / tilesN() * kGemmTile, column0 = tile % tilesN() * kGemmTile;
    int64_t offsets[2] = {batch * p.batchStrideA, batch * p.batchStrideB};
    if (p.batchMap.rank > 0) p.batchMap.offsets(batch, offsets);
    const TA* a = static_cast<const TA*>(p.a) + offsets[0];
    const TB* b = static_cast<const TB*>(p.b) + offsets[1];
    Sum* sharedA = block.template shared<Sum>();
    Sum* sharedB = sharedA + kGemmDepth * kGemmPitch;
    Sum sums[kGemmSlots][kGemmPlay][kGemmPlay] = {};
    for (int64_t k0 = 0; k0 < p.k; k0 += kGemmDepth) {
      fetch(block, a, b, sharedA, sharedB, row0, column0, k0);
      block.sync();
      for (int slot = 0; slot < kGemmSlots; ++slot) {
        const int thread = block.thread() + slot * block.threads();
        if (thread < kThreadsPerBlock) multiply(sharedA, sharedB, thread, sums[slot]);
      }
      block.sync();
    }
    for (int slot = 0; slot < kGemmSlots; ++slot) {
      const int thread = block.thread() + slot * block.threads();
      if (thread < kThreadsPerBlock) write(batch, row0, column0, thread, sums[slot]);
    }
  }

 private:
  // Neighbouring threads read neighbouring memory, whichever way the operand is stored; outside the matrix are zeros.
  template <typename Block>
  CUTAWAY_SHARED void fetch(Block& block, const TA* a, const TB* b, Sum* sharedA, Sum* sharedB, int64_t row0,
                            int64_t column0, int64_t k0) const {
    for (int i = block.thread(); i < kGemmTile * kGemmDepth; i += block.threads()) {
      const int row = p.transposeA ? i % kGemmTile : i / kGemmDepth, at = p.transposeA ? i / kGemmTile : i % kGemmDepth;
      const int64_t r = row0 + row, k = k0 + at;
      Sum value = Sum(0);
      if (r < p.m && k < p.k) {
        value = Sum(load(a[p.transposeA ? k * p.rowStrideA + r : r * p.rowStrideA + k]));
        if (p.zeroA != nullptr) value -= Sum(load(static_cast<const TA*>(p.zeroA)[r * p.zeroStrideA]));
      }
      sharedA[at * kGemmPitch + row] = value;
    }
    for (int i = block.thread(); i < kGemmTile * kGemmDepth; i += block.threads()) {
      const int column = p.transposeB ? i / kGemmDepth : i % kGemmTile,
                at = p.transposeB ? i % kGemmDepth : i / kGemmTile;
      const int64_t c = column0 + column, k = k0 + at;
      Sum value = Sum(0);
      if (c < p.n && k < p.k) {
        value = Sum(load(b[p.transposeB ? c * p.rowStrideB + k : k * p.rowStrideB + c]));
        if (p.zeroB != nullptr) value -= Sum(load(static_cast<const TB*>(p.zeroB)[c * p.zeroStrideB]));
      }
      sharedB[at * kGemmPitch + column] = value;
    }
  }

  CUTAWAY_SHARED static void multiply(const Sum* sharedA, const Sum* sharedB, int thread,
                                      Sum (&sums)[kGemmPlay][kGemmPlay]) {
    const int row = thread / (kGemmTile / kGemmPlay) * kGemmPlay, column = thread % (kGemmTile / kGemmPlay) * kGemmPlay;
    for (int k = 0; k < kGemmDepth; ++k) {
      Sum left[kGemmPlay], right[kGemmPlay];
      for (int i = 0; i < kGemmPlay; ++i)
        left[i] = sharedA[k * kGemmPitch + row + i];
      for (int i = 0; i < kGemmPlay; ++i)
        right[i] = sharedB[k * kGemmPitch + column + i];
      for (int i = 0; i < kGemmPlay; ++i) {
        for (int j = 0; j < kGemmPlay; ++j)
          sums[i][j] += left[i] * right[j];
      }
    }
  }

  CUTAWAY_SHARED void write(int64_t batch, int64_t row0, int64_t column0, int thread,
                            const Sum (&sums)[kGemmPlay][kGemmPlay]) const {
    const int64_t row = row0 + thread / (kGemmTile / kGemmPlay) * kGemmPlay,
                  column = column0 + thread % (kGemmTile / kGemmPlay) * kGemmPlay;
    TY* y = static_cast<TY*>(p.y) + batch * p.batchStrideY;
    for (int i = 0; i < kGemmPlay; ++i) {
      for (int j = 0; j < kGemmPlay; ++j) {
        if (row + i < p.m && column + j < p.n)
          y[(row + i) * p.rowStrideY + column + j] = finished(sums[i][j], batch, row + i, column + j);
      }
    }
  }

  CUTAWAY_SHARED TY finished(Sum sum, int64_t batch, int64_t row, int64_t column) const {
    const TY* residual = static_cast<const TY*>(p.residual);
    const int64_t at = batch * p.batchStrideResidual + row * p.rowStrideResidual + column * p.columnStrideResidual;
    if constexpr (Sum(0.5) == Sum(0)) {  // whole numbers: sums only
      if (p.bias != nullptr) sum += Sum(static_cast<const TY*>(p.bias)[column]);
      if (residual != nullptr) sum += Sum(residual[at]);
      return TY(sum);
    } else {
      Sum value = Sum(p.alpha) * sum;
      if (p.bias != nullptr)
        value += p.biasIsFloat ? Sum(static_cast<const float*>(p.bias)[column])
                               : Sum(load(static_cast<const TY*>(p.bias)[column]));
      if (residual != nullptr) value += Sum(p.beta) * Sum(load(residual[at]));
      return store<TY>(activated(p.activation, value, p.first, p.second));
    }
  }
};

}  // namespace cutaway::cuda
